/* What was measured of the LASs paper's methods, and its files. */
#ifndef SB_BENCH_LASS_RESULTS_H
#define SB_BENCH_LASS_RESULTS_H

#include <stdio.h>

#include "bench/lass_apart.h"
#include "bench/measure.h"

typedef struct sb_lass_variant {
    const char *name;   /* the paper's, or ours */
    const char *method; /* as the library has it */
    bool switches;      /* from pcr to Thomas */
    int paper_words;    /* a row, besides the system itself (table 1); negative: not in the paper */
} sb_lass_variant;

enum { SB_LASS_SIZES = 4, SB_LASS_CHOSEN = -1, SB_LASS_LEAST_STEPS = 2, SB_LASS_MOST_STEPS = 6 };

extern const int64_t sb_lass_sizes[SB_LASS_SIZES];

/* Entry 0, 1, ...; NULL past the last. */
const sb_lass_variant *sb_lass_variant_at(int index);

/* Method k of the result is `variant[k]`, told to switch after `steps[k]`. */
typedef struct sb_lass_size {
    sb_bench_result result;
    int variant[SB_BENCH_MOST], steps[SB_BENCH_MOST];
    sb_lass_apart apart[SB_BENCH_MOST][SB_LASS_REFERENCES];
    int chosen; /* the library's switch point */
} sb_lass_size;

typedef struct sb_lass_results {
    int sizes;
    sb_lass_size *size;
} sb_lass_results;

/* The fastest of a variant, over its switch points; NULL if none was timed. */
const sb_bench_entry *sb_lass_best(const sb_lass_size *size, int variant);
/* Told to switch there. */
const sb_bench_entry *sb_lass_at(const sb_lass_size *size, int variant, int steps);
/* NULL for NULL. */
const sb_lass_apart *sb_lass_apart_of(const sb_lass_size *size, const sb_bench_entry *entry);
const sb_bench_entry *sb_lass_peer(const sb_lass_size *size, const char *name);

/* lass.txt III.A: operations of the busiest core. */
double sb_lass_operations(int64_t n, int cores, int steps);

bool sb_lass_write_lines(FILE *out, const sb_lass_results *results);
void sb_lass_write_tables(FILE *out, const sb_lass_results *results);

/* Figures of the paper. The reference of figure 7: a peer, or "thomas" for the library's. */
void sb_lass_write_figure_3(FILE *out, const sb_lass_results *results, int cores);
void sb_lass_write_figure_5(FILE *out, const sb_lass_size *size);
void sb_lass_write_figure_6(FILE *out, const sb_lass_results *results, bool mean);
void sb_lass_write_figure_7(FILE *out, const sb_lass_results *results, const char *reference);
void sb_lass_write_figure_8(FILE *out, const sb_lass_size *size);

#endif
