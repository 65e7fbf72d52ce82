/* From a plan to launches. */
#ifndef SB_REDUCTION_LAUNCH_CUH
#define SB_REDUCTION_LAUNCH_CUH

#include "src/cuda/kernels/empty.cuh"
#include "src/cuda/reduction/plan.h"

namespace
{

inline const sb_reduction &plan_of(const sb_cuda_call *call)
{
    return *reinterpret_cast<const sb_reduction *>(call->state);
}

/* `blocks` may be more than a grid takes: kernels stride. */
template <class... Given, class... Taken>
cudaError_t start(void (*kernel)(Taken...), const sb_cuda_call *call, int64_t blocks, int threads,
                  int64_t shared, Given... given)
{
    const int64_t most_blocks = INT64_C(1) << 30, without_asking = 48 << 10;
    /* The same for all: other plans' launches ask for it at the same time. */
    const int most_shared = call->setup->device->shared_block - SB_REDUCTION_STATIC;
    cudaError_t error = cudaSuccess;
    if (shared + SB_REDUCTION_STATIC > without_asking)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared);
    if (error != cudaSuccess || blocks == 0)
        return error;
    kernel<<<static_cast<unsigned>(blocks < most_blocks ? blocks : most_blocks), threads,
             static_cast<size_t>(shared), call->stream>>>(call->job, given...);
    return cudaGetLastError();
}

/* Items a block takes of a level: one for each thread, unless there are more than enough blocks. */
inline int64_t share_of(const sb_cuda_call *call, int64_t items, int64_t systems)
{
    const int64_t rounds = 4, deep = 8;
    int64_t threads = SB_REDUCTION_THREADS, device = call->setup->device->processors * 2048;
    return items * systems > deep * device ? rounds * threads : threads;
}

inline int64_t bytes_of_keys(const sb_reduction &plan)
{
    return (plan.together * static_cast<int64_t>(sizeof(unsigned long long)) + 255) / 256 * 256;
}

} // namespace

#endif
