/* A library without the CUDA executor says so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "slimband/cuda.h"
#include "slimband/shifted.h"

static void test_plans_on_a_gpu_are_refused_with_the_reason(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 10);
    slimband_executor gpu = slimband_cuda(0, NULL);
    slimband_plan *plan;
    size_t bytes;
    char memory[1];
    assert_int_equal(gpu.place, SLIMBAND_ON_CUDA);
    assert_int_equal(slimband_plan_create(&plan, &p, gpu, SLIMBAND_AUTO), SLIMBAND_NOT_BUILT_IN);
    assert_null(plan);
    assert_int_equal(slimband_cuda_workspace(&p, gpu, "thomas", &bytes), SLIMBAND_NOT_BUILT_IN);
    assert_int_equal(slimband_cuda_plan_create(&plan, &p, gpu, "thomas", memory, 1), SLIMBAND_NOT_BUILT_IN);
}

static void test_the_cpu_has_nothing_to_wait_for(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 10);
    slimband_executor cpu = slimband_cpu(1);
    slimband_plan *plan;
    size_t bytes;
    char memory[1];
    assert_int_equal(slimband_plan_create(&plan, &p, cpu, SLIMBAND_AUTO), SLIMBAND_OK);
    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_BAD_EXECUTOR);
    slimband_plan_destroy(plan);
    assert_int_equal(slimband_cuda_wait(NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_cuda_workspace(&p, cpu, "thomas", &bytes), SLIMBAND_BAD_EXECUTOR);
    assert_int_equal(slimband_cuda_workspace(&p, cpu, "thomas", NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_cuda_plan_create(&plan, &p, cpu, "thomas", memory, 1), SLIMBAND_BAD_EXECUTOR);
    assert_int_equal(slimband_cuda_plan_create(&plan, &p, cpu, "thomas", NULL, 0), SLIMBAND_NULL_ARGUMENT);
}

static void test_systems_that_differ_by_a_shift_are_refused_too(void **state)
{
    (void)state;
    const double one[] = {1};
    const slimband_shifted_problem p = {SLIMBAND_F64, 1, 1, 1, 1, one, one, one, one, SLIMBAND_NONE_SINGULAR};
    slimband_shifted *systems;
    assert_int_equal(slimband_shifted_create(&systems, &p, slimband_cuda(0, NULL)), SLIMBAND_NOT_BUILT_IN);
    assert_null(systems);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans_on_a_gpu_are_refused_with_the_reason),
        cmocka_unit_test(test_the_cpu_has_nothing_to_wait_for),
        cmocka_unit_test(test_systems_that_differ_by_a_shift_are_refused_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
