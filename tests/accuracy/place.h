/* Where the systems are solved: on the host (place_cpu.c) or on a GPU (place_cuda.c). */
#ifndef SB_ACCURACY_PLACE_H
#define SB_ACCURACY_PLACE_H

#include "slimband/slimband.h"

/* As slimband_method_info has it. */
extern const char place_name[];

/* Why nothing can be solved there, or NULL. */
const char *place_missing(void);

slimband_executor place_executor(void);

/* slimband_factor_solve in place on x, all arrays on the host: `entries` numbers a diagonal, n of x. */
slimband_status place_solve(slimband_plan *plan, const slimband_problem *p, const void *const *diagonals,
                            int64_t entries, void *x);

#endif
