/* Iterative refinement on the GPU: x += A^-1 (b - A x), the residual summed in twice the working precision.
 *
 * A plan that refines gives its method the solution's layout for right-hand sides too, and keeps b and the residual in
 * arrays of that layout, and a copy of the matrix unless the call brings one. Words a row and step, K diagonals: K + 3 for
 * the residual, the method's own, 3 for the addition; once a call 2 for the copy of b, once a factorisation 2 K. */
#ifndef SB_CUDA_REFINE_H
#define SB_CUDA_REFINE_H

#include "src/cuda/method.h"

typedef struct sb_cuda_refine {
    slimband_layout b_at; /* of the caller's b */
    const void *given;    /* b */
    void *x;              /* the caller's x */
    void *b, *residual;   /* as x lies */
    /* The matrix: the caller's, or the plan's copy, which is one piece for each diagonal. */
    const void *diagonal[SLIMBAND_MAX_DIAGONALS];
    slimband_layout matrix_at;
    void *kept; /* the plan's copy; one-pass plans have none */
    slimband_layout kept_at;
    int64_t kept_piece; /* elements */
} sb_cuda_refine;

typedef cudaError_t sb_cuda_refine_launch(const sb_cuda_call *call, const sb_cuda_refine *refine);

typedef struct sb_cuda_refiners {
    sb_cuda_refine_launch *keep;     /* the matrix: call->job.diagonal to refine->kept */
    sb_cuda_refine_launch *take;     /* refine->given to refine->b */
    sb_cuda_refine_launch *residual; /* refine->residual = b - A x */
    sb_cuda_refine_launch *add;      /* refine->x += refine->residual */
} sb_cuda_refiners;

#ifdef __cplusplus
extern "C" {
#endif
extern const sb_cuda_refiners sb_cuda_refiners_f32, sb_cuda_refiners_f64, sb_cuda_refiners_c64,
    sb_cuda_refiners_c128;
#ifdef __cplusplus
}
#endif

#endif
