/* Device memory of a plan, and its stream. */
#include "src/poisson/gpu_room.h"

#include "src/apps/device.h"

slimband_status sb_gpu_room_open(sb_gpu_room *room, const slimband_poisson_plan *plan)
{
    int device = plan->executor.device, most = 0;
    *room = (sb_gpu_room){.stream = (cudaStream_t)plan->executor.place_data};
    enum cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaError_t error = cudaStreamIsCapturing(room->stream, &capture);
    if (error || capture)
        return SLIMBAND_BAD_STREAM;
    error = cudaDeviceGetAttribute(&room->processors, cudaDevAttrMultiProcessorCount, device);
    if (!error)
        error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    room->shared_most = (size_t)most;
    return sb_app_cuda_status(error);
}

void sb_gpu_room_close(sb_gpu_room *room, const slimband_poisson_plan *plan)
{
    int previous;
    if (room->pieces && !sb_app_cuda_enter(plan->executor.device, &previous)) {
        (void)cudaStreamSynchronize(room->stream);
        for (int k = 0; k < room->pieces; ++k)
            (void)cudaFree(room->piece[k]);
        sb_app_cuda_leave(previous);
    }
    room->pieces = 0;
}

slimband_status sb_gpu_take(sb_gpu_room *room, slimband_poisson_plan *plan, size_t bytes, void **memory)
{
    *memory = NULL;
    cudaError_t error = cudaMalloc(memory, bytes ? bytes : 1);
    if (error) {
        (void)cudaGetLastError();
        return sb_app_cuda_status(error);
    }
    room->piece[room->pieces++] = *memory;
    plan->bytes += bytes;
    return SLIMBAND_OK;
}

slimband_status sb_gpu_put(sb_gpu_room *room, slimband_poisson_plan *plan, const void *from, size_t bytes,
                           const void **copy)
{
    void *memory;
    slimband_status status = sb_gpu_take(room, plan, bytes, &memory);
    *copy = memory;
    if (status)
        return status;
    return sb_app_cuda_status(cudaMemcpyAsync(memory, from, bytes, cudaMemcpyHostToDevice, room->stream));
}
