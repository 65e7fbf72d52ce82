/* The GPU's grid: as many cases as the papers have, each a problem that can be described, each in a chart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/grid_report.h"

static sb_grid_case *cases_of(bool quick, int *count)
{
    *count = sb_grid_cuda.fill(NULL, quick);
    sb_grid_case *cases = calloc((size_t)*count, sizeof *cases);
    assert_non_null(cases);
    assert_int_equal(sb_grid_cuda.fill(cases, quick), *count);
    return cases;
}

static int count_of(const sb_grid_case *cases, int count, const char *family)
{
    int found = 0;
    for (int k = 0; k < count; ++k)
        found += !strcmp(cases[k].family, family);
    return found;
}

static bool has_point(const sb_grid_case *cases, int count, const char *family, int64_t n, int64_t systems)
{
    for (int k = 0; k < count; ++k)
        if (!strcmp(cases[k].family, family) && cases[k].the_case.n == n &&
            cases[k].the_case.systems == systems)
            return true;
    return false;
}

static void test_tprs_grid_is_whole(void **state)
{
    (void)state;
    int count;
    sb_grid_case *cases = cases_of(false, &count);
    static const char *const families[] = {"tpr-f32", "tpr-f64"};
    static const int64_t systems[] = {1, 8, 64};
    for (int f = 0; f < 2; ++f) {
        assert_int_equal(count_of(cases, count, families[f]), 16 * 3);
        for (int exponent = 7; exponent <= 22; ++exponent)
            for (int g = 0; g < 3; ++g)
                assert_true(has_point(cases, count, families[f], INT64_C(1) << exponent, systems[g]));
    }
    free(cases);
}

/* Figures 3 to 10: unknowns 64 to 1024 by batches to 10^5, and tens of thousands of unknowns. */
static void test_cupentbatchs_ranges(void **state)
{
    (void)state;
    int count;
    sb_grid_case *cases = cases_of(false, &count);
    static const char *const families[][2] = {{"cupentbatch-constant", "cupentbatch-long-constant"},
                                              {"cupentbatch-rewrite", "cupentbatch-long-rewrite"}};
    for (int f = 0; f < 2; ++f) {
        assert_int_equal(count_of(cases, count, families[f][0]), 5 * 12);
        assert_int_equal(count_of(cases, count, families[f][1]), 4 * 3);
        for (int64_t n = 64; n <= 1024; n *= 2)
            for (int64_t batch = 64; batch <= 131072; batch *= 2)
                assert_true(has_point(cases, count, families[f][0], n, batch));
        for (int64_t n = 8192; n <= 65536; n *= 2)
            assert_true(has_point(cases, count, families[f][1], n, 256));
    }
    free(cases);
}

static void test_right_hand_sides_of_the_near_toeplitz_paper(void **state)
{
    (void)state;
    int count;
    sb_grid_case *cases = cases_of(false, &count);
    assert_int_equal(count_of(cases, count, "near-toeplitz-2d"), 7);
    assert_int_equal(count_of(cases, count, "near-toeplitz-3d"), 4);
    for (int64_t n = 64; n <= 512; n *= 2) {
        assert_true(has_point(cases, count, "near-toeplitz-2d", n, n));
        assert_true(has_point(cases, count, "near-toeplitz-3d", n, n * n));
    }
    free(cases);
}

/* targets.md: ten single systems, and rows of batches with their sizes. */
static void test_every_row_of_the_targets(void **state)
{
    (void)state;
    for (int quick = 0; quick < 2; ++quick) {
        int count;
        sb_grid_case *cases = cases_of(quick, &count);
        assert_int_equal(count_of(cases, count, "target-single"), 10);
        assert_int_equal(count_of(cases, count, "target-own"), 8);
        assert_int_equal(count_of(cases, count, "target-shared"), 11);
        assert_int_equal(count_of(cases, count, "target-penta"), 3);
        assert_int_equal(count_of(cases, count, "target-cube"), 3);
        assert_int_equal(count_of(cases, count, "across"), 8);
        assert_int_equal(count_of(cases, count, "short"), 10);
        assert_int_equal(count_of(cases, count, "wider"), 8);
        for (int k = 0; k < count; ++k)
            assert_true(strncmp(cases[k].family, "target", 6) || cases[k].target);
        free(cases);
    }
}

static bool is_in_family_of_set(const char *name)
{
    for (int f = 0; f < sb_grid_cuda.families; ++f)
        if (!strcmp(sb_grid_cuda.family[f].name, name))
            return true;
    return false;
}

