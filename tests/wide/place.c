/* Own matrices in lines of stride 1: bits do not depend on a system's place in its batch, whether its tile is full or not, and
 * what leaves the matrix is not read, wherever the last row stands in its cache line. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/scalar.h"
#include "tests/wide/sets.h"

static set sets[MOST_SETS];
static int set_count;

enum { MOST_ROWS = 49, SYSTEMS = 35, MOST_BAND = 2, MOST_WIDTH = 2 * MOST_BAND + 1 };

static double entry(int band, int64_t i, int d)
{
    int64_t column = i + d - band;
    return d == band ? 5 + (double)(i % 3) : (double)((3 * i + 7 * column) % 11) / 8 - 0.5;
}

static double unknown(int64_t i)
{
    return (double)(i % 7) - 2.5;
}

static T *allocate(int64_t count)
{
    T *array = malloc((size_t)count * sizeof(T));
    assert_non_null(array);
    return array;
}

/* All systems are alike; nothing belongs to the arrays in front of the first line or behind the last. */
static void check(const char *method, int64_t n, int band)
{
    T *diagonal[MOST_WIDTH], *x = allocate(n * SYSTEMS);
    const void *matrix[MOST_WIDTH];
    slimband_problem p = slimband_banded(scalar, n, band, band);
    slimband_plan *plan = NULL;
    assert_int_equal(slimband_contiguous(&p, SYSTEMS), SLIMBAND_OK);
    memset(x, 0, (size_t)(n * SYSTEMS) * sizeof(T));
    for (int d = 0; d <= 2 * band; ++d) {
        matrix[d] = diagonal[d] = allocate(n * SYSTEMS);
        for (int64_t at = 0; at < n * SYSTEMS; ++at) {
            int64_t i = at % n, column = i + d - band;
            bool inside = column >= 0 && column < n;
            diagonal[d][at] = (T)(inside ? entry(band, i, d) : NAN);
            x[at] += inside ? (T)(entry(band, i, d) * unknown(column)) : 0;
        }
    }
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), method), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, matrix, x, x), SLIMBAND_OK);
    for (int64_t i = 0; i < n; ++i)
        assert_true((double)sb_abs1(x[i] - (T)unknown(i)) <
                    100 * (sizeof(R) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON));
    for (int64_t s = 1; s < SYSTEMS; ++s)
        assert_memory_equal(x, x + s * n, (size_t)n * sizeof(T));
    slimband_plan_destroy(plan);
    for (int d = 0; d <= 2 * band; ++d)
        free(diagonal[d]);
    free(x);
}

static void over_lengths(int band)
{
    for (int k = 0; k < set_count; ++k)
        for (int64_t n = 1; n <= MOST_ROWS; ++n)
            check(sets[k].method, n, band);
}

static void test_tridiagonal_systems_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    over_lengths(1);
}

static void test_pentadiagonal_systems_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    over_lengths(2);
}

/* Diagonal matrices with a zero in one row of every system. */
static void check_singular(const char *method, int64_t n, int64_t row)
{
    T *zeros = allocate(n * SYSTEMS), *ones = allocate(n * SYSTEMS), *x = allocate(n * SYSTEMS);
    const void *const matrix[] = {zeros, ones, zeros};
    slimband_problem p = slimband_banded(scalar, n, 1, 1);
    slimband_plan *plan = NULL;
    assert_int_equal(slimband_contiguous(&p, SYSTEMS), SLIMBAND_OK);
    for (int64_t at = 0; at < n * SYSTEMS; ++at) {
        zeros[at] = 0;
        ones[at] = (T)(at % n != row);
        x[at] = 1;
    }
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), method), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, matrix, x, x), SLIMBAND_SINGULAR);
    for (int64_t s = 0; s < SYSTEMS; ++s) {
        slimband_system_info info;
        slimband_system_status(plan, s, &info);
        assert_int_equal(info.status, SLIMBAND_SINGULAR);
        assert_int_equal(info.row, row);
    }
    slimband_plan_destroy(plan);
    free(zeros);
    free(ones);
    free(x);
}

static void test_a_pivot_of_0_is_found_in_the_first_rows_and_the_last(void **state)
{
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int64_t n = 1; n <= MOST_ROWS; ++n)
            for (int64_t row = n - 1; row >= 0; row -= row < 3 || row > n - 3 ? 1 : 5)
                check_singular(sets[k].method, n, row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tridiagonal_systems_have_the_same_bits_everywhere),
        cmocka_unit_test(test_pentadiagonal_systems_have_the_same_bits_everywhere),
        cmocka_unit_test(test_a_pivot_of_0_is_found_in_the_first_rows_and_the_last),
    };
    set_count = sets_here(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
