/* What a benchmark says. */
#ifndef SB_BENCH_REPORT_H
#define SB_BENCH_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "bench/measure.h"

/* Method `index` of the result: case, method, type, n, batch, band, ends, coefficients, layout, in_place,
   threads, executor, caches, pivoting, ns_per_row, gb_per_s, ceiling_gb_per_s, ceiling_fraction, residual, peers: {name: {ns_per_row,
   ratio}}, best_peer. Numbers that there are none of are null, and then a `note` says why. NULL without memory. */
cJSON *sb_bench_json(const sb_bench_result *result, int index);

/* As an index: no method, numbers null, and `refused` says why there is none. */
enum { SB_BENCH_REFUSED = -1 };

/* "slimband 0.1.0, 2026-11-21, <processor> (<instruction sets>), 2 cores, 2 threads", and the device */
void sb_bench_describe_machine(char text[2 * SB_BENCH_TEXT], const sb_bench_result *result);

/* For people: the case, the ceiling, a line for each method and each peer. */
void sb_bench_write_table(FILE *out, const sb_bench_result *result);

/* How many methods failed (too slow to be timed is no failure); *first is the first of them. */
int sb_bench_failures(const sb_bench_result *result, const sb_bench_entry **first);

#endif
