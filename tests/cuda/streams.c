/* Work goes to the caller's stream and nowhere else: it can be captured and replayed, and streams and threads do not
 * meet; on one stream, calls follow one another. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/cuda/device.h"

enum { N = 61, SYSTEMS = 100, ROUNDS = 20 };

static const char *const methods[] = {"auto", "thomas", "lu", "pivoted_lu"};
enum { METHODS = sizeof methods / sizeof *methods };

static slimband_status record(slimband_plan *plan, const device_batch *d, bool fused)
{
    if (fused)
        return slimband_factor_solve(plan, d->diagonals, d->b, d->x);
    slimband_status status = slimband_factor(plan, d->diagonals);
    return status ? status : slimband_solve(plan, d->b, d->x);
}

static cudaGraphExec_t capture(slimband_plan *plan, const device_batch *d, cudaStream_t stream, bool fused)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    assert_int_equal(record(plan, d, fused), SLIMBAND_OK);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
    return ready;
}

/* The graph sees the arrays' new contents each time, one of which fails and one of which has to pivot. */
static void replay(const char *method, bool fused)
{
    batch first = batch_make(N, SYSTEMS, 21);
    device_batch d = device_take(&first);
    cudaStream_t stream;
    slimband_plan *plan;
    assert_int_equal(cudaStreamCreate(&stream), cudaSuccess);
    slimband_executor executor = slimband_cuda(0, stream);
    assert_int_equal(slimband_plan_create(&plan, &first.problem, executor, method), SLIMBAND_OK);
    cudaGraphExec_t ready = capture(plan, &d, stream, fused);
    for (uint64_t round = 0; round < 4; ++round) {
        batch s = batch_make(N, SYSTEMS, 22 + round);
        if (round == 1)
            s.diagonal[5 * N] = s.upper[5 * N] = 0;
        if (round == 2)
            s.diagonal[7 * N + 3] = 0;
        device_put(&s, &d);
        assert_int_equal(cudaGraphLaunch(ready, stream), cudaSuccess);
        assert_int_equal(slimband_cuda_wait(plan), round == 1 ? SLIMBAND_SINGULAR : SLIMBAND_OK);
        device_get(&d, &s);
        for (int64_t k = 0; k < SYSTEMS; ++k)
            assert_true(round == 1 && k == 5 ? batch_is_nan(&s, k) : batch_error(&s, k) < 1e-15);
        batch_free(&s);
    }
    assert_int_equal(cudaGraphExecDestroy(ready), cudaSuccess);
    slimband_plan_destroy(plan);
    assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
    device_free(&d);
    batch_free(&first);
}

static void test_a_captured_graph_solves_what_the_arrays_hold_when_it_is_replayed(void **state)
{
    (void)state;
    for (int m = 0; m < METHODS; ++m)
        for (int fused = 0; fused < 2; ++fused)
            replay(methods[m], fused);
}

/* One thread with a stream, a plan and arrays of its own. */
static void *solve_often(void *seed)
{
    batch s = batch_make(N, SYSTEMS, *(uint64_t *)seed);
    device_batch d = device_take(&s);
    cudaStream_t stream;
    slimband_plan *plan;
    bool good = !cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    good = good && !slimband_plan_create(&plan, &s.problem, slimband_cuda(0, stream), "auto");
    for (int round = 0; round < ROUNDS && good; ++round) {
        good = !cudaMemsetAsync(d.x, 0, sizeof(double) * N * SYSTEMS, stream);
        good = good && !record(plan, &d, round % 2) && !slimband_cuda_wait(plan);
        device_get(&d, &s);
        for (int64_t k = 0; k < SYSTEMS && good; ++k)
            good = batch_error(&s, k) < 1e-15;
    }
    slimband_plan_destroy(plan);
    good = good && !cudaStreamDestroy(stream);
    device_free(&d);
    batch_free(&s);
    return good ? seed : NULL;
}

static void test_two_threads_with_a_stream_each_do_not_meet(void **state)
{
    (void)state;
    uint64_t seeds[2] = {31, 32};
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k)
        assert_int_equal(pthread_create(&threads[k], NULL, solve_often, &seeds[k]), 0);
    for (int k = 0; k < 2; ++k) {
        void *result;
        assert_int_equal(pthread_join(threads[k], &result), 0);
        assert_ptr_equal(result, &seeds[k]);
    }
}

