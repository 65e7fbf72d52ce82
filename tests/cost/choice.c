/* What `auto` chooses on machines whose facts are given. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/cpu/workspace.h"

static const sb_cost_machine laptop = {
    .cores = 2, .vector_bytes = 32, .cache_bytes = {1 << 15, 1 << 19, 1 << 23}};
static const sb_cost_machine server = {
    .cores = 48, .vector_bytes = 64, .cache_bytes = {1 << 15, 1 << 21, 1 << 26}};

static double cost_on(const sb_cost_machine *machine, const char *name, const slimband_problem *p)
{
    for (int m = 0; m < sb_cpu_method_count; ++m)
        if (!strcmp(sb_cpu_methods[m].info.name, name))
            return sb_cpu_cost(sb_cpu_methods[m].data, p, machine);
    fail_msg("there is no %s", name);
    return 0;
}

static const char *choice_on(const sb_cost_machine *machine, const slimband_problem *p)
{
    const char *best = "";
    double least = INFINITY;
    for (int m = 0; m < sb_cpu_method_count; ++m) {
        const sb_cpu_method *method = sb_cpu_methods[m].data;
        double cost = method->fits(p) ? INFINITY : sb_cpu_cost(method, p, machine);
        if (cost < least) {
            least = cost;
            best = sb_cpu_methods[m].info.name;
        }
    }
    return best;
}

/* To be factored and solved at once, until it is shared. */
static slimband_problem one_of(int64_t n)
{
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, n);
    p.one_pass = true;
    return p;
}

static slimband_problem batch_of(int64_t n, int64_t systems)
{
    slimband_problem p = one_of(n);
    assert_int_equal(slimband_contiguous(&p, systems), SLIMBAND_OK);
    return p;
}

static void share(slimband_problem *p)
{
    p->coefficients = SLIMBAND_SHARED;
    p->matrix = (slimband_layout){.line = 1};
}

static void test_small_single_systems_go_row_by_row(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 64; n *= 2) {
        slimband_problem p = one_of(n), penta = slimband_pentadiagonal(SLIMBAND_F64, n);
        assert_string_equal(choice_on(&laptop, &p), "twisted");
        assert_string_equal(choice_on(&server, &p), "twisted");
        assert_string_equal(choice_on(&server, &penta), "twisted");
    }
}

static void test_batches_go_into_lanes(void **state)
{
    (void)state;
    const int64_t waits_in_a_core = 1 << 12;
    for (int64_t n = 16; n <= 1 << 14; n *= 4)
        for (int64_t systems = 64; systems <= 1 << 12; systems *= 4) {
            slimband_problem p = batch_of(n, systems);
            p.one_pass = false;
            if (n <= waits_in_a_core)
                assert_string_equal(choice_on(&laptop, &p), "lanes");
            share(&p);
            assert_string_equal(choice_on(&laptop, &p), "lanes");
            p.scalar = SLIMBAND_C64;
            assert_string_equal(choice_on(&laptop, &p), "lanes");
        }
}

/* A tile costs what two or three systems cost by themselves, however few are in it. */
static void test_two_short_systems_are_no_batch_but_a_tile_full_is(void **state)
{
    (void)state;
    sb_cost_machine alone = laptop;
    alone.cores = 1;
    slimband_problem two = batch_of(100, 2), eight = batch_of(100, 8);
    share(&two);
    assert_true(cost_on(&alone, "lanes", &two) > 0.6 * cost_on(&alone, "thomas", &two));
    assert_true(cost_on(&alone, "lanes", &eight) < 0.3 * cost_on(&alone, "thomas", &eight));
}

/* Sixteen systems are two vectors of lanes for two cores; one by one they keep sixteen busy. */
static void test_cores_count_against_lanes(void **state)
{
    (void)state;
    slimband_problem p = batch_of(1000, 16);
    sb_cost_machine alone = server;
    alone.cores = 1;
    double ratio = cost_on(&server, "lanes", &p) / cost_on(&server, "thomas", &p);
    assert_true(ratio > 2 * cost_on(&alone, "lanes", &p) / cost_on(&alone, "thomas", &p));
}

/* Each choice on it, and what was not taken, was measured on such a machine or on a Zen 5, most on both; but twisted, and what it was
   taken instead of, on such machines and a Skylake alone. */
