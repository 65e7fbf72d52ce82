/* Blocks of rows between the user's arrays, the stored factors and a thread's tiles; and where sweeps find rows that
 * need not be moved. */
#ifndef SB_MOVES_H
#define SB_MOVES_H

#include "src/cpu/wide/task.h"

/* Row `row` of a tile that begins at base, and the rows from there on. */
sb_tile SB_NAME(tile_from)(const sb_tiles *tiles, R *base, int64_t row);

/* Where only the first lane's lines were told, those of all. */
void SB_NAME(tell_lines)(const sb_tiles *tiles);

/* Rows from..to-1 of the right-hand sides into the tile of vectors, and of that tile out. */
void SB_NAME(gather_rhs)(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to);
void SB_NAME(scatter_solution)(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to);

/* Rows from..to-1 of every lane's matrix into a block. Couplings that leave the matrix are 0 and not read, but for
   those of a ring that is `closed`. */
void SB_NAME(gather_matrices)(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to);

/* Rows from..to-1 of every lane's factors; loading returns the row that the tile's first one is. */
int64_t SB_NAME(load_factors)(const sb_task *t, sb_tiles *tiles, int64_t from, int64_t to);
void SB_NAME(store_factors)(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to);

/* May the factors of this plan be kept in lane order, in the room that matrices have one by one? */
bool SB_NAME(fits_laned)(const slimband_plan *plan);

/* The part of the store that a tile has whose first matrix is this one. */
sb_laned SB_NAME(laned_at)(const sb_task *t, const sb_tiles *tiles, int64_t matrix, R **border);

/* The tile of vectors; the user's own rows in an array, side by side. */
sb_rows SB_NAME(vector_rows)(const sb_tiles *tiles);
sb_rows SB_NAME(user_rows)(const void *array, const sb_lane_lines *lines, int64_t stride);

/* Are rows or lines of the solution stored past the caches? Lines have to be aligned. */
bool SB_NAME(stores_past_cache)(const sb_task *t, const sb_tiles *tiles);

/* What to fetch while the tile goes down (and comes back): of the matrices too if they are read on the way. */
void SB_NAME(ahead)(const sb_task *t, const sb_tiles *tiles, bool back, bool matrices, sb_ahead *ahead);

#endif
