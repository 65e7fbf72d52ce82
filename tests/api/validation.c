/* Every status about arguments is provoked, by name, and nothing is touched when it comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/batch.h"

enum { CODES = 200 };

static bool provoked[CODES];

static void expect(slimband_status found, slimband_status wanted)
{
    provoked[wanted] = true;
    if (found != wanted)
        fail_msg("%s instead of %s", slimband_status_name(found), slimband_status_name(wanted));
}

static const int64_t unsorted[] = {0, 5, 3}, negative[] = {-1, 2, 3}, sorted[] = {0, 3, 3};
static const slimband_ragged bad_offsets = {2, unsorted}, bad_start = {2, negative}, bad_count = {-1, sorted},
                             no_offsets = {2, NULL}, good_ragged = {2, sorted};

typedef void change(slimband_problem *p);

#define CHANGE(name, ...)                 \
    static void name(slimband_problem *p) \
    {                                     \
        __VA_ARGS__;                      \
    }
CHANGE(scalar_high, p->scalar = (slimband_scalar)4)
CHANGE(n_negative, p->n = -1)
CHANGE(lower_negative, p->lower = -1)
CHANGE(lower_high, p->lower = 9)
CHANGE(upper_negative, p->upper = -1)
CHANGE(upper_high, p->upper = 9)
CHANGE(ends_high, p->ends = (slimband_ends)2)
CHANGE(coefficients_high, p->coefficients = (slimband_coefficients)3)
CHANGE(pivoting_high, p->pivoting = (slimband_pivoting)3)
CHANGE(rank_negative, p->batch_rank = -1)
CHANGE(rank_high, p->batch_rank = 4)
CHANGE(extent_negative, p->batch[0] = -1)
CHANGE(rhs_line_negative, p->rhs.line = -1)
CHANGE(rhs_batch_negative, p->rhs.batch[0] = -4)
CHANGE(solution_line_negative, p->solution.line = -1)
CHANGE(matrix_batch_negative, p->matrix.batch[0] = -4)
CHANGE(rhs_line_zero, p->rhs.line = 0)
CHANGE(solution_line_zero, p->solution.line = 0)
CHANGE(matrix_line_zero, p->batch_rank = 0; p->ragged = &good_ragged; p->matrix.line = 0)
CHANGE(solution_repeats, p->solution.batch[0] = 0)
CHANGE(solution_overlaps, p->solution.batch[0] = p->n - 1)
CHANGE(solution_crosses, p->solution = ((slimband_layout){2, {2}}))
CHANGE(toeplitz_first, p->coefficients = SLIMBAND_TOEPLITZ; p->toeplitz_first = -1)
CHANGE(toeplitz_last, p->coefficients = SLIMBAND_TOEPLITZ; p->toeplitz_last = -1)
CHANGE(toeplitz_sum, p->coefficients = SLIMBAND_TOEPLITZ; p->toeplitz_first = p->n; p->toeplitz_last = 1)
CHANGE(toeplitz_overflow, p->coefficients = SLIMBAND_TOEPLITZ; p->toeplitz_first = p->toeplitz_last = INT64_MAX)
CHANGE(refinements_negative, p->refinements = -1)
CHANGE(refinements_high, p->refinements = 101)
CHANGE(ragged_unsorted, p->batch_rank = 0; p->ragged = &bad_offsets)
CHANGE(ragged_negative, p->batch_rank = 0; p->ragged = &bad_start)
CHANGE(ragged_count, p->batch_rank = 0; p->ragged = &bad_count)
CHANGE(ragged_null, p->batch_rank = 0; p->ragged = &no_offsets)
CHANGE(ragged_batch, p->ragged = &good_ragged)
CHANGE(ragged_shared, p->batch_rank = 0; p->coefficients = SLIMBAND_SHARED; p->ragged = &good_ragged)
CHANGE(n_enormous, p->n = INT64_MAX / 4)
CHANGE(stride_enormous, p->rhs.batch[0] = INT64_MAX / 2)
CHANGE(batch_enormous, p->batch_rank = 2; p->batch[0] = p->batch[1] = INT64_C(1) << 40)

typedef struct rule {
    slimband_status status;
    change *apply;
} rule;

static const rule rules[] = {
    {SLIMBAND_BAD_SCALAR, scalar_high},
    {SLIMBAND_BAD_N, n_negative},
    {SLIMBAND_BAD_BANDWIDTH, lower_negative},
    {SLIMBAND_BAD_BANDWIDTH, lower_high},
    {SLIMBAND_BAD_BANDWIDTH, upper_negative},
    {SLIMBAND_BAD_BANDWIDTH, upper_high},
    {SLIMBAND_BAD_ENDS, ends_high},
    {SLIMBAND_BAD_COEFFICIENTS, coefficients_high},
    {SLIMBAND_BAD_PIVOTING, pivoting_high},
    {SLIMBAND_BAD_BATCH, rank_negative},
    {SLIMBAND_BAD_BATCH, rank_high},
    {SLIMBAND_BAD_BATCH, extent_negative},
    {SLIMBAND_NEGATIVE_STRIDE, rhs_line_negative},
    {SLIMBAND_NEGATIVE_STRIDE, rhs_batch_negative},
    {SLIMBAND_NEGATIVE_STRIDE, solution_line_negative},
    {SLIMBAND_NEGATIVE_STRIDE, matrix_batch_negative},
    {SLIMBAND_BAD_LINE_STRIDE, rhs_line_zero},
    {SLIMBAND_BAD_LINE_STRIDE, solution_line_zero},
    {SLIMBAND_BAD_LINE_STRIDE, matrix_line_zero},
    {SLIMBAND_SOLUTION_OVERLAPS, solution_repeats},
    {SLIMBAND_SOLUTION_OVERLAPS, solution_overlaps},
    {SLIMBAND_SOLUTION_OVERLAPS, solution_crosses},
    {SLIMBAND_BAD_TOEPLITZ_ROWS, toeplitz_first},
    {SLIMBAND_BAD_TOEPLITZ_ROWS, toeplitz_last},
    {SLIMBAND_BAD_TOEPLITZ_ROWS, toeplitz_sum},
    {SLIMBAND_BAD_TOEPLITZ_ROWS, toeplitz_overflow},
    {SLIMBAND_BAD_REFINEMENTS, refinements_negative},
    {SLIMBAND_BAD_REFINEMENTS, refinements_high},
    {SLIMBAND_BAD_RAGGED, ragged_unsorted},
    {SLIMBAND_BAD_RAGGED, ragged_negative},
    {SLIMBAND_BAD_RAGGED, ragged_count},
    {SLIMBAND_BAD_RAGGED, ragged_null},
    {SLIMBAND_RAGGED_NEEDS_PLAIN_BATCH, ragged_batch},
    {SLIMBAND_RAGGED_NEEDS_PLAIN_BATCH, ragged_shared},
    {SLIMBAND_TOO_LARGE, n_enormous},
    {SLIMBAND_TOO_LARGE, stride_enormous},
    {SLIMBAND_TOO_LARGE, batch_enormous},
};

static batch s; /* 4 systems of 6 unknowns, for every test */

