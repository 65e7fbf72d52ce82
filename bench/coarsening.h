/* How domains grow: the Cahn-Hilliard equation on rings, by the stepper, and on a square, here. */
#ifndef SB_BENCH_COARSENING_H
#define SB_BENCH_COARSENING_H

#include "cli/fail.h"
#include "cli/progress.h"

enum { SB_COARSENING_TIMES = 10 };

/* At each time, the free energy of one wall over the free energy of a unit of length or area: the mean distance between
   walls. In units where gamma = D = 1 and the grid's spacing is 1/2 (rings) and 1 (square). */
typedef struct sb_coarsening {
    double time[SB_COARSENING_TIMES], rings[SB_COARSENING_TIMES], square[SB_COARSENING_TIMES];
} sb_coarsening;

bool sb_coarsening_run(sb_coarsening *result, int threads, sb_progress *progress, sb_failure *failure);

#endif
