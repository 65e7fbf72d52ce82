/* A piece of SB_LINE_ROWS rows out of the user's lines: a cache line of each, transposed in the registers, laid out as in
 * a block, in a few KB that never leave the first-level cache. */
#ifndef SB_LONG_PIECE_H
#define SB_LONG_PIECE_H

#include "src/cpu/long/row.h"

enum { PIECE = SB_LINE_ROWS, PIECE_REALS = PIECE * (2 * BAND + 2) * WORD, SQUARES = 64 / (SB_WIDTH * (int)sizeof(R)) };

/* What lies so many reals behind p, wherever that is; nothing is read. */
SB_INLINE void fetch_line(const R *p, int64_t reals)
{
    uintptr_t at = (uintptr_t)p + (uintptr_t)(reals * (int64_t)sizeof(R));
    __builtin_prefetch((const void *)at); /* NOLINT(performance-no-int-to-ptr) */
}

/* Word w of the piece that begins `at` reals into the lines. */
SB_INLINE void take_word(const sb_long_lines *lines, int k, int w, int64_t at, R *piece)
{
    const R *from = lines->word[w] + at;
    for (int v = 0; v < SB_DEPTH; ++v) {
        const int64_t *offset = lines->offset + v * SB_WIDTH;
        for (int q = 0; q < SQUARES; ++q) {
            V square[SB_WIDTH];
            vload_square_at(from + q * SB_WIDTH, offset, square);
            SB_IN_REGISTERS
            for (int j = 0; j < SB_WIDTH; ++j) {
                int real = q * SB_WIDTH + j, row = real / SB_PLANES, plane = real % SB_PLANES;
                vstore(piece + (row * (2 * k + 2) + w) * WORD + plane * LANES + v * SB_WIDTH, square[j]);
            }
        }
        SB_IN_REGISTERS
        for (int s = 0; s < SB_WIDTH; ++s)
            fetch_line(from + offset[s], lines->ahead);
    }
}

SB_INLINE void take_piece(const sb_long_lines *lines, int k, int64_t number, R *piece)
{
    int64_t at = number * PIECE * SB_PLANES;
    for (int w = 0; w <= 2 * k && !lines->constant; ++w)
        take_word(lines, k, w, at, piece);
    take_word(lines, k, 2 * k + 1, at, piece);
}

/* The matrix's part of a piece whose rows are all alike. */
SB_INLINE void put_constant(const sb_long_lines *lines, int k, R *piece)
{
    for (int row = 0; row < PIECE && lines->constant; ++row)
        for (int w = 0; w <= 2 * k; ++w)
            for (int v = 0; v < SB_DEPTH; ++v)
                wstore(piece + (row * (2 * k + 2) + w) * WORD + v * SB_WIDTH, LANES, wsplat(&lines->constant[w]));
}

#endif
