/* The wide kernels of one scalar type and instruction set; see wide.h. */
#ifndef SB_WIDE_NAMES_H
#define SB_WIDE_NAMES_H

#include "src/cpu/vec/word.h"
#include "src/cpu/wide/wide.h"

#define SB_WIDE(name) SB_ISA_NAME(name, SB_ISA)

/* Lanes that a sweep takes together. */
enum { SB_GROUP = SB_DEPTH * SB_WIDTH };

void SB_WIDE(gather)(const T *from, const sb_lines *lines, int64_t first, int64_t rows, sb_tile to,
                     int64_t step);
void SB_WIDE(scatter)(sb_tile from, T *to, const sb_lines *lines, int64_t first, int64_t rows, bool past_cache);
void SB_WIDE(fence)(void);
void SB_WIDE(forward)(const sb_factors *f, sb_tile x, int64_t from, int64_t to);
void SB_WIDE(backward)(const sb_factors *f, sb_tile x, int64_t from, int64_t to, R *odd);
void SB_WIDE(forward_columns)(const sb_factors *f, sb_tile x, int64_t from, int64_t to);
void SB_WIDE(backward_columns)(const sb_factors *f, sb_tile x, int64_t from, int64_t to, R *odd);
void SB_WIDE(project)(const sb_spikes *spikes, sb_tile x, int64_t from, int64_t to);
void SB_WIDE(search)(sb_tile x, int64_t rows, R *odd);
void SB_WIDE(eliminate)(const sb_elimination *e, int64_t from, int64_t to);
void SB_WIDE(forward_rows)(const sb_sweep *s, int64_t from, int64_t to);
void SB_WIDE(backward_rows)(const sb_sweep *s, int64_t from, int64_t to);
void SB_WIDE(forward_lines)(const sb_line_sweep *s, int64_t from, int64_t to);
void SB_WIDE(backward_lines)(const sb_line_sweep *s, int64_t from, int64_t to);
void SB_WIDE(march)(const sb_march *m, int64_t rows);
void SB_WIDE(march_lines)(const sb_line_march *m, int64_t rows);
void SB_WIDE(border)(const sb_ring *ring, sb_tile x);
void SB_WIDE(border_own)(const sb_borders *borders, sb_tile x);
void SB_WIDE(begin_last)(const sb_last_row *last);
void SB_WIDE(end_last)(const sb_last_row *last);
void SB_WIDE(unspike)(const sb_ring *ring, sb_tile x, int64_t from, int64_t to, R *odd);
void SB_WIDE(unspike_own)(const sb_spikes *spikes, sb_tile x, const sb_rows *out, int64_t from, int64_t to,
                          R *odd);
void SB_WIDE(measure)(const sb_spikes *spikes, R *largest, R *bad);

#endif
