/* Numbers derived from times, and what becomes of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/grid_report.h"
#include "bench/report.h"

/* 1000 rows of 5 doubles: 2 us are 2 ns a row and 20 GB/s. */
static sb_bench_result sample(void)
{
    sb_bench_result r = {
        .the_case = {.scalar = SLIMBAND_F64, .n = 1000, .systems = 1, .lower = 1, .upper = 1, .dominance = 2},
        .threads = 2,
        .executor = "cpu",
        .methods = 2,
        .peers = 2};
    r.method[0] = (sb_bench_entry){.name = "auto", .about = "thomas", .residual = 1e-16, .seconds = 2e-6};
    r.method[1] = (sb_bench_entry){.name = "lame",
                                   .note = "failed verification: backward error 1.0e-03",
                                   .residual = 1e-3,
                                   .seconds = NAN};
    r.peer[0] = (sb_bench_entry){.name = "lapack", .residual = 1e-16, .seconds = 9e-6};
    r.peer[1] = (sb_bench_entry){.name = "mkl", .note = "not installed", .residual = NAN, .seconds = NAN};
    r.ceiling = (sb_bench_entry){.name = "in place", .residual = NAN, .seconds = 1e-6};
    return r;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        fail_msg("%.17g is not %.17g", value, expected);
}

static void test_derived_numbers(void **state)
{
    (void)state;
    sb_bench_result r = sample();
    assert_near(sb_bench_ns_per_row(&r, &r.method[0]), 2);
    assert_near(sb_bench_gb_per_s(&r, &r.method[0]), 20);
    assert_near(sb_bench_gb_per_s(&r, &r.ceiling), 40);
    assert_near(sb_bench_ceiling_fraction(&r, &r.method[0]), 0.5);
    assert_near(sb_bench_ratio(&r.method[0], &r.peer[0]), 4.5);
    r.the_case.coefficients = SLIMBAND_SHARED;
    r.the_case.systems = 2;
    assert_near(sb_bench_ns_per_row(&r, &r.method[0]), 1);
    assert_near(sb_bench_gb_per_s(&r, &r.method[0]), 16);
}

static double number(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static void assert_null_at(const cJSON *object, const char *key)
{
    assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, key)));
}

static void test_a_method_in_json(void **state)
{
    (void)state;
    static const char *const keys[] = {"case",
                                       "method",
                                       "type",
                                       "n",
                                       "batch",
                                       "band",
                                       "ends",
                                       "coefficients",
                                       "layout",
                                       "in_place",
                                       "threads",
                                       "executor",
                                       "caches",
                                       "pivoting",
                                       "ns_per_row",
                                       "gb_per_s",
                                       "ceiling_gb_per_s",
                                       "ceiling_fraction",
                                       "residual",
                                       "peers",
                                       "best_peer"};
    const sb_bench_result r = sample();
    cJSON *row = sb_bench_json(&r, 0);
    int count = 0;
    for (const cJSON *item = row->child; item; item = item->next, ++count)
        assert_string_equal(item->string, keys[count]);
    assert_int_equal(count, (int)(sizeof keys / sizeof keys[0]));
    assert_near(number(row, "ns_per_row"), 2);
    assert_near(number(row, "ceiling_gb_per_s"), 40);
    assert_near(number(row, "ceiling_fraction"), 0.5);
    assert_near(number(row, "residual"), 1e-16);
    const cJSON *peers = cJSON_GetObjectItemCaseSensitive(row, "peers");
    const cJSON *lapack = cJSON_GetObjectItemCaseSensitive(peers, "lapack");
    assert_near(number(lapack, "ns_per_row"), 9);
    assert_near(number(lapack, "ratio"), 4.5);
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(row, "best_peer")->valuestring, "lapack");
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(row, "caches")->valuestring, "warm");
    const cJSON *mkl = cJSON_GetObjectItemCaseSensitive(peers, "mkl");
    assert_null_at(mkl, "ns_per_row");
    assert_null_at(mkl, "ratio");
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(mkl, "note")->valuestring, "not installed");
    cJSON_Delete(row);
}

