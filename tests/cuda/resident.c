/* Systems that partition keeps on chip, in one block, one cluster or several: sizes around the switches between these, and
 * what does not go without pivots. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/cuda/device.h"

static const int64_t sizes[] = {1,      2,      3,       5,       63,      64,     65,    127,    768,
                                769,    1031,   2303,    2304,    2305,    5376,   5377,  16384,  16381,
                                36863,  36864,  36865,   61441,   65537,   86017,  92161, 131072, 276481,
                                524287, 645121, 1048576, 1290239, 1290240, 1290241};
enum { SIZES = sizeof sizes / sizeof *sizes };

static slimband_plan *plan_of(const batch *s, const char *method, cudaStream_t stream)
{
    slimband_plan *plan;
    slimband_problem problem = s->problem;
    problem.one_pass = true;
    assert_int_equal(slimband_plan_create(&plan, &problem, slimband_cuda(0, stream), method), SLIMBAND_OK);
    return plan;
}

/* Returns what waiting returns. */
static slimband_status solve(slimband_plan *plan, batch *s, bool in_place)
{
    device_batch d = device_take(s);
    device_put(s, &d);
    assert_int_equal(slimband_factor_solve(plan, d.diagonals, d.b, in_place ? d.b : d.x), SLIMBAND_OK);
    slimband_status status = slimband_cuda_wait(plan);
    device_batch moved = d;
    moved.x = in_place ? d.b : d.x;
    device_get(&moved, s);
    device_free(&d);
    return status;
}

static void make_general(batch *s, int64_t system)
{
    sb_random random = sb_random_seeded(41);
    for (int64_t i = 0; i < s->n; ++i)
        s->diagonal[system * s->n + i] = sb_random_signed(&random);
}

static void check_all(const batch *s, int64_t but)
{
    for (int64_t k = 0; k < s->systems; ++k) {
        double error = k == but ? 0 : batch_error(s, k);
        if (!(error < 2e-15))
            fail_msg("n %lld, system %lld of %lld: %g", (long long)s->n, (long long)k, (long long)s->systems,
                     error);
    }
}

static void test_systems_of_every_size_are_solved_to_rounding(void **state)
{
    (void)state;
    static const int64_t counts[] = {1, 3, 8, 40, 140};
    for (int k = 0; k < SIZES; ++k)
        for (int c = 0; c < 5; ++c) {
            if (sizes[k] * counts[c] > 1300000)
                continue;
            batch s = batch_make(sizes[k], counts[c], (uint64_t)sizes[k]);
            slimband_plan *plan = plan_of(&s, "partition", NULL);
            assert_int_equal(solve(plan, &s, k % 2), SLIMBAND_OK);
            check_all(&s, -1);
            slimband_plan_destroy(plan);
            batch_free(&s);
        }
}

/* Constant diagonals 1, -2, 1: barely dominant, and ill conditioned. */
static void test_poisson_is_solved_to_rounding(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k) {
        batch s = batch_make(sizes[k], 1, 1);
        for (int64_t i = 0; i < s.n; ++i) {
            s.lower[i] = s.upper[i] = 1;
            s.diagonal[i] = -2;
        }
        slimband_plan *plan = plan_of(&s, "partition", NULL);
        assert_int_equal(solve(plan, &s, false), SLIMBAND_OK);
        check_all(&s, -1);
        slimband_plan_destroy(plan);
        batch_free(&s);
    }
}

/* Stretches of rows whose couplings vanish after a few rows, and of rows whose couplings stay, of lengths about a lane's, a
   warp's and a block's rows. */
static void test_couplings_that_vanish_in_parts_only(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k)
        for (int64_t longest = 4; longest <= 40000; longest *= 10) {
            batch s = batch_make(sizes[k], 1, 48);
            sb_random random = sb_random_seeded((uint64_t)(sizes[k] + longest));
            bool stays = false;
            for (int64_t i = 0, left = 0; i < s.n; ++i, --left) {
                if (left <= 0) {
                    left = sb_random_between(&random, 1, longest);
                    stays = !stays;
                }
                s.lower[i] = s.upper[i] = 1;
                s.diagonal[i] = stays ? -2 : 40;
            }
            slimband_plan *plan = plan_of(&s, "partition", NULL);
            assert_int_equal(solve(plan, &s, false), SLIMBAND_OK);
            check_all(&s, -1);
            slimband_plan_destroy(plan);
            batch_free(&s);
        }
}

