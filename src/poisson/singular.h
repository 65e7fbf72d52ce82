/* The one line of a singular problem whose matrix is singular: all coefficients 0 of the other axes. */
#ifndef SB_POISSON_SINGULAR_H
#define SB_POISSON_SINGULAR_H

#include "src/chunk/scalar.h"
#include "src/poisson/internal.h"

typedef struct sb_singular {
    int64_t n, fields;
    slimband_plan *plan; /* rows 0 .. n - 2, the last unknown held at zero; NULL where n == 1 */
    T *lines;            /* of each field */
    T *response;         /* of those rows to load everywhere; the last one 0 */
    double load;         /* as large as diagonal[0] / n, so that sums of it stay in range */
} sb_singular;

slimband_status SB_NAME(singular_make)(sb_singular *singular, slimband_poisson_plan *plan);
void SB_NAME(singular_free)(sb_singular *singular);

/* The lines are taken out of u before the other lines are solved, then each field's is solved, then they are put back. norm:
   what the transforms make of the constant 1 in coefficient 0. */
void SB_NAME(singular_take)(const sb_singular *singular, const slimband_poisson_plan *plan, const T *u);
slimband_status SB_NAME(singular_solve)(const sb_singular *singular, slimband_poisson_plan *plan, int64_t field,
                                        double norm);
void SB_NAME(singular_put)(const sb_singular *singular, const slimband_poisson_plan *plan, T *u);

#endif
