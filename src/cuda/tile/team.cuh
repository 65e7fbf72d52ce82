/* k x k blocks of which k x k lanes of a warp hold an entry each, row by row. */
#ifndef SB_CUDA_TILE_TEAM_CUH
#define SB_CUDA_TILE_TEAM_CUH

#include "src/chunk/cut.h"
#include "src/cuda/kernels/scalars.cuh"

namespace
{

template <int K> struct sb_team {
    static constexpr int SIZE = K * K;
    static_assert(32 % SIZE == 0, "a warp is whole teams");
    /* number: which team of the block of threads; lanes: its own, of the warp. */
    int number, entry, row, column;
    unsigned lanes;

    __device__ explicit sb_team(int thread)
        : number(thread / SIZE), entry(thread % SIZE), row(entry / K), column(entry % K),
          lanes(~0u >> (32 - SIZE) << (thread % 32 - entry))
    {
    }
    __device__ T at(T mine, int r, int c) const
    {
        return K == 1 ? mine : sb_shuffle(mine, r * K + c, SIZE, lanes);
    }
    __device__ T multiply(T a, T b) const
    {
        T sum = 0;
#pragma unroll
        for (int t = 0; t < K; ++t)
            sum += at(a, row, t) * at(b, t, column);
        return sum;
    }
    /* Every lane eliminates all of it, for a column of the inverse. */
    __device__ T inverse(T a) const
    {
        T left[SIZE], x[K], mine = 0;
#pragma unroll
        for (int i = 0; i < SIZE; ++i)
            left[i] = at(a, i / K, i % K);
#pragma unroll
        for (int i = 0; i < K; ++i)
            x[i] = i == column;
        sb_block_solve(K, left, x);
#pragma unroll
        for (int i = 0; i < K; ++i)
            mine = i == row ? x[i] : mine;
        return mine;
    }
    __device__ R largest(R a) const
    {
#pragma unroll
        for (int step = 1; step < SIZE; step *= 2)
            a = sb_larger(a, __shfl_xor_sync(lanes, a, step, SIZE));
        return a;
    }
    __device__ R largest_of_row(R a) const
    {
#pragma unroll
        for (int step = 1; step < K; step *= 2)
            a = sb_larger(a, __shfl_xor_sync(lanes, a, step, SIZE));
        return a;
    }
    __device__ R sum_of_row(R a) const
    {
#pragma unroll
        for (int step = 1; step < K; step *= 2)
            a += __shfl_xor_sync(lanes, a, step, SIZE);
        return a;
    }
};

} // namespace

#endif
