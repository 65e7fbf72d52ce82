/* What blocks say of the systems of a shared matrix, lines side by side. */
#ifndef SB_CUDA_TILE_RECORDS_CUH
#define SB_CUDA_TILE_RECORDS_CUH

#include "src/cuda/method.h"

namespace
{

/* What became of the systems: the first chunk says that they are good; any chunk that met NaN or Inf says so two tiles
   later, when the first chunk's word has been seen by all. */
template <int LANES> struct sb_tile_records {
    sb_cuda_outcome *bad[LANES];
    int age = 0;

    __device__ sb_tile_records()
    {
#pragma unroll
        for (int v = 0; v < LANES; ++v)
            bad[v] = nullptr;
    }

    /* mine: what is known of the systems. */
    __device__ void note(sb_cuda_outcome *const (&mine)[LANES], const bool (&real)[LANES],
                         const bool (&broken)[LANES], bool first)
    {
#pragma unroll
        for (int v = 0; v < LANES; ++v) {
            if (real[v] && first)
                *mine[v] = SB_CUDA_GOOD;
            if (!real[v] || !broken[v])
                continue;
            if (age > 0 && age < 2)
                write();
            bad[v] = mine[v];
            age = 2;
        }
    }
    __device__ void late()
    {
        if (age > 0 && --age == 0)
            write();
    }
    __device__ void write()
    {
#pragma unroll
        for (int v = 0; v < LANES; ++v) {
            if (bad[v])
                *bad[v] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
            bad[v] = nullptr;
        }
        age = 0;
    }
};

} // namespace

#endif
