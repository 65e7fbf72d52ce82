/* The grid's cases and the families that they are shown in. */
#ifndef SB_BENCH_GRID_CASES_H
#define SB_BENCH_GRID_CASES_H

#include "bench/case.h"

typedef struct sb_grid_case {
    const char *family; /* also the name of its chart */
    const char *label;  /* within the family */
    const char *against;
    bool large;
    sb_bench_case the_case; /* but for the scalar type */
} sb_grid_case;

typedef struct sb_grid_family {
    const char *name, *title;
} sb_grid_family;

/* Entry 0, 1, ...; NULL past the last. */
const sb_grid_case *sb_grid_case_at(int index);
/* Cases of no chart: few systems, short ones, rings and other bands, where the best method is about to change. */
const sb_grid_case *sb_grid_case_between(int index);

const sb_grid_family *sb_grid_family_at(int index);

#endif
