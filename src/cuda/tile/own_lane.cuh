/* A lane of a line of own matrices: what tri- and pentadiagonal ones have in common.
 *
 * own_tri_lane.cuh and own_penta_lane.cuh add: PLANES, the arrays, of which the last has right-hand sides; WARPS, of a block;
 * IN_REGISTERS, whether kept_rows hold what rows are solved by; `separators`, what is left of a swept chunk, and their
 * `unknowns`, which of_lane finds with another lane; and sweep, chain, back. */
#ifndef SB_CUDA_TILE_OWN_LANE_CUH
#define SB_CUDA_TILE_OWN_LANE_CUH

#include "src/cuda/tile/chain.cuh"
#include "src/cuda/tile/mover.cuh"

namespace
{

/* A lane's chunk of the line that its group of lanes holds; its rows are staged in `at`. */
template <int PLANES> struct sb_own_lane {
    const sb_tile_own_lines &job;
    const sb_lane_mover<PLANES> &mover;
    int lane, group, start, rows;
    bool solves, conjugate;
    T *at[PLANES], *x;

    __device__ sb_own_lane(const sb_tile_own_lines &j, const sb_lane_mover<PLANES> &m, bool adjoint)
        : job(j), mover(m), solves(m.from.at[PLANES - 1]), conjugate(adjoint)
    {
        lane = threadIdx.x % job.lines.width;
        group = threadIdx.x % SB_WARP / job.lines.width;
        start = sb_tile_start(&job.lines.cut, 0, lane);
        rows = sb_tile_start(&job.lines.cut, 0, lane + 1) - start;
    }
    __device__ __forceinline__ bool is_last() const
    {
        return lane == job.lines.width - 1;
    }
    __device__ __forceinline__ void turn_to(int tile, int stage)
    {
#pragma unroll
        for (int p = 0; p < PLANES; ++p)
            at[p] = mover.staged(tile, stage, group, p) + start;
        x = mover.solved(tile, stage, group) + start;
    }
    /* Entry a of row i, which leaves the matrix in front of it or behind it: an open one has none, that of a transposed ring
       stands at the other end. */
    __device__ __forceinline__ T outer(int a, int i, int line, bool behind) const
    {
        int n = job.lines.cut.n;
        return job.open ? (T)0 : job.turned ? mover.source(a, line)[start + i + (behind ? -n : n)] : at[a][i];
    }
    /* Whether the line's matrix may be solved with. */
    __device__ __forceinline__ bool judge(int line, bool real, sb_met met, sb_cuda_matrix *matrix) const
    {
        sb_cuda_matrix *record = matrix + mover.number(line);
        if (!job.judges)
            return real && record->outcome == SB_CUDA_GOOD && !(record->flags & SB_CUDA_UNSAFE);
        met = sb_lanes_met(met, job.lines.width);
        return sb_own_judge(job.wary, sb_growth_met(met), met.bad, real && lane == 0 ? record : nullptr) &&
               real;
    }
    /* What became of the systems; returns a bit for each of the tile's lines whose solution goes to memory. */
    __device__ __forceinline__ unsigned tell(int line, bool good, bool real, bool finite,
                                             sb_cuda_outcome *system) const
    {
        int width = job.lines.width;
        unsigned broken = __ballot_sync(~0u, !finite), whole = __ballot_sync(~0u, good || !real);
        unsigned lanes = width == SB_WARP ? ~0u : (1u << width) - 1;
        if (good && lane == 0)
            system[mover.number(line)] = broken & lanes << group * width
                                             ? sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1)
                                             : SB_CUDA_GOOD;
        return whole == ~0u
                   ? whole
                   : __ballot_sync(~0u, __shfl_sync(~0u, good, threadIdx.x % job.lines.together * width));
    }
};

} // namespace

#endif
