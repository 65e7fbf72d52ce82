/* The grid's files. */
#ifndef SB_BENCH_GRID_REPORT_H
#define SB_BENCH_GRID_REPORT_H

#include <stdio.h>

#include "bench/grid_cases.h"
#include "bench/measure.h"

typedef struct sb_grid_entry {
    const sb_grid_case *the_case;
    sb_bench_result result;
} sb_grid_entry;

typedef struct sb_grid_results {
    const sb_grid_set *set;
    int count, left_out; /* left_out: cases for which there was no time */
    sb_grid_entry *entry;
} sb_grid_results;

/* A line for each case and method, and what the case is called here; a line with `refused`, a sentence, for a case that no
   method takes. False without memory. */
bool sb_grid_write_lines(FILE *out, const sb_grid_results *results);

/* Markdown: the machine and the day, the fastest method of each case beside what it is to reach, then a table for each
   family. */
void sb_grid_write_tables(FILE *out, const sb_grid_results *results);

bool sb_grid_chart_has_points(const sb_grid_results *results, const sb_grid_chart *chart);

/* Of a chart that has points. */
void sb_grid_write_chart(FILE *out, const sb_grid_results *results, const sb_grid_chart *chart);

#endif
