/* One long system on its way through the passes, and the memory that a call needs. */
#ifndef SB_LONG_TASK_H
#define SB_LONG_TASK_H

#include <float.h>

#include "src/cpu/batch.h"
#include "src/cpu/kernels/residual.h"
#include "src/cpu/long/long.h"
#include "src/cpu/long/reduced.h"

/* One thread's tile. */
typedef struct sb_long_tile {
    int64_t *start;                                        /* of each lane, its chunk's first row */
    bool *writes;                                          /* of each lane: its unknowns are to be put into x */
    int64_t *matrix_offset, *rhs_offset, *solution_offset; /* of each lane, for sb_lines, with */
    bool *matrix_whole, *rhs_whole, *solution_whole;
    int64_t *line_offset; /* of each lane, for sb_long_lines */
    int64_t *into_line;   /* of each lane, rows of the joined line where its chunk begins that lie before it */
    int64_t *offset;      /* of lines that are for one block only, with `whole` */
    bool *whole;
    R *rows; /* a block */
    R *kept, *x, *ends, *odd;
    void *state;
    sb_sides sides;
    sb_verdict verdict;
    R *pivoted; /* of chunks that pivot, the rows that lead back */
    sb_pivoted left;
} sb_long_tile;

/* Where the factors of a matrix are kept: those of the first tiles, one slot for all inner tiles, those of the last ones. */
typedef struct sb_long_slots {
    char *at;
    int64_t lead, alike, trail; /* tiles */
    int64_t rows;               /* of each tile, the most */
    size_t bytes;
} sb_long_slots;

/* How a chunk's interior is eliminated: without pivots; with them; by rotations, where pivots let elements grow. */
enum { SB_UNPIVOTED, SB_PIVOTED, SB_ROTATED };

typedef struct sb_long_task {
    const sb_long *kernels;
    const sb_wide *wide;
    sb_chunks chunks;
    sb_spans spans; /* truncated: instead of chunks; of all rows, where lines of A.n rows are joined */
    int k;
    int64_t block, align; /* rows of a block; rows from a chunk's first to the first that is aligned in x */
    sb_matrix A;          /* transposed, if that is what is solved; of joined lines the first one's */
    sb_vector b;          /* at: NULL to reduce only, with zeros */
    T *x;
    int64_t x_stride;
    bool far, past_cache; /* the batch is larger than the caches; and x is written past them */
    bool wary, partial;   /* pivoting auto; pivoting partial */
    bool reaches;         /* chunks reach beyond their own rows: truncated */
    int64_t group, reach; /* truncated: rows put back together; rows beyond them that are looked at */
    T *saved;             /* truncated: right-hand sides about each chunk's first row */
    sb_reduced reduced;
    sb_long_slots slots;
    unsigned char *pivots; /* of each chunk: how it was eliminated */
    double *growth;
    int64_t *broken; /* of each chunk: its first unfit pivot, or -1 */
    char *tiles;     /* of all threads */
    size_t tile_bytes;
    char *beside; /* room for what more systems of the same matrix need */
} sb_long_task;

/* What became of a system, or of a matrix where there is no right-hand side. */
typedef struct sb_long_outcome {
    int64_t row; /* first unfit pivot, or -1 */
    double growth;
    bool pivoted;
    int64_t not_finite; /* an unknown that is NaN or Inf, or -1 */
    double bound;       /* truncated: of the errors; infinite if some pivot or coefficient is no number */
} sb_long_outcome;

/* Systems that go together through the factors of one matrix, at most. */
enum { SB_MOST_TOGETHER = 8 };

static inline bool sb_keeps_factors(const sb_recipe *r)
{
    return r->keeps_matrix && r->pivoting != SLIMBAND_PIVOT_PARTIAL && !r->check_finite;
}

/* prepare.c. A matrix without its entries. A task without its system; and for the one pass that truncates, of so many joined
   lines. Chooses how a plan's systems are cut. */
