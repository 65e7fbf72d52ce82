/* What is to be solved: the band, its ends, its coefficients, and where everything lies in memory. */
#ifndef SLIMBAND_PROBLEM_H
#define SLIMBAND_PROBLEM_H

#include "slimband/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SLIMBAND_MAX_BANDWIDTH = 8, /* on either side of the main diagonal */
    SLIMBAND_MAX_DIAGONALS = 2 * SLIMBAND_MAX_BANDWIDTH + 1,
    SLIMBAND_MAX_BATCH_RANK = 3
};

typedef enum slimband_ends {
    SLIMBAND_OPEN,    /* entries outside the matrix are never read (they may be NaN) */
    SLIMBAND_PERIODIC /* entry A(i, j) with j outside 0..n-1 couples to unknown j mod n; where couplings
                         coincide because n is small, they add up */
} slimband_ends;

typedef enum slimband_coefficients {
    SLIMBAND_OWN,     /* every system has its own matrix */
    SLIMBAND_SHARED,  /* one matrix for the whole batch */
    SLIMBAND_TOEPLITZ /* one matrix, constant along its diagonals but for a few rows at the ends */
} slimband_coefficients;

typedef enum slimband_pivoting {
    SLIMBAND_PIVOT_AUTO, /* without pivoting where the elimination is shown to be safe, else with */
    SLIMBAND_PIVOT_NONE, /* never; the caller vouches for the matrix. Breakdown is still reported. (Rings of
                            fewer than 3 max(lower, upper) unknowns are reordered and always pivot.) */
    SLIMBAND_PIVOT_PARTIAL
} slimband_pivoting;

/* Where the lines of one array lie. Strides count elements, not bytes. Element i of the system at batch
   index (j0, j1, j2) is at pointer[i * line + j0 * batch[0] + j1 * batch[1] + j2 * batch[2]].
   No stride may be negative. A batch stride of 0 repeats the same line: allowed for right-hand sides
   (broadcast) and for matrices (many right-hand sides for one matrix), refused for solutions. A line stride of 0 is
   allowed for matrices that are not ragged: every diagonal is constant, one entry a matrix. */
typedef struct slimband_layout {
    int64_t line;
    int64_t batch[SLIMBAND_MAX_BATCH_RANK];
} slimband_layout;

/* Systems of different lengths in one batch, laid one after another: system s owns rows
   offsets[s] .. offsets[s + 1] - 1 of every array. Empty systems are allowed. */
typedef struct slimband_ragged {
    int64_t systems;
    const int64_t *offsets; /* systems + 1 entries, non-decreasing, offsets[0] >= 0; copied by the plan */
} slimband_ragged;

/* Plain data; start from one of the constructors below and change the fields that differ.
   The diagonals of the matrix are passed as an array of lower + 1 + upper pointers, lowest first: entry i of
   diagonals[lower + k] is A(i, i + k). Every diagonal has n entries, at `matrix`'s strides.

   Toeplitz coefficients: each diagonal has toeplitz_first + 1 + toeplitz_last entries, stride 1: the entries of
   the first rows, then the constant of all rows between, then the entries of the last rows. */
typedef struct slimband_problem {
    slimband_scalar scalar;
    slimband_ends ends;
    slimband_coefficients coefficients;
    slimband_pivoting pivoting;
    int lower, upper; /* bandwidths, 0..8 */
    int64_t n;        /* unknowns of one system; ignored when ragged is set */

    int batch_rank; /* 0 (one system) to 3 */
    int64_t batch[SLIMBAND_MAX_BATCH_RANK];
    slimband_layout rhs, solution;
    slimband_layout
        matrix; /* own: all strides; shared: line only; Toeplitz: unused. line 0: constant diagonals */

    int64_t toeplitz_first, toeplitz_last;
    const slimband_ragged *ragged; /* NULL, or the lengths; own coefficients follow the same offsets */

    int refinements;   /* steps of iterative refinement after each solve, residual in wider precision */
    bool check_finite; /* look for NaN and Inf in matrix and right-hand side; report them as NOT_FINITE */
    bool one_pass;     /* only slimband_factor_solve will be called: no memory for factors */
} slimband_problem;

/* One system, contiguous, open ends, own coefficients, pivoting auto. Change the fields that differ. */
SLIMBAND_API slimband_problem slimband_tridiagonal(slimband_scalar scalar, int64_t n);
SLIMBAND_API slimband_problem slimband_pentadiagonal(slimband_scalar scalar, int64_t n);
SLIMBAND_API slimband_problem slimband_banded(slimband_scalar scalar, int64_t n, int lower, int upper);

/* Lines along `axis` of a C-ordered array of the given extents (rank 1..4): sets n, the batch and the strides
   of rhs, solution and matrix alike. Own diagonals are then arrays of the same shape; shared ones are lines of
   stride 1. System s counts the remaining axes in their order, the last fastest.
   Errors: BAD_AXIS, NULL_ARGUMENT, TOO_LARGE; the problem is then unchanged. */
SLIMBAND_API slimband_status slimband_along_axis(slimband_problem *problem, int rank, const int64_t *extents,
                                                 int axis);

/* The same for an array with gaps or in any order of axes: strides in elements, one per axis, none negative. */
SLIMBAND_API slimband_status slimband_along_strided_axis(slimband_problem *problem, int rank,
                                                         const int64_t *extents, const int64_t *strides,
                                                         int axis);

/* `systems` lines of n unknowns: one after another (contiguous: element i of system s at s * n + i), or
   interleaved (i * systems + s). Errors: NULL_ARGUMENT, BAD_BATCH, TOO_LARGE. */
SLIMBAND_API slimband_status slimband_contiguous(slimband_problem *problem, int64_t systems);
SLIMBAND_API slimband_status slimband_interleaved(slimband_problem *problem, int64_t systems);

/* How many systems the problem describes: the product of the batch extents, or the ragged count. */
SLIMBAND_API int64_t slimband_systems(const slimband_problem *problem);

/* Every rule of this page, checked; the first that is broken is returned. */
SLIMBAND_API slimband_status slimband_validate(const slimband_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