/* Plain elimination at the caller's word, whose unknowns have no bound; transposed solves in between go another way. */
static void test_overflow_without_pivots_after_a_transposed_solve(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k) {
        if (sizes[k] < 5)
            continue;
        batch s = batch_make(sizes[k], 1, 49);
        slimband_plan *plan;
        slimband_problem problem = s.problem;
        problem.pivoting = SLIMBAND_PIVOT_NONE;
        assert_int_equal(slimband_plan_create(&plan, &problem, slimband_cuda(0, NULL), "partition"),
                         SLIMBAND_OK);
        device_batch d = device_take(&s);
        device_put(&s, &d);
        assert_int_equal(slimband_factor(plan, d.diagonals), SLIMBAND_OK);
        for (int round = 0; round < 3; ++round) {
            s.b[s.n / 2] = round == 1 ? (double)INFINITY : 1;
            device_put(&s, &d);
            assert_int_equal(slimband_solve_transposed(plan, d.b, d.x), SLIMBAND_OK);
            assert_int_equal(slimband_cuda_wait(plan), round == 1 ? SLIMBAND_SOLUTION_NOT_FINITE : SLIMBAND_OK);
            assert_int_equal(slimband_solve(plan, d.b, d.x), SLIMBAND_OK);
            assert_int_equal(slimband_cuda_wait(plan), round == 1 ? SLIMBAND_SOLUTION_NOT_FINITE : SLIMBAND_OK);
            device_get(&d, &s);
            if (round == 1)
                assert_true(batch_is_nan(&s, 0));
            else
                check_all(&s, -1);
        }
        slimband_plan_destroy(plan);
        device_free(&d);
        batch_free(&s);
    }
}

static void test_one_system_of_a_batch_pivots_and_the_others_do_not(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k) {
        if (sizes[k] < 5 || sizes[k] > 100000)
            continue;
        batch s = batch_make(sizes[k], 5, 42);
        make_general(&s, 2);
        slimband_plan *plan = plan_of(&s, "partition", NULL);
        slimband_report report;
        slimband_system_info info;
        assert_int_equal(solve(plan, &s, k % 2), SLIMBAND_OK);
        check_all(&s, -1);
        assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
        assert_int_equal(report.pivoted, 1);
        assert_int_equal(slimband_system_status(plan, 2, &info), SLIMBAND_OK);
        assert_true(info.pivoted);
        slimband_plan_destroy(plan);
        batch_free(&s);
    }
}

static void expect_one_failure(batch *s, slimband_status status, int64_t row)
{
    slimband_plan *plan = plan_of(s, "partition", NULL);
    slimband_system_info info;
    assert_int_equal(solve(plan, s, false), status);
    for (int64_t k = 0; k < s->systems; ++k) {
        assert_int_equal(slimband_system_status(plan, k, &info), SLIMBAND_OK);
        assert_int_equal(info.status, k == 1 ? status : SLIMBAND_OK);
        assert_int_equal(info.row, k == 1 ? row : -1);
    }
    check_all(s, 1);
    assert_true(batch_is_nan(s, 1));
    slimband_plan_destroy(plan);
}

/* So many systems that a block of one of them takes as much of it as it can hold: two tiles a warp, in one block or several. */
static int64_t systems_of(int64_t n)
{
    return n == 5377 ? 140 : n == 16384 ? 40 : 3;
}

static void test_a_singular_system_is_told_with_its_row_and_becomes_nan(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k) {
        if (sizes[k] > 100000)
            continue;
        batch s = batch_make(sizes[k], systems_of(sizes[k]), 43);
        int64_t row = s.n / 2, at = s.n + row;
        s.lower[at] = s.diagonal[at] = s.upper[at] = 0;
        expect_one_failure(&s, SLIMBAND_SINGULAR, row);
        batch_free(&s);
    }
}

