/* Lines of a uniform axis: their rows are alike but for the first and the last, so that one number a line, the root
 * mu <= 1 of mu + 1/mu = 2 + shift h^2, eliminates them all (arithmetic: even_run.h).
 *
 * With 1/h^2 taken out and the first and last rows divided by their couplings, a line's matrix is T' + e0 epsilon e0^T,
 *
 *     T' = ( rho -1          )      rho = 1/mu; the last row's diagonal may differ; the first row's, rho + epsilon,
 *          ( -1  2+t -1      )      is mended by a correction of rank one. Rows are numbered from the side that makes
 *          (      ..  ..  .. )      T' regular: a Dirichlet wall, if there is one, comes last.
 *
 * T' has the factors  y_i = g_i + mu y_{i-1},  x_i = mu (y_i + x_{i+1}),  and x_last = mu (1 + beta) y_last. A chunk of
 * rows passes on y, from its last row, and x, from its first one, both linear in what it is passed: one sweep finds
 * these sums, a scan of the chunks all that is passed on, a second sweep the unknowns. All chunks are whole but the first,
 * which has its rows behind `front` empty places. Arithmetic is in f64, the right-hand sides' 1/h^2 is taken out at the
 * end. Nothing grows, also where mu = 1. */
#ifndef SB_POISSON_EVEN_H
#define SB_POISSON_EVEN_H

#include "src/poisson/internal.h"

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
    double scale;       /* h^2 */
    const double *table;
} sb_even;

/* Can lines of this axis be solved so? It must be uniform and open, and modes' shifts not negative. */
bool sb_even_fits(const sb_stencil *stencil);

/* table: SB_EVEN_NUMBERS * modes numbers to fill. singular: mode 0 is, its last unknown (as rows are numbered) becomes 0. */
sb_even sb_even_make(const sb_stencil *stencil, const double *shift, int64_t modes, bool singular,
                     double *table);

/* A chunk's sums; then what it is passed: y before it (the first one: what g_0 is less), x behind it. */
typedef struct sb_even_pair {
    double y, x;
} sb_even_pair;

#endif
