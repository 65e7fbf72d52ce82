/* The cosine transform of type I, nodes between Neumann walls, N + 1 of them with N a multiple of four: by levels.
 *
 * X_q = (x_0 + (-1)^q x_N) / 2 + sum_(0<j<N) x_j cos(pi j q / N). Odd q see only the differences x_j - x_(N-j), and are their cosine
 * transform of type III with half of the first (cosine.h); even ones see the sums x_j + x_(N-j), twice x_(N/2) among them, and
 * are their transform of the same type and half the size, the next level. Coefficients stay in the order in which they come, but for
 * X_0, which changes places with the first one, divided by N. */
#ifndef SB_POISSON_COSINE_ONE_H
#define SB_POISSON_COSINE_ONE_H

#include "src/poisson/halving.h"

typedef struct sb_cosine_one {
    int64_t size; /* N */
    sb_halving levels;
} sb_cosine_one;

bool SB_NAME(cosine_one_fits)(int64_t n);    /* n = N + 1 */
int64_t SB_NAME(cosine_one_room)(int64_t n); /* elements of a row of buffers */

/* order[p]: q of the coefficient at place p. The planner's lock is held by the caller. */
slimband_status SB_NAME(cosine_one_make)(sb_cosine_one *cosine, int64_t n, unsigned flags, T *from, T *to,
                                         int64_t *order, size_t *bytes);
void SB_NAME(cosine_one_free)(sb_cosine_one *cosine);

/* n entries at x, which may be `from`, to `to`; and n entries at `from` to y, which may be `to`. x and y need no alignment.
   Forward and backward together multiply by 1. */
void SB_NAME(cosine_one_forward)(const sb_cosine_one *cosine, const T *x, T *from, T *to);
void SB_NAME(cosine_one_backward)(const sb_cosine_one *cosine, T *from, T *to, T *y);

#endif
