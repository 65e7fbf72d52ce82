/* Systems that differ by a shift, on the device: roots and stored pivots, held lines and passes over chunks, against the equations
 * and the CPU. */
#include <cuda_runtime_api.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "slimband/cuda.h"
#include "tests/cuda/device.h"
#include "tests/shifted/family.h"

static slimband_status solve_on(slimband_executor executor, const family *f, void *x,
                                slimband_shifted_report *report)
{
    slimband_shifted *systems;
    slimband_status status = slimband_shifted_create(&systems, &f->problem, executor);
    if (!status)
        status = slimband_shifted_describe(systems, report);
    if (!status)
        status = slimband_shifted_solve(systems, x);
    slimband_shifted_destroy(systems); /* waits */
    return status;
}

static void *on_device(const void *host, size_t bytes)
{
    void *memory;
    assert_int_equal(cudaMalloc(&memory, bytes + 1), cudaSuccess);
    assert_int_equal(cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    return memory;
}

static void to_host(void *host, const void *device, size_t bytes)
{
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
}

/* method: that is expected, or NULL. */
static void try_family(family_kind kind, slimband_scalar scalar, const int64_t extents[4], bool singular,
                       const char *method, uint64_t seed)
{
    family f = family_draw(kind, scalar, extents, singular, seed);
    size_t bytes = family_bytes(&f);
    void *x = family_copy(&f), *device = on_device(x, bytes);
    slimband_shifted_report report;
    slimband_status status = solve_on(slimband_cuda(0, NULL), &f, device, &report);
    to_host(x, device, bytes);
    double error = family_error(&f, x);
    if (status || !(error < 64) || (method && strcmp(method, report.method) != 0))
        fail_msg("kind %d, %s, %lld x %lld x %lld x %lld, singular %lld, seed %llu: %s, by %s %.1f roundings",
                 (int)kind, scalar == SLIMBAND_F32 ? "f32" : "f64", (long long)extents[0],
                 (long long)extents[1], (long long)extents[2], (long long)extents[3],
                 (long long)f.problem.singular, (unsigned long long)seed, slimband_status_name(status),
                 status ? "" : report.method, error);
    if (f.problem.singular >= 0)
        assert_true(family_zeros(&f, x) >= 1);
    assert_int_equal(cudaFree(device), cudaSuccess);
    free(x);
    family_free(&f);
}

static const int64_t lengths[] = {1, 2, 3, 4, 47, 48, 49, 50, 95, 96, 97, 575, 576, 577, 700};
static const int64_t shapes[][3] = {{1, 1, 1},  {2, 1, 31}, {1, 1, 64}, {2, 3, 33},
                                    {1, 40, 1}, {3, 2, 5},  {1, 1, 200}};
enum { LENGTHS = sizeof lengths / sizeof *lengths, SHAPES = sizeof shapes / sizeof *shapes };

/* Those whose rows are alike have roots: no end that is drawn here is of another order of magnitude. */
static void test_every_shape_by_roots_and_by_pivots(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < LENGTHS * SHAPES; ++k)
        for (int kind = 0; kind < FAMILY_KINDS; ++kind, ++seed) {
            const int64_t *shape = shapes[k % SHAPES], n = lengths[k / SHAPES],
                          extents[] = {shape[0], shape[1], n, shape[2]};
            bool alike = kind == FAMILY_EVEN, few = n < 3;
            try_family((family_kind)kind, seed % 2 ? SLIMBAND_F32 : SLIMBAND_F64, extents, false,
                       alike && !few ? NULL
                       : n == 3      ? NULL
                                     : "pivots",
                       seed);
        }
}

static void test_one_singular_system_has_a_solution_with_a_zero(void **state)
{
    (void)state;
    static const family_kind kinds[] = {FAMILY_EVEN, FAMILY_VARYING, FAMILY_NEGATIVE};
    uint64_t seed = 2001;
    for (int k = 0; k < LENGTHS * SHAPES; ++k, ++seed) {
        const int64_t *shape = shapes[k % SHAPES],
                      extents[] = {shape[0], shape[1], lengths[k / SHAPES], shape[2]};
        try_family(kinds[k % 3], k / 3 % 2 ? SLIMBAND_F32 : SLIMBAND_F64, extents, true, NULL, seed);
    }
}

