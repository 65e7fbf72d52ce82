/* Entries near both ends of the type's range, where products of two of them overflow or vanish. Powers of two
 * change the bits of no unknown: of each row in truncated; in partition, where what has decayed becomes 0 at once, of all rows, and
 * of each row few roundings of one. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "src/cpu/scalar.h"
#include "tests/long/sets.h"
#include "tests/scalar.h"

enum { N = 20011, DIAGONALS = 3, WORDS = DIAGONALS + 1 };

typedef struct systems {
    T *plain[WORDS], *scaled[WORDS], *x, *y;
} systems;

static T *array(void)
{
    T *a = malloc(N * sizeof *a);
    assert_non_null(a);
    return a;
}

static const int most_power = sizeof(R) == sizeof(double) ? 660 : 100;

/* power: of all rows; each has its own if that is 0. */
static systems make(uint64_t seed, int power)
{
    sb_random random = sb_random_seeded(seed);
    systems s = {.x = array(), .y = array()};
    for (int w = 0; w < WORDS; ++w) {
        s.plain[w] = array();
        s.scaled[w] = array();
    }
    for (int i = 0; i < N; ++i) {
        int own = power ? power : (int)sb_random_between(&random, -most_power, most_power);
        for (int w = 0; w < WORDS; ++w) {
            R entry = (R)(w == 1 ? 4 + sb_random_unit(&random) : sb_random_signed(&random));
            s.plain[w][i] = entry;
            s.scaled[w][i] = (R)ldexp((double)entry, own);
        }
    }
    return s;
}

static void drop(systems *s)
{
    for (int w = 0; w < WORDS; ++w) {
        free(s->plain[w]);
        free(s->scaled[w]);
    }
    free(s->x);
    free(s->y);
}

static slimband_status solve_by(const char *method, const char *isa, T *const *words, T *x, bool kept)
{
    slimband_problem p = slimband_tridiagonal(scalar, N);
    slimband_plan *plan;
    char name[64];
    p.pivoting = SLIMBAND_PIVOT_NONE;
    snprintf(name, sizeof name, "%s:isa=%s", method, isa);
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), name), SLIMBAND_OK);
    slimband_status status = SLIMBAND_OK;
    if (kept)
        status = slimband_factor(plan, (const void *const *)words);
    if (!status)
        status = kept ? slimband_solve(plan, words[DIAGONALS], x)
                      : slimband_factor_solve(plan, (const void *const *)words, words[DIAGONALS], x);
    slimband_plan_destroy(plan);
    return status;
}

static slimband_status solve(const char *method, const char *isa, T *const *words, T *x)
{
    return solve_by(method, isa, words, x, false);
}

static void expect_the_same_bits(const char *method, const char *isa, int power)
{
    systems s = make(11, power);
    assert_int_equal(solve(method, isa, s.plain, s.x), SLIMBAND_OK);
    assert_int_equal(solve(method, isa, s.scaled, s.y), SLIMBAND_OK);
    assert_memory_equal(s.x, s.y, N * sizeof *s.x);
    drop(&s);
}

static void expect_the_same_digits(const char *method, const char *isa)
{
    const double rounding = sizeof(R) == sizeof(double) ? DBL_EPSILON : FLT_EPSILON;
    systems s = make(11, 0);
    for (int kept = 0; kept < 2; ++kept) {
        assert_int_equal(solve_by(method, isa, s.plain, s.x, kept), SLIMBAND_OK);
        assert_int_equal(solve_by(method, isa, s.scaled, s.y, kept), SLIMBAND_OK);
        for (int i = 0; i < N; ++i)
            assert_true((double)sb_abs1(s.x[i] - s.y[i]) <= 4 * rounding); /* unknowns are 1 at most */
    }
    drop(&s);
}

