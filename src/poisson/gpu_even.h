/* Lines of a uniform axis on a GPU: even.h. */
#ifndef SB_POISSON_GPU_EVEN_H
#define SB_POISSON_GPU_EVEN_H

#include <cuda_runtime_api.h>

#include "src/chunk/scalar.h"
#include "src/poisson/even.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Chunks of a line that one block holds, and a multiprocessor of all its blocks: more need `pair`. */
enum { SB_GPU_EVEN_HELD = 12 };

/* even.table in device memory; pair: of every field, chunk and mode, or NULL where chunks <= SB_GPU_EVEN_HELD. Entries of
   a line lie `after` apart, as in sb_gpu_lines. */
typedef struct sb_gpu_even {
    sb_even even;
    int64_t after, fields;
    int ahead; /* the blocks that run at once */
    sb_even_pair *pair;
} sb_gpu_even;

cudaError_t SB_NAME(gpu_even)(const sb_gpu_even *even, T *u, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
