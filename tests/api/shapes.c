/* The smallest shapes: nothing to solve, one of everything, fewer unknowns than the band is wide; and the
 * one-line calls. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/api/batch.h"

/* Everything succeeds on a problem without unknowns, and no pointer is looked at. */
static void solve_nothing(const slimband_problem *p, const char *method, int64_t systems)
{
    slimband_plan *plan;
    slimband_report report;
    slimband_backward_error error;
    assert_int_equal(slimband_plan_create(&plan, p, slimband_cpu(1), method), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, NULL), SLIMBAND_OK);
    assert_int_equal(slimband_solve(plan, NULL, NULL), SLIMBAND_OK);
    assert_int_equal(slimband_solve_transposed(plan, NULL, NULL), SLIMBAND_OK);
    assert_int_equal(slimband_solve_adjoint(plan, NULL, NULL), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, NULL, NULL, NULL), SLIMBAND_OK);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    assert_int_equal(report.systems, systems);
    assert_int_equal(report.failed, 0);
    assert_true(isfinite(report.words_per_row));
    slimband_system_info info;
    for (int64_t k = 0; k < systems; ++k) {
        assert_int_equal(slimband_system_status(plan, k, &info), SLIMBAND_OK);
        assert_int_equal(info.status, SLIMBAND_OK);
        assert_int_equal(info.row, -1);
    }
    assert_int_equal(slimband_residual(p, NULL, NULL, NULL, &error), SLIMBAND_OK);
    assert_true(error.normwise == 0 && error.componentwise == 0);
    slimband_plan_destroy(plan);
}

static void test_an_empty_batch_is_solved(void **state)
{
    (void)state;
    for (int m = 0; batch_method(m); ++m) {
        slimband_problem p = slimband_tridiagonal(SLIMBAND_F32, 10);
        assert_int_equal(slimband_contiguous(&p, 0), SLIMBAND_OK);
        solve_nothing(&p, batch_method(m), 0);
        p.ends = SLIMBAND_PERIODIC;
        p.coefficients = SLIMBAND_SHARED;
        assert_int_equal(slimband_along_axis(&p, 3, (int64_t[]){4, 10, 0}, 1), SLIMBAND_OK);
        solve_nothing(&p, batch_method(m), 0);
    }
}

static void test_systems_without_unknowns_are_solved(void **state)
{
    (void)state;
    const int64_t offsets[] = {0, 0, 0};
    const slimband_ragged none = {.systems = 2, .offsets = offsets}, empty = {.systems = 0, .offsets = offsets};
    for (int m = 0; batch_method(m); ++m) {
        slimband_problem p = slimband_tridiagonal(SLIMBAND_C128, 0);
        solve_nothing(&p, batch_method(m), 1);
        assert_int_equal(slimband_interleaved(&p, 3), SLIMBAND_OK);
        solve_nothing(&p, batch_method(m), 3);
        p = slimband_tridiagonal(SLIMBAND_F64, 5);
        p.ragged = &none;
        solve_nothing(&p, batch_method(m), 2);
        p.ragged = &empty;
        solve_nothing(&p, batch_method(m), 0);
    }
}

static void test_a_batch_of_one_is_one_system(void **state)
{
    (void)state;
    for (int m = 0; batch_method(m); ++m) {
        for (int64_t n = 1; n <= 9; ++n) {
            batch s = batch_make(n, 1, (uint64_t)n), alone = batch_make(n, 1, (uint64_t)n);
            alone.problem = slimband_tridiagonal(SLIMBAND_F64, n);
            assert_int_equal(batch_solve(&s, 1, batch_method(m)), SLIMBAND_OK);
            assert_int_equal(batch_solve(&alone, 1, batch_method(m)), SLIMBAND_OK);
            assert_true(batch_error(&s, 0) < 3e-16 * 3);
            assert_memory_equal(s.x, alone.x, (size_t)n * sizeof(double));
            batch_free(&s);
            batch_free(&alone);
        }
    }
}

/* n = 1 with bandwidth 8 on both sides: 17 couplings to one unknown when periodic, one when open. */
static void test_one_unknown_of_a_wide_band(void **state)
{
    (void)state;
    double entries[SLIMBAND_MAX_DIAGONALS], b = 34, x = 0;
    const void *diagonals[SLIMBAND_MAX_DIAGONALS];
    for (int d = 0; d < SLIMBAND_MAX_DIAGONALS; ++d) {
        entries[d] = 1;
        diagonals[d] = &entries[d];
    }
    slimband_problem p = slimband_banded(SLIMBAND_F64, 1, 8, 8);
    for (int ends = SLIMBAND_OPEN; ends <= SLIMBAND_PERIODIC; ++ends) {
        p.ends = (slimband_ends)ends;
        slimband_plan *plan;
        assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
        assert_int_equal(slimband_factor_solve(plan, diagonals, &b, &x), SLIMBAND_OK);
        assert_true(x == (ends == SLIMBAND_OPEN ? 34 : 2));
        slimband_plan_destroy(plan);
    }
}

static void test_one_line_calls_solve(void **state)
{
    (void)state;
    batch s = batch_make(50, 1, 3);
    assert_int_equal(slimband_dsolve_tridiagonal(50, s.lower, s.diagonal, s.upper, s.b, s.x), SLIMBAND_OK);
    assert_true(batch_error(&s, 0) < 1e-15);
    const double *diagonals[] = {s.lower, s.diagonal, s.upper};
    double banded[50];
    assert_int_equal(slimband_dsolve_banded(50, 1, 1, diagonals, s.b, banded), SLIMBAND_OK);
    assert_memory_equal(banded, s.x, sizeof banded);
    assert_int_equal(slimband_dsolve_tridiagonal(50, NULL, s.diagonal, s.upper, s.b, s.x),
                     SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_dsolve_tridiagonal(-1, s.lower, s.diagonal, s.upper, s.b, s.x), SLIMBAND_BAD_N);
    assert_int_equal(slimband_dsolve_tridiagonal(0, NULL, NULL, NULL, NULL, NULL), SLIMBAND_OK);
    batch_free(&s);
}

/* The circulant [-1 4 -1] times (1, 1, ...) is 2; with n = 1 and 2 couplings coincide. */
static void test_one_line_periodic_calls_solve_at_every_small_size(void **state)
{
    (void)state;
    float off[9], diagonal[9], b[9], x[9];
    for (int64_t n = 1; n <= 9; ++n) {
        for (int64_t i = 0; i < n; ++i) {
            off[i] = -1;
            diagonal[i] = 4;
            b[i] = 2;
        }
        assert_int_equal(slimband_ssolve_periodic_tridiagonal(n, off, diagonal, off, b, x), SLIMBAND_OK);
        for (int64_t i = 0; i < n; ++i)
            assert_true(fabsf(x[i] - 1) < 1e-6f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_batch_is_solved),
        cmocka_unit_test(test_systems_without_unknowns_are_solved),
        cmocka_unit_test(test_a_batch_of_one_is_one_system),
        cmocka_unit_test(test_one_unknown_of_a_wide_band),
        cmocka_unit_test(test_one_line_calls_solve),
        cmocka_unit_test(test_one_line_periodic_calls_solve_at_every_small_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
