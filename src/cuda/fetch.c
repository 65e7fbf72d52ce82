/* What became of the systems: records are fetched from the device when somebody asks, since a graph that was
 * replayed may have changed them behind our back. */
#include <math.h>

#include "src/cuda/plan.h"

enum { AT_ONCE = 2048 };

/* Waits for the stream. */
static slimband_status copy(const sb_cuda_plan *cuda, void *to, const void *from, size_t bytes)
{
    int previous;
    slimband_status status = sb_cuda_enter(cuda->device.number, &previous);
    if (status)
        return status;
    cudaError_t error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, cuda->stream);
    if (!error)
        error = cudaStreamSynchronize(cuda->stream);
    if (error)
        (void)cudaGetLastError();
    sb_cuda_leave(previous);
    return sb_cuda_status(error);
}

static int64_t next_count(int64_t from, int64_t total)
{
    return total - from < AT_ONCE ? total - from : AT_ONCE;
}

slimband_status sb_cuda_wait(const slimband_plan *plan)
{
    const sb_cuda_plan *cuda = plan->state;
    slimband_status status = SLIMBAND_OK;
    sb_cuda_outcome some[AT_ONCE];
    for (int64_t s = 0, count; s < plan->systems && !status; s += count) {
        count = next_count(s, plan->systems);
        status = copy(cuda, some, cuda->job.system + s, (size_t)count * sizeof *some);
        for (int64_t i = 0; i < count && !status; ++i)
            status = (slimband_status)sb_cuda_status_of(some[i]);
    }
    return status;
}

static slimband_status add_matrices(const slimband_plan *plan, slimband_report *r)
{
    const sb_cuda_plan *cuda = plan->state;
    slimband_status status = SLIMBAND_OK;
    sb_cuda_matrix some[AT_ONCE];
    for (int64_t m = 0, count; m < plan->matrices && !status; m += count) {
        count = next_count(m, plan->matrices);
        status = copy(cuda, some, cuda->job.matrix + m, (size_t)count * sizeof *some);
        for (int64_t i = 0; i < count && !status; ++i) {
            r->pivoted += (some[i].flags & SB_CUDA_PIVOTED) != 0;
            r->largest_growth = fmax(r->largest_growth, (double)some[i].growth);
        }
    }
    return status;
}

static slimband_status add_systems(const slimband_plan *plan, slimband_report *r)
{
    const sb_cuda_plan *cuda = plan->state;
    slimband_status status = SLIMBAND_OK;
    sb_cuda_outcome some[AT_ONCE];
    for (int64_t s = 0, count; s < plan->systems && !status; s += count) {
        count = next_count(s, plan->systems);
        status = copy(cuda, some, cuda->job.system + s, (size_t)count * sizeof *some);
        for (int64_t i = 0; i < count && !status; ++i)
            r->failed += some[i] != SB_CUDA_GOOD;
    }
    return status;
}

slimband_status sb_cuda_report(const slimband_plan *plan, slimband_report *r)
{
    const sb_cuda_plan *cuda = plan->state;
    bool cut = cuda->launchers && cuda->job.periodic; /* a ring is a level of its own */
    r->threads = 1;
    r->levels = (cuda->launchers ? cuda->method->levels(&cuda->setup) : 1) + cut;
    r->words_per_row = cuda->launchers ? cuda->method->words(&cuda->setup) : sb_cuda_rescue_words(cuda);
    slimband_status status = add_matrices(plan, r);
    return status ? status : add_systems(plan, r);
}

slimband_status sb_cuda_system_info(const slimband_plan *plan, int64_t system, slimband_system_info *info)
{
    const sb_cuda_plan *cuda = plan->state;
    sb_cuda_outcome outcome;
    sb_cuda_matrix matrix;
    slimband_status status = copy(cuda, &outcome, cuda->job.system + system, sizeof outcome);
    if (!status)
        status = copy(cuda, &matrix, cuda->job.matrix + sb_matrix_of(&plan->problem, system), sizeof matrix);
    if (!status)
        *info = (slimband_system_info){.status = (slimband_status)sb_cuda_status_of(outcome),
                                       .row = sb_cuda_row_of(outcome),
                                       .growth = (double)matrix.growth,
                                       .pivoted = (matrix.flags & SB_CUDA_PIVOTED) != 0};
    return status;
}
