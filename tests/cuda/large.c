/* One large system on the device: partition and truncated, at sizes around tiles, warps and blocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/cuda/device.h"

static const int64_t sizes[] = {1,    2,    3,     17,    447,    448,    449,     5823,   5824,
                                5825, 8191, 65537, 99991, 768768, 768769, 1048576, 1400001};
enum { SIZES = sizeof sizes / sizeof *sizes };

static const char *const methods[] = {"partition", "truncated"};
enum { METHODS = sizeof methods / sizeof *methods };

/* report: NULL where nobody asks. */
static slimband_status solve_and_ask(batch *s, device_batch *d, const char *method, bool in_place,
                                     slimband_report *report, slimband_system_info *info)
{
    slimband_plan *plan;
    slimband_problem problem = s->problem;
    problem.one_pass = true;
    slimband_status status = slimband_plan_create(&plan, &problem, slimband_cuda(0, NULL), method);
    if (status)
        return status;
    status = slimband_factor_solve(plan, d->diagonals, d->b, in_place ? d->b : d->x);
    if (!status)
        status = slimband_cuda_wait(plan);
    if (report)
        assert_int_equal(slimband_plan_report(plan, report), SLIMBAND_OK);
    assert_int_equal(slimband_system_status(plan, 0, info), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    device_batch moved = *d;
    moved.x = in_place ? d->b : d->x;
    device_get(&moved, s);
    return status;
}

static slimband_status solve(batch *s, device_batch *d, const char *method, bool in_place)
{
    slimband_system_info info;
    return solve_and_ask(s, d, method, in_place, NULL, &info);
}

/* Not dominant: nothing dies away, and elimination has to pivot. */
static void make_general(batch *s, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    for (int64_t i = 0; i < s->n * s->systems; ++i)
        s->diagonal[i] = sb_random_signed(&random);
}

static void check(int64_t n, const char *method, bool general, bool in_place)
{
    batch s = batch_make(n, 1, (uint64_t)n);
    if (general)
        make_general(&s, (uint64_t)n);
    device_batch d = device_take(&s);
    device_put(&s, &d);
    slimband_status status = solve(&s, &d, method, in_place);
    double error = batch_error(&s, 0);
    if (status || !(error < 2e-15))
        fail_msg("%s: %s, n %lld, %s%s: %g", slimband_status_name(status), method, (long long)n,
                 general ? "general" : "dominant", in_place ? ", in place" : "", error);
    device_free(&d);
    batch_free(&s);
}

static void test_every_size_is_solved_to_rounding(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k)
        for (int m = 0; m < METHODS; ++m)
            for (int in_place = 0; in_place < 2; ++in_place) {
                check(sizes[k], methods[m], false, in_place);
                check(sizes[k], methods[m], true, in_place);
            }
}

static void test_poisson_on_a_million_points_is_solved_to_rounding(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m) {
        batch s = batch_make(1 << 20, 1, 1);
        for (int64_t i = 0; i < s.n; ++i) {
            s.lower[i] = s.upper[i] = 1;
            s.diagonal[i] = -2;
        }
        device_batch d = device_take(&s);
        device_put(&s, &d);
        assert_int_equal(solve(&s, &d, methods[m], false), SLIMBAND_OK);
        assert_true(batch_error(&s, 0) < 1e-15);
        device_free(&d);
        batch_free(&s);
    }
}

static void test_a_singular_system_is_reported_with_its_row_and_filled_with_nan(void **state)
{
    (void)state;
    const int64_t rows[] = {0, 1, 49999, 50000, 70000};
    for (int k = 0; k < 2 * METHODS * 5; ++k) {
        const char *method = methods[k % METHODS];
        int64_t row = rows[k / METHODS % 5];
        batch s = batch_make(70001, 1, 2);
        s.problem.pivoting = k < METHODS * 5 ? SLIMBAND_PIVOT_AUTO : SLIMBAND_PIVOT_NONE;
        s.lower[row] = s.diagonal[row] = s.upper[row] = 0;
        device_batch d = device_take(&s);
        device_put(&s, &d);
        slimband_system_info info;
        assert_int_equal(solve_and_ask(&s, &d, method, false, NULL, &info),
                         k < METHODS * 5 ? SLIMBAND_SINGULAR : SLIMBAND_BREAKDOWN);
        assert_int_equal(info.row, row);
        assert_true(batch_is_nan(&s, 0));
        device_free(&d);
        batch_free(&s);
    }
}

