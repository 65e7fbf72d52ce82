/* What the place launches: all lines of all fields, in place, on a stream, in device memory. */
#ifndef SB_CUDA_SHIFTED_LAUNCH_H
#define SB_CUDA_SHIFTED_LAUNCH_H

#include <cuda_runtime_api.h>

#include "src/chunk/scalar.h"
#include "src/cuda/shifted/even.h"
#include "src/cuda/shifted/pivots.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Chunks of a line that one block holds, and a multiprocessor of all its blocks: more need `pair`. */
enum { SB_EVEN_HELD = 12 };

/* even.table in device memory; pair: of every field, chunk and mode, or NULL where chunks <= SB_EVEN_HELD. Entries of
   a line lie `after` apart. */
typedef struct sb_cuda_even {
    sb_even even;
    int64_t after, fields;
    int ahead; /* the blocks that run at once */
    sb_even_pair *pair;
} sb_cuda_even;

cudaError_t SB_NAME(shifted_even)(const sb_cuda_even *even, T *u, cudaStream_t stream);

/* Systems whose rows differ; 4 words a row. lower and upper: n entries, finite also where no
   neighbour is; tables of pivots.h in device memory. */
typedef struct sb_cuda_lines {
    int64_t n, after, modes, fields;
    const T *lower, *upper;
    const int64_t *row;
    const T *table, *middle;
} sb_cuda_lines;

cudaError_t SB_NAME(shifted_lines)(const sb_cuda_lines *lines, T *u, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
