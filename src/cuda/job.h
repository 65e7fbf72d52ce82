/* One call as kernels see it: plain data, passed to them by value. */
#ifndef SB_CUDA_JOB_H
#define SB_CUDA_JOB_H

#include "slimband/problem.h"
#include "src/cuda/record.h"

typedef struct sb_cuda_job {
    int64_t n; /* ragged: the longest */
    int64_t systems, matrices;
    int lower, upper, diagonals; /* lower + 1 + upper */
    bool periodic;
    bool transposed, conjugate; /* the adjoint is both: A^T conj(x) = conj(b) */
    bool wary; /* pivoting auto: mark matrices whose elimination is not shown to be safe UNSAFE */
    int rank;
    int64_t extent[SLIMBAND_MAX_BATCH_RANK];
    slimband_layout b_at, x_at,
        matrix_at; /* matrix_at: batch strides 0 where matrices are shared; Toeplitz: line 1 */
    bool toeplitz;
    int64_t first,
        last; /* Toeplitz: rows with entries of their own; otherwise INT64_MAX and 0: all rows have */
    const int64_t *offsets;                       /* ragged: on the device; else NULL */
    const void *diagonal[SLIMBAND_MAX_DIAGONALS]; /* NULL in solve */
    const void *b;                                /* may be x */
    void *x;
    void *stored;            /* the method's: from factor to solve; aligned to 256 bytes */
    void *scratch;           /* the method's: zeroed when the plan is made, then the method's own to keep */
    sb_cuda_matrix *matrix;  /* one for each matrix */
    sb_cuda_outcome *system; /* one for each system */
} sb_cuda_job;

/* Rings of fewer unknowns are folded and pivoted by the driver; methods cut the others open (src/cpu/kernels/ring.c),
   and may use a border of 4 unknowns where the band has 3. */
SB_CUDA_INLINE int64_t sb_cuda_smallest_ring(int lower, int upper)
{
    int widest = lower > upper ? lower : upper;
    return 3 * (widest == 3 ? 4 : widest);
}

#endif
