/* A kernel that follows closely on another one: it is brought to the device when that one's blocks have ended (programmatic
 * dependent launch, from compute capability 9.0 on), and waits there for what they wrote. 1 to 2 us less than one after the
 * other (H200). The kernel in front does not ask for it earlier: that cost batches of 65536 systems 3 to 7 us. But one that
 * is all latency does (sb_precede): what is behind it then waits where it will run. */
#ifndef SB_CUDA_FOLLOW_CUH
#define SB_CUDA_FOLLOW_CUH

#include <cuda_runtime.h>

#include "src/cuda/kernels/bulk.cuh"

namespace
{

/* In the kernel behind, before it reads or writes anything in memory. */
__device__ __forceinline__ void sb_follow()
{
    SB_HOPPER("griddepcontrol.wait;" ::: "memory");
}

/* In the kernel in front: the one behind may be brought to the device as soon as all of this one's blocks have said so. */
__device__ __forceinline__ void sb_precede()
{
    SB_HOPPER("griddepcontrol.launch_dependents;");
}

/* One more attribute of a launch, behind those that it has; `attributes` has room for it. */
inline void sb_add_following(cudaLaunchConfig_t *config, cudaLaunchAttribute *attributes)
{
    cudaLaunchAttribute *early = attributes + config->numAttrs++;
    *early = {};
    early->id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early->val.programmaticStreamSerializationAllowed = 1;
    config->attrs = attributes;
}

/* major: the device's compute capability; shared: bytes of a block. */
template <typename... Parameters, typename... Arguments>
cudaError_t sb_launch_following(int major, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
                                size_t shared, cudaStream_t stream, const Arguments &...arguments)
{
    cudaLaunchAttribute early;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared;
    config.stream = stream;
    if (major >= 9)
        sb_add_following(&config, &early);
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

} // namespace

#endif
