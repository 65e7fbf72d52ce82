/* How good the choices of `auto` are. */
#ifndef SB_BENCH_CHOICE_H
#define SB_BENCH_CHOICE_H

#include "bench/measure.h"

typedef struct sb_choice_settings {
    slimband_scalar scalar;
    bool large, quick, json;
    const char *only;   /* families whose names begin so; NULL: all */
    sb_bench_plan plan; /* methods and peers are the choice's own */
} sb_choice_settings;

/* Every case of the grid, and some that lie between its regimes: all methods that fit take turns, and what `auto`
   chooses is compared with the fastest. Prints a line for each case and the share of cases in which it was within
   10 %; false if that is less than 95 %, or if a method failed. */
bool sb_choice_run(const sb_choice_settings *settings, sb_progress *progress, sb_failure *failure);

#endif
