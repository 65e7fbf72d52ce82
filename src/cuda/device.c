/* Facts about devices, and CUDA's errors in our words. */
#include "src/cuda/kernels/code.h"
#include "src/cuda/plan.h"

slimband_status sb_cuda_status(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return SLIMBAND_OK;
    case cudaErrorMemoryAllocation:
        return SLIMBAND_OUT_OF_MEMORY;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorInitializationError:
    case cudaErrorDevicesUnavailable:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorStubLibrary:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorCompatNotSupportedOnDevice:
        return SLIMBAND_NO_DEVICE;
    case cudaErrorInvalidResourceHandle:
    case cudaErrorContextIsDestroyed:
    case cudaErrorStreamCaptureUnsupported:
    case cudaErrorStreamCaptureInvalidated:
        return SLIMBAND_BAD_STREAM;
    default:
        return SLIMBAND_DEVICE_FAILED;
    }
}

/* The first error stays. */
static cudaError_t ask(cudaError_t before, int *value, enum cudaDeviceAttr attribute, int number)
{
    return before ? before : cudaDeviceGetAttribute(value, attribute, number);
}

/* The devices that there is code for: of compute capability 8.0 and later, of which 9.0 added what some kernels need. */
enum { oldest = 8, hopper = 9 };

/* A device is taken for one of those that its code was made for. */
static slimband_status look_at_code(sb_cuda_device *device)
{
    int previous, capability = 0;
    slimband_status status = sb_cuda_enter(device->number, &previous);
    if (status)
        return status;
    cudaError_t error = sb_cuda_code_is_for(&capability);
    if (error)
        (void)cudaGetLastError();
    sb_cuda_leave(previous);
    if (capability < 10 * hopper)
        device->major = oldest;
    return sb_cuda_status(error);
}

slimband_status sb_cuda_facts(int number, sb_cuda_device *device)
{
    int count = 0, l2 = 0, cooperative = 0;
    *device = (sb_cuda_device){.number = number};
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error || number < 0 || number >= count) {
        (void)cudaGetLastError();
        return SLIMBAND_NO_DEVICE;
    }
    error = ask(error, &device->major, cudaDevAttrComputeCapabilityMajor, number);
    error = ask(error, &device->minor, cudaDevAttrComputeCapabilityMinor, number);
    error = ask(error, &device->processors, cudaDevAttrMultiProcessorCount, number);
    error = ask(error, &device->shared_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, number);
    error = ask(error, &device->shared_total, cudaDevAttrMaxSharedMemoryPerMultiprocessor, number);
    error = ask(error, &device->registers, cudaDevAttrMaxRegistersPerMultiprocessor, number);
    error = ask(error, &device->threads, cudaDevAttrMaxThreadsPerMultiProcessor, number);
    error = ask(error, &l2, cudaDevAttrL2CacheSize, number);
    error = ask(error, &cooperative, cudaDevAttrCooperativeLaunch, number);
    device->l2 = l2;
    device->cooperative = cooperative != 0;
    if (!error && device->major < oldest)
        return SLIMBAND_NO_DEVICE;
    return !error && device->major >= hopper ? look_at_code(device) : sb_cuda_status(error);
}

slimband_status sb_cuda_enter(int number, int *previous)
{
    cudaError_t error = cudaGetDevice(previous);
    return sb_cuda_status(error || *previous == number ? error : cudaSetDevice(number));
}

void sb_cuda_leave(int previous)
{
    (void)cudaSetDevice(previous);
}

slimband_status sb_cuda_check_stream(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaError_t error = cudaStreamIsCapturing(stream, &capture);
    if (error)
        (void)cudaGetLastError();
    return error                                    ? sb_cuda_status(error)
           : capture == cudaStreamCaptureStatusNone ? SLIMBAND_OK
                                                    : SLIMBAND_BAD_STREAM;
}
