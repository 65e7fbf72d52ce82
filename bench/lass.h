/* The measurements of the LASs paper (lass.txt VI), on the machine at hand. */
#ifndef SB_BENCH_LASS_H
#define SB_BENCH_LASS_H

#include "bench/measure.h"

typedef struct sb_lass_settings {
    int64_t largest;  /* unknowns; 0: the paper's largest */
    int switch_point; /* the only one to measure; negative: the paper's, and the one that the library chooses */
    const char *folder; /* made if need be */
    sb_bench_plan plan; /* against NULL: the peers of the paper; its methods are the paper's and our own */
} sb_lass_settings;

/* One dominant system of each size in place, without pivoting and with cold caches, as the paper has it. Methods
   are measured one after the other, because their memory would not fit together. Writes results.jsonl,
   results.md (times, best switch points, differences, memory: table 1) and figures 3 and 5 to 8 as charts; of what there was
   time for, if plan.until ends it. */
bool sb_lass_run(const sb_lass_settings *settings, sb_progress *progress, sb_failure *failure);

#endif
