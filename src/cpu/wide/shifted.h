/* Kernels of slimband/rows.h, for each real type and instruction set. */
#ifndef SB_WIDE_SHIFTED_H
#define SB_WIDE_SHIFTED_H

#include <stdint.h>

#include "slimband/rows.h"
#include "src/cpu/wide/isa.h"

/* Reciprocal pivots of a half: row j of group g has its SLIMBAND_ROWS_GROUP at table[g], behind those of the rows before it;
   rows from stored[g] on have those of row stored[g] - 1. */
typedef struct sb_pivots {
    int64_t *stored;
    void **table;
} sb_pivots;

/* Row j of its half, `count` systems from the first of group `group` on. Words an entry: 2 in and 1 out, and the pivot's, all
   of them in the cache. */
typedef struct sb_rows_kernels {
    /* row = (row - coupling outer) w; outer NULL: no coupling */
    void (*eliminate)(double coupling, const sb_pivots *pivots, int64_t j, int64_t group, int64_t count,
                      const void *outer, void *row);
    /* row -= coupling w inner */
    void (*substitute)(double coupling, const sb_pivots *pivots, int64_t j, int64_t group, int64_t count,
                       const void *inner, void *row);
    /* of one group: both rows solved; each row's coupling to the other */
    void (*meet)(const double coupling[2], const void *w0, const void *w1, void *row0, void *row1,
                 int64_t count);
} sb_rows_kernels;

#define SB_DECLARE_ROWS(isa, here) extern const sb_rows_kernels sb_rows_f32_##isa, sb_rows_f64_##isa;
SB_ISAS(SB_DECLARE_ROWS)
#undef SB_DECLARE_ROWS

#endif
