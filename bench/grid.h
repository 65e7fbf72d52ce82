/* The published set of cases. */
#ifndef SB_BENCH_GRID_H
#define SB_BENCH_GRID_H

#include "bench/measure.h"

typedef struct sb_grid_settings {
    slimband_scalar scalar;
    bool large; /* one system of 2^25 too */
    bool quick;
    const char *only;   /* NULL, or how the names of the families begin */
    const char *folder; /* made if need be; results.jsonl, results.md and charts */
    sb_bench_plan plan; /* methods and against NULL: each case's own; progress and its words are the grid's */
} sb_grid_settings;

/* All files are written once all cases are measured, or plan.until has come. A method for which there is no memory is left out
   of its case, with a note. A method that fails is recorded, and then *failure says so and false is returned as well. */
bool sb_grid_run(const sb_grid_settings *settings, sb_progress *progress, sb_failure *failure);

#endif