static int set_up(void **state)
{
    (void)state;
    s = batch_make(6, 4, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    batch_free(&s);
    return 0;
}

/* One status, whichever call is asked; no plan, and no array touched. */
static void refuse_problem(const slimband_problem *p, slimband_executor executor, const char *method,
                           slimband_status wanted)
{
    slimband_plan *plan = (slimband_plan *)&s;
    expect(slimband_plan_create(&plan, p, executor, method), wanted);
    assert_null(plan);
    expect(slimband_method_fits(p, executor, method), wanted);
    assert_true(batch_untouched(&s));
}

static void test_every_broken_rule_of_a_problem_is_named(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; ++k) {
        slimband_problem p = s.problem;
        rules[k].apply(&p);
        expect(slimband_validate(&p), rules[k].status);
        refuse_problem(&p, slimband_cpu(1), SLIMBAND_AUTO, rules[k].status);
        slimband_backward_error error = {.system = 77};
        expect(slimband_residual(&p, s.diagonals, s.b, s.x, &error), rules[k].status);
        assert_int_equal(error.system, 77);
    }
    assert_int_equal(slimband_validate(&s.problem), SLIMBAND_OK);
}

static void test_executors_and_methods_that_cannot_are_refused(void **state)
{
    (void)state;
    slimband_executor nowhere = {0}, mpi = {.place = SLIMBAND_ON_MPI}, beyond = {.place = (slimband_place)9};
    refuse_problem(&s.problem, nowhere, SLIMBAND_AUTO, SLIMBAND_BAD_EXECUTOR);
    refuse_problem(&s.problem, beyond, SLIMBAND_AUTO, SLIMBAND_BAD_EXECUTOR);
    refuse_problem(&s.problem, slimband_cpu(-1), SLIMBAND_AUTO, SLIMBAND_BAD_THREADS);
    refuse_problem(&s.problem, mpi, SLIMBAND_AUTO, SLIMBAND_NOT_BUILT_IN);
    const char *unknown[] = {"", "gauss", "Thomas", "thomas ", "tpr2"};
    for (size_t k = 0; k < sizeof unknown / sizeof *unknown; ++k)
        refuse_problem(&s.problem, slimband_cpu(1), unknown[k], SLIMBAND_UNKNOWN_METHOD);
    const char *options[] = {"thomas:fast",
                             "auto:slice=4",
                             "tpr:slice=0",
                             "tpr:slice=-4",
                             "tpr:slice=3",
                             "tpr:slice=",
                             "tpr:slice=8x",
                             "tpr:slow",
                             "tpr:slice=99999999999999999999",
                             "partition:chunk=4",
                             "partition:chunk=8,",
                             "partition:vectors=3",
                             "truncated:vectors=0",
                             "truncated:chunk=8,vectors=",
                             "lanes:vectors=1",
                             "truncated:chunk=4",
                             "lanes:chunk=16",
                             "partition:isa=none,chunk=8",
                             "partition:isa=aVeryLongNameOfASet"};
    for (size_t k = 0; k < sizeof options / sizeof *options; ++k)
        refuse_problem(&s.problem, slimband_cpu(1), options[k], SLIMBAND_UNKNOWN_OPTION);
}

