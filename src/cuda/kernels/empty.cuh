/* What is left to do where there is nothing to solve. */
#ifndef SB_CUDA_EMPTY_CUH
#define SB_CUDA_EMPTY_CUH

#include "src/cuda/method.h"

namespace
{

/* The records of matrices and systems without rows, or of none. */
inline cudaError_t settle_empty(const sb_cuda_call *call)
{
    const sb_cuda_job &job = call->job;
    cudaError_t error = cudaMemsetAsync(job.matrix, 0, job.matrices * sizeof *job.matrix, call->stream);
    return error != cudaSuccess
               ? error
               : cudaMemsetAsync(job.system, 0, job.systems * sizeof *job.system, call->stream);
}

} // namespace

#endif
