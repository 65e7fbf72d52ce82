/* Words into cases, cases into problems. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "bench/case.h"

static const sb_bench_case usual = {
    .scalar = SLIMBAND_F64, .n = 8, .systems = 1, .lower = 1, .upper = 1, .dominance = 2};

static void test_bands_by_name_and_by_widths(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
        int lower, upper;
    } bands[] = {{"tri", "tri", 1, 1},   {"penta", "penta", 2, 2}, {"1,1", "tri", 1, 1},
                 {"2,2", "penta", 2, 2}, {"0,8", "0,8", 0, 8},     {"3,1", "3,1", 3, 1}};
    for (size_t k = 0; k < sizeof bands / sizeof bands[0]; ++k) {
        sb_bench_case c = usual;
        sb_failure failure;
        char name[SB_BENCH_NAME];
        assert_int_equal(sb_bench_parse_band(&c, bands[k].text, &failure), 0);
        assert_int_equal(c.lower, bands[k].lower);
        assert_int_equal(c.upper, bands[k].upper);
        sb_bench_band_name(&c, name);
        assert_string_equal(name, bands[k].name);
    }
}

static void test_bad_bands_change_nothing(void **state)
{
    (void)state;
    static const char *const bad[] = {"",   "t",    "tri,",  "9,1",  "1,9", "-1,1",
                                      "1,", "1, 1", "1,1,1", "11,1", "a,b"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        sb_bench_case c = usual;
        sb_failure failure;
        assert_int_equal(sb_bench_parse_band(&c, bad[k], &failure), EINVAL);
        assert_non_null(strstr(failure.text, "--band must be"));
        assert_int_equal(c.lower, 1);
        assert_int_equal(c.upper, 1);
    }
}

static void test_layouts(void **state)
{
    (void)state;
    static const char *const good[] = {"contiguous", "interleaved", "axis:0", "axis:1", "axis:2"};
    static const char *const bad[] = {"", "axis", "axis:", "axis:3", "axis:-1", "axis:00", "Contiguous"};
    sb_failure failure;
    for (size_t k = 0; k < sizeof good / sizeof good[0]; ++k) {
        sb_bench_case c = usual;
        char name[SB_BENCH_NAME];
        assert_int_equal(sb_bench_parse_layout(&c, good[k], &failure), 0);
        sb_bench_layout_name(&c, name);
        assert_string_equal(name, good[k]);
    }
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k) {
        sb_bench_case c = usual;
        assert_int_equal(sb_bench_parse_layout(&c, bad[k], &failure), EINVAL);
    }
}

/* 12 systems over two axes: 3 and 4. */
static void test_axes_share_the_systems_evenly(void **state)
{
    (void)state;
    static const int64_t line[] = {12, 4, 1}, first[] = {4, 32, 32}, second[] = {1, 1, 8};
    for (int axis = 0; axis < 3; ++axis) {
        sb_bench_case c = usual;
        c.batch = true;
        c.systems = 12;
        c.layout = SB_BENCH_AXIS;
        c.axis = axis;
        slimband_problem p;
        assert_int_equal(sb_bench_problem(&c, &p), SLIMBAND_OK);
        assert_int_equal(slimband_systems(&p), 12);
        assert_int_equal(p.n, 8);
        assert_int_equal(p.batch[0], 3);
        assert_int_equal(p.batch[1], 4);
        assert_int_equal(p.rhs.line, line[axis]);
        assert_int_equal(p.rhs.batch[0], first[axis]);
        assert_int_equal(p.rhs.batch[1], second[axis]);
    }
}

static void test_necessary_words(void **state)
{
    (void)state;
    sb_bench_case c = usual;
    assert_int_equal(sb_bench_words(&c), 5);
    c.lower = c.upper = 2;
    assert_int_equal(sb_bench_words(&c), 7);
    c.coefficients = SLIMBAND_SHARED;
    assert_int_equal(sb_bench_words(&c), 2);
    c.coefficients = SLIMBAND_TOEPLITZ;
    assert_int_equal(sb_bench_words(&c), 2);
}

static void test_sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    sb_bench_case c = usual;
    slimband_problem p;
    c.batch = true;
    c.n = c.systems = INT64_C(1) << 40;
    assert_int_equal(sb_bench_problem(&c, &p), SLIMBAND_TOO_LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bands_by_name_and_by_widths),
        cmocka_unit_test(test_bad_bands_change_nothing),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_axes_share_the_systems_evenly),
        cmocka_unit_test(test_necessary_words),
        cmocka_unit_test(test_sizes_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
