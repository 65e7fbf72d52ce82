/* Where the sub-problems of block cyclic reduction end: tridiagonal lines with one matrix at a time, on public plans. */
#ifndef SB_POISSON_BLOCKS_H
#define SB_POISSON_BLOCKS_H

#include "src/chunk/scalar.h"
#include "src/poisson/internal.h"

enum { SB_MOST_LINES = 16, SB_LINE_PLANS = 5 }; /* plans for 1, 2, 4, 8 and 16 lines */

typedef struct sb_matrix_lines {
    const sb_stencil *stencil;
    bool toeplitz;
    T *diagonals; /* lower, diagonal, upper: all rows, or first, inner and last */
    slimband_plan *plan[SB_LINE_PLANS];
    int64_t solved;
} sb_matrix_lines;

/* method: of the plans; "" for cr_toeplitz where the axis is uniform and auto where it is not. One thread's. */
slimband_status SB_NAME(matrix_lines_make)(sb_matrix_lines *lines, slimband_poisson_plan *plan,
                                           const char *method);
void SB_NAME(matrix_lines_free)(sb_matrix_lines *lines);

/* `count` contiguous lines of the last axis' operator plus shift, in place. */
slimband_status SB_NAME(matrix_lines_solve)(sb_matrix_lines *lines, double shift, int64_t count, T *x);

#endif