/* Two plans at work at once from one thread. */
static void test_two_streams_of_one_thread_do_not_meet(void **state)
{
    (void)state;
    batch s[2];
    device_batch d[2];
    cudaStream_t stream[2];
    slimband_plan *plan[2];
    for (int k = 0; k < 2; ++k) {
        s[k] = batch_make(N, SYSTEMS, 41 + (uint64_t)k);
        d[k] = device_take(&s[k]);
        assert_int_equal(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking), cudaSuccess);
        slimband_executor executor = slimband_cuda(0, stream[k]);
        assert_int_equal(slimband_plan_create(&plan[k], &s[k].problem, executor, "auto"), SLIMBAND_OK);
    }
    for (int round = 0; round < ROUNDS; ++round)
        for (int k = 0; k < 2; ++k)
            assert_int_equal(record(plan[k], &d[k], round % 2), SLIMBAND_OK);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(slimband_cuda_wait(plan[k]), SLIMBAND_OK);
        device_get(&d[k], &s[k]);
        for (int64_t i = 0; i < SYSTEMS; ++i)
            assert_true(batch_error(&s[k], i) < 1e-15);
        slimband_plan_destroy(plan[k]);
        assert_int_equal(cudaStreamDestroy(stream[k]), cudaSuccess);
        device_free(&d[k]);
        batch_free(&s[k]);
    }
}

typedef struct kind {
    int64_t n, systems;
    slimband_coefficients coefficients;
    bool side_by_side;
} kind;

/* One array to the other and back, over and over: all rounds queued at once, or each waited for. Ends in d->b. */
static void pass_on(slimband_plan *plan, const device_batch *d, bool fused, bool waits)
{
    const double *from = d->b;
    for (int round = 0; round < ROUNDS; ++round) {
        double *to = from == d->b ? d->x : d->b;
        slimband_status status =
            fused ? slimband_factor_solve(plan, d->diagonals, from, to) : slimband_solve(plan, from, to);
        assert_int_equal(status, SLIMBAND_OK);
        if (waits)
            assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
        from = to;
    }
    assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
}

static void compare_queued_with_waited_for(const kind *k, bool fused)
{
    batch s = batch_make(k->n, k->systems, 51);
    slimband_plan *plan;
    size_t bytes = sizeof(double) * (size_t)(k->n * k->systems);
    double *waited_for = malloc(bytes), *queued = malloc(bytes);
    assert_true(waited_for && queued);
    for (int64_t e = 0; e < k->n * k->systems; ++e) { /* side by side, other entries are not used */
        s.lower[e] = e % k->n ? s.lower[e] : 0.5;
        s.upper[e] = e % k->n < k->n - 1 ? s.upper[e] : 0.5;
    }
    if (k->side_by_side)
        assert_int_equal(slimband_interleaved(&s.problem, k->systems), SLIMBAND_OK);
    s.problem.coefficients = k->coefficients;
    device_batch d = device_take(&s);
    assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cuda(0, NULL), "auto"), SLIMBAND_OK);
    if (!fused)
        assert_int_equal(slimband_factor(plan, d.diagonals), SLIMBAND_OK);
    for (int waits = 1; waits >= 0; --waits) {
        device_put(&s, &d);
        pass_on(plan, &d, fused, waits);
        assert_int_equal(cudaMemcpy(waits ? waited_for : queued, d.b, bytes, cudaMemcpyDeviceToHost),
                         cudaSuccess);
    }
    assert_memory_equal(waited_for, queued, bytes);
    assert_true(memcmp(queued, s.b, bytes) != 0);
    slimband_plan_destroy(plan);
    device_free(&d);
    batch_free(&s);
    free(waited_for);
    free(queued);
}

/* Kernels may be brought to the device before what is in front of them has ended. */
static void test_a_solve_takes_what_the_one_in_front_of_it_has_left(void **state)
{
    (void)state;
    static const kind kinds[] = {
        {12, 4000, SLIMBAND_OWN, false},    {12, 4000, SLIMBAND_OWN, true},
        {12, 70000, SLIMBAND_SHARED, true}, {300, 500, SLIMBAND_OWN, false},
        {300, 3000, SLIMBAND_OWN, true},    {300, 500, SLIMBAND_SHARED, false},
        {300, 500, SLIMBAND_SHARED, true},  {1024, 4000, SLIMBAND_OWN, true},
        {1024, 4000, SLIMBAND_OWN, false},  {2000, 40, SLIMBAND_OWN, false},
        {10000, 140, SLIMBAND_OWN, false},  {20000, 40, SLIMBAND_OWN, false},
        {70000, 5, SLIMBAND_OWN, false},    {300000, 1, SLIMBAND_OWN, false},
        {3000, 64, SLIMBAND_SHARED, true},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        for (int fused = 0; fused < 2; ++fused)
            compare_queued_with_waited_for(&kinds[k], fused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_captured_graph_solves_what_the_arrays_hold_when_it_is_replayed),
        cmocka_unit_test(test_two_streams_of_one_thread_do_not_meet),
        cmocka_unit_test(test_a_solve_takes_what_the_one_in_front_of_it_has_left),
        cmocka_unit_test(test_two_threads_with_a_stream_each_do_not_meet),
    };
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
