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

enum { BANDS = 4, DIAGONALS = 2 * BANDS + 1 };

/* System s has a small pivot in row s, the last system none. k: columns to the right of the diagonal. */
static double entry(int band, int64_t system, int64_t i, int k)
{
    if (i + k < 0 || i + k >= N)
        return 0;
    if (k == 0)
        return i == system ? 0x1p-9 : 4 * band;
    if (k < 0)
        return i == system ? 0 : (i % 3 ? 1 : -0.5) / -k;
    return (i % 2 ? -1 : 0.75) / k;
}

/* As plan.h defines it; no less than 1. */
static double growth_of(int band, int64_t system)
{
    double u[N][BANDS + 1], growth = 1;
    for (int64_t i = 0; i < N; ++i) {
        double row[DIAGONALS], largest = 0, product = 0;
        for (int k = -band; k <= band; ++k) {
            row[band + k] = entry(band, system, i, k);
            largest = fmax(largest, fabs(row[band + k]));
        }
        for (int k = i < band ? (int)i : band; k > 0; --k)
            for (int t = 1; t <= band; ++t) {
                double met = row[band - k] * u[i - k][t];
                double from = fabs(row[band - k + t]), beside = fmax(fabs(row[band - k]), from);
                if (t == k)
                    beside = fmin(beside, 16 * from);
                product = fmax(product, fabs(met));
                growth = fabs(met) > growth * beside ? fabs(met) / beside : growth;
                row[band - k + t] -= met;
            }
        growth = fmax(growth, product / largest);
        for (int t = 1; t <= band; ++t)
            u[i][t] = row[band + t] / row[band];
    }
    return growth;
}

static void check(int band, const char *method, bool side_by_side, slimband_pivoting pivoting)
{
    static T diagonals[DIAGONALS][SYSTEMS * N], x[SYSTEMS * N];
    const void *matrix[DIAGONALS];
    slimband_problem p = slimband_banded(scalar, N, band, band);
    slimband_plan *plan = NULL;
    p.pivoting = pivoting;
    assert_int_equal((side_by_side ? slimband_interleaved : slimband_contiguous)(&p, SYSTEMS), SLIMBAND_OK);
    for (int64_t s = 0; s < SYSTEMS; ++s)
        for (int64_t i = 0; i < N; ++i) {
            int64_t at = i * p.solution.line + s * p.solution.batch[0];
            for (int d = 0; d < 2 * band + 1; ++d)
                diagonals[d][at] = (T)entry(band, s, i, d - band);
            x[at] = (T)(i % 5);
        }
    for (int d = 0; d < 2 * band + 1; ++d)
        matrix[d] = diagonals[d];
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), method), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, matrix, x, x), SLIMBAND_OK);
    for (int64_t s = 0; s < SYSTEMS; ++s) {
        slimband_system_info info;
        double growth = growth_of(band, s);
        assert_int_equal(slimband_system_status(plan, s, &info), SLIMBAND_OK);
        bool pivots = pivoting == SLIMBAND_PIVOT_AUTO && growth > 4;
        assert_int_equal(info.pivoted, pivots);
        if (!pivots)
            assert_true(info.growth == growth ||
                        fabs(info.growth - growth) <= 1e-3 * growth); /* both may be infinite */
    }
    slimband_plan_destroy(plan);
}

static void check_all(slimband_pivoting pivoting)
{
    for (int band = 1; band <= BANDS; ++band)
        for (int k = 0; k < set_count; ++k)
            for (int way = 0; way < WAYS; ++way)
                check(band, way == STRETCHED ? sets[k].stretched : sets[k].method, way > 0, pivoting);
}

static void test_growth_is_found_in_every_row(void **state)
{
    (void)state;
    assert_true(growth_of(1, N) == 1 && growth_of(1, 7) > 90 && growth_of(1, 8) > 40);
    for (int band = 2; band <= BANDS; ++band)
        assert_true(growth_of(band, N) == 1 && growth_of(band, 7) > 30 && growth_of(band, 8) > 12);
    check_all(SLIMBAND_PIVOT_NONE);
}

static void test_systems_that_grow_pivot_and_no_others(void **state)
{
    (void)state;
    check_all(SLIMBAND_PIVOT_AUTO);
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
