/* A line that all threads share wakes those that OpenMP keeps. */
#define _GNU_SOURCE
#include <stdlib.h>

#include "tests/poisson/support.h"
#include "tests/threads_made.h"

static void test_one_line_makes_no_threads(void **state)
{
    (void)state;
    enum { n = 40000, THREADS = 4, SOLVES = 4 };
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 1, (int64_t[]){n});
    slimband_poisson_plan *plan = NULL;
    double *u = calloc(n, sizeof *u);
    assert_non_null(u);
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cpu(THREADS), "spectral"), SLIMBAND_OK);
    for (int k = 0; k < SOLVES; ++k)
        assert_int_equal(slimband_poisson_solve(plan, u, NULL, u), SLIMBAND_OK);
    slimband_poisson_plan_destroy(plan);
    assert_in_range(threads_made, 1, THREADS - 1);
    free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_line_makes_no_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
