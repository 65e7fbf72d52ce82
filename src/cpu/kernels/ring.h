/* Where a ring's own part stands behind the engine's factors; what it means is told in ring.c. */
#ifndef SB_RING_H
#define SB_RING_H

#include "src/cpu/engine.h"

typedef struct sb_ring {
    int64_t inner; /* rows of A11 */
    int m;
    T *spikes;     /* W: m columns of `inner` entries */
    T *border;     /* A21: m rows of 2 m entries, for the first and the last m columns of A11 */
    T *schur;      /* S: m x m, its LU factors with row interchanges */
    int32_t *swap; /* row k was interchanged with row k + swap[k] */
} sb_ring;

sb_ring SB_NAME(ring_view)(const sb_engine *engine, const void *factors, int64_t n, int lower, int upper,
                           const sb_tuning *tuning);

/* Entry c of A21's 2 m columns multiplies this unknown of the interior. */
static inline int64_t sb_border_column(const sb_ring *r, int c)
{
    return c < r->m ? c : r->inner - 2 * r->m + c;
}

/* The widest border. */
enum { SB_RING_MOST = SLIMBAND_MAX_BANDWIDTH };

/* A21 and A22, the latter where S will be. */
void SB_NAME(ring_gather)(const sb_matrix *A, const sb_ring *ring);

/* S = A22 - A21 W, factored; ends: of W, 2 m rows of m words, those that A21's columns multiply. growth is raised by what rows' own
   coefficients become (src/chunk/growth.h). Returns the row that breaks down, or -1. */
int64_t SB_NAME(ring_factor)(const sb_ring *ring, const T *ends, R *growth);

/* x2: b2 on entry; ends: of y, 2 m words. */
void SB_NAME(ring_solve)(const sb_ring *ring, const T *ends, T *x2);

/* The same for the transpose. x2: b2 - W^T b1 on entry; ends: of b1, less their part of A21^T x2 on return. */
void SB_NAME(ring_solve_transposed)(const sb_ring *ring, T *ends, T *x2);

#endif
