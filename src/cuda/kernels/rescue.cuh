/* Partial pivoting in columns, one thread a system: the texts of src/chunk/pivot_tri.h and pivot_band.h, on rows that
 * lie as sb_cuda_rescue says. Periodic matrices are folded as in src/cpu/kernels/fold.c. */
#ifndef SB_CUDA_RESCUE_CUH
#define SB_CUDA_RESCUE_CUH

#include "src/chunk/growth.h"
#include "src/chunk/pivot_band.h"
#include "src/cuda/kernels/view.cuh"
#include "src/cuda/rescue.h"

namespace
{

/* A thread's column. */
struct sb_pivot_column {
    T *rows;
    int32_t *pivots;
    int64_t pitch;
};

__device__ __forceinline__ sb_pivot_column sb_pivot_column_at(const sb_cuda_rescue &r, int64_t number)
{
    return {static_cast<T *>(r.rows) + number, r.pivots + number, r.pitch};
}

__device__ __forceinline__ int64_t sb_place(const sb_cuda_rescue &r, int64_t i, int64_t n)
{
    return !r.folded ? i : i < n - i ? 2 * i : 2 * (n - 1 - i) + 1;
}

__device__ __forceinline__ int64_t sb_unknown_at(const sb_cuda_rescue &r, int64_t place, int64_t n)
{
    return !r.folded ? place : place % 2 == 0 ? place / 2 : n - 1 - place / 2;
}

__device__ __forceinline__ R sb_add_exactly(R a, R b, R *lost)
{
    R sum = a + b, back = sum - a;
    *lost += (a - (sum - back)) + (b - back);
    return sum;
}

/* A(i, i + k) with the couplings that coincide with it on a small ring: they may cancel, so that what rounding loses
   is added in the end. *taken: the sum belongs to an earlier k. */
__device__ inline T sb_coupling_sum(const sb_cuda_job &job, int64_t line, int64_t n, int64_t i, int k,
                                    bool *taken)
{
    *taken = job.periodic && k - n >= -job.lower;
    T sum = sb_entry(job, line, n, i, k), lost = 0;
    for (int64_t other = k + n; job.periodic && !*taken && other <= job.upper; other += n) {
        T entry = sb_entry(job, line, n, i, static_cast<int>(other));
#if SB_COMPLEX
        sum = T(sb_add_exactly(sum.re, entry.re, &lost.re), sb_add_exactly(sum.im, entry.im, &lost.im));
#else
        sum = sb_add_exactly(sum, entry, &lost);
#endif
    }
    return sum + lost;
}

__device__ __forceinline__ int64_t sb_around(int64_t j, int64_t n)
{
    int64_t rest = j % n;
    return rest < 0 ? rest + n : rest;
}

/* Writes the rows, fill-in cleared. Returns the largest entry. */
__device__ inline R sb_assemble(const sb_cuda_job &job, const sb_cuda_rescue &r, int64_t line, int64_t n,
                                const sb_pivot_column &c)
{
    R largest = 0;
    for (int64_t p = 0; p < n * r.width; ++p)
        c.rows[p * c.pitch] = 0;
    for (int64_t i = 0; i < n; ++i)
        for (int k = -job.lower; k <= job.upper; ++k) {
            if (!job.periodic && (i + k < 0 || i + k >= n))
                continue;
            bool taken;
            T entry = sb_coupling_sum(job, line, n, i, k, &taken);
            int64_t row = sb_place(r, i, n), column = sb_place(r, sb_around(i + k, n), n);
            if (!taken)
                c.rows[(row * r.width + r.lower + column - row) * c.pitch] = entry;
            largest = sb_larger(sb_abs1(entry), largest);
        }
    return largest;
}

/* The largest entry of U, in rows of lower + upper + 1 from the pivot on. */
__device__ inline R sb_largest_in_u(const sb_cuda_rescue &r, int64_t n, const sb_pivot_column &c)
{
    R largest = 0;
    for (int64_t i = 0; i < n; ++i)
        for (int k = r.lower; k < r.width && k - r.lower < n - i; ++k)
            largest = sb_larger(sb_abs1(c.rows[(i * r.width + k) * c.pitch]), largest);
    return largest;
}

/* Rows of 4 are tridiagonal ones: l, d, u, u2, as CPU's pivoted_lu has them. */
template <bool TRI>
__device__ sb_cuda_matrix sb_pivot_factor(const sb_cuda_job &job, const sb_cuda_rescue &r, int64_t matrix,
                                          int64_t n, const sb_pivot_column &c)
{
    if (n == 0)
        return {SB_CUDA_GOOD, 0, 0};
    R in_a = sb_assemble(job, r, sb_matrix_line(job, matrix), n, c);
    sb_elimination e;
    if (TRI) {
        R largest[2] = {0, 0};
        sb_tri view = {c.rows + 4 * c.pitch, c.rows + c.pitch, c.rows + 2 * c.pitch, c.rows + 3 * c.pitch,
                       4 * c.pitch};
        e = sb_tri_eliminate(view, n, c.pivots, {SB_OFFSETS, c.pitch}, largest);
    } else
        e = sb_band_eliminate(c.rows + r.lower * c.pitch, {(r.width - 1) * c.pitch, c.pitch}, n, r.lower,
                              r.upper, c.pivots, {SB_OFFSETS, c.pitch}, nullptr, false);
    R growth = sb_grow(0, sb_largest_in_u(r, n, c), in_a);
    sb_cuda_outcome outcome =
        e.broken < 0 ? SB_CUDA_GOOD : sb_cuda_failure(SLIMBAND_SINGULAR, sb_unknown_at(r, e.broken, n));
    return {outcome, static_cast<float>(growth), SB_CUDA_UNSAFE | SB_CUDA_PIVOTED};
}

template <bool TRI>
__device__ void sb_pivot_substitute(const sb_cuda_rescue &r, int64_t n, const sb_pivot_column &c,
                                    bool transposed, T *x, int64_t step)
{
    const sb_pivots how = {SB_OFFSETS, c.pitch};
    if (TRI) {
        sb_tri_factors view = {c.rows + 4 * c.pitch, c.rows + c.pitch, c.rows + 2 * c.pitch,
                               c.rows + 3 * c.pitch, 4 * c.pitch};
        if (transposed)
            sb_tri_solve_transposed(view, n, c.pivots, how, x, step);
        else
            sb_tri_solve(view, n, c.pivots, how, x, step);
        return;
    }
    const T *rows = c.rows + r.lower * c.pitch;
    const sb_steps at = {(r.width - 1) * c.pitch, c.pitch};
    if (transposed)
        sb_band_solve_transposed(rows, at, n, r.lower, r.upper, c.pivots, how, x, step);
    else
        sb_band_solve(rows, at, n, r.lower, r.upper, c.pivots, how, x, step);
}

/* Solves one system; folded: in the thread's part of r.lines. */
template <bool TRI>
__device__ sb_cuda_outcome sb_pivot_solve(const sb_cuda_job &job, const sb_cuda_rescue &r, int64_t system,
                                          int64_t n, const sb_pivot_column &c, int64_t thread)
{
    const T *b = static_cast<const T *>(job.b) + sb_line_of(job, job.b_at, system);
    T *x = static_cast<T *>(job.x) + sb_line_of(job, job.x_at, system);
    T *line = r.folded ? static_cast<T *>(r.lines) + thread : x;
    int64_t step = r.folded ? r.threads : job.x_at.line;
    if (n == 0)
        return SB_CUDA_GOOD;
    for (int64_t i = 0; i < n; ++i) {
        T value = b[i * job.b_at.line];
        line[sb_place(r, i, n) * step] = job.conjugate ? sb_conj(value) : value;
    }
    sb_pivot_substitute<TRI>(r, n, c, job.transposed, line, step);
    bool finite = true;
    for (int64_t i = 0; i < n; ++i) {
        T value = line[sb_place(r, i, n) * step];
        finite = finite && sb_finite(value);
        x[i * job.x_at.line] = job.conjugate ? sb_conj(value) : value;
    }
    return finite ? SB_CUDA_GOOD : sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

} // namespace

#endif
