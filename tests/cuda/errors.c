/* What is refused, and with which status. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/cuda/device.h"

static slimband_status create(const slimband_problem *p, slimband_executor executor, const char *method)
{
    slimband_plan *plan;
    slimband_status status = slimband_plan_create(&plan, p, executor, method);
    assert_true(!status == (plan != NULL));
    slimband_plan_destroy(plan);
    return status;
}

static void test_a_device_that_is_not_there_is_refused(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 10);
    assert_int_equal(create(&p, slimband_cuda(-1, NULL), "auto"), SLIMBAND_NO_DEVICE);
    assert_int_equal(create(&p, slimband_cuda(4711, NULL), "auto"), SLIMBAND_NO_DEVICE);
    assert_int_equal(create(&p, slimband_cuda(4711, NULL), "thomas"), SLIMBAND_NO_DEVICE);
}

static void test_only_cuda_executors_have_workspaces_and_waits(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 10);
    slimband_plan *plan;
    size_t bytes;
    char memory[1];
    assert_int_equal(slimband_cuda_workspace(&p, slimband_cpu(1), "auto", &bytes), SLIMBAND_BAD_EXECUTOR);
    assert_int_equal(slimband_cuda_workspace(&p, slimband_cuda(0, NULL), "auto", NULL), SLIMBAND_NULL_ARGUMENT);
    assert_int_equal(slimband_cuda_plan_create(&plan, &p, slimband_cpu(1), "auto", memory, 1),
                     SLIMBAND_BAD_EXECUTOR);
    assert_int_equal(slimband_cuda_plan_create(&plan, &p, slimband_cuda(0, NULL), "auto", NULL, 0),
                     SLIMBAND_NULL_ARGUMENT);
    assert_null(plan);
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), "auto"), SLIMBAND_OK);
    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_BAD_EXECUTOR);
    assert_int_equal(slimband_cuda_wait(NULL), SLIMBAND_NULL_ARGUMENT);
    slimband_plan_destroy(plan);
}

static void test_what_a_method_cannot_do_is_refused(void **state)
{
    (void)state;
    slimband_executor gpu = slimband_cuda(0, NULL);
    slimband_problem p = slimband_banded(SLIMBAND_F64, 20, 5, 1);
    assert_int_equal(create(&p, gpu, "lu"), SLIMBAND_METHOD_NEEDS_NARROWER_BAND);
    assert_int_equal(create(&p, gpu, "thomas"), SLIMBAND_METHOD_NEEDS_TRIDIAGONAL);
    assert_int_equal(create(&p, gpu, "auto"), SLIMBAND_OK);
    assert_int_equal(create(&p, gpu, "auto:x"), SLIMBAND_UNKNOWN_OPTION);
    assert_int_equal(create(&p, gpu, "lu:x"), SLIMBAND_UNKNOWN_OPTION);
    assert_int_equal(create(&p, gpu, "lanes"), SLIMBAND_METHOD_NOT_HERE);
    p.pivoting = SLIMBAND_PIVOT_NONE;
    assert_int_equal(create(&p, gpu, "pivoted_lu"), SLIMBAND_METHOD_ALWAYS_PIVOTS);
    p.lower = 1;
    p.pivoting = SLIMBAND_PIVOT_PARTIAL;
    assert_int_equal(create(&p, gpu, "thomas"), SLIMBAND_METHOD_DOES_NOT_PIVOT);
}

static void test_more_than_the_devices_memory_is_refused(void **state)
{
    (void)state;
    slimband_executor gpu = slimband_cuda(0, NULL);
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, INT64_C(1) << 40);
    assert_int_equal(create(&p, gpu, "thomas"), SLIMBAND_OUT_OF_MEMORY);
    p.n = INT64_MAX / 64;
    assert_int_equal(create(&p, gpu, "thomas"), SLIMBAND_TOO_LARGE);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void test_a_stream_under_capture_is_refused_and_the_capture_goes_on(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 10);
    cudaStream_t stream;
    cudaGraph_t graph;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    assert_int_equal(create(&p, slimband_cuda(0, stream), "thomas"), SLIMBAND_BAD_STREAM);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

static void test_a_workspace_of_the_callers_is_used_and_checked(void **state)
{
    (void)state;
    batch s = batch_make(50, 30, 51);
    device_batch d = device_take(&s);
    slimband_executor gpu = slimband_cuda(0, NULL);
    slimband_plan *plan;
    slimband_report report;
    size_t bytes;
    char *memory;
    assert_int_equal(slimband_cuda_workspace(&s.problem, gpu, "thomas", &bytes), SLIMBAND_OK);
    assert_true(bytes >= 50 * 30 * 3 * sizeof(double));
    assert_int_equal(cudaMalloc((void **)&memory, bytes + 8), cudaSuccess);
    assert_int_equal(slimband_cuda_plan_create(&plan, &s.problem, gpu, "thomas", memory, bytes - 1),
                     SLIMBAND_BAD_WORKSPACE);
    assert_int_equal(slimband_cuda_plan_create(&plan, &s.problem, gpu, "thomas", memory + 8, bytes),
                     SLIMBAND_BAD_WORKSPACE);
    assert_int_equal(slimband_cuda_plan_create(&plan, &s.problem, gpu, "thomas", memory, bytes), SLIMBAND_OK);
    assert_int_equal(slimband_factor(plan, d.diagonals), SLIMBAND_OK);
    assert_int_equal(slimband_solve(plan, d.b, d.x), SLIMBAND_OK);
    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    assert_true(report.workspace_bytes < bytes);
    device_get(&d, &s);
    for (int64_t k = 0; k < s.systems; ++k)
        assert_true(batch_error(&s, k) < 1e-15);
    slimband_plan_destroy(plan);
    assert_int_equal(cudaFree(memory), cudaSuccess);
    device_free(&d);
    batch_free(&s);
}

/* Leaves the process without a usable device: the last test. */
static void test_work_on_memory_that_is_gone_is_a_failure_of_the_device(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 10);
    slimband_plan *plan;
    slimband_report report;
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cuda(0, NULL), "thomas"), SLIMBAND_OK);
    const void *nowhere[] = {(void *)0x100, (void *)0x200, (void *)0x300};
    slimband_status status = slimband_factor(plan, nowhere);
    assert_true(status == SLIMBAND_OK || status == SLIMBAND_DEVICE_FAILED);
    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_DEVICE_FAILED);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_DEVICE_FAILED);
    assert_int_equal(slimband_factor(plan, nowhere), SLIMBAND_DEVICE_FAILED);
    slimband_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest anywhere[] = {
        cmocka_unit_test(test_a_device_that_is_not_there_is_refused),
        cmocka_unit_test(test_only_cuda_executors_have_workspaces_and_waits),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_a_method_cannot_do_is_refused),
        cmocka_unit_test(test_more_than_the_devices_memory_is_refused),
        cmocka_unit_test(test_a_stream_under_capture_is_refused_and_the_capture_goes_on),
        cmocka_unit_test(test_a_workspace_of_the_callers_is_used_and_checked),
        cmocka_unit_test(test_work_on_memory_that_is_gone_is_a_failure_of_the_device),
    };
    int failed = cmocka_run_group_tests(anywhere, NULL, NULL);
    if (failed)
        return failed;
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
