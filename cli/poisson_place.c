/* slimband poisson: where it is solved. On a GPU all arrays go there first and u comes back; the time is that of the solve. */
#include "cli/poisson.h"

#include "cli/progress.h"

#ifdef SB_HAS_CUDA
#include <cuda_runtime_api.h>

enum { PIECES = 2 + SB_POISSON_SIDES };

/* What lies on the device. */
typedef struct device {
    void *piece[PIECES];
    int pieces;
    cudaError_t error;
} device;

/* Room for `count` numbers, with those at `from` if it is not NULL. */
static void *put(device *d, const sb_poisson_job *job, const void *from, int64_t count)
{
    void *there = NULL;
    size_t bytes = (size_t)count * sb_number_bytes(job->problem.scalar);
    if (!d->error)
        d->error = cudaMalloc(&there, bytes);
    if (!d->error) {
        d->piece[d->pieces++] = there;
        if (from)
            d->error = cudaMemcpy(there, from, bytes, cudaMemcpyHostToDevice);
    }
    return there;
}

static slimband_status solve_there(sb_poisson_job *job, slimband_poisson_plan *plan)
{
    device d = {.error = cudaSuccess};
    slimband_poisson_boundary boundary = {0};
    int64_t points = job->problem.fields * job->points;
    void *f = put(&d, job, job->f.data, points), *u = put(&d, job, NULL, points);
    for (int k = 0; k < 2 * job->problem.rank; ++k)
        if (job->side[k / 2][k % 2])
            boundary.side[k / 2][k % 2] =
                put(&d, job, job->side[k / 2][k % 2], points / job->problem.axis[k / 2].n);
    slimband_status status = SLIMBAND_OK;
    if (!d.error) {
        double start = sb_seconds();
        status = slimband_poisson_solve(plan, f, &boundary, u);
        d.error = cudaDeviceSynchronize();
        job->seconds = sb_seconds() - start;
    }
    if (!d.error && !status)
        d.error = cudaMemcpy(job->u.data, u, (size_t)points * sb_number_bytes(job->problem.scalar),
                             cudaMemcpyDeviceToHost);
    for (int k = 0; k < d.pieces; ++k)
        (void)cudaFree(d.piece[k]);
    if (status || !d.error)
        return status;
    return d.error == cudaErrorMemoryAllocation ? SLIMBAND_OUT_OF_MEMORY : SLIMBAND_DEVICE_FAILED;
}
#else
static slimband_status solve_there(sb_poisson_job *job, slimband_poisson_plan *plan)
{
    (void)job, (void)plan;
    return SLIMBAND_NOT_BUILT_IN;
}
#endif

slimband_status sb_poisson_solve_at(sb_poisson_job *job, slimband_poisson_plan *plan)
{
    if (job->settings->executor)
        return solve_there(job, plan);
    double start = sb_seconds();
    slimband_status status = slimband_poisson_solve(plan, job->f.data, &job->boundary, job->u.data);
    job->seconds = sb_seconds() - start;
    return status;
}
