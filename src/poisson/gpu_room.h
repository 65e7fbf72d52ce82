/* Device memory of a plan and the stream that it works on: what the engines on a GPU share. */
#ifndef SB_POISSON_GPU_ROOM_H
#define SB_POISSON_GPU_ROOM_H

#include <cuda_runtime_api.h>

#include "src/poisson/internal.h"

enum { SB_GPU_PIECES = 32 };

typedef struct sb_gpu_room {
    cudaStream_t stream;
    void *piece[SB_GPU_PIECES];
    int pieces;
    int processors;
    size_t shared_most; /* of a block, in bytes */
} sb_gpu_room;

/* On the executor's device and stream, which must not be in capture. To be called between sb_app_cuda_enter and _leave. */
slimband_status sb_gpu_room_open(sb_gpu_room *room, const slimband_poisson_plan *plan);
void sb_gpu_room_close(sb_gpu_room *room, const slimband_poisson_plan *plan);

/* Memory until the room is closed, counted in the plan's bytes; at most SB_GPU_PIECES of them. */
slimband_status sb_gpu_take(sb_gpu_room *room, slimband_poisson_plan *plan, size_t bytes, void **memory);

/* A copy on the device; CUDA has read `from`, pageable memory, when this returns. */
slimband_status sb_gpu_put(sb_gpu_room *room, slimband_poisson_plan *plan, const void *from, size_t bytes,
                           const void **copy);

#endif
