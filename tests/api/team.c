/* Solves wake the threads that OpenMP keeps, where that is worth it; none makes new ones, and one thread wakes none. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>
#include <omp.h>

#include "slimband/slimband.h"
#include "tests/threads_made.h"

static void test_a_system_that_threads_share_makes_no_threads(void **state)
{
    (void)state;
    static const char *const methods[] = {"partition", "truncated",          "cr", "pcr", "wang_mou",
                                          "tpr",       "pcr_thomas:switch=2"};
    /* The shorter systems have fewer tiles than there are threads. */
    static const int64_t lengths[] = {40000, 8000, 40000};
    enum { n = 40000, THREADS = 4, SOLVES = 4 };
    double *diagonals = calloc(3 * n, sizeof *diagonals), *b = calloc(n, sizeof *b), *x = calloc(n, sizeof *x);
    assert_non_null(diagonals);
    assert_non_null(b);
    assert_non_null(x);
    for (int64_t i = 0; i < n; ++i) {
        diagonals[i] = diagonals[2 * n + i] = -1;
        diagonals[n + i] = 4;
        b[i] = 1;
    }
    const void *const matrix[] = {diagonals, diagonals + n, diagonals + 2 * n};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
        for (int l = 0; l < 3; ++l) {
            slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, lengths[l]);
            slimband_plan *plan = NULL;
            assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(THREADS), methods[m]), SLIMBAND_OK);
            for (int k = 0; k < SOLVES; ++k)
                assert_int_equal(slimband_factor_solve(plan, matrix, b, x), SLIMBAND_OK);
            assert_int_equal(slimband_factor(plan, matrix), SLIMBAND_OK);
            assert_int_equal(slimband_solve(plan, b, x), SLIMBAND_OK);
            slimband_plan_destroy(plan);
        }
    assert_in_range(threads_made, 1, THREADS - 1);
    free(diagonals);
    free(b);
    free(x);
}

/* With chunks this short the reduced system has 2^20 rows and more; unknowns in other units have it refined. */
static void test_an_executor_of_one_thread_makes_none(void **state)
{
    (void)state;
    enum { n = 3 << 20 };
    const int most = omp_get_max_threads();
    double *a = calloc(5 * (size_t)n, sizeof *a);
    assert_non_null(a);
    double *b = a + 3 * (size_t)n, *x = b + n;
    const void *const matrix[] = {a, a + n, a + 2 * (size_t)n};
    for (int64_t i = 0; i < n; ++i) {
        for (int d = 0; d <= 2; ++d)
            a[d * (int64_t)n + i] = (d == 1 ? 4 : -1) * ((i + d - 1) % 97 ? 1 : 0x1p50);
        b[i] = 1;
    }
    omp_set_num_threads(4);
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, n);
    slimband_plan *plan = NULL;
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), "partition:chunk=5"), SLIMBAND_OK);
    threads_made = 0;
    assert_int_equal(slimband_factor_solve(plan, matrix, b, x), SLIMBAND_OK);
    assert_int_equal(threads_made, 0);
    omp_set_num_threads(most);
    slimband_plan_destroy(plan);
    free(a);
}

static int threads_of(int64_t n, int64_t systems, int asked, const char *method)
{
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, n);
    slimband_plan *plan = NULL;
    slimband_report report;
    p.coefficients = SLIMBAND_SHARED;
    assert_int_equal(slimband_contiguous(&p, systems), SLIMBAND_OK);
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(asked), method), SLIMBAND_OK);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    return report.threads;
}

static void test_threads_are_woken_where_that_is_worth_it_or_asked_for(void **state)
{
    (void)state;
    slimband_machine here;
    slimband_machine_facts(&here);
    static const char *const methods[] = {SLIMBAND_AUTO, "lanes", "partition", "truncated", "thomas"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        assert_int_equal(threads_of(64, 3, 0, methods[m]), 1);
        assert_int_equal(threads_of(1000, 20000, 0, methods[m]), here.threads);
        assert_int_equal(threads_of(64, 3, 3, methods[m]), 3);
    }
    assert_int_equal(threads_of(10000000, 1, 0, "partition"), here.threads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_executor_of_one_thread_makes_none),
        cmocka_unit_test(test_a_system_that_threads_share_makes_no_threads),
        cmocka_unit_test(test_threads_are_woken_where_that_is_worth_it_or_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
