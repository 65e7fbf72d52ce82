/* When systems fail on the GPU: which one, which row, NaN in its unknowns, and the others solved all the same. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/cuda/device.h"

enum { N = 37, SYSTEMS = 70, BAD = 33 };

static const char *const methods[] = {"auto", "thomas", "lu", "pivoted_lu"};
enum { METHODS = sizeof methods / sizeof *methods };

static void expect_failure(slimband_plan *plan, const batch *s, slimband_status status, int64_t row)
{
    slimband_system_info info;
    slimband_report report;
    assert_int_equal(slimband_cuda_wait(plan), status);
    for (int64_t k = 0; k < SYSTEMS; ++k) {
        assert_int_equal(slimband_system_status(plan, k, &info), SLIMBAND_OK);
        assert_int_equal(info.status, k == BAD ? status : SLIMBAND_OK);
        assert_int_equal(info.row, k == BAD ? row : -1);
        if (k == BAD)
            assert_true(batch_is_nan(s, k));
        else
            assert_true(batch_error(s, k) < 1e-15);
    }
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    assert_int_equal(report.failed, 1);
}

/* Both ways of solving. */
static void fail_one(batch *s, const char *method, slimband_status status, int64_t row)
{
    device_batch d = device_take(s);
    slimband_plan *plan;
    assert_int_equal(slimband_plan_create(&plan, &s->problem, slimband_cuda(0, NULL), method), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, d.diagonals), SLIMBAND_OK);
    assert_int_equal(slimband_solve(plan, d.b, d.x), SLIMBAND_OK);
    device_get(&d, s);
    expect_failure(plan, s, status, row);
    device_put(s, &d);
    assert_int_equal(slimband_factor_solve(plan, d.diagonals, d.b, d.x), SLIMBAND_OK);
    device_get(&d, s);
    expect_failure(plan, s, status, row);
    slimband_plan_destroy(plan);
    device_free(&d);
}

/* Column `row` of system BAD becomes zero. */
static batch make_singular(int64_t row)
{
    batch s = batch_make(N, SYSTEMS, 11);
    double *column[] = {&s.upper[BAD * N + row - 1], &s.diagonal[BAD * N + row], &s.lower[BAD * N + row + 1]};
    for (int k = 0; k < 3; ++k)
        *column[k] = 0;
    return s;
}

static void test_pivoting_reports_a_singular_matrix_and_its_row(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m)
        for (int64_t row = 1; row < N - 1; row += 5) {
            batch s = make_singular(row);
            fail_one(&s, methods[m], SLIMBAND_SINGULAR, row);
            batch_free(&s);
        }
}

static void test_elimination_without_pivoting_reports_a_breakdown(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS - 1; ++m) {
        batch s = make_singular(4);
        s.problem.pivoting = SLIMBAND_PIVOT_NONE;
        fail_one(&s, methods[m], SLIMBAND_BREAKDOWN, 4);
        batch_free(&s);
    }
}

static void test_nan_in_the_input_is_found_on_request(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m)
        for (int where = 0; where < 4; ++where) {
            batch s = batch_make(N, SYSTEMS, 12);
            double *arrays[] = {s.lower, s.diagonal, s.upper, s.b};
            arrays[where][BAD * N + 20] = where % 2 ? (double)NAN : (double)INFINITY;
            s.problem.check_finite = true;
            fail_one(&s, methods[m], SLIMBAND_NOT_FINITE, 20);
            batch_free(&s);
        }
}

static void test_nan_in_the_right_hand_side_is_never_a_success(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m) {
        batch s = batch_make(N, SYSTEMS, 13);
        s.b[BAD * N + 20] = (double)NAN;
        fail_one(&s, methods[m], SLIMBAND_SOLUTION_NOT_FINITE, -1);
        batch_free(&s);
    }
}

static void test_a_matrix_that_failed_fails_after_factor_already(void **state)
{
    (void)state;
    batch s = make_singular(5);
    device_batch d = device_take(&s);
    slimband_plan *plan;
    slimband_system_info info;
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cuda(0, NULL), "thomas"), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, d.diagonals), SLIMBAND_OK);
    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_SINGULAR);
    assert_int_equal(slimband_system_status(plan, BAD, &info), SLIMBAND_OK);
    assert_int_equal(info.status, SLIMBAND_SINGULAR);
    assert_true(info.pivoted);
    slimband_plan_destroy(plan);
    device_free(&d);
    batch_free(&s);
}

