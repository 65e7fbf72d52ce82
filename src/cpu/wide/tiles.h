/* One thread's tiles, and which systems its lanes hold. */
#ifndef SB_TILES_H
#define SB_TILES_H

#include "src/cpu/batch.h"
#include "src/cpu/wide/wide.h"

/* Lines of the systems in a tile's lanes. */
typedef struct sb_lane_lines {
    int64_t *offset;
    bool *whole;
} sb_lane_lines;

/* Lanes past `count` repeat the last system: what they compute is what its lane computes. */
typedef struct sb_tiles {
    int64_t count, lanes;
    int64_t *number; /* of each lane's system or matrix */
    sb_lane_lines rhs, solution, matrix, store;
    R *growth, *bad, *odd; /* of each lane: see wide.h */
    R *x;                  /* row 0 of the tile of vectors */
    R *rows;               /* a block of matrix or factor rows */
    R *upper;              /* row 0 of what substitution backwards needs */
} sb_tiles;

size_t SB_NAME(tiles_bytes)(const slimband_plan *plan, int64_t lanes, int64_t block);
sb_tiles SB_NAME(tiles_of)(const slimband_plan *plan, int thread);

/* All lanes are known: round up to whole groups, and zero what lies in front of and behind the rows. */
void SB_NAME(tiles_close)(const slimband_plan *plan, sb_tiles *tiles);

/* After each change of these lines' offsets: which vectors of lanes can be moved as one. */
void SB_NAME(mark_whole)(const slimband_plan *plan, const sb_tiles *tiles, sb_lane_lines lines, int64_t stride);

#endif
