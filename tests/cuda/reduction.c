/* The papers' methods on the device, at sizes around their blocks, slices, tiles and levels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cuda/device.h"

static const char *const methods[] = {"cr",
                                      "pcr",
                                      "pcr_thomas",
                                      "pcr_thomas:switch=0",
                                      "pcr_thomas:switch=5",
                                      "wang_mou",
                                      "tpr",
                                      "tpr:slice=2",
                                      "tpr:slice=512",
                                      "tpr:stable",
                                      "cr_toeplitz",
                                      "cr_toeplitz:form=global"};
enum { METHODS = sizeof methods / sizeof *methods, FIRST_TOEPLITZ = METHODS - 2 };

static const int64_t sizes[] = {1,    2,    3,    4,     5,     6,     7,     8,      9,      31,
                                127,  128,  129,  257,   1021,  1024,  1025,  2047,   2048,   2049,
                                4099, 8191, 8193, 14529, 16385, 65537, 99991, 262147, 1048577};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* How a plan is used. */
typedef enum use { ONE_PASS, IN_PLACE, FACTORED, USES } use;

static slimband_status run(slimband_plan *plan, const device_batch *d, use how)
{
    double *x = how == IN_PLACE ? d->b : d->x;
    if (how != FACTORED)
        return slimband_factor_solve(plan, d->diagonals, d->b, x);
    slimband_status status = slimband_factor(plan, d->diagonals);
    return status ? status : slimband_solve(plan, d->b, x);
}

static slimband_status solve(batch *s, device_batch *d, const char *method, use how, slimband_system_info *info)
{
    slimband_plan *plan;
    slimband_problem problem = s->problem;
    problem.one_pass = how != FACTORED;
    slimband_status status = slimband_plan_create(&plan, &problem, slimband_cuda(0, NULL), method);
    if (status)
        return status;
    status = run(plan, d, how);
    if (!status)
        status = slimband_cuda_wait(plan);
    slimband_system_status(plan, 0, info);
    slimband_plan_destroy(plan);
    device_batch moved = *d;
    moved.x = how == IN_PLACE ? d->b : d->x;
    device_get(&moved, s);
    return status;
}

/* Constants, and other rows at the ends. */
static void make_toeplitz(batch *s)
{
    s->problem.coefficients = SLIMBAND_TOEPLITZ;
    s->problem.toeplitz_first = s->n > 0;
    s->problem.toeplitz_last = s->n > 2;
    for (int64_t i = 0; i < s->n * s->systems; ++i) {
        int64_t row = i % s->n;
        bool end = row == 0 || (row == s->n - 1 && s->n > 2);
        s->diagonal[i] = end ? 1.75 : 2.5;
        s->lower[i] = end ? 0.5 : -1;
        s->upper[i] = end ? 0.25 : 1.125;
    }
}

/* The arrays of a Toeplitz matrix: its first row, the one that repeats, its last. */
static void shrink_toeplitz(const batch *s, batch *small)
{
    *small = *s;
    const double *from[] = {s->lower, s->diagonal, s->upper};
    double *to[] = {small->lower, small->diagonal, small->upper};
    for (int k = 0; k < 3 && s->n > 2; ++k)
        to[k][2] = from[k][s->n - 1];
}

static void check(int64_t n, int64_t systems, int method)
{
    batch s = batch_make(n, systems, (uint64_t)n), given;
    bool toeplitz = method >= FIRST_TOEPLITZ;
    if (toeplitz)
        make_toeplitz(&s);
    device_batch d = device_take(&s);
    for (use how = ONE_PASS; how < USES; ++how) {
        slimband_system_info info;
        if (toeplitz)
            shrink_toeplitz(&s, &given);
        device_put(toeplitz ? &given : &s, &d);
        slimband_status status = solve(&s, &d, methods[method], how, &info);
        if (toeplitz)
            make_toeplitz(&s);
        if (status)
            fail_msg("%s, n %lld, use %d: %s", methods[method], (long long)n, how,
                     slimband_status_name(status));
        for (int64_t k = 0; k<systems; k += systems> 1 ? systems - 1 : 1)
            if (!(batch_error(&s, k) < 1e-14))
                fail_msg("%s, n %lld, system %lld, use %d: %g", methods[method], (long long)n, (long long)k,
                         how, batch_error(&s, k));
    }
    device_free(&d);
    batch_free(&s);
}

/* Blocks that share just what a kernel need not ask for, with what it has besides and without: in rising order, and before
   any other test, since what was asked for once holds for the process. */