static void test_cases_are_problems_of_known_families(void **state)
{
    (void)state;
    for (int quick = 0; quick < 2; ++quick) {
        int count;
        sb_grid_case *cases = cases_of(quick, &count);
        for (int k = 0; k < count; ++k) {
            slimband_problem p;
            assert_int_equal(sb_bench_problem(&cases[k].the_case, &p), SLIMBAND_OK);
            assert_true(is_in_family_of_set(cases[k].family));
            assert_true(cases[k].typed && cases[k].label[0]);
            for (int other = 0; other < k; ++other)
                assert_true(strcmp(cases[k].family, cases[other].family) ||
                            strcmp(cases[k].label, cases[other].label));
        }
        free(cases);
    }
}

/* Every case measured: `auto` twice as fast as the peer, the second method four times; but every seventh refused. */
static sb_grid_results made_up(sb_grid_case *cases, int count)
{
    sb_grid_results results = {
        .set = &sb_grid_cuda, .count = count, .entry = calloc((size_t)count, sizeof *results.entry)};
    assert_non_null(results.entry);
    for (int k = 0; k < count; ++k) {
        sb_bench_result *r = &results.entry[k].result;
        results.entry[k].the_case = &cases[k];
        *r = (sb_bench_result){
            .the_case = cases[k].the_case, .executor = "cuda", .cold = true, .threads = 1, .peers = 1};
        r->methods = k % 7 == 6 ? 0 : 2;
        r->ceiling = (sb_bench_entry){.name = "copy", .seconds = 1e-6};
        r->method[0] = (sb_bench_entry){.name = "auto", .seconds = 2e-6, .residual = 1e-16};
        r->method[1] = (sb_bench_entry){.name = "lu", .seconds = 1.25e-6, .residual = 1e-16};
        r->peer[0] = (sb_bench_entry){.name = "cusparse_gtsv2", .seconds = 5e-6, .residual = 1e-16};
        if (!r->methods)
            snprintf(r->refusal, sizeof r->refusal, "nobody solves this");
    }
    return results;
}

static int occurrences(const char *in, const char *what)
{
    int count = 0;
    for (; (in = strstr(in, what)); ++in)
        ++count;
    return count;
}

static void test_refused_cases_stay_in_the_files(void **state)
{
    (void)state;
    int count, refused = 0;
    sb_grid_case *cases = cases_of(true, &count);
    sb_grid_results results = made_up(cases, count);
    char *lines, *tables;
    size_t bytes;
    for (int k = 0; k < count; ++k)
        refused += !results.entry[k].result.methods;
    FILE *out = open_memstream(&lines, &bytes);
    assert_true(sb_grid_write_lines(out, &results));
    fclose(out);
    out = open_memstream(&tables, &bytes);
    sb_grid_write_tables(out, &results);
    fclose(out);
    assert_true(refused > 5);
    assert_int_equal(occurrences(lines, "\n"), 2 * (count - refused) + refused);
    assert_int_equal(occurrences(lines, "\"refused\":\"nobody solves this\""), refused);
    assert_int_equal(occurrences(tables, "refused: nobody solves this"), refused);
    assert_int_equal(occurrences(tables, "| lu | 1.25 | 1.25 | cusparse_gtsv2 | 4.00 |"), count - refused);
    free(lines);
    free(tables);
    free(results.entry);
    free(cases);
}

static void test_every_chart_is_drawn(void **state)
{
    (void)state;
    int count;
    sb_grid_case *cases = cases_of(false, &count);
    sb_grid_results results = made_up(cases, count);
    for (int k = 0; k < sb_grid_cuda.charts; ++k) {
        const sb_grid_chart *chart = &sb_grid_cuda.chart[k];
        char *text;
        size_t bytes;
        assert_true(sb_grid_chart_has_points(&results, chart));
        FILE *out = open_memstream(&text, &bytes);
        sb_grid_write_chart(out, &results, chart);
        fclose(out);
        assert_non_null(strstr(text, "</svg>"));
        assert_null(strstr(text, "\"nan"));
        /* Both methods by name, and the peer only where it is drawn as well. */
        assert_non_null(strstr(text, "auto"));
        assert_non_null(strstr(text, "lu"));
        assert_int_equal(strstr(text, "cusparse_gtsv2") != NULL, chart->values != SB_GRID_SPEEDUP);
        free(text);
    }
    results.count = 0;
    assert_false(sb_grid_chart_has_points(&results, &sb_grid_cuda.chart[0]));
    free(results.entry);
    free(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tprs_grid_is_whole),
        cmocka_unit_test(test_cupentbatchs_ranges),
        cmocka_unit_test(test_right_hand_sides_of_the_near_toeplitz_paper),
        cmocka_unit_test(test_every_row_of_the_targets),
        cmocka_unit_test(test_cases_are_problems_of_known_families),
        cmocka_unit_test(test_refused_cases_stay_in_the_files),
        cmocka_unit_test(test_every_chart_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
