/* Axes with round numbers, lines that stay small, words that stay XML. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chart.h"
#include "cli/chart_axis.h"
#include "cli/chart_text.h"

static char *drawn(const sb_chart *chart)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    sb_chart_write(file, chart);
    size_t size = (size_t)ftell(file);
    char *text = calloc(size + 1, 1);
    assert_non_null(text);
    rewind(file);
    assert_int_equal(fread(text, 1, size, file), size);
    fclose(file);
    return text;
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (; (text = strstr(text, word)); ++text)
        ++found;
    return found;
}

static void test_value_ticks_are_round_and_enclose_the_values(void **state)
{
    (void)state;
    const double ranges[][2] = {{2670, 13415},    {-0.31, 0.57},     {0, 0},
                                {5, 5},           {-3, -3},          {-1e308, 1e308},
                                {5e-324, 1e-320}, {1e6, 1e6 + 1e-7}, {1e20, 1.1e20}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; ++k) {
        sb_axis axis;
        sb_axis_of_values(&axis, ranges[k][0], ranges[k][1]);
        assert_true(axis.low <= ranges[k][0] && ranges[k][1] <= axis.high && axis.low < axis.high);
        assert_in_range(axis.ticks, 3, 12);
        for (int i = 1; i < axis.ticks; ++i)
            assert_string_not_equal(axis.text[i], axis.text[i - 1]);
    }
    sb_axis axis;
    sb_axis_of_values(&axis, 2670, 13415);
    assert_string_equal(axis.text[0], "2,000");
    assert_string_equal(axis.text[axis.ticks - 1], "14,000");
    sb_axis_of_values(&axis, -0.31, 0.57);
    assert_string_equal(axis.text[0], "\xe2\x88\x92"
                                      "0.4");
}

static void test_quarters_of_many_years_are_ticked_by_year(void **state)
{
    (void)state;
    char text[203][8];
    const char *labels[203];
    for (int i = 0; i < 203; ++i) {
        snprintf(text[i], sizeof text[i], "%dQ%d", (1959 + i / 4) % 10000, i % 4 + 1);
        labels[i] = text[i];
    }
    sb_axis axis;
    sb_axis_of_rows(&axis, 203, labels);
    assert_string_equal(axis.text[0], "1960");
    assert_true(axis.at[0] == 4);
    assert_string_equal(axis.text[1], "1965");
    sb_axis_of_rows(&axis, 8, labels); /* two years: the quarters themselves */
    assert_string_equal(axis.text[1], "1959Q2");
}

static void test_rows_without_labels_are_counted_from_one(void **state)
{
    (void)state;
    sb_axis axis;
    sb_axis_of_rows(&axis, 1, NULL);
    assert_int_equal(axis.ticks, 1);
    assert_string_equal(axis.text[0], "1");
    sb_axis_of_rows(&axis, 3000000, NULL);
    assert_string_equal(axis.text[0], "500,000");
    assert_true(axis.at[0] == 499999);
}

static void test_long_labels_end_in_an_ellipsis(void **state)
{
    (void)state;
    const char *labels[] = {"\"a \"\"b\"\" c\"",
                            "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
                            "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"};
    sb_axis axis;
    sb_axis_of_rows(&axis, 2, labels);
    assert_string_equal(axis.text[0], "a \"b\" c");
    assert_string_equal(axis.text[1],
                        "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
                        "\xe2\x80\xa6");
}

static void test_words_are_escaped_and_repaired(void **state)
{
    (void)state;
    const double one = 1;
    const sb_chart_line line = {"<a&b>", "#000", 1, false, &one};
    const sb_chart chart = {"x\xff\x01 \xc3\xa4 \xed\xa0\x80", "", 1, NULL, 1, &line};
    char *text = drawn(&chart);
    assert_non_null(strstr(text, "&lt;a&amp;b&gt;"));
    assert_non_null(strstr(text, "<title>x?? \xc3\xa4 ?\?\?</title>"));
    free(text);
}

/* A spike in one of a million rows is drawn; the file is no larger than for a few thousand. */
static void test_millions_of_rows_keep_their_spikes_in_a_small_file(void **state)
{
    (void)state;
    enum { ROWS = 1000000 };
    double *values = malloc(sizeof *values * ROWS);
    assert_non_null(values);
    for (int i = 0; i < ROWS; ++i)
        values[i] = i % 1000;
    values[654321] = 10000;
    const sb_chart_line line = {"saw", "#000", 1, true, values};
    const sb_chart chart = {"saw", "", ROWS, NULL, 1, &line};
    char *text = drawn(&chart);
    assert_true(strlen(text) < 200000);
    assert_non_null(strstr(text, " 84.00")); /* the plot's upper edge, where 10,000 is */
    free(text);
    free(values);
}

static void test_missing_values_interrupt_the_line(void **state)
{
    (void)state;
    const double values[] = {1, 2, NAN, 3, NAN, NAN, 4, 5};
    const sb_chart_line line = {"gaps", "#abcdef", 1, false, values};
    const sb_chart chart = {"gaps", "", 8, NULL, 1, &line};
    char *text = drawn(&chart);
    char *path = strstr(text, "stroke=\"#abcdef\"");
    assert_non_null(path);
    *strstr(path, "/>") = '\0';
    assert_int_equal(count(path, "M"), 3);
    assert_int_equal(count(path, "L"), 2);
    assert_int_equal(count(path, "nan"), 0);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_ticks_are_round_and_enclose_the_values),
        cmocka_unit_test(test_quarters_of_many_years_are_ticked_by_year),
        cmocka_unit_test(test_rows_without_labels_are_counted_from_one),
        cmocka_unit_test(test_long_labels_end_in_an_ellipsis),
        cmocka_unit_test(test_words_are_escaped_and_repaired),
        cmocka_unit_test(test_millions_of_rows_keep_their_spikes_in_a_small_file),
        cmocka_unit_test(test_missing_values_interrupt_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