/* Dirichlet's walls at nodes. */
static void test_walls_have_roots_where_lines_are_held_and_where_they_are_long(void **state)
{
    (void)state;
    enum { LONG = 5000, SYSTEMS = 70 };
    static double off[LONG], diagonal[LONG], shift[SYSTEMS], u[LONG * SYSTEMS], v[LONG * SYSTEMS];
    for (int64_t i = 0; i < LONG; ++i) {
        off[i] = -1;
        diagonal[i] = 2;
    }
    for (int64_t k = 0; k < SYSTEMS; ++k)
        shift[k] = 1e-3 * (double)(k * k);
    static const int64_t sizes[] = {100, 576, 577, LONG};
    for (int s = 0; s < 4; ++s) {
        slimband_shifted_problem p = {SLIMBAND_F64, 1,        1,   sizes[s], SYSTEMS,
                                      off,          diagonal, off, shift,    SLIMBAND_NONE_SINGULAR};
        int64_t elements = sizes[s] * SYSTEMS;
        for (int64_t i = 0; i < elements; ++i)
            u[i] = v[i] = sin((double)i);
        family f = {.problem = p};
        slimband_shifted_report report;
        void *device = on_device(u, (size_t)elements * sizeof *u);
        assert_int_equal(solve_on(slimband_cuda(0, NULL), &f, device, &report), SLIMBAND_OK);
        assert_string_equal(report.method, "root");
        assert_true(sizes[s] > 576 ? report.words_per_row > 3 : report.words_per_row == 2);
        to_host(u, device, (size_t)elements * sizeof *u);
        assert_int_equal(solve_on(slimband_cpu(1), &f, v, &report), SLIMBAND_OK);
        double difference = 0, largest = 0;
        for (int64_t i = 0; i < elements; ++i) {
            difference = fmax(difference, fabs(u[i] - v[i]));
            largest = fmax(largest, fabs(v[i]));
        }
        assert_true(difference <= 1e-11 * largest);
        assert_int_equal(cudaFree(device), cudaSuccess);
    }
}

static void test_refusals_are_those_of_the_cpu(void **state)
{
    (void)state;
    double lower[] = {NAN, -1, -1, -2}, diagonal[] = {2, 2, 2, 2}, upper[] = {-2, -1, -1, NAN},
           shift[] = {1, 0};
    slimband_shifted_problem p = {SLIMBAND_F64, 1,        1,     4,     2,
                                  lower,        diagonal, upper, shift, SLIMBAND_NONE_SINGULAR};
    slimband_shifted *systems;
    assert_int_equal(slimband_shifted_create(&systems, &p, slimband_cuda(0, NULL)), SLIMBAND_BREAKDOWN);
    assert_null(systems);
    p.singular = 1;
    shift[0] = -5; /* positive and negative definite ones */
    assert_int_equal(slimband_shifted_create(&systems, &p, slimband_cuda(0, NULL)), SLIMBAND_OK);
    slimband_shifted_report report;
    assert_int_equal(slimband_shifted_describe(systems, &report), SLIMBAND_OK);
    assert_string_equal(report.method, "pivots");
    slimband_shifted_destroy(systems);
    shift[0] = -3;
    assert_int_equal(slimband_shifted_create(&systems, &p, slimband_cuda(0, NULL)), SLIMBAND_BREAKDOWN);
    assert_int_equal(slimband_shifted_create(&systems, &p, slimband_cuda(1 << 20, NULL)), SLIMBAND_NO_DEVICE);
    p.before = 0;
    p.singular = SLIMBAND_NONE_SINGULAR;
    assert_int_equal(slimband_shifted_create(&systems, &p, slimband_cuda(0, NULL)), SLIMBAND_OK);
    assert_int_equal(slimband_shifted_solve(systems, NULL), SLIMBAND_OK);
    slimband_shifted_destroy(systems);
}

/* By roots and by pivots, on a stream that does not wait for others. */
static void test_a_captured_solve_can_be_replayed(void **state)
{
    (void)state;
    for (int kind = FAMILY_EVEN; kind <= FAMILY_VARYING; ++kind) {
        family f = family_draw((family_kind)kind, SLIMBAND_F64, (const int64_t[]){1, 2, 800, 50}, false, 4001);
        size_t bytes = family_bytes(&f);
        void *x = family_copy(&f), *device = on_device(x, bytes);
        cudaStream_t stream;
        cudaGraph_t graph;
        cudaGraphExec_t ready;
        slimband_shifted *systems, *refused;
        assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        assert_int_equal(slimband_shifted_create(&systems, &f.problem, slimband_cuda(0, stream)), SLIMBAND_OK);
        assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
        assert_int_equal(slimband_shifted_solve(systems, device), SLIMBAND_OK);
        assert_int_equal(slimband_shifted_create(&refused, &f.problem, slimband_cuda(0, stream)),
                         SLIMBAND_BAD_STREAM);
        assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        assert_int_equal(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
        for (int round = 0; round < 2; ++round) {
            assert_int_equal(cudaMemcpyAsync(device, f.b, bytes, cudaMemcpyHostToDevice, stream), cudaSuccess);
            assert_int_equal(cudaGraphLaunch(ready, stream), cudaSuccess);
            assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
            to_host(x, device, bytes);
            assert_true(family_error(&f, x) < 64);
        }
        assert_int_equal(cudaGraphExecDestroy(ready), cudaSuccess);
        assert_int_equal(cudaGraphDestroy(graph), cudaSuccess);
        slimband_shifted_destroy(systems);
        assert_int_equal(cudaStreamDestroy(stream), cudaSuccess);
        assert_int_equal(cudaFree(device), cudaSuccess);
        free(x);
        family_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape_by_roots_and_by_pivots),
        cmocka_unit_test(test_one_singular_system_has_a_solution_with_a_zero),
        cmocka_unit_test(test_walls_have_roots_where_lines_are_held_and_where_they_are_long),
        cmocka_unit_test(test_refusals_are_those_of_the_cpu),
        cmocka_unit_test(test_a_captured_solve_can_be_replayed),
    };
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
