/* A GPU: memory, events and the sweeping of its second-level cache. */
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/place.h"
#include "cli/reason.h"
#include "slimband/cuda.h"

/* pad: what is read is copied there piece by piece, for want of a way to read alone. */
enum { PAD = 4 << 20 };

typedef struct gpu {
    cudaStream_t stream;
    cudaEvent_t begin, end;
    char *pad;
    size_t cache;
    int64_t runs; /* that are about to be queued */
} gpu;

static void close(sb_place *place)
{
    gpu *g = place->self;
    if (!g)
        return;
    if (g->pad)
        (void)cudaFree(g->pad);
    if (g->end)
        (void)cudaEventDestroy(g->end);
    if (g->begin)
        (void)cudaEventDestroy(g->begin);
    if (g->stream)
        (void)cudaStreamDestroy(g->stream);
    free(g);
    place->self = NULL;
}

static cudaError_t get_facts(sb_place *place, gpu *g)
{
    struct cudaDeviceProp facts;
    cudaError_t error = cudaGetDeviceProperties(&facts, place->executor.device);
    if (error)
        return error;
    g->cache = (size_t)facts.l2CacheSize;
    snprintf(place->machine, sizeof place->machine, ", %.80s", facts.name);
    return cudaSuccess;
}

static bool open(sb_place *place, sb_failure *failure)
{
    gpu *g = place->self = calloc(1, sizeof *g);
    if (!g)
        return sb_fail(failure, "not enough memory");
    cudaError_t error = cudaStreamCreateWithFlags(&g->stream, cudaStreamNonBlocking);
    if (!error)
        error = get_facts(place, g);
    if (!error)
        error = cudaEventCreate(&g->begin);
    if (!error)
        error = cudaEventCreate(&g->end);
    if (!error)
        error = cudaMalloc((void **)&g->pad, PAD);
    if (error) {
        close(place);
        place->calls = NULL;
        return sb_fail(failure, "--executor cuda: %s (%s)", sb_reason(SLIMBAND_NO_DEVICE),
                       cudaGetErrorString(error));
    }
    place->executor = slimband_cuda(0, g->stream);
    return true;
}

static double memory(sb_place *place)
{
    (void)place;
    size_t left = 0, all = 0;
    return cudaMemGetInfo(&left, &all) ? 0 : (double)all;
}

static void *allocate(sb_place *place, size_t bytes, int number)
{
    (void)place;
    (void)number;
    void *array = NULL;
    if (cudaMalloc(&array, bytes ? bytes : 1)) {
        (void)cudaGetLastError();
        return NULL;
    }
    return array;
}

static void release(sb_place *place, void *array)
{
    (void)place;
    (void)cudaFree(array);
}

/* What goes wrong here stays with the device, and stop tells. */
static void copy(sb_place *place, void *to, const void *from, size_t bytes, sb_copy_way way)
{
    static const enum cudaMemcpyKind kinds[] = {cudaMemcpyDeviceToDevice, cudaMemcpyHostToDevice,
                                                cudaMemcpyDeviceToHost};
    const gpu *g = place->self;
    (void)cudaMemcpyAsync(to, from, bytes, kinds[way], g->stream);
    if (way != SB_COPY_WITHIN)
        (void)cudaStreamSynchronize(g->stream);
}

static void spoil(sb_place *place, void *array, size_t bytes)
{
    const gpu *g = place->self;
    (void)cudaMemsetAsync(array, 0xff, bytes, g->stream);
}

static void touch(sb_place *place, const void *array, size_t bytes)
{
    const gpu *g = place->self;
    for (size_t at = 0; at < bytes; at += PAD)
        (void)cudaMemcpyAsync(g->pad, (const char *)array + at, bytes - at < PAD ? bytes - at : PAD,
                              cudaMemcpyDeviceToDevice, g->stream);
}

static size_t broom_bytes(sb_place *place)
{
    const gpu *g = place->self;
    return 3 * g->cache + PAD;
}

/* Reading pushes out what is in the cache and leaves, but for the pad, nothing there that would have to be written
   back while the clock runs. */
static void sweep(sb_place *place, void *broom, size_t bytes)
{
    touch(place, broom, bytes);
}

static void pause(void *runs)
{
    const long first = 100000, next = 20000;
    (void)nanosleep(&(struct timespec){.tv_nsec = first + next * (*(const int64_t *)runs - 1)}, NULL);
}

/* The stream rests while the runs' work is queued behind the first event, so that the time between the events is the
   device's and not that of the host's calls (as long as there is room for all in the queue, some 1000 kernels). */
static void start(sb_place *place, int64_t runs)
{
    gpu *g = place->self;
    g->runs = runs;
    (void)cudaLaunchHostFunc(g->stream, pause, &g->runs);
    (void)cudaEventRecord(g->begin, g->stream);
}

static double stop(sb_place *place, const char **complaint)
{
    const gpu *g = place->self;
    float milliseconds = 0;
    cudaError_t error = cudaEventRecord(g->end, g->stream);
    if (!error)
        error = cudaStreamSynchronize(g->stream);
    cudaError_t before = cudaGetLastError();
    if (!error)
        error = before;
    if (!error)
        error = cudaEventElapsedTime(&milliseconds, g->begin, g->end);
    if (error && !*complaint)
        *complaint = cudaGetErrorString(error);
    return 1e-3 * milliseconds;
}

const sb_place_calls sb_place_cuda = {.name = "cuda",
                                      .cold = true,
                                      .open = open,
                                      .close = close,
                                      .memory = memory,
                                      .allocate = allocate,
                                      .release = release,
                                      .copy = copy,
                                      .spoil = spoil,
                                      .touch = touch,
                                      .broom_bytes = broom_bytes,
                                      .sweep = sweep,
                                      .start = start,
                                      .stop = stop};