static void test_rows_may_have_any_scale(void **state)
{
    (void)state;
    set sets[MOST_SETS];
    int count = sets_here(sets);
    for (int i = 0; i < count; ++i) {
        expect_the_same_bits("truncated", sets[i].name, 0);
        expect_the_same_digits("partition", sets[i].name);
        expect_the_same_bits("partition", sets[i].name, most_power);
        expect_the_same_bits("partition", sets[i].name, -most_power);
    }
}

/* The largest |b - A x| over the row's sum of moduli. */
static double residual(T *const *words, const T *x)
{
    slimband_problem p = slimband_tridiagonal(scalar, N);
    slimband_backward_error error;
    assert_int_equal(slimband_residual(&p, (const void *const *)words, words[DIAGONALS], x, &error),
                     SLIMBAND_OK);
    return error.componentwise;
}

/* What is asked of one system, in which row `row` is the one that counts. */
typedef void check(const char *method, const char *isa, int row);

/* Wherever it stands among rows that go together, in both methods and all instruction sets. */
static void check_all(check *one)
{
    set sets[MOST_SETS];
    int count = sets_here(sets);
    for (int i = 0; i < count; ++i)
        for (int row = N / 2; row < N / 2 + 4; ++row) {
            one("partition", sets[i].name, row);
            one("truncated", sets[i].name, row);
        }
}

/* Nothing on the diagonal or beside it but what elimination brings there. */
static void check_pivot_from_above(const char *method, const char *isa, int row)
{
    systems s = make(5, 1);
    s.plain[2][row - 1] = s.plain[0][row] = 1;
    s.plain[1][row] = s.plain[2][row] = 0;
    assert_int_equal(solve(method, isa, s.plain, s.x), SLIMBAND_OK);
    assert_true(residual(s.plain, s.x) < (sizeof(R) == sizeof(double) ? 1e-13 : 1e-5));
    drop(&s);
}

static void test_a_pivot_may_come_from_the_row_above(void **state)
{
    (void)state;
    check_all(check_pivot_from_above);
}

/* A coupling that far above the pivot, to an unknown that is as far below the others. */
static void check_pivot_far_below(const char *method, const char *isa, int row)
{
    enum {
        coupling = sizeof(R) == sizeof(double) ? 600 : 80,
        pivot = sizeof(R) == sizeof(double) ? -460 : -60
    };
    systems s = make(7, 1);
    s.plain[0][row - 1] = s.plain[2][row - 1] = 0;
    s.plain[1][row - 1] = 1;
    s.plain[DIAGONALS][row - 1] = (R)ldexp(1, 10 - coupling);
    s.plain[0][row] = (R)ldexp(1, coupling);
    s.plain[1][row] = (R)ldexp(4.0 / 3, pivot);
    s.plain[2][row] = (R)ldexp(1, pivot);
    slimband_status status = solve(method, isa, s.plain, s.x);
    if (status != SLIMBAND_BREAKDOWN) {
        assert_int_equal(status, SLIMBAND_OK);
        assert_true(residual(s.plain, s.x) < (sizeof(R) == sizeof(double) ? 1e-13 : 1e-5));
    }
    drop(&s);
}

static void test_a_pivot_far_below_its_row_is_right_or_refused(void **state)
{
    (void)state;
    check_all(check_pivot_far_below);
}

static void check_no_pivot(const char *method, const char *isa, int row)
{
    systems s = make(3, 1);
    s.plain[0][row] = s.plain[1][row] = 0;
    assert_int_equal(solve(method, isa, s.plain, s.x), SLIMBAND_BREAKDOWN);
    drop(&s);
}

static void test_no_pivot_is_no_success(void **state)
{
    (void)state;
    check_all(check_no_pivot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_may_have_any_scale),
        cmocka_unit_test(test_a_pivot_may_come_from_the_row_above),
        cmocka_unit_test(test_a_pivot_far_below_its_row_is_right_or_refused),
        cmocka_unit_test(test_no_pivot_is_no_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
