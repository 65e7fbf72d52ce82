/* One thread's tiles, and which systems its lanes hold. */
#ifndef SB_TILES_H
#define SB_TILES_H

#include "src/cpu/batch.h"
#include "src/cpu/wide/wide.h"

static inline int64_t sb_smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t sb_wider(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* How a tile's lines lie towards each other: anyhow; one after another at even distances, each of stride 1; side by side,
   so that the tile's rows are runs of neighbours. */
typedef enum sb_arrangement { SB_ANYHOW, SB_LINES, SB_SIDE_BY_SIDE } sb_arrangement;

/* Lines of the systems in a tile's lanes. */
typedef struct sb_lane_lines {
    int64_t *offset;
    bool *whole;
    int64_t between; /* of SB_LINES: elements from one to the next */
    sb_arrangement arrangement;
} sb_lane_lines;

/* A tile's part of the store in lane order: row after row of it, every lane's words side by side, as tiles have them. */
typedef struct sb_laned {
    R *lower;  /* multipliers, `lower` words a row; or NULL: the lanes' matrices lie there one by one */
    R *upper;  /* reciprocal pivots and U, 1 + upper words a row */
    R *spikes; /* of rings, columns one after another */
} sb_laned;

/* Lanes past `count` repeat the last system: what they compute is what its lane computes. The first `others` have systems in them that
   somebody else solves, so that vectors are full of lines as they lie. */
typedef struct sb_tiles {
    int thread;     /* whose they are */
    int64_t beside; /* systems that lie side by side behind the last one */
    bool in_a_row;  /* every lane's system is the next one along the batch's last dimension */
    bool implied;   /* and side by side, so that only the first lane's lines are told */
    bool overlaps;  /* and no multiple of vectors, the last of which ends with the last lane */
    int64_t count, lanes, others;
    int64_t *number; /* of each lane's system or matrix */
    sb_lane_lines rhs, solution, matrix, store;
    R *growth, *bad, *odd; /* of each lane: see wide.h */
    R *x;                  /* where row 0 of the tile of vectors is, or would be */
    R *rows;               /* a block of matrix or factor rows, or all factor rows: */
    int64_t from, to;      /* factor rows that are there */
    R *upper;              /* where row 0 of what substitution backwards needs is, or would be */
    int64_t first;    /* row that the tile begins with: not always 0 where it holds but a part of them; and */
    R *fronts;        /* then of each part the rows in front of it, of vectors and of what is kept */
    sb_spikes spikes; /* of rings, all rows if every lane has a matrix, else a block of them; */
    R *spike_sizes;   /* their largest row sums */
    R *border;        /* and what else closes them: see sb_border_words, SB_LAST_WORDS */
    sb_laned laned;
    T *transposed; /* rows of factors of a shared matrix's transpose: the first thread's serve all */
} sb_tiles;

/* The border of a ring in lane order: A21, the factors of S, and R by R how far rows were swapped, but for the last. */
static inline int64_t sb_border_words(int m)
{
    return (int64_t)3 * m * m;
}

/* Rows of zeros in front of and behind a tile, of a matrix or its transpose; one at least, since sweeps load the row next
   to theirs. */
static inline int64_t SB_NAME(tile_halo)(const slimband_problem *p)
{
    return sb_wider(1, sb_wider(p->lower, p->upper));
}

/* Rows in front of a part of the rows, in vectors and in what is kept of own matrices. */
static inline int64_t SB_NAME(front_rows)(const slimband_problem *p, bool own)
{
    return SB_NAME(tile_halo)(p) + (own ? p->lower * (1 + p->upper) : 0);
}

size_t SB_NAME(tiles_bytes)(const slimband_plan *plan, const sb_wide_plan *how);
sb_tiles SB_NAME(tiles_of)(const slimband_plan *plan, int thread);

/* All lanes are known: round up to whole vectors unless they overlap, and zero what lies in front of and behind the rows. */
void SB_NAME(tiles_close)(const slimband_plan *plan, sb_tiles *tiles);

/* Rings, every lane its matrix: their spikes and what lies in front of and behind them. */
void SB_NAME(clear_spikes)(const slimband_plan *plan, const sb_tiles *tiles);

/* After each change of these lines' offsets: how they lie. step: from a system to the next, if they are in a row. */
void SB_NAME(arrange)(const slimband_plan *plan, const sb_tiles *tiles, sb_lane_lines *lines, int64_t stride,
                      int64_t step);

#endif
