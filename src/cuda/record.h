/* What the device remembers of each matrix and each system. Kernels write these records, the host fetches them
 * when asked. All bits zero is the record of a success. */
#ifndef SB_CUDA_RECORD_H
#define SB_CUDA_RECORD_H

#include <stdbool.h>
#include <stdint.h>

/* A status and the row that it speaks of in one word: status + 256 (row + 1). */
typedef int64_t sb_cuda_outcome;

enum { SB_CUDA_GOOD = 0 };

#ifdef __CUDACC__
#define SB_CUDA_INLINE static __host__ __device__ inline
#else
#define SB_CUDA_INLINE static inline
#endif

/* row: -1 for none. */
SB_CUDA_INLINE sb_cuda_outcome sb_cuda_failure(int status, int64_t row)
{
    return status + 256 * (row + 1);
}

SB_CUDA_INLINE int sb_cuda_status_of(sb_cuda_outcome outcome)
{
    return (int)(outcome % 256);
}

SB_CUDA_INLINE int64_t sb_cuda_row_of(sb_cuda_outcome outcome)
{
    return outcome / 256 - 1;
}

enum {
    SB_CUDA_UNSAFE =
        1, /* the method's own factors are not to be trusted: the pivoting fallback owns the matrix */
    SB_CUDA_PIVOTED = 2, /* its factors come from partial pivoting */
    SB_CUDA_UNSAFE_TRANSPOSED =
        4 /* only those of the transposed are not; solves with the matrix itself are the method's */
};

/* The flags of matrices whose systems, or those of their transposed, the fallback solves. */
SB_CUDA_INLINE uint32_t sb_cuda_unsafe(bool transposed)
{
    return SB_CUDA_UNSAFE | (transposed ? SB_CUDA_UNSAFE_TRANSPOSED : 0);
}

typedef struct sb_cuda_matrix {
    sb_cuda_outcome outcome;
    float growth; /* see slimband_system_info; 0 where not measured */
    uint32_t flags;
} sb_cuda_matrix;

#endif
