/* The small dense systems that close rings: neither units of rows or unknowns nor what has decayed costs digits, and none that is singular is
 * solved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/chunk/dense.h"
#include "src/chunk/wider.h"
#include "tests/chunk/draw.h"

enum { MOST = SLIMBAND_MAX_BANDWIDTH, OCTAVES = sizeof(R) == sizeof(double) ? 40 : 12 };

typedef struct closing {
    int m;
    T a[MOST][MOST], b[MOST], x[MOST];
} closing;

static double wide_abs1(WT z)
{
#if SB_COMPLEX
    return fabs((double)((const WR *)&z)[0]) + fabs((double)((const WR *)&z)[1]);
#else
    return fabs((double)z);
#endif
}

/* Largest |b - A x| over |A| |x| + |b|, row by row. */
static double componentwise(const closing *s)
{
    double worst = 0;
    for (int i = 0; i < s->m; ++i) {
        WT rest = s->b[i];
        double size = (double)sb_abs1(s->b[i]);
        for (int j = 0; j < s->m; ++j) {
            rest -= (WT)s->a[i][j] * s->x[j];
            size += (double)sb_abs1(s->a[i][j]) * (double)sb_abs1(s->x[j]);
        }
        const double error = size > 0 ? wide_abs1(rest) / size : 0;
        worst = error <= worst ? worst : error;
    }
    return worst;
}

/* Entries and swaps stand `step` apart, as lanes have them. */
static int solve(closing *s, int step)
{
    T memory[3 * MOST * MOST];
    int32_t swap[3 * MOST];
    const sb_dense d = {s->m, step, memory, swap};
    for (int i = 0; i < s->m; ++i)
        for (int j = 0; j < s->m; ++j)
            *sb_dense_entry(&d, i, j) = s->a[i][j];
    memcpy(s->x, s->b, sizeof s->x);
    const int broken = sb_dense_factor(&d);
    if (broken < 0)
        sb_dense_solve(&d, s->x, 1);
    return broken;
}

static R unit(sb_random *random)
{
    return (R)ldexp(1, (int)(sb_random_signed(random) * OCTAVES));
}

static void test_no_unit_of_rows_or_unknowns_costs_digits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4000; ++seed) {
        sb_random random = sb_random_seeded(seed);
        const bool rows = seed & 1, unknowns = seed & 2;
        closing s = {.m = 1 + (int)(seed / 4 % MOST)};
        R of[MOST];
        for (int j = 0; j < s.m; ++j)
            of[j] = unknowns ? unit(&random) : 1;
        for (int i = 0; i < s.m; ++i) {
            const R own = rows ? unit(&random) : 1;
            for (int j = 0; j < s.m; ++j)
                s.a[i][j] = draw(&random) * own * of[j];
            s.b[i] = draw(&random) * own;
        }
        assert_int_equal(solve(&s, 1 + (int)(seed % 3)), -1);
        const double error = componentwise(&s);
        if (!(error <= 1000 * epsilon))
            fail_msg("seed %d, m %d%s%s: %g", (int)seed, s.m, rows ? ", rows" : "",
                     unknowns ? ", unknowns" : "", error);
    }
}

/* Rows that are dominant, as rings' are that are, and below the diagonal, where spikes have decayed, entries that look as if their unknowns were
   in other units; many are none. */
static void test_what_has_decayed_costs_no_digits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20000; ++seed) {
        sb_random random = sb_random_seeded(seed);
        closing s = {.m = 3 + (int)(seed % (MOST - 2))};
        for (int i = 0; i < s.m; ++i) {
            double row = 0;
            for (int j = 0; j < s.m; ++j) {
                const R decayed = j < i ? (R)ldexp(1, -(int)(sb_random_unit(&random) * 2 * OCTAVES)) : 1;
                s.a[i][j] = i == j || sb_random_unit(&random) < 0.5 ? 0 : draw(&random) * decayed;
                row += (double)sb_abs1(s.a[i][j]);
            }
            s.a[i][i] = (T)(R)(1.03 * row + 0.05);
            s.b[i] = draw(&random);
        }
        assert_int_equal(solve(&s, 1), -1);
        const double error = componentwise(&s);
        if (!(error <= 300 * epsilon))
            fail_msg("seed %d, m %d: %g", (int)seed, s.m, error);
    }
}

/* A small pivot, under which what is lost looks small beside a coupling to an unknown in another unit. */
static void test_a_column_in_another_unit_hides_no_growth(void **state)
{
    (void)state;
    const R large = sizeof(R) == sizeof(double) ? (R)1e17 : (R)1e8;
    closing s = {.m = 3, .a = {{1 / large, 1, 0}, {1, 1, large}, {0, 1, 2 * large}}, .b = {2, 6, 8}};
    assert_int_equal(solve(&s, 1), -1);
    assert_true((double)sb_abs1(s.x[0] - (T)1) <= 1e-5);
}

static void test_the_first_column_without_a_pivot_is_named(void **state)
{
    (void)state;
    for (int m = 1; m <= MOST; ++m)
        for (int gone = 0; gone < m; ++gone) {
            closing s = {.m = m};
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < m; ++j)
                    s.a[i][j] = j == gone ? (T)0 : (T)(R)(i == j ? 8 : 1);
            assert_int_equal(solve(&s, 1), gone);
            s.a[0][gone] = (T)(R)NAN;
            assert_true(solve(&s, 1) >= 0);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_unit_of_rows_or_unknowns_costs_digits),
        cmocka_unit_test(test_what_has_decayed_costs_no_digits),
        cmocka_unit_test(test_a_column_in_another_unit_hides_no_growth),
        cmocka_unit_test(test_the_first_column_without_a_pivot_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
