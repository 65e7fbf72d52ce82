/* What a plan says about itself. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/api/batch.h"

static slimband_report report_of(batch *s, int threads, const char *method)
{
    slimband_plan *plan;
    slimband_report report;
    assert_int_equal(slimband_plan_create(&plan, &s->problem, slimband_cpu(threads), method), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, s->diagonals, s->b, s->x), SLIMBAND_OK);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    return report;
}

static void test_every_method_reports_its_name_and_sensible_numbers(void **state)
{
    (void)state;
    slimband_method_info info;
    for (int m = 0; slimband_method(m, &info); ++m) {
        batch s = batch_make(100, 7, 31);
        if (!slimband_method_fits(&s.problem, slimband_cpu(1), info.name)) {
            slimband_report report = report_of(&s, 1, info.name);
            assert_string_equal(report.method, info.name);
            assert_int_equal(report.threads, 1);
            assert_true(report.levels >= 1 && report.levels <= 20);
            assert_true(report.words_per_row >= 2 && report.words_per_row <= 40);
            assert_true(report.workspace_bytes > 0 && report.workspace_bytes < 1000000);
            assert_int_equal(report.systems, 7);
            assert_int_equal(report.matrices, 7);
            assert_int_equal(report.failed, 0);
            assert_true(report.truncation_bound == 0);
        }
        batch_free(&s);
    }
}

static void test_auto_names_the_method_that_it_chose(void **state)
{
    (void)state;
    batch s = batch_make(100, 2, 32);
    slimband_method_info info;
    slimband_report report = report_of(&s, 1, SLIMBAND_AUTO);
    bool known = false;
    for (int m = 0; slimband_method(m, &info); ++m)
        known |= !strcmp(info.name, report.method);
    assert_true(known);
    batch_free(&s);
}

static void test_matrices_and_systems_are_counted_apart(void **state)
{
    (void)state;
    batch s = batch_make(20, 6, 33);
    s.problem.coefficients = SLIMBAND_SHARED;
    slimband_report report = report_of(&s, 1, SLIMBAND_AUTO);
    assert_int_equal(report.systems, 6);
    assert_int_equal(report.matrices, 1);
    s.problem.coefficients = SLIMBAND_OWN;
    s.problem.batch_rank = 2;
    s.problem.batch[0] = 2;
    s.problem.batch[1] = 3;
    s.problem.rhs = s.problem.solution = (slimband_layout){1, {60, 20}};
    s.problem.matrix = (slimband_layout){1, {20, 0}};
    report = report_of(&s, 1, SLIMBAND_AUTO);
    assert_int_equal(report.systems, 6);
    assert_int_equal(report.matrices, 2);
    batch_free(&s);
}

static void test_pivoted_matrices_are_counted(void **state)
{
    (void)state;
    batch s = batch_make(20, 6, 34);
    assert_int_equal(report_of(&s, 1, SLIMBAND_AUTO).pivoted, 0);
    s.diagonal[0] = s.diagonal[3 * 20] = 0;
    slimband_report report = report_of(&s, 1, SLIMBAND_AUTO);
    assert_int_equal(report.pivoted, 2);
    assert_true(isfinite(report.largest_growth));
    s.problem.pivoting = SLIMBAND_PIVOT_PARTIAL;
    assert_int_equal(report_of(&s, 1, SLIMBAND_AUTO).pivoted, 6);
    batch_free(&s);
}

static void test_growth_tells_safe_from_unsafe_elimination(void **state)
{
    (void)state;
    batch s = batch_make(20, 2, 35);
    s.problem.pivoting = SLIMBAND_PIVOT_NONE;
    double safe = report_of(&s, 1, "thomas").largest_growth;
    s.diagonal[5] = 1e-9;
    s.lower[5] = 0;
    double unsafe = report_of(&s, 1, "thomas").largest_growth;
    assert_true(safe > 0 && safe < 3);
    assert_true(unsafe > 1e6);
    batch_free(&s);
}

static void test_a_plan_that_stores_nothing_takes_less_room(void **state)
{
    (void)state;
    batch s = batch_make(100, 50, 36);
    size_t factors = report_of(&s, 1, SLIMBAND_AUTO).workspace_bytes;
    s.problem.one_pass = true;
    assert_true(report_of(&s, 1, SLIMBAND_AUTO).workspace_bytes < factors / 2);
    batch_free(&s);
}

static void test_the_machine_and_the_methods_describe_themselves(void **state)
{
    (void)state;
    slimband_machine machine;
    slimband_method_info info;
    slimband_machine_facts(&machine);
    assert_true(machine.cores >= 1 && machine.threads >= 1);
    assert_string_equal(machine.version, slimband_version());
    assert_non_null(strstr(machine.backends, "cpu"));
    int count = 0;
    for (; slimband_method(count, &info); ++count) {
        const char *texts[] = {info.name, info.place, info.solves, info.stability, info.source};
        for (int k = 0; k < 5; ++k)
            assert_true(strlen(texts[k]) > 0);
        assert_non_null(info.options);
    }
    assert_true(count >= 8);
    assert_false(slimband_method(-1, &info));
    assert_false(slimband_method(0, NULL));
}

/* What the kernel says, of one cache and its processors' share of it; 0 where it does not. */
static double last_level_of(int cpu, const char *fact)
{
    char path[96];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cache/index3/%s", cpu, fact);
    FILE *out = fopen(path, "r");
    if (!out)
        return 0;
    double value = 0;
    int first, last;
    char mark = ',';
    if (!strcmp(fact, "size") && fscanf(out, "%lfK", &value) != 1)
        value = 0;
    while (strcmp(fact, "size") != 0 && mark == ',' && fscanf(out, "%d%c", &first, &mark) >= 1) {
        last = first;
        if (mark == '-' && fscanf(out, "%d%c", &last, &mark) < 1)
            break;
        value += last - first + 1;
    }
    fclose(out);
    return value;
}

/* sysconf's answer on processors of many parts is the sum of them all, also where a process has one. */
static void test_the_last_level_is_no_larger_than_that_of_all_processors(void **state)
{
    (void)state;
    slimband_machine machine;
    slimband_machine_facts(&machine);
    double all = 0;
    for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); ++cpu) {
        double sharers = last_level_of(cpu, "shared_cpu_list");
        all += sharers > 0 ? 1024 * last_level_of(cpu, "size") / sharers : 0;
    }
    if (all == 0)
        skip();
    assert_true((double)machine.cache_bytes[2] <= all * 1.001);
    assert_true(machine.cache_bytes[2] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_reports_its_name_and_sensible_numbers),
        cmocka_unit_test(test_auto_names_the_method_that_it_chose),
        cmocka_unit_test(test_matrices_and_systems_are_counted_apart),
        cmocka_unit_test(test_pivoted_matrices_are_counted),
        cmocka_unit_test(test_growth_tells_safe_from_unsafe_elimination),
        cmocka_unit_test(test_a_plan_that_stores_nothing_takes_less_room),
        cmocka_unit_test(test_the_machine_and_the_methods_describe_themselves),
        cmocka_unit_test(test_the_last_level_is_no_larger_than_that_of_all_processors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