/* Where pivots are not allowed, a row of zeros is a breakdown, wherever a lane, a warp or a block ends. */
static void test_a_row_of_zeros_without_pivots_is_a_breakdown(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k)
        for (int64_t row = 0; row < sizes[k] && row < 900 && sizes[k] < 100000; row = 2 * row + 1) {
            batch s = batch_make(sizes[k], 1, 50);
            slimband_plan *plan;
            s.problem.pivoting = SLIMBAND_PIVOT_NONE;
            s.lower[row] = s.diagonal[row] = s.upper[row] = 0;
            plan = plan_of(&s, "partition", NULL);
            assert_int_equal(solve(plan, &s, false), SLIMBAND_BREAKDOWN);
            assert_true(batch_is_nan(&s, 0));
            slimband_plan_destroy(plan);
            batch_free(&s);
        }
}

static void test_nan_in_a_right_hand_side_spoils_all_of_its_system_and_no_other(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k) {
        if (sizes[k] > 100000)
            continue;
        batch s = batch_make(sizes[k], systems_of(sizes[k]), 44);
        s.b[s.n + s.n - 1] = (double)NAN;
        expect_one_failure(&s, SLIMBAND_SOLUTION_NOT_FINITE, -1);
        batch_free(&s);
    }
}

/* One number overflows where nothing else does: only the stores can see it. */
static void test_an_overflow_in_one_row_spoils_all_of_its_system(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k) {
        if (sizes[k] < 5 || sizes[k] > 100000)
            continue;
        batch s = batch_make(sizes[k], systems_of(sizes[k]), 45);
        int64_t row = s.n / 3, at = s.n + row;
        s.lower[at] = s.upper[at] = 0;
        if (row)
            s.upper[at - 1] = 0;
        s.lower[at + 1] = 0;
        s.diagonal[at] = 1e-10;
        s.b[at] = 1e300;
        expect_one_failure(&s, SLIMBAND_SOLUTION_NOT_FINITE, -1);
        batch_free(&s);
    }
}

/* Arrays that hold other systems each time, some of which fail or pivot, give what they hold then. */
static void test_a_captured_call_is_replayed(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1000, 20000, 200000};
    for (int k = 0; k < 3; ++k) {
        batch first = batch_make(lengths[k], 1, 46);
        device_batch d = device_take(&first);
        cudaStream_t stream;
        cudaGraph_t graph;
        cudaGraphExec_t ready;
        assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
        slimband_plan *plan = plan_of(&first, "partition", stream);
        assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        assert_int_equal(slimband_factor_solve(plan, d.diagonals, d.b, d.x), SLIMBAND_OK);
        assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        assert_int_equal(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
        for (uint64_t round = 0; round < 5; ++round) {
            batch s = batch_make(lengths[k], 1, 47 + round);
            if (round == 1)
                s.lower[7] = s.diagonal[7] = s.upper[7] = 0;
            if (round == 2)
                make_general(&s, 0);
            device_put(&s, &d);
            assert_int_equal(cudaGraphLaunch(ready, stream), cudaSuccess);
            assert_int_equal(slimband_cuda_wait(plan), round == 1 ? SLIMBAND_SINGULAR : SLIMBAND_OK);
            device_get(&d, &s);
            if (round == 1)
                assert_true(batch_is_nan(&s, 0));
            else
                check_all(&s, -1);
            batch_free(&s);
        }
        assert_int_equal(cudaGraphExecDestroy(ready), cudaSuccess);
        assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
        slimband_plan_destroy(plan);
        assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
        device_free(&d);
        batch_free(&first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_systems_of_every_size_are_solved_to_rounding),
        cmocka_unit_test(test_poisson_is_solved_to_rounding),
        cmocka_unit_test(test_couplings_that_vanish_in_parts_only),
        cmocka_unit_test(test_overflow_without_pivots_after_a_transposed_solve),
        cmocka_unit_test(test_one_system_of_a_batch_pivots_and_the_others_do_not),
        cmocka_unit_test(test_a_singular_system_is_told_with_its_row_and_becomes_nan),
        cmocka_unit_test(test_a_row_of_zeros_without_pivots_is_a_breakdown),
        cmocka_unit_test(test_nan_in_a_right_hand_side_spoils_all_of_its_system_and_no_other),
        cmocka_unit_test(test_an_overflow_in_one_row_spoils_all_of_its_system),
        cmocka_unit_test(test_a_captured_call_is_replayed),
    };
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
