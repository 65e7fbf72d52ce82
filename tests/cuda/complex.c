/* The GPU's complex numbers beside C's. */
#include <complex.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"

void complex_results(const double a[2], const double b[2], double results[10][2]);
double complex_abs1(const double a[2]);
bool complex_finite(const double a[2]);

static void expect_close(const double result[2], double complex value)
{
    assert_true(cabs(result[0] + result[1] * I - value) <= 8 * DBL_EPSILON * cabs(value));
}

static void test_operators_agree_with_those_of_c(void **state)
{
    (void)state;
    sb_random random = sb_random_seeded(61);
    for (int trial = 0; trial < 1000; ++trial) {
        double a[2], b[2], results[10][2];
        for (int k = 0; k < 2; ++k) {
            a[k] = ldexp(sb_random_signed(&random), (int)sb_random_between(&random, -3, 3));
            b[k] = ldexp(sb_random_signed(&random), (int)sb_random_between(&random, -3, 3));
        }
        complex_results(a, b, results);
        double complex x = a[0] + a[1] * I, y = b[0] + b[1] * I;
        const double complex values[] = {x + y, x - y, x * y, x / y, -x, conj(x), x + y, x - y, x * y, x / y};
        for (int k = 2; k < 10; ++k)
            if (k < 6 || k > 7)
                expect_close(results[k], values[k]);
        for (int k = 0; k < 2; ++k) {
            assert_true(results[k][0] == creal(values[k]) && results[k][1] == cimag(values[k]));
            assert_true(results[6 + k][0] == creal(values[k]) && results[6 + k][1] == cimag(values[k]));
        }
        assert_true(complex_abs1(a) == fabs(a[0]) + fabs(a[1]));
    }
}

static void test_quotients_of_large_and_small_numbers_do_not_overflow(void **state)
{
    (void)state;
    const double sizes[] = {1e300, 1e-300};
    for (int k = 0; k < 2; ++k) {
        const double a[2] = {sizes[k], -sizes[k]}, b[2] = {sizes[k], sizes[k]};
        double results[10][2];
        complex_results(a, b, results);
        expect_close(results[3], -I);
    }
}

static void test_finite_means_both_parts(void **state)
{
    (void)state;
    const double cases[][2] = {{1, 2}, {INFINITY, 0}, {0, (double)NAN}, {0, -INFINITY}};
    for (int k = 0; k < 4; ++k)
        assert_int_equal(complex_finite(cases[k]), k == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators_agree_with_those_of_c),
        cmocka_unit_test(test_quotients_of_large_and_small_numbers_do_not_overflow),
        cmocka_unit_test(test_finite_means_both_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
