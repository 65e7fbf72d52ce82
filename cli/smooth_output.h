/* What slimband smooth hands out. */
#ifndef SB_CLI_SMOOTH_OUTPUT_H
#define SB_CLI_SMOOTH_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/csv.h"
#include "cli/whittaker.h"

typedef struct sb_smooth_settings {
    const char *input, *column, *output, *chart; /* NULL where not given */
    double lambda;                               /* NaN until given */
    int64_t order, threads;
    bool json;
    sb_failure *failure;
} sb_smooth_settings;

/* Columns: the label if there is one, the observed value (empty where missing), the trend. */
void sb_smooth_write(FILE *out, const sb_csv *csv, const double *trend, sb_progress *progress);

void sb_smooth_draw(FILE *out, const sb_csv *csv, const double *trend, const sb_smooth_settings *settings);

/* To standard output: what was smoothed, how fast, how well. */
bool sb_smooth_tell(const sb_smooth_settings *settings, const sb_csv *csv, const sb_whittaker_report *report);

#endif
