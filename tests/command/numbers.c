/* Conversions between the four scalar types. */
#include "tests/command/memory_file.h"

#include <complex.h>
#include <math.h>

#include "cli/numbers.h"

static void test_common_types_are_numpys(void **state)
{
    (void)state;
    enum { F32 = SLIMBAND_F32, F64 = SLIMBAND_F64, C64 = SLIMBAND_C64, C128 = SLIMBAND_C128 };
    static const int expected[4][4] = {
        {F32, F64, C64, C128}, {F64, F64, C128, C128}, {C64, C128, C64, C128}, {C128, C128, C128, C128}};
    for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b)
            assert_int_equal(sb_common_scalar((slimband_scalar)a, (slimband_scalar)b), expected[a][b]);
    }
}

static void test_numbers_survive_widening_and_strides(void **state)
{
    (void)state;
    float from[] = {1.5F, -1, 2.5F, -1, -0.125F};
    double _Complex to[6] = {9, 9, 9, 9, 9, 9};
    sb_copy_numbers((sb_run){SLIMBAND_C128, to, 2}, (sb_run){SLIMBAND_F32, from, 2}, 3);
    static const double expected[] = {1.5, 9, 2.5, 9, -0.125, 9};
    for (int i = 0; i < 6; ++i)
        assert_true(creal(to[i]) == expected[i] && cimag(to[i]) == 0);
    float narrow[] = {1, 2, 3, -4};
    sb_copy_numbers((sb_run){SLIMBAND_C128, to, 1}, (sb_run){SLIMBAND_C64, narrow, 1}, 2);
    assert_true(creal(to[1]) == 3 && cimag(to[1]) == -4);
}

static void test_finite_looks_at_both_parts(void **state)
{
    (void)state;
    float numbers[] = {1, 2, 1, NAN, INFINITY, 0};
    sb_run run = {SLIMBAND_C64, numbers, 1};
    assert_true(sb_number_is_finite(run));
    assert_false(sb_number_is_finite(sb_run_at(run, 1)));
    assert_false(sb_number_is_finite(sb_run_at(run, 2)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_common_types_are_numpys),
        cmocka_unit_test(test_numbers_survive_widening_and_strides),
        cmocka_unit_test(test_finite_looks_at_both_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
