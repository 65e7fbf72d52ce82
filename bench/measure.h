/* One case measured: methods of the library, peers and the ceiling, in one race. */
#ifndef SB_BENCH_MEASURE_H
#define SB_BENCH_MEASURE_H

#include "bench/race.h"

typedef struct sb_bench_plan {
    const char *methods; /* separated by commas; "all" for auto and every method that fits */
    const char *against; /* peers by commas; "all"; "" for none */
    const char *mkl;     /* NULL, or where MKL is */
    /* Left out are methods and peers that do not take the case or find no memory; otherwise such a method is refused or
       fails, and a peer is excused. */
    bool skip_unfit;
    bool switches; /* pcr_thomas switches at switch_point where its name does not say */
    int switch_point;
    int threads;     /* at least 1 */
    sb_place *place; /* where methods compute */
    double until;    /* of sb_seconds(): when no further case of a set is begun; 0: never */
    sb_race_rules rules;
} sb_bench_plan;

bool sb_bench_is_late(const sb_bench_plan *plan);

enum { SB_BENCH_MOST = 32 };

typedef struct sb_bench_entry {
    char name[SB_BENCH_NAME], about[SB_BENCH_NAME], note[SB_BENCH_TEXT]; /* as in sb_contender */
    double residual, seconds;
    size_t workspace_bytes;
    int levels;
} sb_bench_entry;

typedef struct sb_bench_result {
    sb_bench_case the_case;
    int threads, methods, peers;
    const char *executor;        /* the place's name */
    bool cold;                   /* caches were swept before every run */
    int64_t in_a_row;            /* runs of a turn, as in sb_race_rules */
    char device[SB_PLACE_TEXT];  /* as sb_place.machine */
    char refusal[SB_BENCH_TEXT]; /* why there are no methods; "" where there are */
    sb_bench_entry method[SB_BENCH_MOST], peer[SB_BENCH_MOST];
    sb_bench_entry ceiling; /* the fastest stream */
} sb_bench_result;

/* Nothing is measured, and result->methods is 0 and result->refusal a sentence, where no method is left, and with plan->skip_unfit
   where the case's arrays find no memory. Unknown names and methods that do not fit are failures in the words of the command's
   options. */
bool sb_bench_measure(const sb_bench_case *c, const sb_bench_plan *plan, sb_bench_result *result,
                      sb_failure *failure);

/* What is known of a contender after its race. */
void sb_bench_keep(sb_bench_entry *entry, const sb_contender *contender);

/* Derived numbers; NaN where not timed. Traffic is what is necessary (sb_bench_words), whoever moves it. */
double sb_bench_ns_per_row(const sb_bench_result *result, const sb_bench_entry *entry);
double sb_bench_gb_per_s(const sb_bench_result *result, const sb_bench_entry *entry);
double sb_bench_ceiling_fraction(const sb_bench_result *result, const sb_bench_entry *entry);
double sb_bench_ratio(const sb_bench_entry *method, const sb_bench_entry *peer); /* peer's time over method's */

/* The fastest that was timed; NULL if none was. */
const sb_bench_entry *sb_bench_fastest(const sb_bench_entry *entries, int count);

#endif
