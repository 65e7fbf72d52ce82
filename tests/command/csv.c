/* The CSV reader. */
#include "tests/command/memory_file.h"

#include <math.h>
#include <stdlib.h>

#include "cli/csv.h"

static bool read_text(sb_csv *csv, const char *text, const char *column, sb_failure *failure)
{
    FILE *stream = memory_file(text, strlen(text));
    bool good = sb_csv_read_stream(csv, stream, "file", column, failure);
    fclose(stream);
    return good;
}

static void assert_string(const char *got, const char *expected)
{
    if (expected)
        assert_string_equal(got, expected);
    else
        assert_null(got);
}

static void test_values_labels_and_names(void **state)
{
    (void)state;
    /* what is expected of row `row` (counting from 0), and of the header */
    static const struct {
        const char *text, *column;
        int rows, missing, row;
        double value;
        const char *label, *value_name, *label_name;
    } cases[] = {
        {"date,gdp\n1959Q1,2710.5\n1959Q2,1e3\n", NULL, 2, 0, 1, 1000, "1959Q2", "gdp", "date"},
        {"date,gdp\r\n1959Q1,2\r\n1959Q2,3", NULL, 2, 0, 1, 3, "1959Q2", "gdp", "date"},
        {"a,b,c\n1,2,3\n", "b", 1, 0, 0, 2, "1", "b", "a"},
        {"a,b,c\n1,2,3\n", "a", 1, 0, 0, 1, "2", "a", "b"},
        {"a,b,c\n1,2,3\n", "2", 1, 0, 0, 2, "1", "b", "a"},
        {"1,2\n3,4\n", "1", 2, 0, 1, 3, "4", NULL, NULL},
        {"2,1\n3,4\n", "2", 2, 0, 0, 1, "2", NULL, NULL}, /* a number before a name */
        {"1990,1991\n3,4\n", "1990", 1, 0, 0, 3, "4", "1990", "1991"},
        {"\"a,\"\"b\"\"\",v\n\"x\ny\",\" 5 \"\n", NULL, 1, 0, 0, 5, "\"x\ny\"", "v", "\"a,\"\"b\"\"\""},
        {"t,v\nx,\n\ny,NA\nz,nan\nu,\"\"\nw,.\nr,N/A\ns,null\n", NULL, 7, 7, 6, NAN, "s", "v", "t"},
        {"1\n\n3\n\n\n", NULL, 3, 1, 2, 3, NULL, NULL, NULL},
        {"\xef\xbb\xbfv\n7\n", "v", 1, 0, 0, 7, NULL, "v", NULL},
        {"\n\nv\n-0.25e-1\n", NULL, 1, 0, 0, -0.025, NULL, "v", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sb_csv csv;
        sb_failure failure;
        assert_true(read_text(&csv, cases[i].text, cases[i].column, &failure));
        assert_int_equal(csv.rows, cases[i].rows);
        assert_int_equal(csv.missing, cases[i].missing);
        double value = csv.values[cases[i].row];
        assert_true(value == cases[i].value || (isnan(value) && isnan(cases[i].value)));
        assert_string(csv.labels ? csv.labels[cases[i].row] : NULL, cases[i].label);
        assert_string(csv.value_name, cases[i].value_name);
        assert_string(csv.label_name, cases[i].label_name);
        sb_csv_free(&csv);
    }
}

static void test_bad_files_are_refused_with_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *text, *column, *part;
    } cases[] = {
        {"", NULL, "empty"},
        {"\n\r\n", NULL, "no rows"},
        {"a,b\n", NULL, "no rows"},
        {"a,b\n1,2\n3\n", NULL, "line 3 has 1 fields"},
        {"a,b\n1,2,3\n", NULL, "line 2 has 3 fields"},
        {"a,b\n1,two\n", NULL, "line 2: 'two' is not"},
        {"a,b\n1,2 3\n", NULL, "'2 3' is not"},
        {"a,b\n1,1e999\n", NULL, "not a finite"},
        {"a,b\n1,-inf\n", NULL, "not a finite"},
        {"a,b\n1,2\n", "c", "no column is named 'c'"},
        {"a,b\n1,2\n", "3", "named '3', and the numbers are 1..2"},
        {"a,b\n1,2\n", "0", "named '0'"},
        {"a,\"b\n1,2\n", NULL, "never closed"},
        {"a,\"b\"c\n1,2\n", NULL, "closing quote"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sb_csv csv;
        sb_failure failure = {0};
        assert_false(read_text(&csv, cases[i].text, cases[i].column, &failure));
        assert_complaint(failure.text, cases[i].part);
        assert_null(csv.values);
    }
}

static void test_zero_bytes_are_not_text(void **state)
{
    (void)state;
    sb_csv csv;
    sb_failure failure;
    FILE *stream = memory_file("v\n1\0\n2\n", 8);
    assert_false(sb_csv_read_stream(&csv, stream, "file", NULL, &failure));
    assert_complaint(failure.text, "not a text file");
    fclose(stream);
}

static void test_every_value_of_a_long_file_arrives(void **state)
{
    (void)state;
    enum { ROWS = 20000 };
    char *text = malloc(ROWS * 32);
    size_t length = 0;
    for (int i = 0; i < ROWS; ++i)
        length += (size_t)sprintf(text + length, "%d,%.17g\n", i, sqrt(i));
    sb_csv csv;
    sb_failure failure;
    assert_true(read_text(&csv, text, NULL, &failure));
    assert_int_equal(csv.rows, ROWS);
    for (int i = 0; i < ROWS; ++i) {
        assert_true(csv.values[i] == sqrt(i));
        assert_int_equal(atoi(csv.labels[i]), i);
    }
    sb_csv_free(&csv);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_labels_and_names),
        cmocka_unit_test(test_bad_files_are_refused_with_a_sentence),
        cmocka_unit_test(test_zero_bytes_are_not_text),
        cmocka_unit_test(test_every_value_of_a_long_file_arrives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
