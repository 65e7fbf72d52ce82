/* The 16 tridiagonal test matrices of Dieguez, Amor, Doallo (TPR), table 9, after Chang et al. 2012, for any
 * size. Not part of the library: the command and the tests use it.
 *
 * Diagonals are aligned to rows and have n entries each: lower[i] = A(i, i-1), upper[i] = A(i, i+1); the two
 * entries outside the matrix are set to 0. The same seed gives the same numbers on every machine. */
#ifndef SB_GALLERY_H
#define SB_GALLERY_H

#include <stdbool.h>
#include <stddef.h>

#include "gallery/random.h"

enum { SB_GALLERY_COUNT = 16 };

typedef struct sb_tridiagonal {
    double *lower, *diagonal, *upper;
} sb_tridiagonal;

typedef struct sb_gallery_matrix sb_gallery_matrix;

struct sb_gallery_matrix {
    int number; /* in table 9 */
    const char *name;
    const char *condition; /* at n = 512, as the paper gives it */
    const char *description;
    int64_t largest; /* n accepted */
    /* NULL, or one sentence that says what failed. parameter: the row's own, below. */
    const char *(*fill)(double parameter, int64_t n, sb_random *random, sb_tridiagonal A);
    double parameter;
};

/* Entry 0..15, in the order of their numbers; NULL outside. */
const sb_gallery_matrix *sb_gallery_at(int index);

/* By name or by number ("1" to "16"); NULL when there is none. */
const sb_gallery_matrix *sb_gallery_find(const char *name);

/* Fill A with the matrix of size n, 1 <= n <= matrix->largest. Returns NULL, or one sentence that says why not;
   A is then unspecified. */
const char *sb_gallery_fill(const sb_gallery_matrix *matrix, int64_t n, uint64_t seed, sb_tridiagonal A);

#endif
