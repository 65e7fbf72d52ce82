/* How systems are cut for the chip, and where the factors of a shared matrix lie: facts of a plan, for the host that
 * plans and for the kernels.
 *
 * A system is cut into `blocks` (one, or a cluster of them, each with its shared memory; or, where chunks are a warp's lanes,
 * the warps that share it), a block into `chunks`, a chunk is what one thread holds in registers: `slots` places, the last of which
 * are in use. */
#ifndef SB_CUDA_TILE_CUT_H
#define SB_CUDA_TILE_CUT_H

#include <stdint.h>

#include "src/cuda/record.h"

typedef struct sb_tile_cut {
    int k;          /* half bandwidth: 1, 2 or 4 */
    int n;          /* rows */
    int blocks;     /* of a cluster; at most 16 */
    int chunks;     /* of a block */
    int slots;      /* of a chunk */
    int block_rows; /* of every block but the last */
    int chunk_rows; /* 0: a block's rows are shared out evenly; else of every chunk but the first ones, */
    int least_rows; /* which have what is left, but at least these */
    int first_rows; /* 0, or: of the first chunks, as long as k rows are left for each of the others */
} sb_tile_cut;

SB_CUDA_INLINE int sb_tile_smaller(int a, int b)
{
    return a < b ? a : b;
}

SB_CUDA_INLINE int sb_tile_rows_of(const sb_tile_cut *cut, int block)
{
    return sb_tile_smaller(cut->block_rows, cut->n - block * cut->block_rows);
}

/* The first row of a chunk, counted from the block's first. chunk == cut->chunks: the end of the block. */
SB_CUDA_INLINE int sb_tile_start(const sb_tile_cut *cut, int block, int chunk)
{
    int rows = sb_tile_rows_of(cut, block);
    if (cut->first_rows != 0)
        return sb_tile_smaller(chunk * cut->first_rows, rows - (cut->chunks - chunk) * cut->k);
    if (cut->chunk_rows == 0)
        return chunk * rows / cut->chunks;
    const int start = rows - (cut->chunks - chunk) * cut->chunk_rows, least = chunk * cut->least_rows;
    return start < least ? least : start;
}

/* The factors of a shared matrix, as offsets in scalars: src/chunk/cut.h names the parts of a chunk. For each
 * separator block x = y + P x(end of the block before) + Q x(end of this block), by a sweep over the chain of a block:
 *   g = E (interior's last y, separators' b) + W (next interior's first y) + L g(before),   y = g + U y(behind)
 * and the ends of all blocks by the inverse of what is left. */
typedef struct sb_tile_parts {
    int64_t band;    /* slots x (2k + 1): the matrix itself */
    int64_t forward; /* slots x (k + 1) */
    int64_t back;    /* slots x k */
    int64_t spike;   /* slots x 2k */
    int64_t reduced; /* chunks x 3 k k: the separators' system */
    int64_t link;    /* chunks x 7 k k: E (2), W, L, U, P, Q */
    int64_t
        edge; /* blocks x 2 k k: multipliers of the first and last y of a chain in the equations of its ends */
    int64_t inverse; /* (blocks k) x (blocks k) */
    int64_t
        lanes; /* where chunks are a warp's lanes: blocks x SB_TILE_LANE_TABLES, of src/cuda/tile/lanes.cuh */
    int64_t total;
} sb_tile_parts;

enum {
    SB_TILE_E = 0,
    SB_TILE_W = 2,
    SB_TILE_L = 3,
    SB_TILE_U = 4,
    SB_TILE_P = 5,
    SB_TILE_Q = 6,
    SB_TILE_LINK = 7,
    SB_TILE_LANE_WORDS = 18
};

/* Scalars of the tables of chunks that are a warp's lanes: of each lane, and behind them, where several warps share a system, its rows
   of the inverse, in pieces of 16 bytes. */
#define SB_TILE_LANE_TABLES(k, slots, blocks)                                   \
    (32 * (int64_t)((slots) * (4 * (k) + 1) + SB_TILE_LANE_WORDS * (k) * (k)) + \
     ((blocks) > 1 ? (2 * (k) * (k) * (blocks) + 3) / 4 * 4 : 0))

SB_CUDA_INLINE sb_tile_parts sb_tile_layout(const sb_tile_cut *cut)
{
    int64_t k = cut->k, chunks = (int64_t)cut->blocks * cut->chunks, slots = chunks * cut->slots;
    sb_tile_parts parts;
    parts.band = 0;
    parts.forward = parts.band + slots * (2 * k + 1);
    parts.back = parts.forward + slots * (k + 1);
    parts.spike = parts.back + slots * k;
    parts.reduced = parts.spike + slots * 2 * k;
    parts.link = parts.reduced + chunks * 3 * k * k;
    parts.edge = parts.link + chunks * SB_TILE_LINK * k * k;
    parts.inverse = parts.edge + cut->blocks * 2 * k * k;
    parts.lanes = (parts.inverse + cut->blocks * k * cut->blocks * k + 31) / 32 * 32;
    parts.total = parts.lanes +
                  (cut->chunk_rows ? cut->blocks * SB_TILE_LANE_TABLES(cut->k, cut->slots, cut->blocks) : 0);
    return parts;
}

#endif
