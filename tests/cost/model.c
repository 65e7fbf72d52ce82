/* The cost model: more work never costs less, more machine never costs more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/cpu/workspace.h"

static const sb_cost_machine desktop = {
    .cores = 4, .vector_bytes = 32, .cache_bytes = {1 << 15, 1 << 20, 1 << 25}};

static slimband_problem batch_of(int64_t n, int64_t systems, int width, slimband_coefficients coefficients)
{
    slimband_problem p = slimband_banded(SLIMBAND_F64, n, width, width);
    assert_int_equal(slimband_contiguous(&p, systems), SLIMBAND_OK);
    p.coefficients = coefficients;
    if (coefficients == SLIMBAND_SHARED)
        p.matrix = (slimband_layout){.line = 1};
    return p;
}

static double cost_of(int method, int64_t n, int64_t systems, int width, slimband_coefficients coefficients,
                      const sb_cost_machine *machine)
{
    slimband_problem p = batch_of(n, systems, width, coefficients);
    return sb_cost_seconds(((const sb_cpu_method *)sb_cpu_methods[method].data)->cost, &p, machine);
}

static bool has_facts(int method)
{
    return ((const sb_cpu_method *)sb_cpu_methods[method].data)->cost != NULL;
}

static bool shares_systems(int method)
{
    return ((const sb_cpu_method *)sb_cpu_methods[method].data)->cost->inside;
}

static const int64_t lengths[] = {0, 1, 2, 10, 100, 1000, 1024, 10000, 100000, 1 << 20, 1 << 25};
static const int64_t counts[] = {0, 1, 2, 7, 8, 9, 100, 10000};
enum { LENGTHS = sizeof lengths / sizeof *lengths, COUNTS = sizeof counts / sizeof *counts };

static void test_every_cost_is_a_time(void **state)
{
    (void)state;
    for (int m = 0; m < sb_cpu_method_count; ++m)
        for (int i = 0; i < LENGTHS && has_facts(m); ++i)
            for (int j = 0; j < COUNTS; ++j) {
                double own = cost_of(m, lengths[i], counts[j], 1, SLIMBAND_OWN, &desktop);
                double shared = cost_of(m, lengths[i], counts[j], 1, SLIMBAND_SHARED, &desktop);
                assert_true(own > 0 && own < 1e6);
                assert_true(shared > 0 && shared <= own);
            }
}

/* On one core: with more, longer systems may be worth waking them. */
static void test_longer_systems_cost_more(void **state)
{
    (void)state;
    sb_cost_machine alone = desktop;
    alone.cores = 1;
    for (int m = 0; m < sb_cpu_method_count; ++m)
        for (int i = 1; i < LENGTHS && has_facts(m); ++i)
            for (int j = 0; j < COUNTS; ++j)
                assert_true(cost_of(m, lengths[i], counts[j], 1, SLIMBAND_OWN, &alone) >=
                            cost_of(m, lengths[i - 1], counts[j], 1, SLIMBAND_OWN, &alone));
}

/* A vector that is not full is brought in by itself: the last system of one makes the others cheaper. */
static bool fills_vectors(int method, int64_t systems)
{
    enum { LANES = 4 };
    const sb_cpu_method *m = sb_cpu_methods[method].data;
    return m->cost->side != SB_SYSTEMS_IN_TILES || systems % LANES == 0;
}

/* Where threads share systems, enough of them to end that may cost less than few; and where memory is the limit, one
   more that brings one more core. */
static void test_more_systems_cost_more(void **state)
{
    (void)state;
    for (int m = 0; m < sb_cpu_method_count; ++m)
        for (int i = 0; lengths[i] < 2000 && has_facts(m) && !shares_systems(m); ++i) {
            double least = 0;
            for (int j = 0; j < COUNTS; ++j) {
                if (!fills_vectors(m, counts[j]))
                    continue;
                double cost = cost_of(m, lengths[i], counts[j], 1, SLIMBAND_SHARED, &desktop);
                assert_true(cost >= least);
                least = cost;
            }
        }
}

static void test_wider_bands_cost_more(void **state)
{
    (void)state;
    for (int m = 0; m < sb_cpu_method_count; ++m)
        for (int width = 1; width <= SLIMBAND_MAX_BANDWIDTH && has_facts(m); ++width)
            for (int j = 0; j < COUNTS; ++j)
                assert_true(cost_of(m, 1000, counts[j], width, SLIMBAND_OWN, &desktop) >=
                            cost_of(m, 1000, counts[j], width - 1, SLIMBAND_OWN, &desktop));
}

static void test_larger_caches_cost_no_more(void **state)
{
    (void)state;
    sb_cost_machine larger = desktop;
    larger.cache_bytes[1] *= 4;
    larger.cache_bytes[2] *= 4;
    for (int m = 0; m < sb_cpu_method_count; ++m)
        for (int i = 0; i < LENGTHS && has_facts(m); ++i)
            for (int j = 0; j < COUNTS; ++j)
                assert_true(cost_of(m, lengths[i], counts[j], 1, SLIMBAND_OWN, &larger) <=
                            cost_of(m, lengths[i], counts[j], 1, SLIMBAND_OWN, &desktop));
}

static void test_cores_shorten_what_there_is_enough_of(void **state)
{
    (void)state;
    sb_cost_machine many = desktop;
    for (int m = 0; m < sb_cpu_method_count; ++m)
        for (many.cores = 8; many.cores <= 64 && has_facts(m); many.cores *= 2) {
            sb_cost_machine half = many;
            half.cores = many.cores / 2;
            assert_true(cost_of(m, 10000, 10000, 1, SLIMBAND_OWN, &many) <
                        cost_of(m, 10000, 10000, 1, SLIMBAND_OWN, &half));
        }
}

static void test_unknown_caches_are_usual_ones(void **state)
{
    (void)state;
    sb_cost_machine unknown = desktop;
    unknown.cache_bytes[0] = unknown.cache_bytes[1] = unknown.cache_bytes[2] = 0;
    for (int m = 0; m < sb_cpu_method_count; ++m)
        for (int i = 0; i < LENGTHS && has_facts(m); ++i)
            assert_true(cost_of(m, lengths[i], 10, 1, SLIMBAND_OWN, &unknown) ==
                        cost_of(m, lengths[i], 10, 1, SLIMBAND_OWN, &desktop));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cost_is_a_time),
        cmocka_unit_test(test_longer_systems_cost_more),
        cmocka_unit_test(test_more_systems_cost_more),
        cmocka_unit_test(test_wider_bands_cost_more),
        cmocka_unit_test(test_larger_caches_cost_no_more),
        cmocka_unit_test(test_cores_shorten_what_there_is_enough_of),
        cmocka_unit_test(test_unknown_caches_are_usual_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
