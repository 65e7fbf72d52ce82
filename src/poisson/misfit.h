/* f - A u, in wider precision. */
#ifndef SB_POISSON_MISFIT_H
#define SB_POISSON_MISFIT_H

#include "src/poisson/internal.h"

typedef struct sb_misfit {
    double residual, solution, rhs; /* largest moduli; NaN counts as infinite */
} sb_misfit;

typedef void sb_misfit_function(const sb_rhs *rhs, int64_t field, double offset, const void *u, void *row,
                                sb_misfit *misfit);
typedef double sb_mean_function(const sb_rhs *rhs, int64_t field, void *row);

/* misfit: of field number `field`, `offset` taken off its right-hand side; taken into *misfit. mean: the weighted one of
   a field's right-hand side. row: room for a row of T. */
sb_misfit_function sb_misfit_f32, sb_misfit_f64;
sb_mean_function sb_mean_f32, sb_mean_f64;

#endif