static const sb_cost_machine two = {
    .cores = 2, .vector_bytes = 64, .cache_bytes = {48 << 10, 2 << 20, 300 << 20}};

/* A Zen 4, whose last cache what waits of 16 lines of 100000 nearly fills. */
static const sb_cost_machine zen = {
    .cores = 2, .vector_bytes = 64, .cache_bytes = {32 << 10, 1 << 20, 32 << 20}};

static const char *choice_of_one(slimband_problem p, bool factored)
{
    p.one_pass = !factored;
    return choice_on(&two, &p);
}

static void test_one_short_system_goes_by_chunks_from_where_they_were_faster(void **state)
{
    (void)state;
    assert_string_equal(choice_of_one(slimband_tridiagonal(SLIMBAND_F64, 200), false), "twisted");
    assert_string_equal(choice_of_one(slimband_tridiagonal(SLIMBAND_F64, 500), false), "twisted");
    assert_string_equal(choice_of_one(slimband_tridiagonal(SLIMBAND_F64, 1000), false), "twisted");
    assert_string_equal(choice_of_one(slimband_tridiagonal(SLIMBAND_F64, 3000), false), "partition");
    assert_string_equal(choice_of_one(slimband_tridiagonal(SLIMBAND_F64, 200), true), "twisted");
    assert_string_equal(choice_of_one(slimband_tridiagonal(SLIMBAND_F64, 1000), true), "twisted");
    assert_string_equal(choice_of_one(slimband_tridiagonal(SLIMBAND_F64, 4000), true), "partition");
    assert_string_equal(choice_of_one(slimband_pentadiagonal(SLIMBAND_F64, 200), false), "twisted");
    assert_string_equal(choice_of_one(slimband_pentadiagonal(SLIMBAND_F64, 1000), false), "twisted");
    assert_string_equal(choice_of_one(slimband_pentadiagonal(SLIMBAND_F64, 2000), false), "twisted");
    assert_string_equal(choice_of_one(slimband_pentadiagonal(SLIMBAND_F64, 4000), false), "partition");
    assert_string_equal(choice_of_one(slimband_pentadiagonal(SLIMBAND_F64, 200), true), "twisted");
    assert_string_equal(choice_of_one(slimband_pentadiagonal(SLIMBAND_F64, 1000), true), "twisted");
    assert_string_equal(choice_of_one(slimband_tridiagonal(SLIMBAND_F64, 6000), false), "partition");
    assert_string_equal(choice_of_one(slimband_tridiagonal(SLIMBAND_F64, 16000), false), "truncated");
}

static void test_lanes_are_taken_where_vectors_are_full(void **state)
{
    (void)state;
    slimband_problem long_lines = batch_of(100000, 16), few = batch_of(1000, 4), own = batch_of(1000, 9),
                     own_lines = batch_of(100000, 16), strided = one_of(16384);
    share(&long_lines);
    share(&few);
    assert_int_equal(slimband_interleaved(&strided, 256), SLIMBAND_OK);
    assert_string_equal(choice_on(&two, &long_lines), "lanes");
    assert_string_equal(choice_on(&two, &few), "twisted");
    assert_string_equal(choice_on(&two, &own), "lanes");
    assert_string_equal(choice_on(&zen, &own_lines), "truncated");
    assert_string_equal(choice_on(&two, &strided), "lanes");
}

/* A Zen 3. */
static const sb_cost_machine older = {
    .cores = 2, .vector_bytes = 32, .cache_bytes = {32 << 10, 512 << 10, 32 << 20}, .follows_few = true};

static const char *choice_of_lines(const sb_cost_machine *machine, int64_t n, int64_t systems)
{
    const slimband_problem p = batch_of(n, systems);
    return choice_on(machine, &p);
}

