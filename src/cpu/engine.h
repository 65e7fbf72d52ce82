/* What an algorithm on the CPU is: an engine that factors one system and solves with the factors.
 *
 * An engine knows nothing of batches, user strides of right-hand sides, periodic ends, pivoting policy or
 * refinement: system.c puts those around it. It sees one open-ended matrix and one contiguous vector. */
#ifndef SB_ENGINE_H
#define SB_ENGINE_H

#include "slimband/problem.h"
#include "src/cpu/scalar.h"
#include "src/cpu/tuning.h"

/* To either side of the diagonal a periodic band that is folded (route.h) is twice as wide as it was: a user's, or that of the
   reduced system of chunks (long/reduced.h), which is the widest. */
enum { SB_MAX_REACH = 22, SB_MAX_DIAGONALS = 2 * SB_MAX_REACH + 1 };
_Static_assert(SB_MAX_REACH >= 2 * SLIMBAND_MAX_BANDWIDTH, "folded rings");

/* One system's matrix where it lies: A(i, i + k), -lower <= k <= upper, through sb_at below.
   Own and shared coefficients are Toeplitz ones whose `first` rows are all rows. */
typedef struct sb_matrix {
    int64_t n;
    int lower, upper;
    bool periodic;   /* wrap-around couplings exist; engines only ever see open matrices */
    bool transposed; /* this is a view of the transpose of what `diagonal` holds */
    int64_t stride;
    int64_t first, last,
        total; /* Toeplitz rows with own entries; the n of the matrix that this is a view into */
    const T *diagonal[SB_MAX_DIAGONALS];
} sb_matrix;

/* Where row i's entries stand along each diagonal. */
static inline int64_t sb_row_index(const sb_matrix *A, int64_t i)
{
    if (i < A->first)
        return i * A->stride;
    int64_t behind = i - (A->total - A->last);
    return (A->first + (behind < 0 ? 0 : 1 + behind)) * A->stride;
}

/* j modulo n, for the couplings of periodic systems. */
static inline int64_t sb_wrap(int64_t j, int64_t n)
{
    int64_t r = j % n;
    return r < 0 ? r + n : r;
}

/* A(i, i + k) for a coupling that exists: i + k in 0..n-1, or anything if A is periodic. */
static inline T sb_at(const sb_matrix *A, int64_t i, int k)
{
    if (!A->transposed)
        return A->diagonal[A->lower + k][sb_row_index(A, i)];
    int64_t row = A->periodic ? sb_wrap(i + k, A->n) : i + k;
    return A->diagonal[A->upper - k][sb_row_index(A, row)];
}

/* A(i, i + k) with all couplings that coincide with it because the ring is small, added up in wider precision,
   since they may cancel. *taken: the sum belongs to an earlier k. */
static inline WT sb_coupling(const sb_matrix *A, int64_t i, int k, bool *taken)
{
    *taken = A->periodic && k - A->n >= -A->lower;
    WT sum = sb_at(A, i, k);
    for (int64_t other = k + A->n; A->periodic && !*taken && other <= A->upper; other += A->n)
        sum += sb_at(A, i, (int)other);
    return sum;
}

/* Copy A's rows: rows[i * width + lower + k] = A(i, i + k). Couplings that leave an open matrix become 0 and
   are not read; those of a periodic matrix are copied where they stand. */
void SB_NAME(assemble)(const sb_matrix *A, T *rows, int64_t width);
void SB_NAME(assemble_span)(const sb_matrix *A, T *rows, int64_t width, int64_t begin, int64_t end); /* some */

/* The transpose as a view. */
sb_matrix SB_NAME(transpose)(const sb_matrix *A);

typedef enum sb_op { SB_PLAIN, SB_TRANSPOSED } sb_op;

typedef struct sb_outcome {
    int64_t row;   /* first zero, NaN or infinite pivot; -1 if none */
    double growth; /* see slimband_system_info; 0 where not measured */
} sb_outcome;

typedef struct sb_engine {
    bool pivots;          /* safe for every nonsingular matrix */
    bool measures_growth; /* outcome.growth tells whether the factors are safe; otherwise dominance has to: */
    double margin;        /* otherwise: |A(i, i)| >= (1 + margin) sum |A(i, j)| in every row makes it safe */
    bool reads_matrix;    /* solve reads A again (for op SB_TRANSPOSED it is handed the transposed view and
                             SB_PLAIN);    otherwise solve's A is NULL and the factors are all there is */
    /* Bytes that factor fills and solve reads; bytes solve needs besides. Both are 0 or more and may depend on
       n only as an increasing function. Memory handed over is aligned to 64 bytes. */
    size_t (*stored)(int64_t n, int lower, int upper, const sb_tuning *tuning);
    size_t (*scratch)(int64_t n, int lower, int upper, const sb_tuning *tuning);
    sb_outcome (*factor)(const sb_matrix *A, void *factors, const sb_tuning *tuning);
    /* x: b on entry, the solution on return; contiguous, n >= 1. Returns the row of the first zero pivot met,
     * or -1. */
    int64_t (*solve)(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower, int upper, T *x,
                     void *scratch, const sb_tuning *tuning);
    /* NULL, or: both at once for a matrix whose factors nobody will want, in the memory for them; rows are own ones, A no transposed view.
     * False if growth exceeded `most`, or a pivot or an unknown on the way was no finite number: x is as it was. */
    bool (*once)(const sb_matrix *A, void *memory, T *x, double most, double *growth);
} sb_engine;

#endif
