/* Residuals b - A x, summed in wider precision. */
#ifndef SB_RESIDUAL_KERNEL_H
#define SB_RESIDUAL_KERNEL_H

#include "src/cpu/engine.h"

/* Vectors with a stride, read only. */
typedef struct sb_vector {
    const T *at;
    int64_t stride;
} sb_vector;

/* r = b - A x for contiguous vectors. A may be a transposed view. */
void SB_NAME(residual)(const sb_matrix *A, const T *b, const T *x, T *r);

/* Largest entries met while forming one system's residual. */
typedef struct sb_system_error {
    double normwise, componentwise;
} sb_system_error;

/* By that many threads; where one is asked for, OpenMP is not. */
sb_system_error SB_NAME(backward_error)(const sb_matrix *A, sb_vector b, sb_vector x, int threads);

#endif
