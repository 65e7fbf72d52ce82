/* How the host sets tiles going. */
#ifndef SB_CUDA_TILE_LAUNCH_CUH
#define SB_CUDA_TILE_LAUNCH_CUH

#include <algorithm>
#include <cuda.h>
#include <cuda_runtime.h>

#include "src/chunk/scalar.h"
#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/tile/plan.h"

/* own.cu, own_lines.cu */
extern "C" {
sb_cuda_ready SB_NAME(tile_own_ready), SB_NAME(tile_own_lines_ready);
sb_cuda_launch SB_NAME(tile_own_factor), SB_NAME(tile_own_solve), SB_NAME(tile_own_factor_solve);
sb_cuda_launch SB_NAME(tile_own_lines_factor), SB_NAME(tile_own_lines_solve),
    SB_NAME(tile_own_lines_factor_solve);
}

namespace
{

bool sb_tile_aligned(const void *p)
{
    return reinterpret_cast<uintptr_t>(p) % 16 == 0;
}

/* Do the engine's pieces of one array end where those of the other do, and no scalar lies in two of them? */
bool sb_tile_alike(const void *p, const void *q)
{
    const uintptr_t one = reinterpret_cast<uintptr_t>(p), other = reinterpret_cast<uintptr_t>(q);
    return (one - other) % 16 == 0 && one % sizeof(T) == 0;
}

/* The driver's function, which it takes its time to find. */
cudaError_t sb_tile_encoder(decltype(&cuTensorMapEncodeTiled) *encode)
{
    static void *known;
    void *entry = __atomic_load_n(&known, __ATOMIC_RELAXED);
    cudaDriverEntryPointQueryResult found;
    cudaError_t error = cudaSuccess;
    if (!entry)
        error = cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault,
                                                 &found);
    if (error != cudaSuccess || !entry)
        return error != cudaSuccess ? error : cudaErrorNotSupported;
    __atomic_store_n(&known, entry, __ATOMIC_RELAXED);
    *encode = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry);
    return cudaSuccess;
}

/* The engine's view of an array: column, row, two outer dimensions; it counts in words of 4 or 8 bytes. A box of columns
   and rows is what it copies at once. */
cudaError_t sb_tile_map(CUtensorMap *map, const T *array, const sb_tile_strided &job, const sb_tile_line &at,
                        int columns, int rows)
{
    decltype(&cuTensorMapEncodeTiled) encode;
    cudaError_t error = sb_tile_encoder(&encode);
    if (error != cudaSuccess)
        return error;
    const cuuint32_t words = SB_TILE_WORDS(sizeof(T)), steps[4] = {1, 1, 1, 1};
    cuuint64_t extents[4] = {static_cast<cuuint64_t>(job.grid.extent) * words,
                             static_cast<cuuint64_t>(job.cut.n) * std::max(job.split.count, 1),
                             static_cast<cuuint64_t>(job.grid.outer[0]),
                             static_cast<cuuint64_t>(job.grid.outer[1])};
    cuuint64_t strides[3] = {at.row * sizeof(T), at.outer[0] * sizeof(T), at.outer[1] * sizeof(T)};
    for (cuuint64_t &stride : strides)
        if (stride == 0)
            stride = 16;
    cuuint32_t box[4] = {static_cast<cuuint32_t>(columns) * words, static_cast<cuuint32_t>(rows), 1, 1};
    CUresult result = encode(
        map, sizeof(T) == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 4,
        const_cast<T *>(array), extents, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue;
}

/* Clusters of `blocks` blocks, without their number. */
inline cudaLaunchConfig_t sb_tile_config(cudaLaunchAttribute attributes[2], int blocks, int threads,
                                         size_t shared, cudaStream_t stream)
{
    attributes[0] = attributes[1] = {};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    config.attrs = attributes;
    config.numAttrs = blocks > 1;
    return config;
}

/* Once a plan: how many of them the device holds at once, perhaps none. Kernels may have all shared memory there is, so that
   plans do not take from one another what they have asked for. */
template <typename... Parameters>
cudaError_t sb_tile_ready(void (*kernel)(Parameters...), int blocks, int threads, size_t shared,
                          const sb_cuda_device *device, int *resident)
{
    cudaLaunchAttribute attributes[2];
    cudaLaunchConfig_t config = sb_tile_config(attributes, blocks, threads, shared, nullptr);
    cudaError_t error =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, device->shared_block);
    if (error == cudaSuccess && blocks > 8)
        error = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (error != cudaSuccess)
        return error;
    if (blocks > 1)
        return cudaOccupancyMaxActiveClusters(resident, kernel, &config);
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(resident, kernel, threads, shared);
    *resident *= device->processors;
    return error;
}

/* As many as are resident, at most `tiles` of them. The kernel begins with sb_follow. */
template <typename... Parameters, typename... Arguments>
cudaError_t sb_tile_launch(void (*kernel)(Parameters...), int blocks, int tiles, int threads, size_t shared,
                           int resident, const sb_cuda_call *call, Arguments... arguments)
{
    cudaLaunchAttribute attributes[2];
    cudaLaunchConfig_t config = sb_tile_config(attributes, blocks, threads, shared, call->stream);
    if (resident == 0)
        return cudaErrorInvalidConfiguration;
    if (call->setup->device->major >= 9)
        sb_add_following(&config, attributes);
    config.gridDim = dim3(blocks * (tiles < resident ? tiles : resident));
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

} // namespace

#endif