/* Couplings of -1 on both sides of the diagonal: they die away by a factor of `decay` a row. */
static slimband_report truncate(double decay, int64_t bad_row)
{
    batch s = batch_make(100000, 1, 3);
    for (int64_t i = 0; i < s.n; ++i) {
        s.lower[i] = s.upper[i] = -1;
        s.diagonal[i] = i == bad_row ? 1e-3 : decay + 1 / decay;
    }
    device_batch d = device_take(&s);
    device_put(&s, &d);
    slimband_report report;
    slimband_system_info info;
    assert_int_equal(solve_and_ask(&s, &d, "truncated", false, &report, &info), SLIMBAND_OK);
    assert_true(batch_error(&s, 0) < 2e-15);
    device_free(&d);
    batch_free(&s);
    return report;
}

static void test_what_is_neglected_is_reported_and_never_more_than_rounding(void **state)
{
    (void)state;
    /* Row 77776 is the last one of no lane, whether lanes have 2, 6, 10 or 14 rows. */
    slimband_report dies_away = truncate(0.9, -1), does_not = truncate(0.97, -1), pivots = truncate(0.9, 77776);
    assert_true(dies_away.truncation_bound > 1e-22 && dies_away.truncation_bound < 1e-19);
    assert_true(dies_away.pivoted == 0);
    assert_true(does_not.truncation_bound == 0 && does_not.pivoted == 0);
    assert_true(pivots.truncation_bound == 0 && pivots.pivoted == 1);
}

static void test_one_row_hidden_among_dominant_ones_makes_it_pivot(void **state)
{
    (void)state;
    /* Inside a lane of 14 rows: between two lanes its unknown is eliminated last, when it has got a pivot. */
    for (int64_t row = 5; row < 800000; row += 14 * 5713) {
        batch s = batch_make(800000, 1, 4);
        s.diagonal[row] = 1e-9;
        s.lower[row] = 0;
        device_batch d = device_take(&s);
        device_put(&s, &d);
        slimband_report report;
        slimband_system_info info;
        assert_int_equal(solve_and_ask(&s, &d, "partition", row % 2, &report, &info), SLIMBAND_OK);
        assert_true(batch_error(&s, 0) < 2e-15);
        assert_true(report.pivoted == 1 && info.pivoted);
        device_free(&d);
        batch_free(&s);
    }
}

/* Stretches of 1 to 8192 rows, every other one not dominant: tiles that need pivots beside such that do not, in every place of
   a warp's run, and tiles that are both. */
static void test_stretches_that_need_pivots_between_such_that_do_not(void **state)
{
    (void)state;
    for (int trial = 0; trial < 6; ++trial) {
        batch s = batch_make(5600001 - 448 * 1001 * trial, 1, (uint64_t)trial);
        sb_random random = sb_random_seeded(44801 + (uint64_t)trial);
        s.problem.pivoting = trial % 2 ? SLIMBAND_PIVOT_AUTO : SLIMBAND_PIVOT_PARTIAL;
        int64_t i = 0;
        for (bool general = false; i < s.n; general = !general)
            for (int64_t end =
                     i + 1 + (sb_random_between(&random, 0, 8191) >> sb_random_between(&random, 0, 12));
                 i < end && i < s.n; ++i)
                if (general)
                    s.diagonal[i] = sb_random_signed(&random);
        device_batch d = device_take(&s);
        device_put(&s, &d);
        assert_int_equal(solve(&s, &d, "partition", trial % 2), SLIMBAND_OK);
        double error = batch_error(&s, 0);
        if (!(error < 2e-15))
            fail_msg("trial %d: %g", trial, error);
        device_free(&d);
        batch_free(&s);
    }
}

int main(void)
{
    if (device_missing())
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size_is_solved_to_rounding),
        cmocka_unit_test(test_poisson_on_a_million_points_is_solved_to_rounding),
        cmocka_unit_test(test_a_singular_system_is_reported_with_its_row_and_filled_with_nan),
        cmocka_unit_test(test_what_is_neglected_is_reported_and_never_more_than_rounding),
        cmocka_unit_test(test_one_row_hidden_among_dominant_ones_makes_it_pivot),
        cmocka_unit_test(test_stretches_that_need_pivots_between_such_that_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
