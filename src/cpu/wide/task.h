/* What one call does to every chunk of a batch: passes over one thread's tiles (pass.c), in the order that a chunk
 * needs (chunk.c). */
#ifndef SB_TASK_H
#define SB_TASK_H

#include "src/cpu/wide/tiles.h"

typedef struct sb_task {
    sb_job job;
    const sb_wide *wide;
    sb_alone *alone;  /* solves systems that tiles can't take */
    const T *shared;  /* factors of the one matrix, in rows of lower + 1 + upper words */
    int lower, upper; /* of what those factors are of: a transpose's are the matrix's the other way round */
    int64_t inner;    /* rows that elimination sees: all, or a ring's interior */
    bool ring, past_cache;
    bool closed;     /* rings of 1 + 1 whose last row is eliminated with the others: no ring for the rest */
    bool by_columns; /* a transposed solve with factors as they are kept */
    bool usual;      /* a band that has kernels of its own: see SB_USUAL_MOST */
    bool far;        /* the batch is not in the cores' own caches: fetch ahead */
    bool small;      /* the second-level cache has room for the next tile too */
    bool laned;      /* own factors are kept in lane order, but for tiles that do not fill their vectors */
    bool told;       /* records say already what is said of most: only what differs has to be written */
    bool *other;     /* becomes true where anything is */
    bool implies; /* whole tiles of systems side by side are swept where they lie, all of them: see sb_tiles */
    int64_t row;  /* systems that lie side by side; chunks do not go beyond */
    int64_t matrix_weight[SLIMBAND_MAX_BATCH_RANK]; /* a system's matrix number, from its batch index */
    sb_ring border;
} sb_task;

/* So many systems of a row are swept where they lie, and are no multiple of vectors. */
static inline bool sb_overlaps(const sb_task *t, int64_t count)
{
    return t->implies && t->row > 0 && !t->closed && count > t->wide->width && count % t->wide->width != 0;
}

/* Factors as the tiles' rows hold them from row 0 on, or the one matrix that all lanes share. */
sb_factors SB_NAME(tile_factors)(const sb_task *t, const sb_tiles *tiles);

/* The same where the tile's part of the store is in lane order: L, or what substitution with U wants. */
sb_factors SB_NAME(lower_factors)(const sb_task *t, const sb_tiles *tiles);
sb_factors SB_NAME(upper_factors)(const sb_task *t, const sb_tiles *tiles);

/* What eliminate_down keeps of them. */
sb_factors SB_NAME(kept_factors)(const sb_task *t, const sb_tiles *tiles);

/* The task's one matrix becomes its transpose (for conjugate, its adjoint), factored in a piece of the tiles. False if
   there are numbers among the factors whose reciprocals are not. */
bool SB_NAME(transpose_task)(sb_task *t, const sb_tiles *tiles, bool conjugate);

/* Forwards through rows from..to-1, a block at a time: right-hand sides in, and factors if every lane has its own. */
typedef void sb_descent(const sb_task *t, sb_tiles *tiles, int64_t from, int64_t to);
sb_descent SB_NAME(go_down);

/* The same for matrices that are factored on the way; l is not kept. All rows at once but for the usual bands. */
sb_descent SB_NAME(eliminate_down);

/* The last row of a ring that is `closed`. */
sb_last_row SB_NAME(last_row)(const sb_task *t, const sb_tiles *tiles);

/* All rows, first all of them down and then all of them back, by as many as tiles hold (stretches.c). */
void SB_NAME(descend)(const sb_task *t, sb_tiles *tiles, sb_descent *down);
void SB_NAME(return_from)(const sb_task *t, sb_tiles *tiles, sb_descent *down);

/* Do tiles hold but a part of the rows? */
static inline bool SB_NAME(by_stretches)(const sb_task *t)
{
    return t->job.cpu->wide.stretch < t->job.plan->problem.n;
}

/* The part of that which all bands and rings have in common. Without right-hand sides, factors are stored. */
void SB_NAME(eliminate_by_blocks)(const sb_task *t, const sb_tiles *tiles);

/* Other rings, every lane its matrix: elimination of their interiors, what they and their spikes are solved to, and the border's
   unknowns, or with no right-hand sides a store of all that they need; then the interiors' unknowns, and out. */
sb_tile SB_NAME(spike)(const sb_tiles *tiles, int column);
void SB_NAME(eliminate_rings)(const sb_task *t, const sb_tiles *tiles, int64_t first);
void SB_NAME(close_rings)(const sb_task *t, const sb_tiles *tiles);

/* The borders and rows from..to-1 of the spikes that were stored; what the transpose's borders make of the ends of their
   interiors. */
void SB_NAME(load_borders)(const sb_task *t, const sb_tiles *tiles);
void SB_NAME(open_borders)(const sb_task *t, const sb_tiles *tiles);
sb_spikes SB_NAME(load_spikes)(const sb_task *t, const sb_tiles *tiles, int64_t from, int64_t to);

/* There and back with the transpose of kept factors, rings included. */
void SB_NAME(solve_by_columns)(const sb_task *t, sb_tiles *tiles);

/* Backwards through rows from..to-1, and out unless a ring is still to be closed. Blocks of own factors that are not in one piece are
   fetched again, but for the last one, which is still there. */
void SB_NAME(come_back)(const sb_task *t, sb_tiles *tiles, int64_t from, int64_t to);

void SB_NAME(close_ring)(const sb_task *t, const sb_tiles *tiles);

/* NaN in `bad` of each lane whose matrix or right-hand side has NaN or Inf. */
void SB_NAME(search_matrices)(const sb_task *t, const sb_tiles *tiles);
void SB_NAME(search_rhs)(const sb_task *t, const sb_tiles *tiles);

/* Items first..first + count - 1, matrices or systems, in a thread's tiles as tiles_of made them; of these, the first `others`
   only fill up the vectors, and another call solves them: none where factors are kept. Returns the first system that failed, or
   INT64_MAX. factor_solve_chunk: every system has a matrix of its own. */
typedef int64_t sb_chunk(const sb_task *t, const sb_tiles *empty, int64_t first, int64_t count, int64_t others);
sb_chunk SB_NAME(factor_chunk), SB_NAME(solve_chunk), SB_NAME(factor_solve_chunk);

/* Was this matrix factored by the engine whose factors the tiles read? */
static inline bool sb_plain_factors(const sb_matrix_record *record)
{
    return !record->status && !record->fallback && !record->pivoted;
}

#endif
