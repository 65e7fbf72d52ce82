/* The discrete sine transform between Dirichlet walls at nodes, faster than FFTW's own and as stable: by FFTW's real
 * transforms, level by level.
 *
 * X_q = sum_j x_j sin(pi j q / N), j and q in 1..N-1. With N = 2 M the odd q see only e_j = x_j + x_(N-j) and the even ones
 * only d_j = x_j - x_(N-j): the even ones are the same transform of size M, the next level. The odd ones are a cosine
 * transform of type III of e read backwards, which is one inverse real transform of size M of
 *
 *     V_k = (e_(M-k) - i e_k) exp(i pi k / (2 M)) / 2,    V_0 = e_M = x_M
 *
 * (Makhoul's way); where M is even, a complex one of size M/2 (kernels.c). No sums are carried along the row, so that
 * rounding grows like log N only. Coefficients stay in the order in which they come, and those of odd
 * t = (q / 2^level - 1) / 2 with their sign turned. */
#ifndef SB_POISSON_SINE_H
#define SB_POISSON_SINE_H

#include "src/poisson/halving.h"

typedef struct sb_sine {
    int64_t n; /* N - 1 */
    /* Where M is odd, turn is cos, then sin of pi k / (2 M), k = 0 .. M/2, and there and back are c2r and r2c of size M. */
    sb_halving levels;
} sb_sine;

/* Is there a level to be gained? */
bool SB_NAME(sine_fits)(int64_t n);

/* Elements of a row of buffers: three parts for `from`. */
int64_t SB_NAME(sine_room)(int64_t n);

/* order[p] = q - 1 of the coefficient at place p. The planner's lock is held by the caller. */
slimband_status SB_NAME(sine_make)(sb_sine *sine, int64_t n, unsigned flags, T *from, T *to, int64_t *order,
                                   size_t *bytes);
void SB_NAME(sine_free)(sb_sine *sine);

/* n entries at x, which may be `from`, to `to`; and n entries at `from` to y, which may be `to`. x and y need no alignment.
   Forward and backward together multiply by 1. ahead: n entries that will be wanted after this row, or NULL. */
void SB_NAME(sine_forward)(const sb_sine *sine, const T *x, const T *ahead, T *from, T *to);
void SB_NAME(sine_backward)(const sb_sine *sine, const T *ahead, T *from, T *to, T *y);

#endif
