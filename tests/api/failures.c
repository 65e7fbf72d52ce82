/* When systems fail: which one, which row, NaN in its unknowns, and the others solved all the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/api/batch.h"

enum { N = 12, SYSTEMS = 5, BAD = 3 };

/* Column `row` of system BAD becomes zero: elimination meets the zero pivot in that row, pivoting or not. */
static batch make_singular(int64_t row)
{
    batch s = batch_make(N, SYSTEMS, 11);
    double *column[] = {&s.upper[BAD * N + row - 1], &s.diagonal[BAD * N + row], &s.lower[BAD * N + row + 1]};
    for (int k = 0; k < 3; ++k)
        *column[k] = 0;
    return s;
}

static void expect_failure(slimband_plan *plan, const batch *s, slimband_status status, int64_t row)
{
    slimband_system_info info;
    slimband_report report;
    for (int64_t k = 0; k < SYSTEMS; ++k) {
        assert_int_equal(slimband_system_status(plan, k, &info), SLIMBAND_OK);
        assert_int_equal(info.status, k == BAD ? status : SLIMBAND_OK);
        if (k != BAD || row >= 0)
            assert_int_equal(info.row, k == BAD ? row : -1);
        if (k == BAD)
            assert_true(batch_is_nan(s, k));
        else
            assert_true(batch_error(s, k) < 1e-15);
    }
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    assert_int_equal(report.failed, 1);
}

/* Both ways of solving. row < 0: which row is named is the method's own affair. */
static void fail_one(batch *s, const char *method, slimband_status status, int64_t row)
{
    slimband_plan *plan;
    assert_int_equal(slimband_plan_create(&plan, &s->problem, slimband_cpu(1), method), SLIMBAND_OK);
    slimband_factor(plan, s->diagonals);
    assert_int_equal(slimband_solve(plan, s->b, s->x), status);
    expect_failure(plan, s, status, row);
    assert_int_equal(slimband_solve_transposed(plan, s->b, s->x), status);
    assert_true(batch_is_nan(s, BAD) && !batch_is_nan(s, 0));
    assert_int_equal(slimband_factor_solve(plan, s->diagonals, s->b, s->x), status);
    expect_failure(plan, s, status, row);
    slimband_plan_destroy(plan);
}

static void test_pivoting_reports_a_singular_matrix_and_its_row(void **state)
{
    (void)state;
    const char *methods[] = {"auto", "pivoted_lu", "thomas", "lu", "tpr", "partition", "truncated"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        for (int64_t row = 1; row < N - 1; ++row) {
            batch s = make_singular(row);
            fail_one(&s, methods[m], SLIMBAND_SINGULAR, row);
            batch_free(&s);
        }
    }
}

static void test_methods_that_do_not_pivot_report_a_breakdown(void **state)
{
    (void)state;
    const char *methods[] = {"auto",      "thomas", "lu",  "twisted",  "partition",
                             "truncated", "cr",     "pcr", "wang_mou", "tpr"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        batch s = make_singular(4);
        s.problem.pivoting = SLIMBAND_PIVOT_NONE;
        fail_one(&s, methods[m], SLIMBAND_BREAKDOWN, m < 6 ? 4 : -1);
        batch_free(&s);
    }
}

/* [0 1; 1 0] and its like are harmless with pivoting, and a breakdown without. */
static void test_auto_pivots_where_elimination_alone_breaks_down(void **state)
{
    (void)state;
    batch s = batch_make(N, SYSTEMS, 12);
    s.diagonal[BAD * N] = 0;
    assert_int_equal(batch_solve(&s, 1, SLIMBAND_AUTO), SLIMBAND_OK);
    for (int64_t k = 0; k < SYSTEMS; ++k)
        assert_true(batch_error(&s, k) < 1e-15);
    slimband_plan *plan;
    s.problem.pivoting = SLIMBAND_PIVOT_NONE;
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), "thomas"), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, s.diagonals), SLIMBAND_BREAKDOWN);
    slimband_plan_destroy(plan);
    batch_free(&s);
}

static void test_factor_says_at_once_that_a_matrix_is_singular(void **state)
{
    (void)state;
    batch s = make_singular(6);
    slimband_plan *plan;
    slimband_system_info info;
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, s.diagonals), SLIMBAND_SINGULAR);
    assert_int_equal(slimband_system_status(plan, BAD, &info), SLIMBAND_OK);
    assert_int_equal(info.status, SLIMBAND_SINGULAR);
    assert_int_equal(info.row, 6);
    slimband_plan_destroy(plan);
    batch_free(&s);
}