static void test_methods_say_why_they_do_not_fit(void **state)
{
    (void)state;
    slimband_problem p = slimband_pentadiagonal(SLIMBAND_F64, 6);
    const char *tridiagonal[] = {"thomas", "cr", "pcr", "wang_mou", "tpr", "cr_toeplitz"};
    for (size_t k = 0; k < sizeof tridiagonal / sizeof *tridiagonal; ++k)
        refuse_problem(&p, slimband_cpu(1), tridiagonal[k], SLIMBAND_METHOD_NEEDS_TRIDIAGONAL);
    p.upper = 1;
    refuse_problem(&p, slimband_cpu(1), "twisted", SLIMBAND_METHOD_NEEDS_TRI_OR_PENTADIAGONAL);
    refuse_problem(&s.problem, slimband_cpu(1), "cr_toeplitz", SLIMBAND_METHOD_NEEDS_TOEPLITZ);
    p = s.problem;
    p.coefficients = SLIMBAND_TOEPLITZ;
    p.toeplitz_first = 2;
    refuse_problem(&p, slimband_cpu(1), "cr_toeplitz", SLIMBAND_METHOD_NEEDS_TOEPLITZ);
    p = s.problem;
    p.pivoting = SLIMBAND_PIVOT_PARTIAL;
    refuse_problem(&p, slimband_cpu(1), "thomas", SLIMBAND_METHOD_DOES_NOT_PIVOT);
    p.pivoting = SLIMBAND_PIVOT_NONE;
    refuse_problem(&p, slimband_cpu(1), "pivoted_lu", SLIMBAND_METHOD_ALWAYS_PIVOTS);
}

