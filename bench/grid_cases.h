/* The grid's cases and the families that they are shown in. */
#ifndef SB_BENCH_GRID_CASES_H
#define SB_BENCH_GRID_CASES_H

#include "bench/case.h"

typedef struct sb_grid_case {
    const char *family;
    char label[SB_BENCH_NAME]; /* within the family */
    const char *against;
    const char *methods; /* NULL: those that are asked for */
    bool large;          /* only with --large */
    bool typed;          /* the_case.scalar counts; otherwise --type does */
    const char *target;  /* what is to be reached, in words; NULL: nothing in particular */
    sb_bench_case the_case;
} sb_grid_case;

typedef enum sb_grid_values {
    SB_GRID_BARS,     /* ns a row of every method and peer, a group of bars for each case */
    SB_GRID_SPEEDUP,  /* lines: each method's speedup over the fastest peer */
    SB_GRID_RELATIVE, /* lines: the fastest's time over each method's and each peer's */
} sb_grid_values;

/* Of the cases of a family within these bounds. Lines: along the sizes or along the numbers of systems, one for each
   method and each value of the other. */
typedef struct sb_grid_chart {
    const char *name, *title, *family;
    sb_grid_values values;
    bool along_systems;
    int64_t least_n, most_n, least_systems, most_systems; /* most 0: no bound */
    const char *methods;                                  /* by commas, those with a line; NULL: all */
} sb_grid_chart;

typedef struct sb_grid_family {
    const char *name, *title;
} sb_grid_family;

/* What one executor is measured on. */
typedef struct sb_grid_set {
    int (*fill)(sb_grid_case *cases,
                bool quick); /* how many cases there are, and unless cases is NULL the cases */
    int families, charts;
    const sb_grid_family *family;
    const sb_grid_chart *chart;
    const char *methods; /* unless the command names some */
} sb_grid_set;

extern const sb_grid_set sb_grid_host, sb_grid_cuda;

/* Does its family's name begin so? NULL: any does. */
bool sb_grid_case_is_of(const sb_grid_case *c, const char *only);

/* The host's cases: entry 0, 1, ...; NULL past the last. */
const sb_grid_case *sb_grid_case_at(int index);
/* Cases of no chart: few systems, short ones, rings and other bands, where the best method is about to change. */
const sb_grid_case *sb_grid_case_between(int index);

#endif
