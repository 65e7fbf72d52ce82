/* Batches on the device. */
#include "tests/cuda/device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

bool device_missing(void)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error || count == 0)
        printf("skipped: %s\n", error ? cudaGetErrorString(error) : "no CUDA device");
    return error || count == 0;
}

void *device_memory_for(int64_t count)
{
    void *memory;
    assert_int_equal(cudaMallocManaged(&memory, (size_t)count * sizeof(double), cudaMemAttachGlobal),
                     cudaSuccess);
    return memory;
}

static void copy(double *to, const double *from, int64_t elements, enum cudaMemcpyKind kind)
{
    assert_int_equal(cudaMemcpy(to, from, (size_t)elements * sizeof *to, kind), cudaSuccess);
}

void device_put(const batch *s, device_batch *d)
{
    const double *arrays[] = {s->lower, s->diagonal, s->upper, s->b, s->x};
    for (int k = 0; k < 5; ++k)
        copy(d->memory + k * d->elements, arrays[k], d->elements, cudaMemcpyHostToDevice);
    /* A copy from pageable memory may return before it has arrived, and streams that do not block would not wait. */
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
}

device_batch device_take(const batch *s)
{
    device_batch d = {.elements = s->n * s->systems};
    assert_int_equal(cudaMalloc((void **)&d.memory, (size_t)d.elements * 5 * sizeof(double)), cudaSuccess);
    for (int k = 0; k < 3; ++k)
        d.diagonals[k] = d.memory + k * d.elements;
    d.b = d.memory + 3 * d.elements;
    d.x = d.memory + 4 * d.elements;
    device_put(s, &d);
    return d;
}

void device_get(const device_batch *d, batch *s)
{
    assert_int_equal(cudaDeviceSynchronize(), cudaSuccess);
    copy(s->x, d->x, d->elements, cudaMemcpyDeviceToHost);
}

void device_free(device_batch *d)
{
    assert_int_equal(cudaFree(d->memory), cudaSuccess);
}
