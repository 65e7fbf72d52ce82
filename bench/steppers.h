/* Steppers measured, and the figures that show that they are right. */
#ifndef SB_BENCH_STEPPERS_H
#define SB_BENCH_STEPPERS_H

#include "cli/fail.h"
#include "cli/progress.h"
#include "slimband/steppers.h"

/* `slimband bench steppers`; argv[0] is its name. The exit code. */
int sb_command_bench_steppers(int argc, char **argv);

typedef struct sb_stepper_bench {
    slimband_scalar scalar;
    int64_t n, batch, steps, threads, repeat;
    double dt;
    bool cuda, json;
    const char *output; /* folder of the figures, or NULL */
    sb_progress progress;
    sb_failure failure;
} sb_stepper_bench;

/* Time of each stepper, and of plain C where there is one; printed. */
bool sb_steppers_race(sb_stepper_bench *bench);

/* convergence and coarsening, as .svg and .csv. */
bool sb_steppers_figures(sb_stepper_bench *bench);

#endif
