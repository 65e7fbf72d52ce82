/* What must hold for every solver: linearity, impulses, adjointness; and what refinement is for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/api/batch.h"

enum { N = 37 };

typedef slimband_status solver(slimband_plan *, const void *, void *);

/* Linear to rounding: scaling by powers of two is even exact. */
static void test_solving_is_linear(void **state)
{
    (void)state;
    for (int m = 0; batch_method(m); ++m) {
        batch s = batch_make(N, 3, 21);
        s.problem.coefficients = SLIMBAND_SHARED;
        for (int i = 0; i < N; ++i)
            s.b[2 * N + i] = 4 * s.b[i] - 0.5 * s.b[N + i];
        assert_int_equal(batch_solve(&s, 1, batch_method(m)), SLIMBAND_OK);
        for (int i = 0; i < N; ++i)
            assert_true(fabs(s.x[2 * N + i] - (4 * s.x[i] - 0.5 * s.x[N + i])) < 1e-14);
        memcpy(s.b + N, s.b, N * sizeof(double));
        for (int i = 0; i < N; ++i)
            s.b[N + i] *= 1024;
        assert_int_equal(batch_solve(&s, 1, batch_method(m)), SLIMBAND_OK);
        for (int i = 0; i < N; ++i)
            assert_true(s.x[N + i] == 1024 * s.x[i]);
        batch_free(&s);
    }
}

/* The unit vectors give the inverse; the inverse times the matrix (this side is not the one that was solved)
   gives the unit vectors. */
static void test_impulses_give_the_inverse(void **state)
{
    (void)state;
    for (int m = 0; batch_method(m); ++m) {
        batch s = batch_make(N, N, 22);
        s.problem.coefficients = SLIMBAND_SHARED;
        memset(s.b, 0, N * N * sizeof(double));
        for (int j = 0; j < N; ++j)
            s.b[j * N + j] = 1;
        assert_int_equal(batch_solve(&s, 1, batch_method(m)), SLIMBAND_OK);
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) {
                double sum = s.x[j * N + i] * s.diagonal[j];
                sum += j > 0 ? s.x[(j - 1) * N + i] * s.upper[j - 1] : 0;
                sum += j < N - 1 ? s.x[(j + 1) * N + i] * s.lower[j + 1] : 0;
                assert_true(fabs(sum - (i == j)) < 1e-14);
            }
        batch_free(&s);
    }
}

static slimband_c128 inner_product(const slimband_c128 *a, const slimband_c128 *b)
{
    double re = 0, im = 0; /* sum of conj(a) b */
    for (int i = 0; i < N; ++i) {
        const double *p = (const double *)&a[i], *q = (const double *)&b[i];
        re += p[0] * q[0] + p[1] * q[1];
        im += p[0] * q[1] - p[1] * q[0];
    }
    slimband_c128 product;
    memcpy(&product, (double[]){re, im}, sizeof product);
    return product;
}

/* <y, A^-1 b> = <A^-H y, b>, and the same without conjugates, on a ring of complex numbers. */
static void test_the_adjoint_is_the_adjoint(void **state)
{
    (void)state;
    sb_random random = sb_random_seeded(23);
    slimband_c128 arrays[7][N], *b = arrays[3], *y = arrays[4], *x = arrays[5], *z = arrays[6];
    for (int k = 0; k < 5; ++k)
        for (int i = 0; i < N; ++i) {
            double parts[] = {sb_random_signed(&random) + 4 * (k == 1), sb_random_signed(&random)};
            memcpy(&arrays[k][i], parts, sizeof parts);
        }
    slimband_problem p = slimband_tridiagonal(SLIMBAND_C128, N);
    p.ends = SLIMBAND_PERIODIC;
    for (int m = 0; batch_method(m); ++m) {
        slimband_plan *plan;
        assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), batch_method(m)), SLIMBAND_OK);
        assert_int_equal(slimband_factor(plan, (const void *[]){arrays[0], arrays[1], arrays[2]}), SLIMBAND_OK);
        assert_int_equal(slimband_solve(plan, b, x), SLIMBAND_OK);
        assert_int_equal(slimband_solve_adjoint(plan, y, z), SLIMBAND_OK);
        slimband_c128 left = inner_product(y, x), right = inner_product(z, b);
        const double *l = (const double *)&left, *r = (const double *)&right;
        assert_true(hypot(l[0] - r[0], l[1] - r[1]) < 1e-13);
        slimband_plan_destroy(plan);
    }
}

/* Tiny pivots cost half of the digits without pivoting; each step wins some back, and the wider residual lets
   it go on to full precision. */
static void test_refinement_recovers_what_elimination_lost(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        batch s = batch_make(N, 1, seed);
        s.problem.pivoting = SLIMBAND_PIVOT_NONE;
        for (int i = 5; i < N; i += 7) {
            s.lower[i] = 0;
            s.diagonal[i] = 1e-8;
        }
        assert_int_equal(batch_solve(&s, 1, "thomas"), SLIMBAND_OK);
        assert_true(batch_error(&s, 0) > 1e-12);
        s.problem.refinements = 4;
        assert_int_equal(batch_solve(&s, 1, "thomas"), SLIMBAND_OK);
        assert_true(batch_error(&s, 0) < 2.3e-16);
        batch_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solving_is_linear),
        cmocka_unit_test(test_impulses_give_the_inverse),
        cmocka_unit_test(test_the_adjoint_is_the_adjoint),
        cmocka_unit_test(test_refinement_recovers_what_elimination_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
