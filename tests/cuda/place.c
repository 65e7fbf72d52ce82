/* The GPU works on copies of the trial's arrays, with all that surrounds them, side by side in one piece of its
 * memory that grows and is kept. */
#include "tests/random/place.h"

#include <cuda_runtime_api.h>
#include <string.h>

#include "slimband/cuda.h"

const char place_name[] = "cuda";

static char *memory;
static size_t memory_bytes;

const char *place_missing(void)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    return error ? cudaGetErrorString(error) : count == 0 ? "no CUDA device" : NULL;
}

slimband_executor place_executor(const trial *t)
{
    (void)t;
    return slimband_cuda(0, NULL);
}

void place_release(void)
{
    cudaFree(memory);
    memory = NULL;
    memory_bytes = 0;
}

void place_limit(trial *t)
{
    slimband_problem *p = &t->problem;
    if ((p->lower > 4 || p->upper > 4) && p->pivoting == SLIMBAND_PIVOT_NONE)
        p->pivoting = SLIMBAND_PIVOT_AUTO;
}

static size_t bytes_of(const array *a)
{
    static const size_t bytes[] = {4, 8, 8, 16};
    return (size_t)a->total * bytes[a->scalar];
}

/* A place that is aligned to elements and no more. */
static size_t room_of(const array *a)
{
    return (bytes_of(a) + 255) / 256 * 256 + 16;
}

static bool reserve(const trial *t)
{
    size_t needed = room_of(&t->b) + room_of(&t->x);
    for (int d = 0; d < t->diagonal_count; ++d)
        needed += room_of(&t->diagonals[d]);
    if (needed <= memory_bytes)
        return true;
    cudaFree(memory);
    memory_bytes = cudaMalloc((void **)&memory, 2 * needed) ? 0 : 2 * needed;
    return memory_bytes > 0;
}

/* Copies an array to *at and moves *at behind it. Returns the pointer to its element 0. */
static void *bring(const array *a, char **at)
{
    size_t offset = (size_t)((unsigned char *)array_pointer(a) - a->bytes);
    char *here = *at;
    *at += room_of(a);
    return cudaMemcpy(here, a->bytes, bytes_of(a), cudaMemcpyHostToDevice) ? NULL : here + offset;
}

static bool take(const array *a, char **at)
{
    const char *here = *at;
    *at += room_of(a);
    return !cudaMemcpy(a->bytes, here, bytes_of(a), cudaMemcpyDeviceToHost);
}

bool place_bring(const trial *t, placed *arrays)
{
    if (!reserve(t))
        return false;
    char *at = memory;
    arrays->x = bring(&t->x, &at);
    arrays->b = bring(&t->b, &at);
    bool good = arrays->x && arrays->b;
    if (t->in_place)
        arrays->b = arrays->x;
    for (int d = 0; d < t->diagonal_count; ++d)
        good = (arrays->diagonals[d] = bring(&t->diagonals[d], &at)) && good;
    return good;
}

slimband_status place_take_back(const trial *t, const placed *arrays, const slimband_plan *plan,
                                slimband_status status)
{
    (void)arrays;
    if (!status)
        status = slimband_cuda_wait(plan);
    char *at = memory;
    bool good = take(&t->x, &at) && take(&t->b, &at);
    for (int d = 0; d < t->diagonal_count; ++d)
        good = take(&t->diagonals[d], &at) && good;
    return status || good ? status : SLIMBAND_DEVICE_FAILED;
}
