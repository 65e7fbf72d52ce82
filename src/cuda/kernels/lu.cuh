/* Elimination without pivoting in columns (methods/lu.h), one lane a system; K is the larger half bandwidth. Shorter
 * sides are padded with zeros. A ring is cut open as in src/cpu/kernels/ring.c: the last K unknowns are its border. */
#ifndef SB_CUDA_LU_CUH
#define SB_CUDA_LU_CUH

#include "src/chunk/band.h"
#include "src/chunk/growth.h"
#include "src/chunk/ring_growth.h"
#include "src/cuda/kernels/border.cuh"
#include "src/cuda/kernels/window.cuh"
#include "src/cuda/method.h"
#include "src/cuda/methods/lu.h"

namespace
{

/* A lane's column. */
template <int K> struct sb_column {
    enum { WIDTH = 2 * K + 1 };
    sb_cuda_columns map;
    T *at;
    int32_t *swap;

    __device__ T &place(int64_t p) const
    {
        return at[p * map.pitch];
    }
    __device__ T &entry(int64_t i, int k) const
    {
        return place(i * WIDTH + K + k);
    }
    __device__ T &spike(int64_t i, int c) const
    {
        return place(map.spikes + i * K + c);
    }
    __device__ sb_border border(int64_t inner) const
    {
        return {
            inner, map.pitch, &place(map.spikes), &place(map.border), {K, map.pitch, &place(map.schur), swap}};
    }
};

template <int K>
__device__ sb_column<K> sb_column_at(const sb_cuda_job &job, void *memory, int64_t columns, int64_t number)
{
    sb_column<K> c;
    c.map = sb_cuda_columns_of(job.n, columns, K, job.periodic);
    c.at = static_cast<T *>(memory) + number;
    c.swap = reinterpret_cast<int32_t *>(static_cast<T *>(memory) + c.map.places * c.map.pitch) + number;
    return c;
}

/* What elimination tells of a matrix. */
struct sb_told {
    int64_t row;
    R growth;
};

__device__ __forceinline__ void sb_judge(const sb_cuda_job &job, const sb_told &told, sb_cuda_matrix *record)
{
    record->growth = static_cast<float>(told.growth);
    if (job.wary && !(told.row < 0 && told.growth <= SB_CUDA_GROWTH_LIMIT))
        record->flags = SB_CUDA_UNSAFE;
    else if (told.row >= 0)
        record->outcome = sb_cuda_failure(SLIMBAND_BREAKDOWN, told.row);
}

/* Asks for rows from .. of the open part, 0 .. inner - 1, diagonal by diagonal, in a loop: the code of all of them at once would not
   stay in the instruction cache (a third more time). */
template <int K, int ROWS>
__device__ void sb_ask_for_rows(const sb_cuda_job &job, sb_window<ROWS> *windows, int64_t line, int64_t n,
                                int64_t inner, int64_t from)
{
    bool along = sb_runs_along(job, job.matrix_at);
#pragma unroll 1
    for (int k = -job.lower; k <= job.upper; ++k) {
        int64_t begin = k < 0 ? -k : 0, end = k > 0 ? inner - k : inner;
        if (job.toeplitz) {
            for (int row = 0; row < ROWS; ++row) {
                int64_t i = from + row;
                windows[K + k][row][sb_lane()] = i >= begin && i < end ? sb_entry(job, line, n, i, k) : T(0);
            }
            continue;
        }
        const T *diagonal = static_cast<const T *>(job.diagonal[job.lower + k]) + line;
        sb_ask_for(windows[K + k], {diagonal, job.matrix_at.line, begin, end}, from, along);
    }
}

/* A11 = L U. ask(from): for what else is needed of the rows from there on; keep(i, row): takes row i, its multipliers, the
   reciprocal pivot, its part of U. */
template <int K, int ROWS, typename Ask, typename Keep>
__device__ __forceinline__ sb_told sb_eliminate(const sb_cuda_job &job, sb_window<ROWS> *windows, int64_t line,
                                                int64_t n, int64_t inner, Ask ask, Keep keep)
{
    T above[(K + 1) * (K + 1)];
#pragma unroll
    for (int e = 0; e < (K + 1) * (K + 1); ++e)
        above[e] = 0;
    sb_told told = {-1, 0};
    int64_t longest = sb_longest_of_warp(inner);
    for (int64_t from = 0; from < longest; from += ROWS) {
        __syncwarp();
        sb_ask_for_rows<K, ROWS>(job, windows, line, n, inner, from);
        ask(from);
        sb_arrived();
#pragma unroll 1
        for (int r = 0; r < ROWS && from + r < inner; ++r) {
            T row[2 * K + 1];
#pragma unroll
            for (int k = -K; k <= K; ++k)
                row[K + k] = k < -job.lower || k > job.upper ? T(0) : windows[K + k][r][sb_lane()];
            R largest = sb_band_largest(row, 2 * K + 1);
            R product = sb_band_eliminate_row(row, above, K + 1, K, K, K, &told.growth);
            told.growth = sb_grow(told.growth, product, largest);
            if (!sb_band_invert_pivot(row + K) && told.row < 0)
                told.row = from + r;
            keep(from + r, row);
#pragma unroll
            for (int e = (K + 1) * (K + 1) - 1; e >= K + 1; --e)
                above[e] = e < 2 * (K + 1) ? row[K + e - (K + 1)] : above[e - (K + 1)];
        }
    }
    return told;
}

/* The last K rows of K spikes, the newest first. */
template <int K> struct sb_spike_rows {
    T row[K][K];

    __device__ sb_spike_rows()
    {
#pragma unroll
        for (int e = 0; e < K * K; ++e)
            row[e / K][e % K] = 0;
    }
    __device__ void push(const T (&fresh)[K])
    {
#pragma unroll
        for (int e = K * K - 1; e >= 0; --e)
            row[e / K][e % K] = e < K ? fresh[e] : row[e / K - 1][e % K];
    }
};

/* L W' = A12. */
template <int K>
__device__ void sb_spikes_down(const sb_cuda_job &job, int64_t line, int64_t n, int64_t inner,
                               const sb_column<K> &column)
{
    sb_spike_rows<K> last;
#pragma unroll 1
    for (int64_t i = 0; i < inner; ++i) {
        bool touches = i < K || i >= inner - K;
        T fresh[K];
#pragma unroll
        for (int c = 0; c < K; ++c) {
            fresh[c] = touches ? sb_ring_entry(job, line, n, i, inner + c) : T(0);
#pragma unroll
            for (int k = K; k > 0; --k)
                fresh[c] -= column.entry(i, -k) * last.row[k - 1][c];
            column.spike(i, c) = fresh[c];
        }
        last.push(fresh);
    }
}

/* U W = W'. Returns the largest row sum of |W|. */
template <int K> __device__ R sb_spikes_up(int64_t inner, const sb_column<K> &column)
{
    sb_spike_rows<K> last;
    R size = 0;
#pragma unroll 1
    for (int64_t i = inner - 1; i >= 0; --i) {
        R row = 0;
        T fresh[K];
#pragma unroll
        for (int c = 0; c < K; ++c) {
            fresh[c] = column.spike(i, c);
#pragma unroll
            for (int k = K; k > 0; --k)
                fresh[c] -= column.entry(i, k) * last.row[k - 1][c];
            fresh[c] *= column.entry(i, 0);
            column.spike(i, c) = fresh[c];
            row += sb_abs1(fresh[c]);
        }
        size = row <= size ? size : row;
        last.push(fresh);
    }
    return size;
}

/* Factors a matrix of n rows (0: none) and says how it went. */
template <int K, bool RING>
__device__ sb_cuda_matrix sb_factor_column(const sb_cuda_job &job, sb_window<SB_ROWS> *windows, int64_t matrix,
                                           int64_t n, const sb_column<K> &column)
{
    sb_cuda_matrix record = {SB_CUDA_GOOD, 0, 0};
    if (RING && n > 0 && n < sb_cuda_smallest_ring(job.lower, job.upper)) {
        record.flags = SB_CUDA_UNSAFE;
        n = 0;
    }
    int64_t line = n ? sb_matrix_line(job, matrix) : 0, inner = RING && n ? n - K : n;
    const int64_t pitch = column.map.pitch;
    T *place = &column.place(0);
    sb_told told = sb_eliminate<K, SB_ROWS>(
        job, windows, line, n, inner, [](int64_t) {},
        [&](int64_t, const T(&row)[2 * K + 1]) {
#pragma unroll
            for (int d = 0; d <= 2 * K; ++d, place += pitch)
                *place = row[d];
        });
    if (RING && n && told.row < 0) {
        sb_spikes_down<K>(job, line, n, inner, column);
        R size = sb_spikes_up<K>(inner, column);
        int broken = sb_factor_border(job, line, n, column.border(inner), &told.growth);
        told.growth = sb_ring_growth(told.growth, size, R(SB_CUDA_GROWTH_LIMIT));
        told.row = broken < 0 ? -1 : inner + broken;
    }
    sb_judge(job, told, &record);
    return record;
}

} // namespace

#endif