static void test_null_arguments_are_refused(void **state)
{
    (void)state;
    slimband_plan *plan;
    const void *holed[] = {s.lower, NULL, s.upper};
    slimband_report report;
    slimband_system_info info;
    slimband_backward_error error;
    const slimband_status wanted = SLIMBAND_NULL_ARGUMENT;
    expect(slimband_plan_create(NULL, &s.problem, slimband_cpu(1), SLIMBAND_AUTO), wanted);
    expect(slimband_plan_create(&plan, NULL, slimband_cpu(1), SLIMBAND_AUTO), wanted);
    expect(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), NULL), wanted);
    assert_null(plan);
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    expect(slimband_factor(NULL, s.diagonals), wanted);
    expect(slimband_factor(plan, NULL), wanted);
    expect(slimband_factor(plan, holed), wanted);
    expect(slimband_factor_solve(plan, holed, s.b, s.x), wanted);
    expect(slimband_factor_solve(plan, s.diagonals, NULL, s.x), wanted);
    assert_int_equal(slimband_factor(plan, s.diagonals), SLIMBAND_OK);
    expect(slimband_solve(NULL, s.b, s.x), wanted);
    expect(slimband_solve(plan, NULL, s.x), wanted);
    expect(slimband_solve(plan, s.b, NULL), wanted);
    expect(slimband_solve_transposed(plan, s.b, NULL), wanted);
    expect(slimband_solve_adjoint(plan, NULL, s.x), wanted);
    expect(slimband_plan_report(plan, NULL), wanted);
    expect(slimband_plan_report(NULL, &report), wanted);
    expect(slimband_system_status(plan, 0, NULL), wanted);
    expect(slimband_system_status(NULL, 0, &info), wanted);
    expect(slimband_residual(&s.problem, s.diagonals, s.b, s.x, NULL), wanted);
    expect(slimband_residual(&s.problem, holed, s.b, s.x, &error), wanted);
    expect(slimband_residual(NULL, s.diagonals, s.b, s.x, &error), wanted);
    expect(slimband_residual(&s.problem, s.diagonals, s.b, NULL, &error), wanted);
    expect(slimband_validate(NULL), wanted);
    assert_true(batch_untouched(&s));
    slimband_plan_destroy(plan);
    slimband_plan_destroy(NULL);
}

static void test_layout_helpers_refuse_and_leave_the_problem_alone(void **state)
{
    (void)state;
    slimband_problem p = s.problem, kept = p;
    const int64_t extents[] = {3, 4, 5, 6}, negative_extent[] = {3, -1, 5, 6}, strides[] = {120, 30, 6, 1},
                  backwards[] = {120, 30, -6, 1}, enormous[] = {INT64_C(1) << 40, INT64_C(1) << 40, 2, 2};
    expect(slimband_along_axis(&p, 0, extents, 0), SLIMBAND_BAD_AXIS);
    expect(slimband_along_axis(&p, 5, extents, 0), SLIMBAND_BAD_AXIS);
    expect(slimband_along_axis(&p, 4, extents, 4), SLIMBAND_BAD_AXIS);
    expect(slimband_along_axis(&p, 4, extents, -1), SLIMBAND_BAD_AXIS);
    expect(slimband_along_axis(&p, 4, negative_extent, 0), SLIMBAND_BAD_AXIS);
    expect(slimband_along_axis(&p, 4, enormous, 0), SLIMBAND_TOO_LARGE);
    expect(slimband_along_axis(NULL, 4, extents, 0), SLIMBAND_NULL_ARGUMENT);
    expect(slimband_along_axis(&p, 4, NULL, 0), SLIMBAND_NULL_ARGUMENT);
    expect(slimband_along_strided_axis(&p, 4, extents, NULL, 0), SLIMBAND_NULL_ARGUMENT);
    expect(slimband_along_strided_axis(&p, 4, extents, backwards, 0), SLIMBAND_NEGATIVE_STRIDE);
    expect(slimband_along_strided_axis(&p, 4, extents, strides, 4), SLIMBAND_BAD_AXIS);
    expect(slimband_contiguous(&p, -1), SLIMBAND_BAD_BATCH);
    expect(slimband_interleaved(&p, -1), SLIMBAND_BAD_BATCH);
    expect(slimband_contiguous(&p, INT64_MAX / 2), SLIMBAND_TOO_LARGE);
    expect(slimband_interleaved(NULL, 1), SLIMBAND_NULL_ARGUMENT);
    assert_memory_equal(&p, &kept, sizeof p);
}

static void test_calls_out_of_order_are_refused(void **state)
{
    (void)state;
    slimband_plan *plan;
    slimband_system_info info;
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    expect(slimband_solve(plan, s.b, s.x), SLIMBAND_NOT_FACTORED);
    expect(slimband_system_status(plan, 4, &info), SLIMBAND_BAD_SYSTEM);
    expect(slimband_system_status(plan, -1, &info), SLIMBAND_BAD_SYSTEM);
    assert_true(batch_untouched(&s));
    assert_int_equal(slimband_factor(plan, s.diagonals), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, s.diagonals, s.b, s.x), SLIMBAND_OK);
    expect(slimband_solve(plan, s.b, s.x), SLIMBAND_NOT_FACTORED);
    slimband_plan_destroy(plan);
}

