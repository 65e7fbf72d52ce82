/* The tridiagonal systems along the line axis, one for each coefficient of the other axes' transforms. */
#ifndef SB_POISSON_LINES_H
#define SB_POISSON_LINES_H

#include "src/chunk/scalar.h"
#include "src/poisson/sweep.h"

/* A strip of neighbouring lines, solved by one plan. One thread's matrices for it, `width` systems interleaved: they are
   made in the cache, so that only the lines themselves, 2 words a row, move between memory and core. */
typedef struct sb_strip {
    slimband_plan *plan;
    int64_t width;
    T *lower, *diagonal, *upper;
} sb_strip;

typedef struct sb_lines {
    int64_t n, after, total; /* total: lines of all fields */
    int64_t modes;           /* lines of one field */
    double *shift;           /* of each mode: lambda and the eigenvalues of the other axes */
    bool singular;           /* mode 0 is not solved here: singular.h */
    int64_t row, width,
        strips;            /* every `row` lines are cut into strips: of this width, and one that is narrower */
    int workers;           /* threads that share the strips; where there is but one, its plan uses them all */
    sb_strip *full, *rest; /* of each worker */
} sb_lines;

/* First the lines' number and shifts, then what solves them. */
slimband_status SB_NAME(lines_shift)(sb_lines *lines, slimband_poisson_plan *plan, const sb_sweeps *sweeps);
slimband_status SB_NAME(lines_make)(sb_lines *lines, slimband_poisson_plan *plan);
void SB_NAME(lines_free)(sb_lines *lines);

/* In place. Status of the first system that failed. */
slimband_status SB_NAME(lines_solve)(const sb_lines *lines, const slimband_poisson_plan *plan, T *u);

#endif
