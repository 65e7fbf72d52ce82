/* A million systems of 64 unknowns with one matrix, on an NVIDIA GPU: every step works on the device's memory. */
#include <cuda_runtime_api.h>
#include <math.h>
#include <slimband/cuda.h>

#include "example.h"

enum { N = 64, SYSTEMS = 1 << 20 };

static double *on_device(const double *host, int64_t count)
{
    void *memory = NULL;
    if (cudaMalloc(&memory, (size_t)count * sizeof(double)) ||
        cudaMemcpy(memory, host, (size_t)count * sizeof(double), cudaMemcpyHostToDevice))
        must(SLIMBAND_OUT_OF_MEMORY);
    return memory;
}

int main(void)
{
    double lower[N], diagonal[N], upper[N], *b = doubles((int64_t)N * SYSTEMS);
    for (int i = 0; i < N; ++i) {
        lower[i] = upper[i] = -1;
        diagonal[i] = 4;
    }
    for (int64_t e = 0; e < (int64_t)N * SYSTEMS; ++e)
        b[e] = 2; /* so that the middle of a long system is 1 */
    double *x = on_device(b, (int64_t)N * SYSTEMS);
    const void *matrix[] = {on_device(lower, N), on_device(diagonal, N), on_device(upper, N)};

    slimband_problem problem = slimband_tridiagonal(SLIMBAND_F64, N);
    problem.coefficients = SLIMBAND_SHARED;
    must(slimband_interleaved(&problem, SYSTEMS));
    slimband_plan *plan;
    must(slimband_plan_create(&plan, &problem, slimband_cuda(0, NULL), SLIMBAND_AUTO));
    must(slimband_factor(plan, matrix));
    must(slimband_cuda_wait(plan));

    const int steps = 10;
    double begin = seconds();
    for (int step = 0; step < steps; ++step)
        must(slimband_solve(plan, x, x)); /* queued, one behind the other */
    must(slimband_cuda_wait(plan));       /* done, and every system solved */
    double time = (seconds() - begin) / steps;

    slimband_report report;
    must(slimband_plan_report(plan, &report));
    if (cudaMemcpy(b, x, (size_t)N * SYSTEMS * sizeof(double), cudaMemcpyDeviceToHost))
        must(SLIMBAND_DEVICE_FAILED);
    printf("%d systems of %d unknowns by %s: %.2f ms a solve; 2^%d times the middle of the last: %.6f\n",
           SYSTEMS, N, report.method, 1e3 * time, steps - 1, ldexp(b[(int64_t)N * SYSTEMS / 2 - 1], steps - 1));
    slimband_plan_destroy(plan);
    return EXIT_SUCCESS;
}
