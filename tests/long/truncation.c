/* When one pass may be trusted: on either side of the bound, with a bad row hidden among many, in place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "slimband/slimband.h"

/* Rows of n unknowns: -1, diagonal, -1, solved for random right-hand sides. */
typedef struct system {
    slimband_problem problem;
    int64_t n;
    double *lower, *diagonal, *upper, *b, *x;
} system_of;

static double *array(int64_t n, double value)
{
    double *entries = malloc((size_t)n * sizeof *entries);
    assert_non_null(entries);
    for (int64_t i = 0; i < n; ++i)
        entries[i] = value;
    return entries;
}

static system_of make(int64_t n, double diagonal)
{
    sb_random random = sb_random_seeded(5);
    system_of s = {slimband_tridiagonal(SLIMBAND_F64, n),
                   n,
                   array(n, -1),
                   array(n, diagonal),
                   array(n, -1),
                   array(n, 0),
                   array(n, 0)};
    for (int64_t i = 0; i < n; ++i)
        s.b[i] = sb_random_signed(&random);
    return s;
}

static void drop(system_of *s)
{
    free(s->lower);
    free(s->diagonal);
    free(s->upper);
    free(s->b);
    free(s->x);
}

/* Out of place with one call, or in place, with factors or without. */
typedef enum way { ONE_CALL, IN_PLACE, FACTORED, FACTORED_IN_PLACE, WAYS } way;

static slimband_report solve(system_of *s, way way, slimband_status expected)
{
    slimband_plan *plan;
    slimband_report report;
    const void *diagonals[] = {s->lower, s->diagonal, s->upper};
    bool in_place = way == IN_PLACE || way == FACTORED_IN_PLACE;
    memcpy(s->x, s->b, (size_t)s->n * sizeof *s->b);
    assert_int_equal(slimband_plan_create(&plan, &s->problem, slimband_cpu(1), "truncated"), SLIMBAND_OK);
    if (way == ONE_CALL || way == IN_PLACE)
        assert_int_equal(slimband_factor_solve(plan, diagonals, in_place ? s->x : s->b, s->x), expected);
    else {
        assert_int_equal(slimband_factor(plan, diagonals), SLIMBAND_OK);
        assert_int_equal(slimband_solve(plan, in_place ? s->x : s->b, s->x), expected);
    }
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    return report;
}

static double error_of(const system_of *s)
{
    slimband_backward_error error;
    const void *diagonals[] = {s->lower, s->diagonal, s->upper};
    assert_int_equal(slimband_residual(&s->problem, diagonals, s->b, s->x, &error), SLIMBAND_OK);
    return error.normwise;
}

/* The matrix's two solutions go with r^i and r^-i. From 64 rows below a row, r^65 of what was dropped comes through to
   it; from 64 rows above a chunk, (1 - r^2) r^65 to its first row, and 1 / (1 - r) times that to a row above others that
   are as wrong. */
static double expected_bound(double diagonal)
{
    double r = (diagonal - sqrt(diagonal * diagonal - 4)) / 2;
    return pow(r, 65) * (2 + r);
}

/* It passes the unit in the last place between 2.33 and 2.34. */
static void test_the_bound_decides_between_one_pass_and_two(void **state)
{
    (void)state;
    enum { steps = 9 };
    const double diagonals[steps] = {2.001, 2.2, 2.3, 2.33, 2.34, 2.36, 2.4, 2.6, 5};
    int truncated = 0;
    for (int k = 0; k < steps; ++k)
        for (way w = ONE_CALL; w < WAYS; ++w) {
            system_of s = make(20000 + 7 * k, diagonals[k]);
            double expected = expected_bound(diagonals[k]);
            s.problem.ends = k % 2 ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
            slimband_report report = solve(&s, w, SLIMBAND_OK);
            assert_true(error_of(&s) < 1e-15);
            if (w == IN_PLACE || expected > 2.22e-16)
                assert_true(report.truncation_bound == 0);
            else if (expected > 1e-30)
                assert_true(fabs(report.truncation_bound / expected - 1) < 0.01);
            truncated += report.truncation_bound > 0;
            drop(&s);
        }
    assert_int_equal(truncated, 5 * (WAYS - 1));
}

/* Rows with a larger entry beside the pivot are measured, in blocks of their own; wherever they are among those that wait
   side by side, and in the one chunk's own rows or those that the next one looks at. */
static void test_rows_that_are_not_dominated_are_solved_in_one_pass(void **state)
{
    (void)state;
    enum { places = 12 };
    static const int rows[places] = {1, 62, 63, 64, 130, 191, 192, 255, 256, 257, 449, 1199};
    for (int place = 0; place < places; ++place) {
        system_of s = make(20011, 4);
        for (int chunk = 0; chunk < 16; chunk += 5)
            s.upper[chunk * s.n / 16 + rows[place]] = 6;
        slimband_report report = solve(&s, ONE_CALL, SLIMBAND_OK);
        assert_true(report.truncation_bound > 0 && report.truncation_bound < 1e-30);
        assert_true(error_of(&s) < 1e-15);
        drop(&s);
    }
}

/* Right-hand sides that neighbours overwrite are saved before. */
static void test_in_place_gives_the_same_bits(void **state)
{
    (void)state;
    for (int64_t n = 9000; n < 9040; n += 13) {
        system_of apart = make(n, 3), together = make(n, 3);
        apart.problem.ends = together.problem.ends = n % 2 ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
        assert_true(solve(&apart, FACTORED, SLIMBAND_OK).truncation_bound > 0);
        assert_true(solve(&together, FACTORED_IN_PLACE, SLIMBAND_OK).truncation_bound > 0);
        assert_memory_equal(apart.x, together.x, (size_t)n * sizeof(double));
        drop(&apart);
        drop(&together);
    }
}

