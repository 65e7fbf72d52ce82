/* Many tridiagonal systems side by side, solved row by row: system k has the matrix A + shift[k] I, one A for all.
 *
 * The caller brings the rows (entry i of every system's right-hand side, side by side) in the order of elimination and
 * takes the solutions in the opposite order. So it can make a row just before it is eliminated and use it just after it is
 * solved, while it is in the cache: 2 words a row and direction, and nothing else from memory, since pivots of rows that
 * are alike converge and are stored only until they have.
 *
 * Elimination goes from both ends towards the middle: rows 0 .. middle - 1 downwards, rows n - 1 .. middle upwards. Below,
 * the outer neighbour of a row is the one before it in that order, the inner one the one behind it:
 *
 *     middle = slimband_rows_middle(rows);
 *     for (i = 0; i < middle; ++i)          slimband_rows_eliminate(rows, i, 0, systems, row[i - 1], row[i]);
 *     for (i = n - 1; i >= middle; --i)     slimband_rows_eliminate(rows, i, 0, systems, row[i + 1], row[i]);
 *     slimband_rows_meet(rows, 0, systems, row[middle - 1], row[middle]);
 *     for (i = middle - 2; i >= 0; --i)     slimband_rows_substitute(rows, i, 0, systems, row[i + 1], row[i]);
 *     for (i = middle + 1; i < n; ++i)      slimband_rows_substitute(rows, i, 0, systems, row[i - 1], row[i]);
 *
 * The object is never written to after it is made: any threads may work on different halves or systems at once. */
#ifndef SLIMBAND_ROWS_H
#define SLIMBAND_ROWS_H

#include "slimband/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slimband_rows slimband_rows;

/* Parts of rows begin at multiples of this many systems. */
enum { SLIMBAND_ROWS_GROUP = 64 };

/* scalar: F32 or F64, of the rows. lower, diagonal, upper: n entries each (lower[0] and upper[n - 1] are not read); shift:
   one for each system. There is no pivoting: every matrix must be diagonally dominant by rows, at least weakly.
   Errors: NULL_ARGUMENT, BAD_SCALAR, BAD_N, BAD_BATCH, OUT_OF_MEMORY; BREAKDOWN for a matrix that is not dominant or is
   singular, or of which an entry or a pivot leaves the type's range. On error *rows is NULL. */
SLIMBAND_API slimband_status slimband_rows_create(slimband_rows **rows, slimband_scalar scalar, int64_t n,
                                                  int64_t systems, const double *lower, const double *diagonal,
                                                  const double *upper, const double *shift);
SLIMBAND_API void slimband_rows_destroy(slimband_rows *rows); /* NULL is fine */

SLIMBAND_API int64_t slimband_rows_middle(const slimband_rows *rows); /* n / 2 */
SLIMBAND_API size_t slimband_rows_bytes(const slimband_rows *rows);   /* all that it allocated */

/* Row i of systems first .. first + count - 1, in place: row[0] is entry i of system first. `outer` is that part of the
   outer neighbour as eliminate left it; not read at the ends of the systems. */
SLIMBAND_API void slimband_rows_eliminate(const slimband_rows *rows, int64_t i, int64_t first, int64_t count,
                                          const void *outer, void *row);

/* Rows middle - 1 and middle, eliminated, become solutions. With n = 1 there is no row before the middle: NULL. */
SLIMBAND_API void slimband_rows_meet(const slimband_rows *rows, int64_t first, int64_t count, void *before,
                                     void *middle);

/* An eliminated row becomes a solution, its inner neighbour being one. */
SLIMBAND_API void slimband_rows_substitute(const slimband_rows *rows, int64_t i, int64_t first, int64_t count,
                                           const void *inner, void *row);

#ifdef __cplusplus
}
#endif

#endif
