/* Where the systems of a batch lie. */
#ifndef SB_CUDA_TILE_GRID_H
#define SB_CUDA_TILE_GRID_H

#include "src/cuda/method.h"
#include "src/cuda/tile/strided.h"

/* Half bandwidth of the kernels that take a problem: 1, 2 or 4. */
int sb_tile_half_band(const slimband_problem *p);

/* Columns, or lines that follow each other, run along the dimension of the smallest stride. */
void sb_tile_lay_out(const slimband_problem *p, sb_tile_grid *job, sb_tile_line *matrix);

/* Can the copy engine fetch boxes of this array? */
bool sb_tile_engine_takes(const sb_tile_line *at, const sb_tile_grid *job, int64_t bytes);

/* Are lines multiples of the copy engine's 16 bytes apart? */
bool sb_tile_lines_in_pieces(const sb_tile_line *at, int64_t bytes);

/* Do lines of two arrays that begin alike within these all do so? */
bool sb_tile_lines_alike(const sb_tile_line *one, const sb_tile_line *other, int64_t bytes);

#endif
