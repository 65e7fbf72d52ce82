/* FACR(1): one step of cyclic reduction along axis 0 before the transforms, so that only every other row is transformed
 * (Hockney 1965; on FACR(l) Swarztrauber 1977, Temperton 1980).
 *
 * With c = 1 / h^2 of axis 0 and B = (A_x + lambda) / c + 2, A_x the operator along a row, rows read
 *
 *     -L_i u_{i-1} + B u_i - U_i u_{i+1} = f_i / c,     L, U = 1, beside Neumann walls at nodes 2 and 0, Dirichlet walls 0.
 *
 * Even rows (from 0 on) are eliminated: odd ones, times c, become
 *
 *     -c L_i L_{i-1} u_{i-2} + c (B^2 - L_i U_{i-1} - U_i L_{i+1}) u_i - c U_i U_{i+1} u_{i+2} = L_i f_{i-1} + B f_i + U_i f_{i+1},
 *
 * half as many lines with c (4 - ..) on the diagonal and the shift s (4 + s / c) where it was s: c B^2 = (2 c + s)^2 / c, so
 * that smooth modes lose nothing. Even rows follow from B u_i = f_i / c + L_i u_{i-1} + U_i u_{i+1}, tridiagonal along x.
 *
 * Rounding: odd rows that are off by e make their own equations off by B^-1 (B^2 - ..) e and no others, since even rows are
 * solved with them. So an error r of the right-hand side leaves B^-1 r, and B^-1 is at most 1 / (2 + lambda / c) in the maximum
 * norm; r is some roundings of |B| |f|, and of the transforms of that size. Backward errors thus grow like the
 * condition of B at worst, at most 1 + 2 beside, beside = (h_0 / h_x)^2: 3 on a square mesh. */
#ifndef SB_POISSON_FACR_H
#define SB_POISSON_FACR_H

#include "src/poisson/internal.h"
#include "src/poisson/kernels.h"
#include "src/poisson/rhs.h"

typedef struct sb_facr {
    int64_t planes,
        rows;         /* rows of axis 0, and how many are left: half of them; 0: this problem is not reduced */
    double couple;    /* c */
    bool mirrored[2]; /* axis 0: Neumann walls, where the row outside is the one inside; else it is zero */
    sb_facr_row row;
    const sb_facr_kernels *kernels;
    T *zero, *decay;
} sb_facr;

/* facr->rows = 0 where it does not fit: more or less than two axes, lines not along axis 0 or periodic, that axis varies or has
   its unknowns at cells, lambda < 0, singular, rows that are short, or B's condition bad. Errors: OUT_OF_MEMORY. */
slimband_status SB_NAME(facr_make)(sb_facr *facr, const sb_poisson_kernels *kernels,
                                   slimband_poisson_plan *plan);
void SB_NAME(facr_free)(sb_facr *facr);

/* What slimband_rows_create wants of the rows that are left, `rows` entries each; and of each mode's shift. */
void SB_NAME(facr_lines)(const sb_facr *facr, double *lower, double *diagonal, double *upper);

static inline double sb_facr_shift(const sb_facr *facr, double shift)
{
    return shift * (4 + shift / facr->couple);
}

/* Where rows are worked on: three of them, `room` apart, with 3 SB_FACR_PAD entries to spare; and how. */
typedef struct sb_facr_way {
    T *work;
    int64_t room;
    const T *ahead;  /* a row that will be wanted soon, or NULL */
    bool past_cache; /* u */
} sb_facr_way;

/* Rows are counted through all fields. gather: row i, odd in its field, of the reduced right-hand side, to r. solve: row i of
   u, even in its field, from those beside it. */
void SB_NAME(facr_gather)(const sb_facr *facr, const sb_rhs *rhs, int64_t i, const sb_facr_way *way, T *r);
void SB_NAME(facr_solve)(const sb_facr *facr, const sb_rhs *rhs, int64_t i, const sb_facr_way *way, T *u);

#endif
