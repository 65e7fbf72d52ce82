/* One chunk eliminated with partial pivoting. */
#ifndef SB_CHUNK_PIVOT_H
#define SB_CHUNK_PIVOT_H

#include "src/cpu/engine.h"
#include "src/cpu/kernels/residual.h"

/* Rows start..start + m - 1 of A, m > 2 k, k at least both of A's bandwidths. */
typedef struct sb_piece {
    const sb_matrix *A;
    sb_vector b; /* at: NULL for zeros */
    int64_t start, m;
    int k;
} sb_piece;

/* Words of a row of `kept`, and of an equation: coefficients of the 4 k interfaces (left neighbour's bottom, own top,
   own bottom, right neighbour's top), right-hand side. */
static inline int64_t sb_kept_words(int k)
{
    return 4 * k + 1;
}

/* Eliminate the interior's unknowns: m - 2 k rows of `kept` lead back to them, 2 k equations without them remain.
   A's row with the first pivot that is zero, NaN or infinite, and max |u| / max |a|. */
sb_outcome SB_NAME(piece_reduce)(const sb_piece *p, T *kept, T *equations);

/* The interior's unknowns, from row start + k on, to x; ends: the 4 k interfaces. */
void SB_NAME(piece_substitute)(const sb_piece *p, const T *kept, const T *ends, T *x, int64_t stride);

/* The first row where elimination of the interior without pivoting meets an unfit pivot; -1 if there is none. */
int64_t SB_NAME(piece_breaks)(const sb_piece *p);

#endif
