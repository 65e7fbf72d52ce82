/* How one long system is cut: into chunks of consecutive rows, one in each lane of a tile. */
#ifndef SB_CHUNKS_H
#define SB_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#include "slimband/problem.h"

/* The widest band that is cut, to either side of the diagonal. */
enum { SB_CHUNKED_BAND = 4 };

/* Is this problem for chunks, if it has rows enough? Others are solved as by thomas and lu: see driver.c. */
bool sb_fits_chunks(const slimband_problem *problem);

/* How many lines of a batch `truncated` takes at a time for one system, whose couplings are 0 where one line ends and the next
   begins: lines with matrices of their own that follow one another, each solved once. 1: a line is a system by itself. Known
   without the number of threads, which must not change the bits. */
int64_t sb_lines_joined(const slimband_problem *problem);

typedef struct sb_chunks {
    int64_t n, lanes, tiles;
    int64_t rows, last_rows; /* of each chunk; of those in the last tile */
    int64_t tail;            /* rows behind the last chunk */
} sb_chunks;

/* Chunks of so many rows; those of the last tile may have fewer, down to `least`. No tile where n is too small. */
sb_chunks sb_chunks_of(int64_t n, int64_t lanes, int64_t rows, int64_t least);

/* The same without anything left over: chunks of the last tile have `last_rows` rows and `more` in all besides, which its first ones have
   by two, and the last one of them if that is odd. So all begin at even rows: rows that are eliminated two by two are the same two in
   whichever chunk, to the last bit. */
typedef struct sb_spans {
    int64_t n, lanes, tiles;
    int64_t rows, last_rows, more;
} sb_spans;

sb_spans sb_spans_of(int64_t n, int64_t lanes, int64_t wanted, int64_t unit);

static inline int64_t sb_span_rows(const sb_spans *s, int64_t tile)
{
    return tile == s->tiles - 1 ? s->last_rows : s->rows;
}

/* Where chunk `span` begins; n behind the last one. */
static inline int64_t sb_span_start(const sb_spans *s, int64_t span)
{
    int64_t tile = span / s->lanes, lane = span % s->lanes;
    if (tile >= s->tiles)
        return s->n;
    int64_t start = tile * s->lanes * s->rows + lane * sb_span_rows(s, tile);
    return tile < s->tiles - 1 ? start : start + 2 * (lane < s->more / 2 ? lane : s->more / 2);
}

/* Rows that a chunk has more than sb_span_rows says of its tile, and that the longest one of a tile has. */
static inline int64_t sb_span_more(const sb_spans *s, int64_t span)
{
    int64_t tile = span / s->lanes, lane = span % s->lanes;
    if (tile < s->tiles - 1)
        return 0;
    return lane < s->more / 2 ? 2 : lane == s->lanes - 1 ? s->more % 2 : 0;
}

static inline int64_t sb_span_most_rows(const sb_spans *s, int64_t tile)
{
    return sb_span_rows(s, tile) + (tile < s->tiles - 1 ? 0 : s->more < 2 ? s->more : 2);
}

/* About `wanted` rows, so that tiles come out even, and in multiples of `unit` where there is more than one. */
int64_t sb_chunk_rows_near(int64_t n, int64_t lanes, int64_t wanted, int64_t unit);

static inline int64_t sb_chunk_rows(const sb_chunks *c, int64_t tile)
{
    return tile == c->tiles - 1 ? c->last_rows : c->rows;
}

static inline int64_t sb_tile_start(const sb_chunks *c, int64_t tile)
{
    return tile * c->lanes * c->rows;
}

static inline int64_t sb_chunk_start(const sb_chunks *c, int64_t chunk)
{
    int64_t tile = chunk / c->lanes;
    return sb_tile_start(c, tile) + chunk % c->lanes * sb_chunk_rows(c, tile);
}

static inline int64_t sb_chunk_count(const sb_chunks *c)
{
    return c->tiles * c->lanes;
}

/* Do lines of lanes so many rows apart, `unit` to a cache line, keep out of each other's sets of the first-level cache, where
   those of a page lie side by side, with what is fetched ahead in each? */
bool sb_lanes_apart(int64_t rows, int64_t lanes, int64_t unit);

/* One, or all of them, though some may find no tile: libgomp ends the threads that a smaller team leaves over, and makes new ones
   for the next. */
static inline int sb_long_team(int64_t tiles, int threads)
{
    return tiles > 1 ? threads : 1;
}

#endif
