/* How good an answer is: backward errors, formed in wider precision. */
#ifndef SLIMBAND_RESIDUAL_H
#define SLIMBAND_RESIDUAL_H

#include "slimband/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slimband_backward_error {
    double normwise;      /* max over systems of ||b - A x|| / (||A|| ||x|| + ||b||), infinity norms */
    double componentwise; /* max over systems and rows of |b - A x|_i / (|A| |x| + |b|)_i, 0/0 taken as 0 */
    int64_t system;       /* that attains the largest normwise error; -1 when there are none */
} slimband_backward_error;

/* The backward error of x as a solution of A x = b: problem, diagonals, b and x as for slimband_factor_solve (b
   the original right-hand side, so x == b makes no sense here). Sums are formed in double for f32 and c64, in
   long double for f64 and c128. An answer that holds NaN or Inf has infinite errors. Systems of 2^20 rows and more
   use OpenMP's threads, for which the answer is the same. Stateless; thread-safe. */
SLIMBAND_API slimband_status slimband_residual(const slimband_problem *problem, const void *const *diagonals,
                                               const void *b, const void *x, slimband_backward_error *error);

#ifdef __cplusplus
}
#endif

#endif