/* Each of these, and what was not taken, was measured on such a machine. */
static void test_lines_are_joined_where_what_waits_in_lanes_leaves_a_core_or_few_are_followed(void **state)
{
    (void)state;
    assert_string_equal(choice_of_lines(&two, 1024, 16384), "lanes");
    assert_string_equal(choice_of_lines(&two, 4096, 1024), "lanes");
    assert_string_equal(choice_of_lines(&two, 16384, 256), "truncated");
    assert_string_equal(choice_of_lines(&two, 65536, 64), "truncated");
    assert_string_equal(choice_of_lines(&older, 256, 16384), "lanes");
    assert_string_equal(choice_of_lines(&older, 1024, 16384), "lanes");
    assert_string_equal(choice_of_lines(&older, 2048, 2048), "truncated");
    assert_string_equal(choice_of_lines(&older, 16384, 256), "truncated");
    assert_string_equal(choice_of_lines(&older, 100000, 16), "truncated");
    assert_string_equal(choice_of_lines(&older, 200000, 4), "truncated");
}

static void test_vectors_of_256_bits_have_their_own_measure(void **state)
{
    (void)state;
    slimband_problem one = one_of(1000);
    assert_string_equal(choice_on(&older, &one), "twisted");
    one.n = 4000;
    assert_string_equal(choice_on(&older, &one), "partition");
    slimband_problem penta = slimband_pentadiagonal(SLIMBAND_F64, 1000);
    penta.one_pass = true;
    assert_string_equal(choice_on(&older, &penta), "twisted");
    slimband_problem strided = one_of(16384);
    assert_int_equal(slimband_interleaved(&strided, 256), SLIMBAND_OK);
    assert_string_equal(choice_on(&older, &strided), "lanes");
}

/* Plans without one_pass are for many solves of a factorisation. */
static void test_kept_factors_count_by_what_a_solve_takes(void **state)
{
    (void)state;
    slimband_problem once = one_of(1000), kept = once, shared = once;
    kept.one_pass = false;
    share(&shared);
    assert_true(cost_on(&two, "partition", &kept) < 0.6 * cost_on(&two, "partition", &once));
    assert_true(cost_on(&two, "partition", &kept) == cost_on(&two, "partition", &shared));
    once.scalar = kept.scalar = SLIMBAND_F32;
    assert_string_equal(choice_on(&two, &once), "twisted");
    assert_string_equal(choice_on(&two, &kept), "partition");
}

/* Measured on a Zen 3. */
static void test_complex_numbers_have_their_own_measure(void **state)
{
    (void)state;
    slimband_problem tri = one_of(1000), toeplitz = one_of(1000),
                     penta = slimband_pentadiagonal(SLIMBAND_C64, 1000);
    tri.scalar = toeplitz.scalar = SLIMBAND_C64;
    toeplitz.coefficients = SLIMBAND_TOEPLITZ;
    toeplitz.matrix = (slimband_layout){.line = 1};
    penta.one_pass = true;
    assert_string_equal(choice_on(&older, &tri), "partition");
    assert_string_equal(choice_on(&older, &penta), "twisted");
    assert_string_equal(choice_on(&older, &toeplitz), "partition");
    tri.one_pass = false;
    assert_string_equal(choice_on(&older, &tri), "partition");
    tri.scalar = SLIMBAND_C128;
    assert_string_equal(choice_on(&older, &tri), "twisted");
}

/* Not row by row, though factors are all that is moved: a chain has little to do while they come. */
static void test_lines_with_kept_factors_go_into_lanes(void **state)
{
    (void)state;
    for (int64_t n = 256; n <= 4096; n *= 4) {
        slimband_problem lines = batch_of(n, (1 << 22) / n);
        lines.one_pass = false;
        assert_string_equal(choice_on(&older, &lines), "lanes");
    }
}

/* Where threads are left open, more cores are no reason to wake them. */
static void test_many_cores_cost_no_more_than_one(void **state)
{
    (void)state;
    sb_cost_machine many = two, one = two;
    many.cores = 64;
    one.cores = 1;
    for (int64_t n = 100; n < 1000000; n *= 3) {
        const slimband_problem p = one_of(n);
        assert_true(cost_on(&many, "partition", &p) <= cost_on(&one, "partition", &p));
    }
    const slimband_problem p = one_of(4000);
    assert_string_not_equal(choice_on(&many, &p), "twisted");
}

