/* Devices, as the applications see them. */
#include "src/apps/device.h"

slimband_status sb_app_cuda_status(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return SLIMBAND_OK;
    case cudaErrorMemoryAllocation:
        return SLIMBAND_OUT_OF_MEMORY;
    case cudaErrorInvalidResourceHandle:
        return SLIMBAND_BAD_STREAM;
    default:
        return SLIMBAND_DEVICE_FAILED;
    }
}

slimband_status sb_app_cuda_present(int device)
{
    int count = 0;
    if (!cudaGetDeviceCount(&count) && device >= 0 && device < count)
        return SLIMBAND_OK;
    (void)cudaGetLastError();
    return SLIMBAND_NO_DEVICE;
}

slimband_status sb_app_cuda_enter(int device, int *previous)
{
    cudaError_t error = cudaGetDevice(previous);
    return sb_app_cuda_status(error || *previous == device ? error : cudaSetDevice(device));
}

void sb_app_cuda_leave(int previous)
{
    (void)cudaSetDevice(previous);
}
