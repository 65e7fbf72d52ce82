/* LAPACK's routines on blocks of contiguous lines. */
#ifndef SB_BENCH_PEER_LAPACK_H
#define SB_BENCH_PEER_LAPACK_H

#include "bench/library.h"

/* A matrix is a block of memory of its own, since the routines overwrite it: tridiagonal dl, d, du (and du2),
   row-aligned, `line` entries apart; band ab[ldab, n], ldab = 2 kl + ku + 1. */
typedef struct sb_lapack {
    sb_routines routines;
    bool band, dominant, own;
    int n, kl, ku, ldab;
    size_t bytes; /* of a scalar */
    size_t line;
    int64_t systems;
    int64_t block; /* right-hand sides of one call; a matrix for each block in work, then the lines */
    int64_t blocks;
    size_t matrix_bytes;
    void *factors; /* prefactored: a matrix of four diagonals or a band, factored */
    int *pivots;   /* prefactored: n; otherwise n for each thread */
    char complaint[SB_BENCH_NAME];
} sb_lapack;

/* Matrix number `system` (0 where all share one), as the routines take it. */
void sb_lapack_fill(const sb_lapack *lapack, sb_bench_data *data, int64_t system, void *matrix);

/* Both return info. b: lines of n, nrhs of them. */
int sb_lapack_factor(sb_lapack *lapack);
int sb_lapack_solve(const sb_lapack *lapack, void *matrix, int *pivots, int nrhs,
                    void *b);                                         /* with the matrix */
int sb_lapack_substitute(const sb_lapack *lapack, int nrhs, void *b); /* with the factors */

#endif
