/* The reduced system: the interfaces of all chunks, and the tail's rows, in the order in which they stand in A. Each
 * chunk has 2 k rows; they reach no farther than 2 k - 1 places where its elimination needed no pivoting, else
 * 3 k - 1. Solved with partial pivoting; periodic ends are folded. Refined where some row's own coefficient is far smaller than another
 * of its: solutions are then right row by row (R. D. Skeel, Iterative refinement implies numerical stability for Gaussian
 * elimination, 1980). */
#ifndef SB_REDUCED_H
#define SB_REDUCED_H

#include "src/cpu/engine.h"
#include "src/cpu/long/chunks.h"

typedef struct sb_reduced {
    int64_t n, of_chunks; /* rows; those of chunks, which come first */
    int k;
    bool periodic;
    T *rows; /* n times 6 k - 1, the diagonal in the middle; couplings that leave an open matrix are not read */
    T *x;    /* right-hand sides, then unknowns */
    T *beside; /* 2 n words: of what is refined, right-hand sides and corrections */
    void *store, *scratch;
    const sb_engine *engine;
} sb_reduced;

static inline int sb_reduced_width(int k)
{
    return 6 * k - 1;
}

static inline int64_t sb_reduced_rows(const sb_chunks *c, int k)
{
    return 2 * k * sb_chunk_count(c) + c->tail;
}

/* Row i, cleared; its diagonal is at [3 k - 1]. */
static inline T *sb_reduced_row(const sb_reduced *r, int64_t i)
{
    T *row = r->rows + i * sb_reduced_width(r->k);
    for (int d = 0; d < sb_reduced_width(r->k); ++d)
        row[d] = 0;
    return row;
}

/* Bytes of the parts that it needs, each to be aligned. */
typedef struct sb_reduced_bytes {
    size_t rows, x, beside, store, scratch;
} sb_reduced_bytes;

sb_reduced_bytes SB_NAME(reduced_bytes)(const sb_engine *engine, int64_t n, int k, bool periodic);

/* The first row without a pivot, or -1. pivots: NULL where no chunk pivoted, else of each whether it did; wide: some did. The first scales
   rows in place and keeps the scales in `store`; the second scales x before it solves. weak: to be refined, for which the rows must still be
   there. */
int64_t SB_NAME(reduced_factor)(const sb_reduced *r, const unsigned char *pivots, bool *weak);
int64_t SB_NAME(reduced_solve)(const sb_reduced *r, bool wide, bool weak);

#endif
