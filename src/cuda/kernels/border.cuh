/* The last m unknowns of a ring, which close it: see src/cpu/kernels/ring.c. Once a system, so kept out of line. */
#ifndef SB_CUDA_BORDER_CUH
#define SB_CUDA_BORDER_CUH

#include "src/chunk/dense.h"
#include "src/chunk/growth.h"
#include "src/cuda/kernels/view.cuh"

namespace
{

struct sb_border {
    int64_t inner, step; /* rows of A11; from one place of a column to the next */
    const T *spikes;     /* W: inner rows of m */
    T *couplings;        /* A21: m rows of 2 m, for the first and the last m columns of A11 */
    sb_dense schur;
};

/* The unknown that entry c of a row of A21 multiplies. */
__device__ __forceinline__ int64_t sb_border_column(const sb_border &b, int c)
{
    return c < b.schur.m ? c : b.inner - 2 * b.schur.m + c;
}

/* A21, and the factors of A22 - A21 W. growth is raised by what rows' own coefficients become. Returns the first border row without a
   pivot, or -1. */
__device__ __noinline__ int sb_factor_border(const sb_cuda_job &job, int64_t line, int64_t n, sb_border b,
                                             R *growth)
{
    int m = b.schur.m;
    for (int r = 0; r < m; ++r) {
        for (int c = 0; c < 2 * m; ++c)
            b.couplings[(r * 2 * m + c) * b.step] =
                sb_ring_entry(job, line, n, b.inner + r, sb_border_column(b, c));
        for (int j = 0; j < m; ++j) {
            T sum = sb_ring_entry(job, line, n, b.inner + r, b.inner + j);
            const R own = sb_abs1(sum);
            for (int c = 0; c < 2 * m; ++c)
                sum -=
                    b.couplings[(r * 2 * m + c) * b.step] * b.spikes[(sb_border_column(b, c) * m + j) * b.step];
            *sb_dense_entry(&b.schur, r, j) = sum;
            if (r == j)
                *growth = sb_grow(*growth, sb_abs1(sum), SB_BESIDE_OWN * own);
        }
    }
    return sb_dense_factor(&b.schur);
}

/* x2 = S^-1 (b2 - A21 y), for x = (y, b2). */
__device__ __noinline__ void sb_solve_border(sb_border b, T *x, int64_t step)
{
    int m = b.schur.m;
    T *tail = x + b.inner * step;
    for (int r = 0; r < m; ++r)
        for (int c = 0; c < 2 * m; ++c)
            tail[r * step] -= b.couplings[(r * 2 * m + c) * b.step] * x[sb_border_column(b, c) * step];
    sb_dense_solve(&b.schur, tail, step);
}

/* x2 = S^-T x2, and x1 - A21^T x2. */
__device__ __noinline__ void sb_solve_border_transposed(sb_border b, T *x, int64_t step)
{
    int m = b.schur.m;
    T *tail = x + b.inner * step;
    sb_dense_solve_transposed(&b.schur, tail, step);
    for (int r = 0; r < m; ++r)
        for (int c = 0; c < 2 * m; ++c)
            x[sb_border_column(b, c) * step] -= b.couplings[(r * 2 * m + c) * b.step] * tail[r * step];
}

} // namespace

#endif
