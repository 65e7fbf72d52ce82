/* One system in one line: plan, factor_solve, free. */
#include "slimband/slimband.h"

static slimband_status solve_once(slimband_scalar scalar, slimband_ends ends, int64_t n, int lower, int upper,
                                  const void *const *diagonals, const void *b, void *x)
{
    slimband_problem problem = slimband_banded(scalar, n, lower, upper);
    problem.ends = ends;
    problem.one_pass = true;
    slimband_plan *plan;
    slimband_status status = slimband_plan_create(&plan, &problem, slimband_cpu(0), SLIMBAND_AUTO);
    if (!status)
        status = slimband_factor_solve(plan, diagonals, b, x);
    slimband_plan_destroy(plan);
    return status;
}

#define SIMPLE(letter, T, scalar)                                                                              \
    slimband_status slimband_##letter##solve_tridiagonal(int64_t n, const T *lower, const T *diagonal,         \
                                                         const T *upper, const T *b, T *x)                     \
    {                                                                                                          \
        return solve_once(scalar, SLIMBAND_OPEN, n, 1, 1, (const void *[]){lower, diagonal, upper}, b, x);     \
    }                                                                                                          \
    slimband_status slimband_##letter##solve_periodic_tridiagonal(                                             \
        int64_t n, const T *lower, const T *diagonal, const T *upper, const T *b, T *x)                        \
    {                                                                                                          \
        return solve_once(scalar, SLIMBAND_PERIODIC, n, 1, 1, (const void *[]){lower, diagonal, upper}, b, x); \
    }                                                                                                          \
    slimband_status slimband_##letter##solve_pentadiagonal(int64_t n, const T *lower2, const T *lower1,        \
                                                           const T *diagonal, const T *upper1,                 \
                                                           const T *upper2, const T *b, T *x)                  \
    {                                                                                                          \
        return solve_once(scalar, SLIMBAND_OPEN, n, 2, 2,                                                      \
                          (const void *[]){lower2, lower1, diagonal, upper1, upper2}, b, x);                   \
    }                                                                                                          \
    slimband_status slimband_##letter##solve_banded(int64_t n, int lower, int upper,                           \
                                                    const T *const *diagonals, const T *b, T *x)               \
    {                                                                                                          \
        return solve_once(scalar, SLIMBAND_OPEN, n, lower, upper, (const void *const *)diagonals, b, x);       \
    }

SIMPLE(s, float, SLIMBAND_F32)
SIMPLE(d, double, SLIMBAND_F64)
SIMPLE(c, slimband_c64, SLIMBAND_C64)
SIMPLE(z, slimband_c128, SLIMBAND_C128)