static void test_a_one_pass_plan_only_takes_one_pass(void **state)
{
    (void)state;
    slimband_plan *plan;
    s.problem.one_pass = true;
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    expect(slimband_factor(plan, s.diagonals), SLIMBAND_PLAN_STORES_NOTHING);
    expect(slimband_solve(plan, s.b, s.x), SLIMBAND_PLAN_STORES_NOTHING);
    assert_true(batch_untouched(&s));
    assert_int_equal(slimband_factor_solve(plan, s.diagonals, s.b, s.x), SLIMBAND_OK);
    assert_true(batch_error(&s, 3) < 1e-15);
    slimband_plan_destroy(plan);
}

static void test_in_place_needs_equal_layouts(void **state)
{
    (void)state;
    slimband_plan *plan;
    s.problem.rhs.line = 2;
    s.problem.rhs.batch[0] = 12;
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, s.diagonals), SLIMBAND_OK);
    expect(slimband_solve(plan, s.x, s.x), SLIMBAND_IN_PLACE_LAYOUTS_DIFFER);
    expect(slimband_solve_transposed(plan, s.x, s.x), SLIMBAND_IN_PLACE_LAYOUTS_DIFFER);
    expect(slimband_factor_solve(plan, s.diagonals, s.x, s.x), SLIMBAND_IN_PLACE_LAYOUTS_DIFFER);
    assert_true(batch_untouched(&s));
    slimband_plan_destroy(plan);
}

/* What nothing provokes on the CPU: some of it takes a GPU (tests/cuda). allocation.c runs out of memory,
   failures.c has the numerical ones. */
static bool out_of_reach(slimband_status status)
{
    static const slimband_status others[] = {SLIMBAND_OK,
                                             SLIMBAND_BAD_WORKSPACE,
                                             SLIMBAND_METHOD_NOT_HERE,
                                             SLIMBAND_METHOD_NEEDS_NARROWER_BAND,
                                             SLIMBAND_METHOD_NEEDS_EQUAL_LENGTHS,
                                             SLIMBAND_METHOD_NEEDS_SHORTER_LINES,
                                             SLIMBAND_METHOD_NEEDS_OPEN_ENDS,
                                             SLIMBAND_OUT_OF_MEMORY,
                                             SLIMBAND_NO_DEVICE,
                                             SLIMBAND_BAD_STREAM,
                                             SLIMBAND_DEVICE_FAILED};
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
        if (status == others[k])
            return true;
    return status >= SLIMBAND_SINGULAR;
}

static void test_nothing_was_left_out_above(void **state)
{
    (void)state;
    static const slimband_status all[] = {
#define MEMBER(name, number, sentence) name,
        SLIMBAND_STATUS_LIST(MEMBER)
#undef MEMBER
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
        if (!provoked[all[k]] && !out_of_reach(all[k]))
            fail_msg("%s was never provoked", slimband_status_name(all[k]));
    }
}

static void test_statuses_have_names_and_sentences(void **state)
{
    (void)state;
    assert_string_equal(slimband_status_name(SLIMBAND_SINGULAR), "SLIMBAND_SINGULAR");
    assert_non_null(strstr(slimband_status_string(SLIMBAND_BAD_BANDWIDTH), "0..8"));
    for (int code = -3; code < CODES; ++code) {
        assert_true(strlen(slimband_status_string((slimband_status)code)) > 0);
        assert_true(strlen(slimband_status_name((slimband_status)code)) > 0);
    }
}

#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FRESH(test_every_broken_rule_of_a_problem_is_named),
        FRESH(test_executors_and_methods_that_cannot_are_refused),
        FRESH(test_methods_say_why_they_do_not_fit),
        FRESH(test_null_arguments_are_refused),
        FRESH(test_layout_helpers_refuse_and_leave_the_problem_alone),
        FRESH(test_calls_out_of_order_are_refused),
        FRESH(test_a_one_pass_plan_only_takes_one_pass),
        FRESH(test_in_place_needs_equal_layouts),
        cmocka_unit_test(test_nothing_was_left_out_above),
        cmocka_unit_test(test_statuses_have_names_and_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
