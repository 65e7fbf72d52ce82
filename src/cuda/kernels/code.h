/* What the code was made for that a device runs of this library. */
#ifndef SB_CUDA_CODE_H
#define SB_CUDA_CODE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ten times the compute capability for which the code was made that the current device runs. That is not its own where a build has nothing
   for it: one for 8.0 and 10.0 has 8.0's for 9.0, in which kernels are empty that need what 9.0 added. */
cudaError_t sb_cuda_code_is_for(int *capability);

#ifdef __cplusplus
}
#endif

#endif
