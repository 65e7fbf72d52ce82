/* A batch of tests/api on the device. */
#ifndef SB_TEST_CUDA_DEVICE_H
#define SB_TEST_CUDA_DEVICE_H

#include <cuda_runtime_api.h>

#include "slimband/cuda.h"
#include "tests/api/batch.h"

enum { SKIPPED = 77 };

typedef struct device_batch {
    double *memory; /* of all five arrays */
    const void *diagonals[3];
    double *b, *x;
    int64_t elements; /* of each */
} device_batch;

/* Says why there is nothing to test with, or nothing. */
bool device_missing(void);

/* Memory that host and device both know, for so many numbers of up to eight bytes; ends the test when there is none. cudaFree it. */
void *device_memory_for(int64_t count);

/* Copies of a batch's arrays; ends the test when there is no memory. */
device_batch device_take(const batch *s);
void device_free(device_batch *d);

/* The host's arrays to the device again; the device's x to the host. */
void device_put(const batch *s, device_batch *d);
void device_get(const device_batch *d, batch *s);

#endif