/* One row among all the others takes the system to where it is pivoted. */
static void test_a_hidden_row_is_found(void **state)
{
    (void)state;
    enum { n = 3000000 };
    system_of s = make(n, 4);
    assert_true(solve(&s, ONE_CALL, SLIMBAND_OK).truncation_bound > 0);
    s.diagonal[1234567] = 2 - sqrt(3); /* leaves a pivot of almost nothing */
    slimband_report report = solve(&s, ONE_CALL, SLIMBAND_OK);
    assert_true(report.truncation_bound == 0 && report.pivoted == 1);
    assert_true(error_of(&s) < 1e-15);
    drop(&s);
}

/* A run of rows across which couplings do not decay, wherever chunks begin and end. */
static void test_a_weak_stretch_is_found(void **state)
{
    (void)state;
    enum { n = 40000, stretch = 3000 };
    for (int64_t from = 0; from < n - stretch; from += 4391) {
        system_of s = make(n, 4);
        for (int64_t i = from; i < from + stretch; ++i)
            s.diagonal[i] = 2;
        assert_true(solve(&s, ONE_CALL, SLIMBAND_OK).truncation_bound == 0);
        assert_true(error_of(&s) < 1e-15);
        drop(&s);
    }
}

/* Eighty rows in which what is dropped grows by 10^5 each, beyond all numbers, and then one that couples to none of them. In which of the
   rows that go together, or apart, that is found differs from place to place. */
static void test_a_bound_beyond_all_numbers_is_not_forgotten(void **state)
{
    (void)state;
    enum { LENGTH = 40000, STEEP = 80 };
    static const char *const methods[] = {"truncated", "truncated:isa=avx2", "truncated:isa=portable"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
        for (int64_t first = 4890; first < 4930; ++first) {
            system_of s = make(LENGTH, 1);
            slimband_plan *plan;
            for (int64_t i = 0; i < LENGTH; ++i) {
                s.lower[i] = i > first && i <= first + STEEP ? -1e5 : -0.01;
                s.upper[i] = 0;
                s.b[i] = i > first && i <= first + STEEP ? 0 : 1e-3;
            }
            s.b[first] = 1e-300;
            s.lower[first] = s.lower[first + STEEP + 1] = 0;
            const void *diagonals[] = {s.lower, s.diagonal, s.upper};
            const slimband_status created =
                slimband_plan_create(&plan, &s.problem, slimband_cpu(1), methods[m]);
            if (created == SLIMBAND_OK) { /* else this machine lacks the instruction set */
                if (slimband_factor_solve(plan, diagonals, s.b, s.x) == SLIMBAND_OK)
                    assert_true(error_of(&s) < 1e-14);
                slimband_plan_destroy(plan);
            } else
                assert_true(m == 1);
            drop(&s);
        }
}

/* Two chunks find such an unknown, whose equation nearly vanishes once its neighbours' are used up: to the last bit the same, or rows
   beside it would not hold. Lengths that leave every number of rows over. */
static void test_chunks_agree_where_they_meet(void **state)
{
    (void)state;
    enum { LENGTHS = 33, LEAST = 12000 };
    const double pivot = (1 + sqrt(1 - 4 * 0.06)) / 2;
    for (int more = 0; more < LENGTHS; ++more)
        for (int64_t row = 6690 + more % 2; row < 6730; row += 2) {
            system_of s = make(LEAST + more, 1);
            for (int64_t i = 0; i < s.n; ++i) {
                s.lower[i] = -0.3;
                s.upper[i] = -0.2;
            }
            s.diagonal[row] = 2 * 0.06 / pivot + 1e-10;
            solve(&s, ONE_CALL, SLIMBAND_OK);
            assert_true(error_of(&s) < 1e-15);
            drop(&s);
        }
}

static void test_couplings_that_are_no_numbers_are_no_success(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 9; ++k) {
        system_of s = make(9001, 4);
        double *diagonals[] = {s.lower, s.diagonal, s.upper};
        slimband_plan *plan;
        diagonals[k / 3][(k + 1) * 897] = bad[k % 3];
        assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(1), "truncated"), SLIMBAND_OK);
        assert_int_not_equal(slimband_factor_solve(plan, (const void *const *)diagonals, s.b, s.x),
                             SLIMBAND_OK);
        assert_true(isnan(s.x[0]) && isnan(s.x[9000]));
        slimband_plan_destroy(plan);
        drop(&s);
    }
}

static void test_a_right_hand_side_that_is_no_number_is_no_success(void **state)
{
    (void)state;
    for (way w = ONE_CALL; w < WAYS; ++w) {
        system_of s = make(9001, 4);
        s.b[4321] = NAN;
        solve(&s, w, SLIMBAND_SOLUTION_NOT_FINITE);
        assert_true(isnan(s.x[0]) && isnan(s.x[9000]));
        drop(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_bound_decides_between_one_pass_and_two),
        cmocka_unit_test(test_rows_that_are_not_dominated_are_solved_in_one_pass),
        cmocka_unit_test(test_in_place_gives_the_same_bits),
        cmocka_unit_test(test_a_hidden_row_is_found),
        cmocka_unit_test(test_a_weak_stretch_is_found),
        cmocka_unit_test(test_a_bound_beyond_all_numbers_is_not_forgotten),
        cmocka_unit_test(test_chunks_agree_where_they_meet),
        cmocka_unit_test(test_couplings_that_are_no_numbers_are_no_success),
        cmocka_unit_test(test_a_right_hand_side_that_is_no_number_is_no_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
