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
    int count;
    sb_grid_entry *entry;
} sb_grid_results;

/* A line for each case and method, and what the case is called here; false without memory. */
bool sb_grid_write_lines(FILE *out, const sb_grid_results *results);

/* Markdown: the machine and the day, then a table for each family. */
void sb_grid_write_tables(FILE *out, const sb_grid_results *results);

void sb_grid_write_chart(FILE *out, const sb_grid_results *results, const sb_grid_family *family);

#endif