/* Growth without bound in one system: only that one pivots, and all are solved. */
static void test_unsafe_systems_are_pivoted_and_the_others_are_not(void **state)
{
    (void)state;
    for (int in_place = 0; in_place < 2; ++in_place) {
        batch s = batch_make(N, SYSTEMS, 14);
        s.diagonal[BAD * N] = 1e-30;
        device_batch d = device_take(&s);
        slimband_plan *plan;
        slimband_report report;
        assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cuda(0, NULL), "thomas"),
                         SLIMBAND_OK);
        if (in_place)
            assert_int_equal(cudaMemcpy(d.x, s.b, sizeof(double) * N * SYSTEMS, cudaMemcpyHostToDevice),
                             cudaSuccess);
        assert_int_equal(slimband_factor_solve(plan, d.diagonals, in_place ? d.x : d.b, d.x), SLIMBAND_OK);
        device_get(&d, &s);
        assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
        assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
        assert_int_equal(report.pivoted, 1);
        for (int64_t k = 0; k < SYSTEMS; ++k)
            assert_true(batch_error(&s, k) < 1e-15);
        slimband_plan_destroy(plan);
        device_free(&d);
        batch_free(&s);
    }
}

/* What was wrong with one call's matrices, a column of zeros or a zero to be pivoted away, is not held against the next call's. */
static void test_what_failed_once_may_be_solved_the_next_time(void **state)
{
    (void)state;
    static const char *const all[] = {"auto",      "thomas", "lu",  "pivoted_lu", "tile",    "partition",
                                      "truncated", "cr",     "pcr", "wang_mou",   "tpr:S=2", "pcr_thomas"};
    for (size_t m = 0; m < sizeof all / sizeof *all; ++m)
        for (int pivots = 0; pivots < 2; ++pivots) {
            batch good = batch_make(N, SYSTEMS, 11),
                  bad = pivots ? batch_make(N, SYSTEMS, 11) : make_singular(16);
            if (pivots)
                bad.diagonal[BAD * N + 16] = 0;
            good.problem.one_pass = bad.problem.one_pass = true;
            device_batch d = device_take(&bad);
            slimband_plan *plan;
            if (slimband_plan_create(&plan, &good.problem, slimband_cuda(0, NULL), all[m]) == SLIMBAND_OK) {
                assert_int_equal(slimband_factor_solve(plan, d.diagonals, d.b, d.x), SLIMBAND_OK);
                if (!pivots)
                    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_SINGULAR);
                for (int time = 0; time < 2; ++time) {
                    device_put(&good, &d);
                    assert_int_equal(slimband_factor_solve(plan, d.diagonals, d.b, d.x), SLIMBAND_OK);
                    device_get(&d, &good);
                    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
                    for (int64_t k = 0; k < SYSTEMS; ++k)
                        assert_true(batch_error(&good, k) < 1e-14);
                }
                slimband_plan_destroy(plan);
            } else
                assert_true(m >= 4); /* not of every method's kind */
            device_free(&d);
            batch_free(&good);
            batch_free(&bad);
        }
}

/* 1e17, the coupling to an unknown in other units, is larger than what is lost under a small pivot. */
static void test_a_column_in_other_units_hides_no_growth(void **state)
{
    (void)state;
    static const char *const one_thread[] = {"thomas", "lu", "pivoted_lu"};
    for (int m = 0; m < 3; ++m) {
        batch s = batch_make(N, SYSTEMS, 21);
        const int64_t at = BAD * N + 12;
        double *a = s.lower + at, *b = s.diagonal + at, *c = s.upper + at, *right = s.b + at;
        a[0] = c[2] = 0;
        b[0] = 1e-17, c[0] = 1;
        a[1] = 1, b[1] = 1, c[1] = 1e17;
        a[2] = 1, b[2] = 2e17;
        right[0] = 2, right[1] = 6, right[2] = 8;
        device_batch d = device_take(&s);
        slimband_plan *plan;
        assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cuda(0, NULL), one_thread[m]),
                         SLIMBAND_OK);
        assert_int_equal(slimband_factor(plan, d.diagonals), SLIMBAND_OK);
        assert_int_equal(slimband_solve(plan, d.b, d.x), SLIMBAND_OK);
        device_get(&d, &s);
        assert_true(fabs(s.x[at] - 1) < 1e-12);
        device_put(&s, &d);
        assert_int_equal(slimband_factor_solve(plan, d.diagonals, d.b, d.x), SLIMBAND_OK);
        device_get(&d, &s);
        assert_true(fabs(s.x[at] - 1) < 1e-12);
        slimband_plan_destroy(plan);
        device_free(&d);
        batch_free(&s);
    }
}

