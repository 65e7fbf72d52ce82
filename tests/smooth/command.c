/* slimband smooth from end to end: files in, files out, one line when something is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/smooth/table.h"

/* Every test runs in a new empty folder, which it is left to find as the working directory. */
static char folder[] = "/tmp/slimband-smooth-XXXXXX";

static int enter(void **state)
{
    (void)state;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return chdir("/") || system(command);
}

/* The exit code of `slimband smooth <arguments>`; what it says goes to the files out and err. */
static int smooth(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command, COMMAND " smooth %s >out 2>err", arguments);
    int status = system(command);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* The file's text, at most 64 KB of it, in a buffer that the next call reuses. */
static const char *text_of(const char *name)
{
    static char text[65536];
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static int files_here(void)
{
    int count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (struct dirent *entry; (entry = readdir(here));)
        count += entry->d_name[0] != '.';
    closedir(here);
    return count;
}

static void test_gdp_trend_is_written_as_statsmodels_has_it(void **state)
{
    (void)state;
    assert_int_equal(
        smooth(DATA "/us-real-gdp.csv --lambda 1600 --column realgdp --output trend.csv --chart t.svg"), 0);
    assert_string_equal(text_of("err"), "");
    assert_non_null(strstr(text_of("out"), "backward error"));
    assert_non_null(strstr(text_of("t.svg"), "realgdp and its trend"));
    assert_memory_equal(text_of("trend.csv"), "date,realgdp,trend\n1959Q1,2710.349,2670.837", 43);
    sb_csv trend = {0}, table = {0};
    sb_failure failure;
    assert_true(sb_csv_read(&trend, "trend.csv", "trend", &failure));
    assert_true(read_table(&table, &failure));
    assert_int_equal(trend.rows, table.rows);
    for (int64_t i = 0; i < trend.rows; ++i)
        assert_true(fabs(trend.values[i] - table.values[i]) <= 1e-9 * table.values[i]);
    sb_csv_free(&trend);
    sb_csv_free(&table);
}

static void test_missing_values_are_filled_and_quotes_kept(void **state)
{
    (void)state;
    write_file("in.csv", "\"the \"\"day\"\"\",v\n\"a, b\",1\nc,\nd,NaN\ne,4\n");
    assert_int_equal(smooth("in.csv --lambda 10 --output z.csv --threads 1"), 0);
    assert_string_equal(text_of("z.csv"), "\"the \"\"day\"\"\",v,trend\n\"a, b\",1,1\nc,,2\nd,,3\ne,4,4\n");
}

static void test_one_column_without_a_header_is_enough(void **state)
{
    (void)state;
    write_file("in.csv", "5\n7\n");
    assert_int_equal(smooth("in.csv --lambda 0 --order 1 --output z.csv"), 0);
    assert_string_equal(text_of("z.csv"), "value,trend\n5,5\n7,7\n");
}

static void test_json_names_what_was_done(void **state)
{
    (void)state;
    write_file("in.csv", "v\n1\n2\nNA\n5\n");
    assert_int_equal(smooth("in.csv --lambda 2 --order 3 --output z.csv --json"), 0);
    const char *words[] = {"{\"rows\":4,\"missing\":1,\"lambda\":2,\"order\":3,", "\"method\":\"",
                           "\"seconds\":", "\"backward_error\":"};
    const char *text = text_of("out");
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
        assert_non_null(strstr(text, words[k]));
    assert_int_equal(strcspn(text, "\n") + 1, strlen(text));
}

static void test_bad_input_gets_one_line_and_no_output(void **state)
{
    (void)state;
    write_file("good.csv", "date,v\na,1\nb,2\nc,4\n");
    write_file("words.csv", "date,v\na,x\nb,y\n");
    write_file("infinite.csv", "date,v\na,1\nb,inf\n");
    write_file("missing.csv", "date,v\na,\nb,NaN\n");
    write_file("lonely.csv", "date,v\na,\nb,3\nc,\n");
    write_file("uneven.csv", "date,v\na,1\nb\n");
    write_file("header.csv", "date,v\n");
    write_file("empty.csv", "");
    assert_int_equal(mkdir("folder", 0700), 0);
    const struct {
        const char *arguments, *word;
    } cases[] = {
        {"nowhere.csv --lambda 1 --output z", "nowhere.csv: No such file"},
        {"folder --lambda 1 --output z", "folder"},
        {"good.csv --lambda 1 --column w --output z", "w"},
        {"good.csv --lambda 1 --column 3 --output z", "3"},
        {"good.csv --lambda 1 --column date --output z", "good.csv"},
        {"words.csv --lambda 1 --output z", "words.csv"},
        {"infinite.csv --lambda 1 --output z", "inf"},
        {"missing.csv --lambda 1 --output z", "every value of the series is missing"},
        {"lonely.csv --lambda 1 --output z", "too few values"},
        {"lonely.csv --lambda 0 --order 1 --output z", "lambda 0"},
        {"uneven.csv --lambda 1 --output z", "uneven.csv"},
        {"header.csv --lambda 1 --output z", "header.csv"},
        {"empty.csv --lambda 1 --output z", "empty.csv"},
        {"good.csv --output z", "--lambda"},
        {"good.csv --lambda -1 --output z", "--lambda"},
        {"good.csv --lambda nan --output z", "--lambda"},
        {"good.csv --lambda 1e999 --output z", "--lambda"},
        {"good.csv --lambda 16oo --output z", "'16oo'"},
        {"good.csv --lambda 1e-200 --output z", "1e-100"},
        {"good.csv --lambda 1 --order 0 --output z", "--order"},
        {"good.csv --lambda 1 --order 4 --output z", "--order"},
        {"good.csv --lambda 1 --order two --output z", "--order"},
        {"good.csv --lambda 1 --threads 0 --output z", "--threads"},
        {"good.csv --lambda 1", "--output"},
        {"--lambda 1 --output z", "which CSV file"},
        {"good.csv good.csv --lambda 1 --output z", "good.csv"},
        {"good.csv --lambda 1 --output z --colour red", "--colour"},
        {"good.csv --lambda 1 --output nowhere/z", "nowhere/z"},
        {"good.csv --lambda 1 --output folder", "folder"},
        {"good.csv --lambda 1 --output z --chart nowhere/z.svg", "nowhere/z.svg"},
        {"good.csv --lambda 1 --output z --chart z", "same file"},
        {"good.csv --lambda 1 --output /dev/full", "the disk is full"},
        {"good.csv --lambda 1 --output z --chart /dev/full", "the disk is full"},
    };
    write_file("out", "");
    write_file("err", "");
    int before = files_here();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        int code = smooth(cases[k].arguments);
        const char *line = text_of("err");
        if (code != 2 || strncmp(line, "slimband smooth: ", 17) || !strstr(line + 17, cases[k].word) ||
            strcspn(line, "\n") + 1 != strlen(line))
            fail_msg("smooth %s: exit code %d, said: %s", cases[k].arguments, code, line);
        assert_string_equal(text_of("out"), "");
        if (files_here() != before)
            fail_msg("smooth %s left a file", cases[k].arguments);
    }
}

static void test_what_makes_a_series_too_hard_is_said(void **state)
{
    (void)state;
    FILE *file = fopen("long.csv", "w");
    assert_non_null(file);
    for (int i = 0; i < 300000; ++i)
        fprintf(file, "%d\n", i % 13);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(smooth("long.csv --lambda 1e300 --order 3 --output z"), 2);
    assert_non_null(strstr(text_of("err"), "the series is too long for this order and lambda"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_gdp_trend_is_written_as_statsmodels_has_it, enter, leave),
        cmocka_unit_test_setup_teardown(test_missing_values_are_filled_and_quotes_kept, enter, leave),
        cmocka_unit_test_setup_teardown(test_one_column_without_a_header_is_enough, enter, leave),
        cmocka_unit_test_setup_teardown(test_json_names_what_was_done, enter, leave),
        cmocka_unit_test_setup_teardown(test_bad_input_gets_one_line_and_no_output, enter, leave),
        cmocka_unit_test_setup_teardown(test_what_makes_a_series_too_hard_is_said, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
