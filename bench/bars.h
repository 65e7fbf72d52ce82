/* Groups of horizontal bars as one self-contained SVG file: a group a case, a bar a contender. */
#ifndef SB_BENCH_BARS_H
#define SB_BENCH_BARS_H

#include <stdio.h>

#include "bench/measure.h"

typedef struct sb_bars {
    const char *title, *subtitle;
    int groups;
    const char *const *labels;             /* of the groups */
    const sb_bench_result *const *results; /* of the groups */
} sb_bars;

/* ns a row of the methods, the ceiling and the peers that were timed. */
void sb_bars_write(FILE *out, const sb_bars *bars);

#endif
