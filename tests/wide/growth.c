/* The growth that lanes tell of each matrix is that of plain elimination, wherever the row stands that lets elements grow,
 * and decides who pivots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/scalar.h"
#include "tests/wide/sets.h"

static set sets[MOST_SETS];
static int set_count;

enum { N = 53, SYSTEMS = N + 1 };

/* Lines one after another; side by side; and so in stretches. */
enum { STRETCHED = 2, WAYS };

/* System s has a small pivot in row s, the last system none. */
static double diagonal_entry(int64_t system, int64_t i)
{
    return i == system ? 0x1p-9 : 4;
}

static double lower_entry(int64_t system, int64_t i)
{
    return i == system || i == 0 ? 0 : i % 3 ? 1 : -0.5;
}

static double upper_entry(int64_t i)
{
    return i % 2 ? -1 : 0.75;
}

/* As plan.h defines it; no less than 1. */
static double growth_of(int64_t system)
{
    double u = 0, growth = 1;
    for (int64_t i = 0; i < N; ++i) {
        double a = lower_entry(system, i), b = diagonal_entry(system, i), c = i < N - 1 ? upper_entry(i) : 0;
        growth = fmax(growth, fabs(a * u) / fmax(fmax(fabs(a), fabs(b)), fabs(c)));
        u = c / (b - a * u);
    }
    return growth;
}

static void check(const char *method, bool side_by_side, slimband_pivoting pivoting)
{
    static T lower[SYSTEMS * N], diagonal[SYSTEMS * N], upper[SYSTEMS * N], x[SYSTEMS * N];
    const void *const matrix[] = {lower, diagonal, upper};
    slimband_problem p = slimband_banded(scalar, N, 1, 1);
    slimband_plan *plan = NULL;
    p.pivoting = pivoting;
    assert_int_equal((side_by_side ? slimband_interleaved : slimband_contiguous)(&p, SYSTEMS), SLIMBAND_OK);
    for (int64_t s = 0; s < SYSTEMS; ++s)
        for (int64_t i = 0; i < N; ++i) {
            int64_t at = i * p.solution.line + s * p.solution.batch[0];
            lower[at] = (T)lower_entry(s, i);
            diagonal[at] = (T)diagonal_entry(s, i);
            upper[at] = (T)upper_entry(i);
            x[at] = (T)(i % 5);
        }
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), method), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, matrix, x, x), SLIMBAND_OK);
    for (int64_t s = 0; s < SYSTEMS; ++s) {
        slimband_system_info info;
        double growth = growth_of(s);
        assert_int_equal(slimband_system_status(plan, s, &info), SLIMBAND_OK);
        bool pivots = pivoting == SLIMBAND_PIVOT_AUTO && growth > 4;
        assert_int_equal(info.pivoted, pivots);
        if (!pivots)
            assert_true(fabs(info.growth - growth) <= 1e-3 * growth);
    }
    slimband_plan_destroy(plan);
}

static void test_growth_is_found_in_every_row(void **state)
{
    (void)state;
    assert_true(growth_of(N) == 1 && growth_of(7) > 90 && growth_of(8) > 40);
    for (int k = 0; k < set_count; ++k)
        for (int way = 0; way < WAYS; ++way)
            check(way == STRETCHED ? sets[k].stretched : sets[k].method, way > 0, SLIMBAND_PIVOT_NONE);
}

static void test_systems_that_grow_pivot_and_no_others(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int way = 0; way < WAYS; ++way)
            check(way == STRETCHED ? sets[k].stretched : sets[k].method, way > 0, SLIMBAND_PIVOT_AUTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growth_is_found_in_every_row),
        cmocka_unit_test(test_systems_that_grow_pivot_and_no_others),
    };
    set_count = sets_here(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
