/* Kernels of slimband/rows.h, for each real type and instruction set. */
#ifndef SB_WIDE_SHIFTED_H
#define SB_WIDE_SHIFTED_H

#include <stdint.h>

#include "src/cpu/wide/isa.h"

/* w: reciprocal pivots. Words an entry: 2 in and 1 out, and w's, all of them in the cache. */
typedef struct sb_rows_kernels {
    /* row = (row - coupling outer) w; outer NULL: no coupling */
    void (*eliminate)(double coupling, const void *w, const void *outer, void *row, int64_t count);
    /* row -= coupling w inner */
    void (*substitute)(double coupling, const void *w, const void *inner, void *row, int64_t count);
    /* both rows solved: each row's coupling to the other */
    void (*meet)(const double coupling[2], const void *w0, const void *w1, void *row0, void *row1,
                 int64_t count);
} sb_rows_kernels;

#define SB_DECLARE_ROWS(isa, here) extern const sb_rows_kernels sb_rows_f32_##isa, sb_rows_f64_##isa;
SB_ISAS(SB_DECLARE_ROWS)
#undef SB_DECLARE_ROWS

#endif
