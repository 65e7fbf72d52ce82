/* How many rows the tridiagonal methods have on each of their levels, and where these stand. Integers only. */
#ifndef SB_CHUNK_LEVELS_H
#define SB_CHUNK_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#define SB_LEVELS static __host__ __device__ inline
#else
#define SB_LEVELS static inline
#endif

/* How often `rows` equations are halved until at most two are left: log2(rows) - 1 for powers of two. */
SB_LEVELS int sb_cr_levels(int64_t rows)
{
    int levels = 0;
    for (; rows > 2; rows /= 2)
        ++levels;
    return levels;
}

/* The same until at most `most` >= 1 are left. */
SB_LEVELS int sb_halvings_to(int64_t rows, int64_t most)
{
    int levels = 0;
    for (; rows > most; rows /= 2)
        ++levels;
    return levels;
}

/* Level l of cyclic reduction has n >> l rows. Where those of level l >= 1 begin if the levels from 1 on follow one
   another; one level further this is the number of all. */
SB_LEVELS int64_t sb_level_start(int64_t n, int level)
{
    int64_t start = 0;
    for (int l = 1; l < level; ++l)
        start += n >> l;
    return start;
}

/* Parallel cyclic reduction: rows of system s of the 2^level that `level` steps leave of n rows. */
SB_LEVELS int64_t sb_system_rows(int64_t n, int level, int64_t s)
{
    int64_t longer = n & ((INT64_C(1) << level) - 1);
    return (n >> level) + (s < longer);
}

/* Slices of `rows` rows that n rows make; the last may be shorter. */
SB_LEVELS int64_t sb_slices(int64_t n, int64_t rows)
{
    return (n + rows - 1) / rows;
}

/* Wang & Mou's method in tiles: what is left to be merged is the first and the last row of each of n rows' tiles. They
   are the rows of the next level, number 2 t and 2 t + 1 for tile t, but for a last tile that is a single row. With an even
   number of rows a tile, pairs stay together on every level. */
SB_LEVELS int64_t sb_border_rows(int64_t n, int64_t tile)
{
    int64_t tiles = sb_slices(n, tile), last = n - (tiles - 1) * tile;
    return 2 * tiles - (last == 1);
}

/* The row of its level's tiles that row r of the next level is. */
SB_LEVELS int64_t sb_border_row(int64_t n, int64_t tile, int64_t r)
{
    int64_t row = r / 2 * tile + (r % 2 ? tile - 1 : 0);
    return row < n ? row : n - 1;
}

/* Rows of level l, and the row of level 0 that row r of it is. */
SB_LEVELS int64_t sb_tiled_rows(int64_t n, int64_t tile, int level)
{
    for (; level > 0; --level)
        n = sb_border_rows(n, tile);
    return n;
}

SB_LEVELS int64_t sb_tiled_row(int64_t n, int64_t tile, int level, int64_t r)
{
    for (; level > 0; --level)
        r = sb_border_row(sb_tiled_rows(n, tile, level - 1), tile, r);
    return r;
}

/* Tree Partitioning Reduction: the smallest power of two from `least` on that leaves no more than `most` slices of n
   rows (tpr.txt 4.4), or that holds all of them; `least` a power of two. */
SB_LEVELS int64_t sb_slice_for(int64_t n, int64_t least, int64_t most)
{
    int64_t rows = least;
    while (rows > 2 && rows / 2 >= n)
        rows /= 2;
    while (rows < n && sb_slices(n, rows) > most)
        rows *= 2;
    return rows;
}

#endif
