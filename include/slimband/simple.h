/* One line for one system. Contiguous arrays, n entries in every diagonal (entries outside the matrix are not
 * read), pivoting auto, x == b allowed, inputs not changed. Each call plans, solves and frees: for many solves
 * make a plan. Status as for slimband_plan_create and slimband_factor_solve. Thread-safe. */
#ifndef SLIMBAND_SIMPLE_H
#define SLIMBAND_SIMPLE_H

#include "slimband/complex.h"
#include "slimband/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SLIMBAND_DECLARE_SIMPLE(letter, T)                                                                    \
    /* lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = b[i] */                                         \
    SLIMBAND_API slimband_status slimband_##letter##solve_tridiagonal(                                        \
        int64_t n, const T *lower, const T *diagonal, const T *upper, const T *b, T *x);                      \
    /* the same closed into a ring: x[-1] is x[n-1] and x[n] is x[0] */                                       \
    SLIMBAND_API slimband_status slimband_##letter##solve_periodic_tridiagonal(                               \
        int64_t n, const T *lower, const T *diagonal, const T *upper, const T *b, T *x);                      \
    /* lower2[i] x[i-2] + lower1[i] x[i-1] + diagonal[i] x[i] + upper1[i] x[i+1] + upper2[i] x[i+2] = b[i] */ \
    SLIMBAND_API slimband_status slimband_##letter##solve_pentadiagonal(                                      \
        int64_t n, const T *lower2, const T *lower1, const T *diagonal, const T *upper1, const T *upper2,     \
        const T *b, T *x);                                                                                    \
    /* any band: lower + 1 + upper diagonals, lowest first */                                                 \
    SLIMBAND_API slimband_status slimband_##letter##solve_banded(int64_t n, int lower, int upper,             \
                                                                 const T *const *diagonals, const T *b, T *x);

SLIMBAND_DECLARE_SIMPLE(s, float)
SLIMBAND_DECLARE_SIMPLE(d, double)
SLIMBAND_DECLARE_SIMPLE(c, slimband_c64)
SLIMBAND_DECLARE_SIMPLE(z, slimband_c128)
#undef SLIMBAND_DECLARE_SIMPLE

#ifdef __cplusplus
}
#endif

#endif