sb_matrix SB_NAME(long_shape)(const sb_recipe *r, int64_t n);
sb_long_task SB_NAME(long_task)(const sb_recipe *r, int64_t n);
sb_long_task SB_NAME(truncating_task)(const sb_recipe *r, int64_t n, int64_t lines);
void SB_NAME(long_prepare)(slimband_plan *plan);

/* memory.c. Lay the parts of a task out from `base` on, NULL to count only; returns the bytes that `threads` need. */
size_t SB_NAME(long_layout)(sb_long_task *t, const sb_engine *pivoted, int threads, char *base);
size_t SB_NAME(truncated_layout)(sb_long_task *t, int threads, char *base);
/* Bytes of what a system more of the same matrix needs; and the place of that, of number 1, 2 ... */
size_t SB_NAME(long_bytes_beside)(const sb_long_task *t);
void SB_NAME(long_place_beside)(sb_long_task *t, int number);
sb_long_tile SB_NAME(long_tile)(const sb_long_task *t, int thread);

/* rows.c. Where the lines of a tile begin, once its `start` and `writes` are known. */
void SB_NAME(long_place)(const sb_long_task *t, const sb_long_tile *tile);
/* Rows from..to-1 of a tile's chunks into tile->rows; the matrix's part alone; and `rows` entries of other
   lines as right-hand sides, from row `at` of the block on, which stand alone in it where factors are kept. ahead: see
   sb_lines, in rows. */
void SB_NAME(long_rows)(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to,
                        int64_t ahead);
void SB_NAME(long_matrix)(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to,
                          int64_t ahead);
void SB_NAME(long_rhs)(const sb_long_task *t, const sb_long_tile *tile, const T *b, const sb_lines *lines,
                       int64_t first, int64_t at, int64_t rows);
/* Do rows from..to-1 of all lanes stand in lines, those of the right-hand side too? Then those lines. constant: room
   for 2 k + 1 entries. */
bool SB_NAME(long_lines)(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to, T *constant,
                         sb_long_lines *lines);
/* Rows from..to-1 of tile->x to x. */
void SB_NAME(long_put)(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to);

/* Zero what of a block's rows leaves an open matrix. */
void SB_NAME(long_close)(const sb_long_task *t, const sb_long_tile *tile, int64_t from, int64_t to);
/* Are rows begin..end-1 of a Toeplitz matrix all alike? */
bool SB_NAME(long_alike)(const sb_long_task *t, int64_t begin, int64_t end);

/* pass.c. Equation e of a chunk, of whose coefficients `lane` of the tile's has what is left; a tile's interfaces to
   tile->ends. */
void SB_NAME(long_put_equation)(const sb_long_task *t, const sb_long_tile *tile, int64_t chunk, int64_t lane,
                                int e);
void SB_NAME(long_place_ends)(const sb_long_task *t, const sb_long_tile *tile, int64_t number);

/* The two passes over a tile. odd: becomes NaN where an unknown is NaN or Inf. */
void SB_NAME(long_reduce)(const sb_long_task *t, const sb_long_tile *tile, int64_t number);
/* more: the tile before comes next. fetched: this tile's right-hand sides were fetched; returns whether the next one's were. */
bool SB_NAME(long_substitute)(const sb_long_task *t, const sb_long_tile *tile, int64_t number, bool more,
                              bool fetched);

/* breaks.c. The first row where elimination of a chunk's interior without pivoting meets an unfit pivot; -1 if none. */
int64_t SB_NAME(long_breaks)(const sb_matrix *A, int64_t start, int64_t m, int k);

/* solve.c. The whole system on so many threads. */
sb_long_outcome SB_NAME(long_solve)(const sb_long_task *t, int threads);

/* The tail's rows, with their right-hand sides, as equations; those alone; and its unknowns to x. */
void SB_NAME(long_put_tail)(const sb_long_task *t);
void SB_NAME(long_put_tail_rhs)(const sb_long_task *t);
void SB_NAME(long_put_tail_back)(const sb_long_task *t);

