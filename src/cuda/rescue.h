/* What the driver does around every method with kernels of its own: partial pivoting for the matrices that a method
 * gave up, NaN for failed systems, and the search for NaN and Inf. */
#ifndef SB_CUDA_RESCUE_H
#define SB_CUDA_RESCUE_H

#include "src/cuda/method.h"

/* Partial pivoting, one thread a system, in rows of `width` = 2 lower + upper + 1 places that lie in columns: place
   p of column c is at [p * pitch + c]. Periodic matrices are folded (see src/cpu/kernels/fold.c): there `lower` and
   `upper` are the folded ones. */
typedef struct sb_cuda_rescue {
    bool all;     /* every matrix, whatever its flags say */
    bool factors; /* settle factors what it rescues */
    bool
        in_passing; /* into its thread's column; otherwise matrices have columns of their own, filled by factor */
    bool folded;
    int lower, upper, width;
    int64_t pitch;
    void *rows;              /* n * width * pitch */
    int32_t *pivots;         /* n * pitch */
    int64_t threads;         /* that settle systems */
    void *lines;             /* folded: n * threads, right-hand sides in folded order */
    sb_cuda_outcome *finite; /* check_finite: what the search in b found; else NULL */
} sb_cuda_rescue;

typedef cudaError_t sb_cuda_rescue_launch(const sb_cuda_call *call, const sb_cuda_rescue *rescue);

/* In the order in which a call may need them. */
typedef struct sb_cuda_rescuers {
    sb_cuda_rescue_launch *search_rhs;    /* rescue.finite of every system */
    sb_cuda_rescue_launch *factor;        /* the matrices that are UNSAFE, or all */
    sb_cuda_rescue_launch *search_matrix; /* NOT_FINITE in the records of matrices that are not */
    sb_cuda_rescue_launch *settle;        /* every system's record; x, if there is one, of those that need it */
} sb_cuda_rescuers;

#ifdef __cplusplus
extern "C" {
#endif
extern const sb_cuda_rescuers sb_cuda_rescuers_f32, sb_cuda_rescuers_f64, sb_cuda_rescuers_c64,
    sb_cuda_rescuers_c128;
#ifdef __cplusplus
}
#endif

#endif
