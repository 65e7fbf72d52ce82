/* Samples on a GPU. */
#include "tests/poisson/device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

int device_begin(int argc, char **argv)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) || count == 0) {
        printf("skipped: no CUDA device\n");
        return 0;
    }
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    return argc > 1 ? atoi(argv[1]) : 1;
}

static void *on_device(const void *data, size_t bytes)
{
    void *copy;
    assert_int_equal(cudaMalloc(&copy, bytes ? bytes : 1), cudaSuccess);
    assert_int_equal(cudaMemcpy(copy, data, bytes, cudaMemcpyHostToDevice), cudaSuccess);
    return copy;
}

device_sample device_take(const sample *s)
{
    const slimband_poisson_problem *p = &s->problem;
    size_t size = p->scalar == SLIMBAND_F32 ? sizeof(float) : sizeof(double);
    device_sample d = {.bytes = (size_t)(p->fields * s->points) * size};
    d.f = on_device(oracle_f(s), d.bytes);
    d.u = on_device(oracle_f(s), d.bytes);
    assert_int_equal(cudaMemset(d.u, 0xff, d.bytes), cudaSuccess); /* NaN everywhere */
    for (int a = 0; a < p->rank; ++a)
        for (int side = 0; side < 2; ++side)
            d.boundary.side[a][side] =
                on_device(s->boundary.side[a][side], (size_t)(p->fields * s->points / p->axis[a].n) * size);
    /* A copy from pageable memory may return before it has arrived, and streams that do not block would not wait. */
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    return d;
}

void device_free(device_sample *d, int rank)
{
    cudaFree(d->f);
    cudaFree(d->u);
    for (int a = 0; a < rank; ++a)
        for (int side = 0; side < 2; ++side)
            cudaFree((void *)d->boundary.side[a][side]);
}

double *device_solve(const sample *s, const char *method, bool in_place, slimband_status *status,
                     slimband_poisson_report *report)
{
    slimband_poisson_plan *plan;
    *status = slimband_poisson_plan_create(&plan, &s->problem, slimband_cuda(0, NULL), method);
    if (*status)
        return NULL;
    device_sample d = device_take(s);
    size_t count = (size_t)(s->problem.fields * s->points);
    bool single = s->problem.scalar == SLIMBAND_F32;
    void *from = in_place ? d.f : d.u;
    double *u = malloc((count + 1) * sizeof *u);
    *status = slimband_poisson_solve(plan, d.f, &d.boundary, from);
    slimband_status told = slimband_poisson_plan_report(plan, report);
    *status = *status ? *status : told;
    float *narrow = malloc((count + 1) * sizeof *narrow);
    assert_int_equal(cudaMemcpy(single ? (void *)narrow : (void *)u, from, d.bytes, cudaMemcpyDeviceToHost),
                     cudaSuccess);
    for (size_t i = 0; single && i < count; ++i)
        u[i] = (double)narrow[i];
    free(narrow);
    slimband_poisson_plan_destroy(plan);
    device_free(&d, s->problem.rank);
    return u;
}

static double *device_answer(const device_sample *d, cudaStream_t stream)
{
    double *u = malloc(d->bytes);
    assert_non_null(u);
    assert_int_equal(cudaStreamSynchronize(stream), cudaSuccess);
    assert_int_equal(cudaMemcpy(u, d->u, d->bytes, cudaMemcpyDeviceToHost), cudaSuccess);
    return u;
}

void device_check_capture(const slimband_poisson_problem *p, const char *method)
{
    cudaStream_t stream;
    assert_int_equal(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    sample s = oracle_draw(p, 9);
    device_sample d = device_take(&s);
    slimband_poisson_plan *plan;
    assert_int_equal(slimband_poisson_plan_create(&plan, p, slimband_cuda(0, stream), method), SLIMBAND_OK);
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    assert_int_equal(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    assert_int_equal(slimband_poisson_solve(plan, d.f, &d.boundary, d.u), SLIMBAND_OK);
    assert_int_equal(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    assert_int_equal(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
    assert_int_equal(cudaGraphLaunch(ready, stream), cudaSuccess);
    double *first = device_answer(&d, stream);
    assert_true(oracle_backward_error(&s, first) <= rounding(p));
    assert_int_equal(cudaMemset(d.u, 0xff, d.bytes), cudaSuccess);
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    assert_int_equal(slimband_poisson_solve(plan, d.f, &d.boundary, d.u), SLIMBAND_OK);
    double *second = device_answer(&d, stream);
    assert_memory_equal(first, second, d.bytes);
    slimband_poisson_plan_destroy(plan);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    device_free(&d, p->rank);
    free(first);
    free(second);
    oracle_free(&s);
}
