/* The rows that a team sweeps over, in shared memory, 2 K + 1 coefficients and the right-hand side each. */
#ifndef SB_BANDS_STRIP_CUH
#define SB_BANDS_STRIP_CUH

#include <cuda_pipeline.h>

#include "src/cuda/bands/team.cuh"
#include "src/cuda/kernels/view.cuh"

namespace
{

/* Where a strip or a run of links lies; the rows that the team brings: the first of them, how many, and the way they go. */
struct strip {
    int64_t system, number, matrix, line, first;
    int rows, step;
};

/* How these rows, fewer than 2^15, stand in shared memory: `each` of them one behind another, so many words from those to the next.
   inverse: 2^16 / each, rounded up; 0: all are one behind another. */
template <int K> struct stand {
    enum { WIDTH = 2 * K + 2 };
    int each, inverse, pace;

    __device__ __forceinline__ int operator()(int row) const
    {
        const int before = row * inverse >> 16;
        return before * pace + (row - before * each) * WIDTH;
    }
};

/* A(i, i + k), of A^T if that is asked for; NULL outside the matrix. */
__device__ __forceinline__ const T *coefficient(const sb_cuda_job &job, int64_t line, int64_t i, int k)
{
    int64_t column = i + k;
    bool inside = column >= 0 && column < job.n;
    if (job.transposed) {
        i = column < 0 ? column + job.n : column >= job.n ? column - job.n : column;
        k = -k;
    }
    if (k < -job.lower || k > job.upper || !(inside || job.periodic))
        return nullptr;
    return static_cast<const T *>(job.diagonal[job.lower + k]) + line + sb_row_at(job, job.n, i);
}

__device__ __forceinline__ void copy_or_zero(T *to, const T *from, const T *somewhere)
{
    __pipeline_memcpy_async(to, from ? from : somewhere, sizeof(T), from ? 0 : sizeof(T));
}

/* Do all these rows, and the columns that they know, lie inside the matrix and outside a Toeplitz matrix' own rows? Then each
   diagonal's entries of them are evenly spaced. */
template <int K> __device__ __forceinline__ bool is_even(const sb_cuda_job &job, const strip &s)
{
    const int64_t last = s.first + static_cast<int64_t>(s.rows - 1) * s.step;
    const int64_t low = (s.first < last ? s.first : last) - K, high = (s.first < last ? last : s.first) + K;
    return low >= (job.toeplitz ? job.first : 0) && high < job.n - (job.toeplitz ? job.last : 0);
}

/* All loads of the strip are under way together. */
template <int K>
__device__ void bring(const sb_cuda_job &job, const team<K> &t, const strip &s, const stand<K> &at, T *items)
{
    enum { WIDTH = 2 * K + 2, SIZE = team<K>::SIZE };
    const T *somewhere = static_cast<const T *>(job.diagonal[job.lower]);
    const T *b = job.b ? static_cast<const T *>(job.b) + sb_line_of(job, job.b_at, s.system) : nullptr;
    const int64_t step = s.step * SIZE * (job.toeplitz ? 0 : job.matrix_at.line),
                  b_step = s.step * SIZE * job.b_at.line;
    if (is_even<K>(job, s)) {
        const int64_t i = s.first + static_cast<int64_t>(t.lane) * s.step;
        const T *from[WIDTH];
#pragma unroll
        for (int k = -K; k <= K; ++k)
            from[K + k] = coefficient(job, s.line, i, k * s.step);
        from[WIDTH - 1] = b ? b + i * job.b_at.line : nullptr;
        for (int row = t.lane; row < s.rows; row += SIZE) {
            T *item = items + at(row);
#pragma unroll
            for (int k = 0; k < WIDTH; ++k) {
                copy_or_zero(item + k, from[k], somewhere);
                from[k] = from[k] ? from[k] + (k < WIDTH - 1 ? step : b_step) : nullptr;
            }
        }
    } else
        for (int row = t.lane; row < s.rows; row += SIZE) {
            const int64_t i = s.first + row * s.step;
            T *item = items + at(row);
#pragma unroll
            for (int k = -K; k <= K; ++k)
                copy_or_zero(item + K + k, coefficient(job, s.line, i, k * s.step), somewhere);
            copy_or_zero(item + WIDTH - 1, b ? b + i * job.b_at.line : nullptr, somewhere);
        }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
}

/* A row with its right-hand side, brought near 1 by a power of two, so that rows of any size count alike. */
template <int K> __device__ __forceinline__ void weigh(T (&row)[2 * K + 2], bool conjugate)
{
    int largest = 0;
#pragma unroll
    for (int k = 0; k <= 2 * K; ++k) {
        int exponent = exponent_of(sb_abs1(row[k]));
        largest = exponent > largest ? exponent : largest;
    }
    const R power = inverse_power(largest);
#pragma unroll
    for (int k = 0; k < 2 * K + 2; ++k)
        row[k] = row[k] * power;
    row[2 * K + 1] = conjugate ? sb_conj(row[2 * K + 1]) : row[2 * K + 1];
}

/* All of a team's rows. */
template <int K>
__device__ __forceinline__ void weigh_all(const sb_cuda_job &job, const team<K> &t, const strip &s, T *items)
{
    enum { WIDTH = 2 * K + 2 };
    for (int row = t.lane; row < s.rows; row += team<K>::SIZE) {
        T *item = items + row * WIDTH, own[WIDTH];
#pragma unroll
        for (int k = 0; k < WIDTH; ++k)
            own[k] = item[k];
        weigh<K>(own, job.conjugate);
#pragma unroll
        for (int k = 0; k < WIDTH; ++k)
            item[k] = own[k];
    }
    __syncwarp();
}

} // namespace

#endif
