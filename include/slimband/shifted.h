/* Tridiagonal systems that differ by a shift: system s has the matrix A + shift[s] I, one A for all. What separable problems
 * become when all their axes but one are transformed.
 *
 * They lie along the middle axis of C-ordered arrays `fields` x before x n x after: entry i of the system (o, k), number
 * s = o * after + k, of field f is element ((f * before + o) * n + i) * after + k. Every field has the same systems.
 *
 *     slimband_shifted_problem p = {SLIMBAND_F64, 1, 1, n, modes, lower, diagonal, upper, shift, SLIMBAND_NONE_SINGULAR};
 *     slimband_shifted *systems;
 *     slimband_status status = slimband_shifted_create(&systems, &p, slimband_cpu(0));
 *     if (!status) status = slimband_shifted_solve(systems, u);
 *     slimband_shifted_destroy(systems);
 *
 * No system's diagonals are stored, made or read: 2 words a row, up to 4 where systems are long or their rows differ. There
 * is no pivoting: every matrix must be diagonally dominant by rows, at least weakly.
 *
 * Threads: an object may be used by one thread at a time; different ones by any. */
#ifndef SLIMBAND_SHIFTED_H
#define SLIMBAND_SHIFTED_H

#include "slimband/executor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slimband_shifted slimband_shifted;

enum { SLIMBAND_NONE_SINGULAR = -1 };

/* Plain data on the host; the arrays are read when the systems are created, and not later. */
typedef struct slimband_shifted_problem {
    slimband_scalar scalar;                 /* F32 or F64, of the fields */
    int64_t fields, before, n, after;       /* n at least 1, the others at least 0 */
    const double *lower, *diagonal, *upper; /* n entries each; lower[0] and upper[n - 1] are not read */
    const double *shift;                    /* before * after of them; may be NULL if that is 0 */
    /* SLIMBAND_NONE_SINGULAR, or the number of the one system that may be singular: a matrix of the null vector (1, .., 1), or
       with other signs. If it is, to working precision, one of its unknowns becomes 0, which one depending on executor and
       matrix, and the others satisfy the equations if its right-hand side is consistent, all but one if it is not. */
    int64_t singular;
} slimband_shifted_problem;

/* On a CUDA executor (slimband/cuda.h) this allocates on the device, and may wait for the stream.
   Errors: NULL_ARGUMENT, BAD_SCALAR, BAD_N, BAD_BATCH (an extent is negative), BAD_SYSTEM (singular is not a system's number),
   TOO_LARGE, BAD_EXECUTOR, BAD_THREADS, NOT_BUILT_IN, NO_DEVICE, BAD_STREAM, OUT_OF_MEMORY; BREAKDOWN for a matrix that is
   not dominant, that is singular without having been named, or of which an entry or a pivot leaves the type's range. On error *shifted is NULL. */
SLIMBAND_API slimband_status slimband_shifted_create(slimband_shifted **shifted,
                                                     const slimband_shifted_problem *problem,
                                                     slimband_executor executor);
SLIMBAND_API void slimband_shifted_destroy(slimband_shifted *shifted); /* NULL is fine */

/* Right-hand sides become solutions, in place: all fields, aligned to their elements. Nothing is allocated. On a CPU it is
   done on return. On a GPU u lies in the device's memory; the work is queued on the executor's stream, and the call does not
   wait: it can be captured in a graph. NaN and Inf stay in their system. The same bits for any number of threads.
   Errors: NULL_ARGUMENT (u may be NULL if it has no elements), DEVICE_FAILED. */
SLIMBAND_API slimband_status slimband_shifted_solve(slimband_shifted *shifted, void *u);

typedef struct slimband_shifted_report {
    /* How: "pivots" are reciprocal ones of each system, by rows that are eliminated from both ends; "root", on a GPU, one number
       a system, where rows 1 .. n - 2 of A are alike with negative couplings: the root of mu + 1/mu = 2 + t. docs/methods.md
       has the formulas. */
    const char *method;
    double words_per_row; /* of the fields, in and out; tables of pivots that have not converged come on top */
    size_t bytes;         /* of all that was allocated, on the host and on the device */
} slimband_shifted_report;

/* Errors: NULL_ARGUMENT. */
SLIMBAND_API slimband_status slimband_shifted_describe(const slimband_shifted *shifted,
                                                       slimband_shifted_report *report);

#ifdef __cplusplus
}
#endif

#endif
