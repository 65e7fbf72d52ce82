/* Rows and columns in other units: of one of them no digit may be lost because others have larger entries. Errors are componentwise,
 * which no unit changes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "slimband/slimband.h"
#include "tests/chunk/draw.h"
#include "tests/factor_and_solve.h"
#include "tests/long/sets.h"
#include "tests/sparing.h"

enum { N = 5000, WIDEST = 4, DIAGONALS = 2 * WIDEST + 1, SEEDS = ONE_IN > 1 ? 1 : 4 };

static T band[DIAGONALS][N], b[N], x[N];

static const void *const diagonals[DIAGONALS] = {band[0], band[1], band[2], band[3], band[4],
                                                 band[5], band[6], band[7], band[8]};

/* Of every 97th. */
static const double unit = sizeof(R) == sizeof(double) ? 0x1p33 : 0x1p14;

static double componentwise(const slimband_problem *p)
{
    slimband_backward_error error;
    assert_int_equal(slimband_residual(p, diagonals, b, x, &error), SLIMBAND_OK);
    return error.componentwise;
}

static slimband_status solve(slimband_problem *p, const char *method, bool one_pass)
{
    slimband_plan *plan;
    p->one_pass = one_pass;
    assert_int_equal(slimband_plan_create(&plan, p, slimband_cpu(1), method), SLIMBAND_OK);
    slimband_status status = factor_and_solve(plan, one_pass, diagonals, b, x);
    slimband_plan_destroy(plan);
    return status;
}

/* Random entries, far from dominant: elements grow unless chunks pivot. */
static void draw_units(int k, bool rows, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    for (int d = 0; d <= 2 * k; ++d)
        for (int64_t i = 0; i < N; ++i)
            band[d][i] = draw(&random) * (R)((rows ? i : i + d - k) % 97 == 50 ? unit : 1);
    for (int64_t i = 0; i < N; ++i)
        b[i] = draw(&random) * (R)(rows && i % 97 == 50 ? unit : 1);
}

static void check_chunks(bool rows)
{
    set sets[MOST_SETS];
    int count = sets_here(sets);
    for (int k = 1; k <= WIDEST; ++k)
        for (uint64_t seed = 0; seed < SEEDS * (uint64_t)count; ++seed) {
            char method[48];
            slimband_problem p = slimband_banded(scalar, N, k, k);
            draw_units(k, rows, seed);
            snprintf(method, sizeof method, "partition:isa=%s", sets[seed % (uint64_t)count].name);
            for (int one_pass = 0; one_pass <= 1; ++one_pass) {
                assert_int_equal(solve(&p, method, one_pass), SLIMBAND_OK);
                double error = componentwise(&p);
                if (!(error <= 1e5 * epsilon))
                    fail_msg("k %d, seed %d, %s, %s: %g", k, (int)seed, method, rows ? "rows" : "columns",
                             error);
            }
        }
}

static void test_chunks_pivot_whatever_the_units_of_rows(void **state)
{
    (void)state;
    check_chunks(true);
}

static void test_chunks_pivot_whatever_the_units_of_columns(void **state)
{
    (void)state;
    check_chunks(false);
}

static void clear(int k, int64_t rows)
{
    for (int d = 0; d <= 2 * k; ++d)
        for (int64_t i = 0; i < rows; ++i)
            band[d][i] = (T)(d == k);
    for (int64_t i = 0; i < rows; ++i)
        b[i] = 1;
}

/* Rows that couple to no others, `far` apart, and what the first unknown is. */
typedef struct example {
    int count;
    double rows[3][3], rhs[3], first;
} example;

#define LARGE (sizeof(R) == sizeof(double) ? 1e17 : 1e8)

/* A small pivot, under which what is lost looks small beside a coupling to an unknown in other units. */
static example small_pivot(void)
{
    return (example){3, {{1 / LARGE, 1, 0}, {1, 1, LARGE}, {0, 1, 2 * LARGE}}, {2, 6, 8}, 1};
}

/* A row's own coefficient, which is lost in the coupling to an unknown that is far smaller than its own. */
static example small_own(void)
{
    return (example){2, {{1, 1}, {LARGE, 1}}, {1, 2}, 1 / LARGE};
}