/* driver.c. The first that is NaN or Inf, or -1. */
int64_t SB_NAME(vector_not_finite)(sb_vector v, int64_t n);

/* factored.c. Where factors lie from `base` on, NULL to count only: returns their bytes, the reduced system's included. */
size_t SB_NAME(long_place_factors)(sb_long_task *t, const sb_engine *pivoted, char *base);
sb_long_factors SB_NAME(long_factors)(const sb_long_task *t, int64_t number);
/* Form and keep them, of a task without right-hand side that needs no pivots inside chunks; false where the reduced system
   has none, or has to be refined, for which its rows are not kept. */
bool SB_NAME(long_keep)(const sb_long_task *t, int threads);
/* Systems of one matrix with such factors, in one tile's memory. odd: of each, set if some unknown is NaN or Inf. */
void SB_NAME(long_solve_kept)(const sb_long_task *tasks, int count, int threads, bool *odd);

/* Remembers in `odd` that some lane's is not 0. */
void SB_NAME(long_note_odd)(const R *lanes_odd, int64_t lanes, bool *odd);

/* truncated.c. The whole system in one pass; without a right-hand side only the bound and the growth are found. With
   x == b, right-hand sides are lost whatever the bound turns out to be. */
sb_long_outcome SB_NAME(long_truncate)(const sb_long_task *t, int threads);
/* As long_solve_kept, of a matrix whose bound is known to be good. */
void SB_NAME(long_truncate_kept)(const sb_long_task *tasks, int count, int threads, bool *odd);

/* From where a block's first row is to be fetched next: the rows ahead, or those of the tile that comes next. */
static inline int64_t sb_rows_ahead(const sb_long_task *t, int64_t from, int64_t m, int64_t tiles)
{
    int64_t behind = tiles * t->chunks.lanes * t->chunks.rows - m;
    return SB_ROWS_AHEAD + (from + SB_ROWS_AHEAD < m ? 0 : behind);
}

/* Are right-hand sides fetched on the way back? Nothing is gained where rows take longer than their words, or come from a cache. */
static inline bool SB_NAME(long_fetches_back)(const sb_long_task *t)
{
    return !SB_COMPLEX && t->k <= 2 && t->far;
}

/* Of each chunk's saved right-hand sides, `reach` stand before its first row. Blocks may go on beyond the last row that
   is wanted. */
static inline int64_t sb_saved_rows(const sb_long_task *t)
{
    return 2 * t->reach + t->block + 2;
}

/* Blocks of a chunk of m rows: a short one with its top, one with its bottom, and between them multiples of
   SB_LINE_ROWS, beginning `align` rows behind such a multiple. */
typedef struct sb_long_cuts {
    int64_t m, first, inner, block, count;
} sb_long_cuts;

static inline sb_long_cuts sb_long_cuts_of(const sb_long_task *t, int64_t align, int64_t m)
{
    int64_t first = align + SB_LINE_ROWS, inner = (m - t->k - first) / SB_LINE_ROWS * SB_LINE_ROWS;
    inner = m - t->k < first ? 0 : inner;
    int64_t count = inner > 0 ? 2 + (inner + t->block - 1) / t->block : 1;
    return (sb_long_cuts){m, first, inner, t->block, count};
}

static inline int64_t sb_long_cut(const sb_long_cuts *c, int64_t block)
{
    int64_t rows = (block - 1) * c->block;
    return block == 0 ? 0 : block == c->count ? c->m : c->first + (rows < c->inner ? rows : c->inner);
}

/* Are truncated couplings below rounding, and elements as small as they were? */
static inline bool sb_truncation_holds(const sb_long_task *t, double bound, double growth)
{
    return bound <= (sizeof(R) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON) &&
           (!t->wary || growth <= sb_growth_limit);
}

#endif
