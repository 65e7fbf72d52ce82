/* The public calls of cuda.h. This file is there without CUDA too: plans are then refused by the registry. */
#include "slimband/cuda.h"

#include "src/core/backend.h"

slimband_executor slimband_cuda(int device, struct CUstream_st *stream)
{
    return (slimband_executor){.place = SLIMBAND_ON_CUDA, .device = device, .place_data = stream};
}

slimband_status slimband_cuda_workspace(const slimband_problem *problem, slimband_executor executor,
                                        const char *method, size_t *bytes)
{
    if (!method || !bytes)
        return SLIMBAND_NULL_ARGUMENT;
    *bytes = 0;
    if (executor.place != SLIMBAND_ON_CUDA)
        return SLIMBAND_BAD_EXECUTOR;
    sb_choice choice;
    slimband_status status = sb_find_method(problem, executor, method, &choice);
    return status ? status : choice.backend->workspace(choice.method, problem, executor, choice.options, bytes);
}

slimband_status slimband_cuda_plan_create(slimband_plan **plan, const slimband_problem *problem,
                                          slimband_executor executor, const char *method, void *workspace,
                                          size_t bytes)
{
    if (plan)
        *plan = NULL;
    if (!plan || !workspace)
        return SLIMBAND_NULL_ARGUMENT;
    if (executor.place != SLIMBAND_ON_CUDA)
        return SLIMBAND_BAD_EXECUTOR;
    return sb_plan_create(plan, problem, executor, method, workspace, bytes);
}

slimband_status slimband_cuda_wait(const slimband_plan *plan)
{
    if (!plan)
        return SLIMBAND_NULL_ARGUMENT;
    return plan->backend->wait ? plan->backend->wait(plan) : SLIMBAND_BAD_EXECUTOR;
}
