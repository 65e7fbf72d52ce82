/* CUDA for the applications: errors in our words, the device that a call works on. */
#ifndef SB_APPS_DEVICE_H
#define SB_APPS_DEVICE_H

#include <cuda_runtime_api.h>

#include "slimband/status.h"

/* CUDA's error as a status. */
slimband_status sb_app_cuda_status(cudaError_t error);

/* OK if there is a device of this number. */
slimband_status sb_app_cuda_present(int device);

/* Make a device the thread's current one until sb_app_cuda_leave. */
slimband_status sb_app_cuda_enter(int device, int *previous);
void sb_app_cuda_leave(int previous);

#endif
