/* What became of the systems: records are fetched from the device when somebody asks, since a graph that was
 * replayed may have changed them behind our back. */
#include <math.h>
#include <stddef.h>

#include "src/cuda/plan.h"

enum { BUFFER = 16384 };

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

/* Looks at one record; what it returns ends the visit unless it is SLIMBAND_OK. */
typedef slimband_status see(const void *record, void *state);

/* Visits `count` records of `bytes` each in their order, BUFFER bytes fetched at a time. */
static slimband_status each_record(const sb_cuda_plan *cuda, const void *records, int64_t count, size_t bytes,
                                   see *see, void *state)
{
    _Alignas(max_align_t) char some[BUFFER];
    const int64_t most = (int64_t)(sizeof some / bytes);
    for (int64_t first = 0, taken; first < count; first += taken) {
        taken = count - first < most ? count - first : most;
        slimband_status status =
            copy(cuda, some, (const char *)records + (size_t)first * bytes, (size_t)taken * bytes);
        for (int64_t i = 0; i < taken && !status; ++i)
            status = see(some + (size_t)i * bytes, state);
        if (status)
            return status;
    }
    return SLIMBAND_OK;
}

static slimband_status each_system(const slimband_plan *plan, see *see, void *state)
{
    const sb_cuda_plan *cuda = plan->state;
    return each_record(cuda, cuda->job.system, plan->systems, sizeof(sb_cuda_outcome), see, state);
}

static slimband_status first_failure(const void *record, void *state)
{
    (void)state;
    return (slimband_status)sb_cuda_status_of(*(const sb_cuda_outcome *)record);
}

static slimband_status count_failure(const void *record, void *state)
{
    slimband_report *r = state;
    r->failed += *(const sb_cuda_outcome *)record != SB_CUDA_GOOD;
    return SLIMBAND_OK;
}

static slimband_status add_matrix(const void *record, void *state)
{
    const sb_cuda_matrix *matrix = record;
    slimband_report *r = state;
    r->pivoted += (matrix->flags & SB_CUDA_PIVOTED) != 0;
    r->largest_growth = fmax(r->largest_growth, (double)matrix->growth);
    return SLIMBAND_OK;
}

slimband_status sb_cuda_wait(const slimband_plan *plan)
{
    return each_system(plan, first_failure, NULL);
}

slimband_status sb_cuda_report(const slimband_plan *plan, slimband_report *r)
{
    const sb_cuda_plan *cuda = plan->state;
    bool cut = cuda->launchers && cuda->job.periodic; /* a ring is a level of its own */
    r->threads = 1;
    r->levels = (cuda->launchers ? cuda->method->levels(&cuda->setup) : 1) + cut;
    r->words_per_row = cuda->launchers ? cuda->method->words(&cuda->setup) : sb_cuda_rescue_words(cuda);
    slimband_status status =
        each_record(cuda, cuda->job.matrix, plan->matrices, sizeof(sb_cuda_matrix), add_matrix, r);
    if (!status && cuda->launchers && cuda->method->bound_at) {
        float bound = 0;
        status = copy(cuda, &bound, (const char *)cuda->job.scratch + cuda->method->bound_at(&cuda->setup),
                      sizeof bound);
        r->truncation_bound = (double)bound;
    }
    return status ? status : each_system(plan, count_failure, r);
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
