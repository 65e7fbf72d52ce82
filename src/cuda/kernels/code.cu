/* A kernel that is only looked at. */
#include "src/cuda/kernels/code.h"

namespace
{

__global__ void looked_at()
{
}

} // namespace

cudaError_t sb_cuda_code_is_for(int *capability)
{
    cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, looked_at);
    *capability = error ? 0 : attributes.ptxVersion;
    return error;
}