static void test_a_failed_method_has_no_times(void **state)
{
    (void)state;
    const sb_bench_result r = sample();
    const sb_bench_entry *first = NULL;
    cJSON *row = sb_bench_json(&r, 1);
    static const char *const none[] = {"ns_per_row", "gb_per_s", "ceiling_fraction"};
    for (int k = 0; k < 3; ++k)
        assert_null_at(row, none[k]);
    assert_near(number(row, "residual"), 1e-3);
    assert_non_null(strstr(cJSON_GetObjectItemCaseSensitive(row, "note")->valuestring, "failed verification"));
    const cJSON *peers = cJSON_GetObjectItemCaseSensitive(row, "peers");
    assert_null_at(cJSON_GetObjectItemCaseSensitive(peers, "lapack"), "ratio");
    cJSON_Delete(row);
    assert_int_equal(sb_bench_failures(&r, &first), 1);
    assert_string_equal(first->name, "lame");
}

typedef struct text {
    char *start;
    size_t bytes;
} text;

static int occurrences(const char *in, const char *what)
{
    int count = 0;
    while ((in = strstr(in, what))) {
        ++count;
        ++in;
    }
    return count;
}

static void test_slowness_is_no_failure(void **state)
{
    (void)state;
    sb_bench_result r = sample();
    const sb_bench_entry *first = NULL;
    snprintf(r.method[1].note, sizeof r.method[1].note, "not timed: 50 times slower than the fastest");
    assert_int_equal(sb_bench_failures(&r, &first), 0);
    assert_null(first);
}

static void test_the_table_says_it_all(void **state)
{
    (void)state;
    const sb_bench_result r = sample();
    text t;
    FILE *out = open_memstream(&t.start, &t.bytes);
    sb_bench_write_table(out, &r);
    fclose(out);
    static const char *const parts[] = {
        "single: f64, n 1000",           "5 words a row", "memory ceiling", "auto (thomas)", "lame", "1.0e-03",
        "mkl             not installed", "4.50"};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
        if (!strstr(t.start, parts[k]))
            fail_msg("'%s' is not in\n%s", parts[k], t.start);
    free(t.start);
}

static sb_grid_results sample_grid(sb_grid_entry *entries)
{
    sb_grid_results results = {.set = &sb_grid_host, .entry = entries};
    const sb_grid_case *c;
    for (int k = 0; (c = sb_grid_case_at(k)); ++k)
        entries[results.count++] = (sb_grid_entry){c, sample()};
    return results;
}

static void test_the_grids_files_hold_every_case(void **state)
{
    (void)state;
    enum { MOST = 64 };
    sb_grid_entry *entries = calloc(MOST, sizeof *entries);
    assert_non_null(entries);
    const sb_grid_results results = sample_grid(entries);
    text lines, tables;
    FILE *out = open_memstream(&lines.start, &lines.bytes);
    assert_true(sb_grid_write_lines(out, &results));
    fclose(out);
    assert_int_equal(occurrences(lines.start, "\n"), 2 * results.count);
    out = open_memstream(&tables.start, &tables.bytes);
    sb_grid_write_tables(out, &results);
    fclose(out);
    assert_int_equal(occurrences(tables.start, "| auto (thomas) | 2.000 | 20.0 | 50 % |"), results.count);
    assert_int_equal(occurrences(tables.start, "| lame | failed verification"), results.count);
    free(lines.start);
    free(tables.start);
    free(entries);
}

/* Of each case the ceiling, the method that was timed and the peer that was timed. */
static void test_charts_have_a_bar_for_each_that_was_timed(void **state)
{
    (void)state;
    enum { MOST = 64 };
    sb_grid_entry *entries = calloc(MOST, sizeof *entries);
    assert_non_null(entries);
    const sb_grid_results results = sample_grid(entries);
    int bars = 0;
    for (int f = 0; f < sb_grid_host.charts; ++f) {
        text t;
        FILE *out = open_memstream(&t.start, &t.bytes);
        assert_true(sb_grid_chart_has_points(&results, &sb_grid_host.chart[f]));
        sb_grid_write_chart(out, &results, &sb_grid_host.chart[f]);
        fclose(out);
        assert_non_null(strstr(t.start, "</svg>"));
        assert_null(strstr(t.start, "nan ns"));
        assert_null(strstr(t.start, "\"nan\""));
        assert_non_null(strstr(t.start, "9.00 ns  (4.5 times)"));
        bars += occurrences(t.start, "<rect") - 1;
        free(t.start);
    }
    assert_int_equal(bars, 3 * results.count);
    free(entries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derived_numbers),
        cmocka_unit_test(test_a_method_in_json),
        cmocka_unit_test(test_a_failed_method_has_no_times),
        cmocka_unit_test(test_slowness_is_no_failure),
        cmocka_unit_test(test_the_table_says_it_all),
        cmocka_unit_test(test_the_grids_files_hold_every_case),
        cmocka_unit_test(test_charts_have_a_bar_for_each_that_was_timed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
