/* Transforms of types II, III and IV of even length: nodes between a Dirichlet and a Neumann wall, and cells.
 *
 * A is the cosine transform of type III, y_t = sum_j c_j cos(pi j (2 t + 1) / (2 n)), in Makhoul's order of t (sine.h): a twist and
 * a complex Fourier transform of n/2 numbers. Nodes from Neumann to Dirichlet are A of x with half of x_0 on the way there,
 * and from Dirichlet to Neumann the same of x read backwards. Cells between Neumann walls are the inverse of A on the way there;
 * between Dirichlet walls, with every second entry's sign turned, coefficients come in falling order.
 *
 * Type IV, cells between different walls: with w_k = exp(-i pi (k + 1/8) / n), the Fourier transform Z of (x_(2k) + i x_(n-1-2k)) w_k has
 * X_(2k) - i X_(n-1-2k) = Z_k w_k. Coefficients stay so. It is its own inverse, up to n/2. */
#ifndef SB_POISSON_COSINE_H
#define SB_POISSON_COSINE_H

#include "src/poisson/internal.h"
#include "src/poisson/kernels.h"

typedef struct sb_cosine {
    int64_t n, room; /* room: elements of each of the two parts of `from` */
    bool cells, fourth, reversed;
    T sign;        /* of every second cell */
    T *turn;       /* fourth: w, else that of kernels.h */
    void *plan[2]; /* FFTW's: A's, and its inverse's, which type IV has both ways */
    const sb_poisson_kernels *kernels;
} sb_cosine;

bool SB_NAME(cosine_fits)(const slimband_poisson_axis *axis);
int64_t SB_NAME(cosine_room)(int64_t n); /* elements of a row of buffers */

/* order[p]: the number of the eigenvalue of the coefficient at place p. The planner's lock is held by the caller. */
slimband_status SB_NAME(cosine_make)(sb_cosine *cosine, const slimband_poisson_axis *axis, unsigned flags,
                                     T *from, T *to, int64_t *order, size_t *bytes);
void SB_NAME(cosine_free)(sb_cosine *cosine);

/* n entries at x, which may be `from`, to `to`; and n entries at `from` to y, which may be `to`. x and y need no alignment.
   Forward and backward together multiply by 1. */
void SB_NAME(cosine_forward)(const sb_cosine *cosine, const T *x, T *from, T *to);
void SB_NAME(cosine_backward)(const sb_cosine *cosine, T *from, T *y);

#endif