static void test_the_first_of_several_failures_is_returned_and_all_are_counted(void **state)
{
    (void)state;
    batch s = make_singular(5);
    s.problem.check_finite = true;
    s.diagonal[4 * N + 2] = INFINITY;
    slimband_plan *plan;
    slimband_report report;
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, s.diagonals, s.b, s.x), SLIMBAND_SINGULAR);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    assert_int_equal(report.failed, 2);
    assert_true(batch_is_nan(&s, 3) && batch_is_nan(&s, 4) && batch_error(&s, 2) < 1e-15);
    slimband_plan_destroy(plan);
    batch_free(&s);
}

static void test_nan_and_inf_in_the_input_are_found_on_request(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int m = 0; batch_method(m); ++m) {
        for (int k = 0; k < 12; ++k) {
            batch s = batch_make(N, SYSTEMS, 13);
            s.problem.check_finite = true;
            double *arrays[] = {s.lower, s.diagonal, s.upper, s.b};
            arrays[k / 3][BAD * N + 7] = bad[k % 3];
            fail_one(&s, batch_method(m), SLIMBAND_NOT_FINITE, 7);
            batch_free(&s);
        }
    }
}

/* Without the request it still is no success, and the others are left in peace. */
static void test_nan_in_one_matrix_does_not_reach_the_others(void **state)
{
    (void)state;
    batch s = batch_make(N, SYSTEMS, 14);
    s.diagonal[BAD * N + 7] = NAN;
    fail_one(&s, SLIMBAND_AUTO, SLIMBAND_SINGULAR, -1);
    batch_free(&s);
}

static void test_an_answer_that_is_no_number_is_no_success(void **state)
{
    (void)state;
    for (int m = 0; batch_method(m); ++m) {
        batch s = batch_make(N, SYSTEMS, 14);
        s.b[BAD * N + 7] = NAN;
        fail_one(&s, batch_method(m), SLIMBAND_SOLUTION_NOT_FINITE, -1);
        batch_free(&s);
        s = batch_make(N, SYSTEMS, 14); /* 1e300 / 1e-10 overflows */
        for (int i = 0; i < N; ++i) {
            s.lower[BAD * N + i] = s.upper[BAD * N + i] = 0;
            s.diagonal[BAD * N + i] = 1e-10;
            s.b[BAD * N + i] = 1e300;
        }
        fail_one(&s, batch_method(m), SLIMBAND_SOLUTION_NOT_FINITE, -1);
        batch_free(&s);
    }
}

static void test_a_good_factorisation_clears_old_failures(void **state)
{
    (void)state;
    batch s = make_singular(6), good = batch_make(N, SYSTEMS, 15);
    slimband_plan *plan;
    slimband_report report;
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, s.diagonals), SLIMBAND_SINGULAR);
    assert_int_equal(slimband_factor(plan, good.diagonals), SLIMBAND_OK);
    assert_int_equal(slimband_solve(plan, good.b, good.x), SLIMBAND_OK);
    assert_true(batch_error(&good, BAD) < 1e-15);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    assert_int_equal(report.failed, 0);
    slimband_plan_destroy(plan);
    batch_free(&s);
    batch_free(&good);
}

/* A right-hand side that holds NaN fails its own solve only, with the shared matrix as good as before. */
static void test_a_shared_matrix_outlives_a_bad_right_hand_side(void **state)
{
    (void)state;
    batch s = batch_make(N, SYSTEMS, 16);
    slimband_plan *plan;
    s.problem.coefficients = SLIMBAND_SHARED;
    s.problem.check_finite = true;
    double kept = s.b[BAD * N + 2];
    s.b[BAD * N + 2] = NAN;
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, s.diagonals), SLIMBAND_OK);
    assert_int_equal(slimband_solve(plan, s.b, s.x), SLIMBAND_NOT_FINITE);
    assert_true(batch_is_nan(&s, BAD) && batch_error(&s, 0) < 1e-15);
    s.b[BAD * N + 2] = kept;
    assert_int_equal(slimband_solve(plan, s.b, s.x), SLIMBAND_OK);
    assert_true(!batch_is_nan(&s, BAD));
    slimband_plan_destroy(plan);
    batch_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pivoting_reports_a_singular_matrix_and_its_row),
        cmocka_unit_test(test_methods_that_do_not_pivot_report_a_breakdown),
        cmocka_unit_test(test_auto_pivots_where_elimination_alone_breaks_down),
        cmocka_unit_test(test_factor_says_at_once_that_a_matrix_is_singular),
        cmocka_unit_test(test_the_first_of_several_failures_is_returned_and_all_are_counted),
        cmocka_unit_test(test_nan_and_inf_in_the_input_are_found_on_request),
        cmocka_unit_test(test_nan_in_one_matrix_does_not_reach_the_others),
        cmocka_unit_test(test_an_answer_that_is_no_number_is_no_success),
        cmocka_unit_test(test_a_good_factorisation_clears_old_failures),
        cmocka_unit_test(test_a_shared_matrix_outlives_a_bad_right_hand_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
