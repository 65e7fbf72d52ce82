/* The rules of a measurement: answers first, then turns, then medians. */
#ifndef SB_BENCH_RACE_H
#define SB_BENCH_RACE_H

#include "bench/contender.h"
#include "bench/memory.h"
#include "cli/progress.h"

typedef struct sb_race_rules {
    int64_t repeat; /* turns; 0: as many as fit */
    double enough;  /* these seconds; 0: a few */
    /* A turn is so many runs, queued one behind the other, and its time theirs divided by their number; 0: 1. Inputs are
       restored before the first: who overwrites them works on what it left. */
    int64_t in_a_row;
    bool
        flush; /* the place's caches are swept before every run; otherwise the contender's inputs are read into them,
                   as they always are for one that computes elsewhere */
    const sb_broom *broom; /* to flush with; NULL: one of its own */
    double
        give_up; /* who takes that many times the fastest's time when verified is not timed, unless it stays; 0: all
                       are */
    sb_progress *progress;
    const char *what; /* for the progress line */
} sb_race_rules;

/* The largest backward error that counts as an answer. */
double sb_race_limit(slimband_scalar scalar);

/* First each contender's answer is verified: a backward error beyond the limit, or a complaint, is its note and
   it is not timed. Then all take turns `repeat` times, each time in another order; inputs are restored outside of the
   clock. False only without memory. */
bool sb_race_run(sb_bench_data *data, sb_contender *contenders, int count, const sb_race_rules *rules,
                 sb_failure *failure);

/* Of count >= 1 numbers, which are sorted. */
double sb_race_median(double *numbers, int64_t count);

#endif
