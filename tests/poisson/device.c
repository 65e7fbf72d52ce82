/* Samples on a GPU. */
#include "tests/poisson/device.h"

#include <cuda_runtime_api.h>

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
