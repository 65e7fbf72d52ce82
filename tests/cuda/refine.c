/* Refinement on the GPU takes back what an elimination without pivoting has lost, whoever keeps the matrix. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/cuda/device.h"

enum { N = 257, SYSTEMS = 67 };

/* First rows with pivots of 1e-6: elimination grows by that much, and loses as many digits. */
static batch make_weak(void)
{
    batch s = batch_make(N, SYSTEMS, 23);
    for (int64_t k = 0; k < SYSTEMS; ++k) {
        s.diagonal[k * N] = 1e-6;
        s.upper[k * N] = s.lower[k * N + 1] = 1;
    }
    s.problem.pivoting = SLIMBAND_PIVOT_NONE;
    return s;
}

/* 0: factor, then solve; 1: both; 2: both, by a plan of one pass; 3: as 0, b overwritten by x. */
enum { WAYS = 4 };

static double error_of(const char *method, int refinements, int way)
{
    batch s = make_weak();
    s.problem.refinements = refinements;
    s.problem.one_pass = way == 2;
    device_batch d = device_take(&s);
    double *b = way == 3 ? d.x : d.b;
    slimband_plan *plan;
    if (way == 3)
        assert_int_equal(cudaMemcpy(d.x, d.b, (size_t)d.elements * sizeof *d.x, cudaMemcpyDeviceToDevice),
                         cudaSuccess);
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cuda(0, NULL), method), SLIMBAND_OK);
    if (way % 3 == 0) {
        assert_int_equal(slimband_factor(plan, d.diagonals), SLIMBAND_OK);
        assert_int_equal(slimband_solve(plan, b, d.x), SLIMBAND_OK);
    } else
        assert_int_equal(slimband_factor_solve(plan, d.diagonals, b, d.x), SLIMBAND_OK);
    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    device_get(&d, &s);
    device_free(&d);
    double worst = 0;
    for (int64_t k = 0; k < SYSTEMS; ++k)
        worst = fmax(worst, batch_error(&s, k));
    batch_free(&s);
    return worst;
}

static void test_refined_answers_are_right_to_rounding(void **state)
{
    (void)state;
    static const char *const methods[] = {"thomas", "lu", "tile"};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
        for (int way = 0; way < WAYS; ++way) {
            assert_true(error_of(methods[m], 0, way) > 1e-13);
            assert_true(error_of(methods[m], 3, way) < 3e-16);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refined_answers_are_right_to_rounding)};
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
