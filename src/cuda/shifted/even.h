/* Even systems: their rows are alike but for the first and the last, so that one number a system, the root mu <= 1 of
 * mu + 1/mu = 2 + t, eliminates them all (arithmetic: even_run.h). A system is called a mode here, its unknowns a line.
 *
 * Divided by c, minus the coupling of the rows that are alike, and the first and last rows by their own, a mode's matrix is
 * T' + e0 epsilon e0^T,
 *
 *     T' = ( rho -1          )      rho = 1/mu; the last row's diagonal may differ; the first row's, rho + epsilon,
 *          ( -1  2+t -1      )      is mended by a correction of rank one. Rows are numbered from the side that makes
 *          (      ..  ..  .. )      T' regular: the end that is the more dominant comes last.
 *
 * T' has the factors  y_i = g_i + mu y_{i-1},  x_i = mu (y_i + x_{i+1}),  and x_last = mu (1 + beta) y_last. A chunk of
 * rows passes on y, from its last row, and x, from its first one, both linear in what it is passed: one sweep finds
 * these sums, a scan of the chunks all that is passed on, a second sweep the unknowns. All chunks are whole but the first,
 * which has its rows behind `front` empty places. Arithmetic is in f64, the right-hand sides' 1/c is multiplied in at the
 * end. Nothing grows, also where mu = 1. */
#ifndef SB_CUDA_SHIFTED_EVEN_H
#define SB_CUDA_SHIFTED_EVEN_H

#include <stdbool.h>

#include "src/chunk/dominance.h"

/* Rows of a chunk: what a thread keeps in registers. */
enum { SB_EVEN_ROWS = 48 };

/* Numbers of a mode, each an array of `modes`. */
enum sb_even_number {
    SB_EVEN_MU,
    SB_EVEN_LOG,   /* of mu */
    SB_EVEN_POWER, /* mu^SB_EVEN_ROWS */
    SB_EVEN_HEAD,  /* mu to the rows of the first chunk */
    SB_EVEN_SUM,   /* what y before a chunk adds to x of its first row; without beta */
    SB_EVEN_BETA,
    SB_EVEN_KAPPA, /* the correction: T' is solved with g_0 less kappa x'_0 */
    SB_EVEN_NUMBERS
};

typedef struct sb_even {
    int64_t n, modes, chunks;
    int front;
    bool turned;        /* rows count from the axis' end */
    double first, last; /* factors of these rows' right-hand sides */
    double scale;       /* 1/c */
    const double *table;
} sb_even;

/* Are rows 1 .. n - 2 alike, with couplings -c < 0, and the ends' couplings negative and of c's order? */
bool sb_even_fits(const sb_tridiagonal *matrix);

/* For a matrix that fits, systems that are dominant. table: SB_EVEN_NUMBERS * modes numbers to fill. singular: the mode whose
   last unknown, as rows are numbered, becomes 0; or -1.
   *loss: how many roundings of f64, at most and to a small factor, the residual of a mode may exceed those of an elimination
   by, since sums cancel: a chunk's (8 x 48 where mu is nearly 1), the correction's if T' is solved by larger numbers than the
   matrix (epsilon times the response, at most n, between ends of Poisson's kinds), beta's if T' is nearly singular (up to
   1/sqrt(t) between Neumann's). INFINITY: not to be used. */
sb_even sb_even_make(const sb_tridiagonal *matrix, const double *shift, int64_t modes, int64_t singular,
                     double *table, double *loss);

/* A chunk's sums; then what it is passed: y before it (the first one: what g_0 is less), x behind it. */
typedef struct sb_even_pair {
    double y, x;
} sb_even_pair;

#endif
