/* Whittaker smoothing: the z that minimises  sum_i w_i (y_i - z_i)^2 + lambda sum_i (D^order z)_i^2,  where w_i
 * is 0 for a missing y_i (NaN) and 1 otherwise, and D is the difference of neighbours. Order 2 is the
 * Hodrick-Prescott filter. */
#ifndef SB_CLI_WHITTAKER_H
#define SB_CLI_WHITTAKER_H

#include "cli/progress.h"
#include "slimband/slimband.h"

enum { SB_WHITTAKER_MAX_ORDER = 3 };

typedef struct sb_whittaker {
    int64_t n;
    const double *y;
    double lambda;
    int order;
    int threads;           /* 0: all */
    sb_progress *progress; /* or NULL */
} sb_whittaker;

typedef struct sb_whittaker_report {
    const char *system, *method; /* static strings */
    int bandwidth, threads;
    int64_t missing;
    int refinements;   /* steps taken */
    double correction; /* the largest change of z by the last step, over the largest |z| */
    double seconds;    /* to assemble, factor, solve, refine and measure */
    slimband_backward_error error;
} sb_whittaker_report;

/* z: n numbers, not overlapping y. NULL on success, else a static sentence that says why there is no trend; z
   and the report are then not to be used. */
const char *sb_whittaker_smooth(const sb_whittaker *task, double *z, sb_whittaker_report *report);

#endif
