/* What lanes tell each other when they eliminate a chain together (src/chunk/chain.h). */
#ifndef SB_CUDA_TILE_CHAIN_CUH
#define SB_CUDA_TILE_CHAIN_CUH

#include "src/chunk/chain.h"
#include "src/cuda/method.h"
#include "src/cuda/tile/chunk.cuh"

namespace
{

__device__ __forceinline__ sb_known sb_known_from(sb_known s, int lane, int width)
{
    return {sb_shuffle(s.y, lane, width), sb_shuffle(s.p, lane, width), sb_shuffle(s.u, lane, width)};
}

/* What all of `width` lanes have met. */
__device__ __forceinline__ sb_met sb_lanes_met(sb_met met, int width)
{
    for (int step = 1; step < width; step *= 2) {
        met.growth = max(met.growth, __shfl_xor_sync(~0u, met.growth, step));
        met.bad = min(met.bad, __shfl_xor_sync(~0u, met.bad, step));
    }
    return met;
}

/* Whether a matrix may be solved with; its record, unless that is null. bad: the first row without a pivot. */
__device__ __forceinline__ bool sb_own_judge(bool wary, float growth, int bad, sb_cuda_matrix *record)
{
    bool broken = bad != SB_NO_ROW, unsafe = wary && (broken || !(growth <= SB_CUDA_GROWTH_LIMIT));
    if (record)
        *record = {broken && !unsafe ? sb_cuda_failure(SLIMBAND_BREAKDOWN, bad) : SB_CUDA_GOOD, growth,
                   unsafe ? (uint32_t)SB_CUDA_UNSAFE : 0u};
    return !unsafe && !broken;
}

} // namespace

#endif
