/* Lines of one matrix that are too long for a chip, or a cluster of them: in pieces, each of which is one of tile's lines. Known to
 * launchers and to the host. */
#ifndef SB_CUDA_TILE_PIECES_H
#define SB_CUDA_TILE_PIECES_H

#include "src/cuda/tile/plan.h"

/* MOST_ORDER: equations of the pieces' ends that a block inverts, a thread a column of (matrix | inverse). LEAST_ROWS: of a piece. */
enum { SB_PIECES_MOST = 128, SB_PIECES_LEAST_ROWS = 16, SB_PIECES_MOST_ORDER = 512 };

/* A piece's unknowns are x = y - V x(k before) - W x(k behind): y by tile, as if nothing were before or behind it, and its 2 k spikes, V
   and W, of each row. Spikes of which a piece's first `reach[0]` rows, or its last `reach[1]`, have more than the square of rounding: only
   these differ from y. */
typedef struct sb_pieces_reach {
    int32_t reach[2];
    float growth;
    int32_t bad; /* row whose pivot was none; INT_MAX */
} sb_pieces_reach;

typedef struct sb_pieces_shape {
    int k;               /* half bandwidth: 1, 2 or 4 */
    bool lines;          /* neighbouring rows are nearer to each other than neighbouring systems */
    int64_t count, rows; /* pieces, and rows of each but the last, which may have fewer */
    int64_t rest;        /* its rows */
    int64_t even;        /* pieces of as many rows, all or all but the last */
    int64_t tables[2];   /* scalars of a piece's tables, with those of its transposed, and of the last one's */
    int64_t spikes_at;   /* bytes in stored: n x 2 k, then those of the transposed */
    int64_t
        inverse_at; /* (2 k count) square, columns one behind another; then the transposed's: of the unknowns at both ends of each
                             piece, the first k, then the last; behind both, of each row which columns matter, two of int16_t */
    int64_t reach_at;   /* of each piece, then of the transposed's */
    int64_t records_at; /* of each piece */
    int64_t
        outcomes_at; /* bytes in scratch, behind tile's counters of each piece: one for each system and piece */
    int64_t
        ends_at; /* 2 k count unknowns of each system; to factor: n x k and what is inverted, for the matrix and its transposed */
    size_t stored, scratch;
    double microseconds; /* that a solve takes; one_pass: with the factors */
    sb_tile_plan evens, last;
} sb_pieces_shape;

#ifdef __cplusplus
extern "C" {
#endif

/* False: there is no such shape. */
bool sb_pieces_arrange(const sb_cuda_setup *setup, sb_pieces_shape *s);
/* How many the option "pieces=P" asks for, and 0 if it is not that. */
int64_t sb_pieces_asked_for(const char *option);

#ifdef __cplusplus
}
#endif

#endif
