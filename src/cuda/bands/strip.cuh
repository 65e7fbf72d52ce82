/* A strip: the rows that a team sweeps over, in shared memory, 2 K + 1 coefficients and the right-hand side each. */
#ifndef SB_BANDS_STRIP_CUH
#define SB_BANDS_STRIP_CUH

#include <cuda_pipeline.h>

#include "src/cuda/bands/team.cuh"
#include "src/cuda/kernels/view.cuh"

namespace
{

/* Where a strip lies, and of the team's half of it: the row that it begins with, and the way it goes. */
struct strip {
    int64_t system, number, matrix, line, first;
    int rows, step;
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

/* All loads of the strip are under way together; then every row is brought near 1 by a power of two, so that rows of
   any size count alike. */
template <int K> __device__ void bring(const sb_cuda_job &job, const team<K> &t, const strip &s, T *items)
{
    enum { WIDTH = 2 * K + 2, SIZE = team<K>::SIZE };
    const T *somewhere = static_cast<const T *>(job.diagonal[job.lower]);
    const T *b = job.b ? static_cast<const T *>(job.b) + sb_line_of(job, job.b_at, s.system) : nullptr;
    for (int row = t.lane; row < s.rows; row += SIZE) {
        const int64_t i = s.first + row * s.step;
#pragma unroll
        for (int k = -K; k <= K; ++k)
            copy_or_zero(items + row * WIDTH + K + k, coefficient(job, s.line, i, k * s.step), somewhere);
        copy_or_zero(items + row * WIDTH + WIDTH - 1, b ? b + i * job.b_at.line : nullptr, somewhere);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int row = t.lane; row < s.rows; row += SIZE) {
        T *item = items + row * WIDTH;
        R largest = 0;
#pragma unroll
        for (int k = 0; k <= 2 * K; ++k) {
            R size = sb_abs1(item[k]);
            largest = size > largest ? size : largest;
        }
        const R power = inverse_power(largest);
#pragma unroll
        for (int k = 0; k <= 2 * K; ++k)
            item[k] = item[k] * T(power);
        T y = item[WIDTH - 1] * T(power);
        item[WIDTH - 1] = job.conjugate ? sb_conj(y) : y;
    }
    __syncwarp();
}

/* Solves the half between the states at its ends, its own and where the pair has met. False: x has NaN or Inf. */
template <int K>
__device__ bool finish(const sb_cuda_job &job, const team<K> &t, const strip &s, T *items, const T *start,
                       T (&state)[2 * K])
{
    enum { STATE = 2 * K, WIDTH = 2 * K + 2, SIZE = team<K>::SIZE };
    T met[K];
#pragma unroll
    for (int i = 0; i < K; ++i)
        met[i] = state[i];
    for (int row = s.rows - 1; row >= STATE; --row) {
        substitute<K, 1>(items + row * WIDTH, state);
        if (t.lane == 0)
            items[row * WIDTH] =
                state[0]; /* x of row - K, where nobody reads: the unknown's own coefficient is 1 */
    }
    __syncwarp();
    T *x = static_cast<T *>(job.x) + sb_line_of(job, job.x_at, s.system);
    bool finite = true;
    for (int row = t.lane; row < s.rows; row += SIZE) {
        T value = row + K < s.rows && row >= K ? items[(row + K) * WIDTH] : T(0);
#pragma unroll
        for (int i = 0; i < K; ++i) {
            value = row == s.rows - K + i ? met[i] : value;
            value = row == i ? start[K + i] : value;
        }
        finite = finite && sb_finite(value);
        x[(s.first + row * s.step) * job.x_at.line] = job.conjugate ? sb_conj(value) : value;
    }
    return finite;
}

} // namespace

#endif