static void test_shared_memory_is_asked_for_in_time(void **state)
{
    (void)state;
    enum { PCR = 1, PCR_THOMAS = 2 };
    for (int64_t n = 736; n <= 776; ++n) {
        check(n, 1, PCR);
        check(n, 1, PCR_THOMAS);
    }
}

static void test_every_size_is_solved_to_rounding(void **state)
{
    (void)state;
    for (int k = 0; k < SIZES; ++k)
        for (int m = 0; m < METHODS; ++m)
            check(sizes[k], 1, m);
}

static void test_batches_are_solved_to_rounding(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m) {
        check(5, 1000, m);
        check(1023, 100, m);
        check(7001, 70, m);
        check(15013, 70, m);
    }
}

/* More rows than one wave of systems takes. */
static void test_waves_follow_one_another(void **state)
{
    (void)state;
    const int some[] = {0, 1, 5, 6};
    for (int k = 0; k < 4; ++k)
        check(1100003, 9, some[k]);
}

static void test_a_row_of_zeros_is_named_without_pivoting(void **state)
{
    (void)state;
    const int64_t row = 1000, lengths[] = {1001, 3001, 70001};
    for (int m = 0; m < FIRST_TOEPLITZ; ++m)
        for (int k = 0; k < 3; ++k) {
            batch s = batch_make(lengths[k], 1, 3);
            s.problem.pivoting = SLIMBAND_PIVOT_NONE;
            s.lower[row] = s.diagonal[row] = s.upper[row] = 0;
            device_batch d = device_take(&s);
            slimband_system_info info;
            assert_int_equal(solve(&s, &d, methods[m], FACTORED, &info), SLIMBAND_BREAKDOWN);
            if (strcmp(methods[m], "pcr_thomas:switch=0"))
                assert_int_equal(info.row, row);
            assert_true(batch_is_nan(&s, 0));
            s.diagonal[row] = 4;
            device_put(&s, &d);
            assert_int_equal(solve(&s, &d, methods[m], FACTORED, &info), SLIMBAND_OK);
            device_free(&d);
            batch_free(&s);
        }
}

static void test_what_is_not_dominant_is_pivoted(void **state)
{
    (void)state;
    for (int m = 0; m < FIRST_TOEPLITZ; ++m)
        for (use how = ONE_PASS; how < USES; ++how) {
            batch s = batch_make(5000, 2, 4);
            s.diagonal[1234] = 0;
            device_batch d = device_take(&s);
            slimband_system_info info;
            assert_int_equal(solve(&s, &d, methods[m], how, &info), SLIMBAND_OK);
            assert_true(info.pivoted);
            assert_true(batch_error(&s, 0) < 1e-15 && batch_error(&s, 1) < 1e-14);
            device_free(&d);
            batch_free(&s);
        }
}

/* The same bits from a replayed graph as from the calls. */
static void test_solves_can_be_captured(void **state)
{
    (void)state;
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    for (int m = 0; m < FIRST_TOEPLITZ; ++m) {
        batch s = batch_make(20011, 3, 5);
        device_batch d = device_take(&s);
        slimband_plan *plan;
        cudaGraph_t graph;
        cudaGraphExec_t ready;
        double *called = malloc((size_t)d.elements * sizeof *called);
        assert_non_null(called);
        assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cuda(0, stream), methods[m]),
                         SLIMBAND_OK);
        assert_int_equal(run(plan, &d, FACTORED), SLIMBAND_OK);
        device_get(&d, &s);
        memcpy(called, s.x, (size_t)d.elements * sizeof *called);
        assert_int_equal(cudaMemset(d.x, 0, (size_t)d.elements * sizeof *called), cudaSuccess);
        assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
        assert_int_equal(slimband_solve(plan, d.b, d.x), SLIMBAND_OK);
        assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        assert_int_equal(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
        assert_int_equal(cudaGraphLaunch(ready, stream), cudaSuccess);
        device_get(&d, &s);
        assert_memory_equal(called, s.x, (size_t)d.elements * sizeof *called);
        assert_int_equal(cudaGraphExecDestroy(ready), cudaSuccess);
        assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
        slimband_plan_destroy(plan);
        free(called);
        device_free(&d);
        batch_free(&s);
    }
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
}

int main(void)
{
    if (device_missing())
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_memory_is_asked_for_in_time),
        cmocka_unit_test(test_every_size_is_solved_to_rounding),
        cmocka_unit_test(test_batches_are_solved_to_rounding),
        cmocka_unit_test(test_waves_follow_one_another),
        cmocka_unit_test(test_a_row_of_zeros_is_named_without_pivoting),
        cmocka_unit_test(test_what_is_not_dominant_is_pivoted),
        cmocka_unit_test(test_solves_can_be_captured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