/* n: of the system that begins at element `from`, a ring perhaps. */
static void hide(const example *e, int k, int far, int64_t first, int64_t n, int64_t from)
{
    for (int i = 0; i < e->count; ++i) {
        const int64_t at = from + (first + i * far) % n;
        b[at] = (T)e->rhs[i];
        for (int j = 0; j < e->count; ++j)
            if (abs(i - j) * far <= k)
                band[k + (j - i) * far][at] = (T)e->rows[i][j];
    }
}

static double off_by(const example *e, T found)
{
    return (double)sb_abs1(found - (T)e->first) / e->first;
}

/* Rows of a chunk stand in blocks, some of which are eliminated together: every row of one, or some; and around the middle, where
   chunks meet. */
static void check_hidden(const example *e, const char *method, int k, int step)
{
    enum { ROWS = 2000 };
    for (int far = 1; far <= k; far += k - 1 + (k == 1))
        for (int64_t first = ROWS / 2 - 8; first < ROWS / 2 + 400; first += step * ONE_IN) {
            slimband_problem p = slimband_banded(scalar, ROWS, k, k);
            clear(k, ROWS);
            hide(e, k, far, first, ROWS, 0);
            for (int one_pass = 0; one_pass <= 1; ++one_pass) {
                assert_int_equal(solve(&p, method, one_pass), SLIMBAND_OK);
                double error = off_by(e, x[first]);
                if (!(error <= 1e-5))
                    fail_msg("%s, k %d, %d apart, row %d: off by %g", method, k, far, (int)first, error);
            }
        }
}

static void check_hidden_by_all(example e)
{
    set sets[MOST_SETS];
    int count = sets_here(sets);
    check_hidden(&e, "thomas", 1, 199);
    for (int k = 1; k <= WIDEST; ++k) {
        check_hidden(&e, "lu", k, 199);
        check_hidden(&e, "auto", k, 53);
        for (int i = 0; i < count; ++i) {
            char method[48];
            snprintf(method, sizeof method, "partition:isa=%s", sets[i].name);
            check_hidden(&e, method, k, 13);
            snprintf(method, sizeof method, "truncated:isa=%s", sets[i].name);
            check_hidden(&e, method, k, 29);
            snprintf(method, sizeof method, "lanes:isa=%s", sets[i].isa);
            check_hidden(&e, method, k, 99);
        }
    }
}

static void test_a_column_in_other_units_hides_no_growth(void **state)
{
    (void)state;
    check_hidden_by_all(small_pivot());
}

static void test_no_own_coefficient_is_lost_in_a_smaller_unknown_s(void **state)
{
    (void)state;
    check_hidden_by_all(small_own());
}

/* Where one of its two rows ends a chunk and the other begins the next, they meet in the reduced system only. Rows there are brought to
   less than 2, of which the first has more than the second then: it is the pivot. */
static void test_nor_is_it_lost_where_chunks_meet(void **state)
{
    (void)state;
    const example e = {2, {{1.9, 1.9}, {LARGE, 1}}, {1.9, 2}, 1 / LARGE};
    for (int k = 1; k <= WIDEST; ++k)
        check_hidden(&e, "partition", k, 1);
}

/* An unknown in another unit than its neighbours and, three rows on, an equation: short chunks have both among their interfaces. Rows are
   dominant but for what the unit makes of them. */
static void draw_one_of_each(int k, int n, int at, uint64_t seed)
{
    const R column = sizeof(R) == sizeof(double) ? (R)0x1p50 : (R)0x1p22, row = column / 32;
    sb_random random = sb_random_seeded(seed);
    for (int d = -k; d <= k; ++d)
        for (int i = 0; i < n; ++i)
            band[k + d][i] = (draw(&random) + (T)(d == 0 ? 4 * k : 0)) * ((i + d + n) % n == at ? column : 1) *
                             (i == (at + 3) % n ? row : 1);
    for (int i = 0; i < n; ++i)
        b[i] = draw(&random) * (i == (at + 3) % n ? row : 1);
}

static void test_nor_are_digits_where_an_unknown_and_an_equation_have_other_units(void **state)
{
    (void)state;
    enum { ROWS = 70 };
    for (int k = 1; k <= WIDEST; ++k)
        for (int ring = 0; ring <= 1; ++ring)
            for (int at = 0; at < ROWS; at += ONE_IN) {
                slimband_problem p = slimband_banded(scalar, ROWS, k, k);
                p.ends = ring ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
                draw_one_of_each(k, ROWS, at, (uint64_t)at);
                for (int one_pass = 0; one_pass <= 1; ++one_pass) {
                    assert_int_equal(solve(&p, "partition", one_pass), SLIMBAND_OK);
                    double error = componentwise(&p);
                    if (!(error <= 1e4 * epsilon))
                        fail_msg("k %d, ring %d, column %d: %g", k, ring, at, error);
                }
            }
}