enum { SHORT = 7, MANY = 20000 };
typedef enum kind { GOOD, PIVOTS, SINGULAR, SPOILT } kind;

/* Around the places where settling goes on to another of its threads' systems, and to another round of them. */
static kind kind_of(int64_t system)
{
    static const int64_t others[] = {0,    31,   32,   1023,  1024,  1249,    1250,
                                     1279, 1280, 9999, 10239, 10240, MANY - 1};
    for (int k = 0; k < (int)(sizeof others / sizeof *others); ++k)
        if (others[k] == system)
            return PIVOTS + k % 3;
    return GOOD;
}

static batch make_many(void)
{
    batch s = batch_make(SHORT, MANY, 15);
    for (int64_t system = 0; system < MANY; ++system) {
        int64_t first = system * SHORT;
        kind what = kind_of(system);
        if (what == PIVOTS)
            s.diagonal[first] = 1e-30;
        if (what == SINGULAR)
            s.upper[first + 2] = s.diagonal[first + 3] = s.lower[first + 4] = 0;
        if (what == SPOILT)
            s.b[first + 5] = (double)NAN;
    }
    return s;
}

static void expect_many(slimband_plan *plan, const batch *s)
{
    static const slimband_status ends[] = {SLIMBAND_OK, SLIMBAND_OK, SLIMBAND_SINGULAR,
                                           SLIMBAND_SOLUTION_NOT_FINITE};
    slimband_system_info info;
    for (int64_t k = 0; k < MANY; ++k) {
        kind what = kind_of(k);
        if (what != GOOD || k % 997 == 0) { /* each is fetched from the device */
            assert_int_equal(slimband_system_status(plan, k, &info), SLIMBAND_OK);
            assert_int_equal(info.status, ends[what]);
        }
        if (ends[what])
            assert_true(batch_is_nan(s, k));
        else
            assert_true(batch_error(s, k) < 1e-14);
    }
    slimband_report report;
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    assert_int_equal(report.failed, 8);
}

static void test_systems_that_fail_are_found_anywhere_in_a_large_batch(void **state)
{
    static const char *const all[] = {"thomas", "lu", "tile:form=cooperating", "tile:form=alone", "pivoted_lu"};
    (void)state;
    for (int m = 0; m < (int)(sizeof all / sizeof *all); ++m) {
        batch s = make_many();
        device_batch d = device_take(&s);
        slimband_plan *plan;
        assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cuda(0, NULL), all[m]), SLIMBAND_OK);
        assert_int_equal(slimband_factor(plan, d.diagonals), SLIMBAND_OK);
        assert_int_equal(slimband_solve(plan, d.b, d.x), SLIMBAND_OK);
        device_get(&d, &s);
        expect_many(plan, &s);
        device_put(&s, &d);
        assert_int_equal(slimband_factor_solve(plan, d.diagonals, d.b, d.x), SLIMBAND_OK);
        device_get(&d, &s);
        expect_many(plan, &s);
        slimband_plan_destroy(plan);
        device_free(&d);
        batch_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pivoting_reports_a_singular_matrix_and_its_row),
        cmocka_unit_test(test_elimination_without_pivoting_reports_a_breakdown),
        cmocka_unit_test(test_nan_in_the_input_is_found_on_request),
        cmocka_unit_test(test_nan_in_the_right_hand_side_is_never_a_success),
        cmocka_unit_test(test_a_matrix_that_failed_fails_after_factor_already),
        cmocka_unit_test(test_unsafe_systems_are_pivoted_and_the_others_are_not),
        cmocka_unit_test(test_what_failed_once_may_be_solved_the_next_time),
        cmocka_unit_test(test_a_column_in_other_units_hides_no_growth),
        cmocka_unit_test(test_systems_that_fail_are_found_anywhere_in_a_large_batch),
    };
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