/* Cyclic reduction moves several times thomas's words, but every core helps. */
static void test_one_long_system_is_worth_more_work_on_many_cores(void **state)
{
    (void)state;
    slimband_problem p = one_of(1 << 22);
    assert_true(cost_on(&laptop, "thomas", &p) < cost_on(&laptop, "cr", &p));
    assert_true(cost_on(&server, "cr", &p) < cost_on(&server, "thomas", &p));
    p.n = 100;
    assert_true(cost_on(&server, "thomas", &p) < cost_on(&server, "cr", &p));
}

static void test_pivoting_is_taken_where_it_is_asked_for(void **state)
{
    (void)state;
    slimband_problem p = batch_of(100, 1);
    p.pivoting = SLIMBAND_PIVOT_PARTIAL;
    assert_string_equal(choice_on(&laptop, &p), "pivoted_lu");
    p = batch_of(1 << 20, 1);
    p.pivoting = SLIMBAND_PIVOT_PARTIAL;
    assert_string_equal(choice_on(&laptop, &p), "partition");
    assert_string_equal(choice_on(&server, &p), "partition");
}

/* Their rounding errors can exceed elimination's, so speed is no reason. */
static void test_methods_that_round_worse_are_never_chosen(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 1 << 24);
    p.pivoting = SLIMBAND_PIVOT_NONE;
    assert_true(isinf(cost_on(&server, "pcr", &p)));
    assert_true(isinf(cost_on(&server, "tpr", &p)));
    assert_true(isinf(cost_on(&server, "pcr_thomas", &p)));
}

static void test_doubt_costs_nothing_where_nothing_is_checked(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 10000);
    double wary = cost_on(&server, "cr", &p);
    p.pivoting = SLIMBAND_PIVOT_NONE;
    assert_true(cost_on(&server, "cr", &p) < wary);
}

/* Systems that lanes would solve one after another are not weighed as if they went side by side. */
static void test_lanes_is_not_chosen_where_it_would_be_another_method(void **state)
{
    (void)state;
    slimband_problem p = batch_of(100, 64);
    p.refinements = 1;
    assert_string_equal(choice_on(&laptop, &p), "twisted");
    p.refinements = 0;
    p.ends = SLIMBAND_PERIODIC;
    share(&p);
    assert_string_equal(choice_on(&laptop, &p), "lanes");
}

/* The bits of an answer must not depend on them. */
static void test_the_threads_of_a_plan_have_no_say(void **state)
{
    (void)state;
    slimband_problem p = batch_of(5000, 3);
    const char *chosen[2];
    for (int k = 0; k < 2; ++k) {
        slimband_plan *plan;
        slimband_report report;
        assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1 + 15 * k), SLIMBAND_AUTO), SLIMBAND_OK);
        assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
        chosen[k] = report.method;
        slimband_plan_destroy(plan);
    }
    assert_string_equal(chosen[0], chosen[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_single_systems_go_row_by_row),
        cmocka_unit_test(test_batches_go_into_lanes),
        cmocka_unit_test(test_two_short_systems_are_no_batch_but_a_tile_full_is),
        cmocka_unit_test(test_cores_count_against_lanes),
        cmocka_unit_test(test_one_short_system_goes_by_chunks_from_where_they_were_faster),
        cmocka_unit_test(test_lanes_are_taken_where_vectors_are_full),
        cmocka_unit_test(test_lines_are_joined_where_what_waits_in_lanes_leaves_a_core_or_few_are_followed),
        cmocka_unit_test(test_vectors_of_256_bits_have_their_own_measure),
        cmocka_unit_test(test_kept_factors_count_by_what_a_solve_takes),
        cmocka_unit_test(test_complex_numbers_have_their_own_measure),
        cmocka_unit_test(test_lines_with_kept_factors_go_into_lanes),
        cmocka_unit_test(test_many_cores_cost_no_more_than_one),
        cmocka_unit_test(test_one_long_system_is_worth_more_work_on_many_cores),
        cmocka_unit_test(test_pivoting_is_taken_where_it_is_asked_for),
        cmocka_unit_test(test_methods_that_round_worse_are_never_chosen),
        cmocka_unit_test(test_doubt_costs_nothing_where_nothing_is_checked),
        cmocka_unit_test(test_lanes_is_not_chosen_where_it_would_be_another_method),
        cmocka_unit_test(test_the_threads_of_a_plan_have_no_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
