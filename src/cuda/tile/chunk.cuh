/* One thread's chunk of `LANES` systems at once, in registers, through the factors of a shared matrix. The factors are
 * read through `source`, whose members forward(i), back(i) and spike(i) give a place's multipliers. */
#ifndef SB_CUDA_TILE_CHUNK_CUH
#define SB_CUDA_TILE_CHUNK_CUH

#include "src/cuda/kernels/scalars.cuh"

namespace
{

/* The largest power of two that divides this many bytes; 16 at most. */
constexpr int sb_tile_alignment(int bytes)
{
    return (bytes | 16) & -(bytes | 16);
}

/* A few scalars, read from shared memory by as few instructions as their size allows. */
template <int N> struct __align__(sb_tile_alignment(N * sizeof(T))) sb_few
{
    T at[N];
};

/* The interior's own solution in place of its right-hand side. Empty places hold 0 and stay 0. */
template <int K, int SLOTS, int LANES, typename Source>
__device__ __forceinline__ void sb_tile_interior(T (&d)[SLOTS][LANES], const Source &source)
{
#pragma unroll
    for (int i = 0; i < SLOTS - K; ++i) {
        const auto f = source.forward(i);
#pragma unroll
        for (int v = 0; v < LANES; ++v) {
            T sum = f.at[0] * d[i][v];
#pragma unroll
            for (int t = K; t >= 1; --t)
                if (i >= t)
                    sum += f.at[t] * d[i - t][v];
            d[i][v] = sum;
        }
    }
#pragma unroll
    for (int i = SLOTS - K - 2; i >= 0; --i) {
        sb_few<K> u = source.back(i);
#pragma unroll
        for (int v = 0; v < LANES; ++v)
#pragma unroll
            for (int j = K; j >= 1; --j)
                if (i + j < SLOTS - K)
                    d[i][v] += u.at[j - 1] * d[i + j][v];
    }
}

/* The first K places in use. */
template <int K, int SLOTS, int LANES>
__device__ __forceinline__ void sb_tile_head(T (&head)[K][LANES], const T (&d)[SLOTS][LANES], int front)
{
#pragma unroll
    for (int c = 0; c < K; ++c)
#pragma unroll
        for (int v = 0; v < LANES; ++v)
            head[c][v] = d[c][v];
    if (front == 0)
        return;
#pragma unroll
    for (int i = 1; i + K <= SLOTS; ++i)
        if (i == front)
#pragma unroll
            for (int c = 0; c < K; ++c)
#pragma unroll
                for (int v = 0; v < LANES; ++v)
                    head[c][v] = d[i + c][v];
}

/* The solution at one place of the interior, the separators on both sides known. */
template <int K, int LANES>
__device__ __forceinline__ T sb_tile_row(T y, const sb_few<2 * K> &spike, const T (&left)[K][LANES],
                                         const T (&own)[K][LANES], int v)
{
#pragma unroll
    for (int c = 0; c < K; ++c)
        y += spike.at[c] * left[c][v];
#pragma unroll
    for (int c = 0; c < K; ++c)
        y += spike.at[K + c] * own[c][v];
    return y;
}

} // namespace

#endif