/* Each in turn begins the three, those too that the ring's seam cuts. */
static void check_hidden_ring(const example *e, const char *method, int k)
{
    enum { ROWS = 65, SYSTEMS = 16 };
    for (int far = 1; far <= k; far += k - 1 + (k == 1))
        for (int64_t first = ROWS - 12; first < ROWS; first += ONE_IN) {
            slimband_problem p = slimband_banded(scalar, ROWS, k, k);
            p.ends = SLIMBAND_PERIODIC;
            assert_int_equal(slimband_contiguous(&p, SYSTEMS), SLIMBAND_OK);
            clear(k, ROWS * SYSTEMS);
            for (int64_t s = 0; s < SYSTEMS; ++s)
                hide(e, k, far, first, ROWS, s * ROWS);
            for (int one_pass = 0; one_pass <= 1; ++one_pass) {
                assert_int_equal(solve(&p, method, one_pass), SLIMBAND_OK);
                for (int64_t s = 0; s < SYSTEMS; ++s) {
                    double error = off_by(e, x[s * ROWS + first]);
                    if (!(error <= 1e-5))
                        fail_msg("%s, ring, k %d, %d apart, row %d: off by %g", method, k, far, (int)first,
                                 error);
                }
            }
        }
}

static void check_hidden_rings(example e)
{
    set sets[MOST_SETS];
    int count = sets_here(sets);
    check_hidden_ring(&e, "thomas", 1);
    for (int k = 1; k <= WIDEST; ++k) {
        check_hidden_ring(&e, "lu", k);
        check_hidden_ring(&e, "auto", k);
        check_hidden_ring(&e, "partition", k);
        for (int i = 0; i < count; ++i) {
            char method[48];
            snprintf(method, sizeof method, "lanes:isa=%s", sets[i].isa);
            check_hidden_ring(&e, method, k);
        }
    }
}

static void test_nor_is_either_hidden_where_a_ring_is_closed(void **state)
{
    (void)state;
    check_hidden_rings(small_pivot());
    check_hidden_rings(small_own());
}

/* A coupling of the last row to the first, whose own coefficient is tiny: what is left of it in the second column is large, and the
   last unknown's own coefficient larger still, in its unit. */
static void test_a_ring_s_last_row_hides_nothing_either(void **state)
{
    (void)state;
    enum { ROWS = 20, SYSTEMS = 16 };
    slimband_problem p = slimband_banded(scalar, ROWS, 1, 1);
    p.ends = SLIMBAND_PERIODIC;
    assert_int_equal(slimband_contiguous(&p, SYSTEMS), SLIMBAND_OK);
    clear(1, ROWS * SYSTEMS);
    for (int64_t s = 0; s < SYSTEMS; ++s) {
        const int64_t first = s * ROWS, last = first + ROWS - 1;
        band[1][first] = (T)(1 / LARGE);
        band[2][first] = 1;
        band[2][last] = 1;
        band[1][last] = (T)LARGE;
        b[last] = 3;
    }
    for (int one_pass = 0; one_pass <= 1; ++one_pass) {
        assert_int_equal(solve(&p, "lanes", one_pass), SLIMBAND_OK);
        assert_true(componentwise(&p) <= 1e3 * epsilon);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks_pivot_whatever_the_units_of_rows),
        cmocka_unit_test(test_chunks_pivot_whatever_the_units_of_columns),
        cmocka_unit_test(test_a_column_in_other_units_hides_no_growth),
        cmocka_unit_test(test_no_own_coefficient_is_lost_in_a_smaller_unknown_s),
        cmocka_unit_test(test_nor_is_it_lost_where_chunks_meet),
        cmocka_unit_test(test_nor_are_digits_where_an_unknown_and_an_equation_have_other_units),
        cmocka_unit_test(test_nor_is_either_hidden_where_a_ring_is_closed),
        cmocka_unit_test(test_a_ring_s_last_row_hides_nothing_either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
