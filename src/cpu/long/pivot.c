/* A chunk eliminated with partial pivoting. The unknowns of its interior are eliminated in their order; for each, the
 * pivot is the largest entry among all rows of the chunk that hold it: 2 k + 1 active rows, which are the ones that
 * have come in and are not spent as pivots. The top rows are among them. Over all chunks this is Gaussian elimination
 * with partial pivoting of A with its columns reordered, interiors first, so that it is as stable as LAPACK's, and no
 * interior can be too nearly singular: its unknowns have pivots as long as A's columns are independent.
 * Scalar. Words a row: 2 k + 2 in, 4 k + 1 kept for the way back. */
#include "src/cpu/long/pivot.h"

#include "src/chunk/growth.h"
#include "src/cpu/long/long.h"

enum { BAND = SB_LONG_BAND, ACTIVE = 2 * BAND + 1, WORDS = 4 * BAND + 2 };

/* Left neighbour's bottom (k), own top (k), the 2 k + 1 unknowns from the one that is next, right-hand side. */
typedef T active[WORDS];

static T entry(const sb_matrix *A, int64_t i, int d)
{
    bool exists = d >= -A->lower && d <= A->upper && (A->periodic || (i + d >= 0 && i + d < A->n));
    return exists ? sb_at(A, i, d) : 0;
}

/* The diagonals of a matrix whose rows all stand alike; entry i of each is row i of the chunk. */
typedef struct lines {
    const T *at[2 * BAND + 1];   /* NULL: an empty diagonal */
    int64_t stride, first, last; /* rows first..last - 1 have all their couplings */
} lines;

static lines lines_of(const sb_piece *p)
{
    const sb_matrix *A = p->A;
    lines l = {.stride = A->stride, .first = p->k - p->start, .last = A->n - p->k - p->start};
    for (int d = -p->k; d <= p->k; ++d)
        if (d >= -A->lower && d <= A->upper)
            l.at[p->k + d] =
                (A->transposed ? A->diagonal[A->upper - d] + d * A->stride : A->diagonal[A->lower + d]) +
                p->start * A->stride;
    if (A->first != A->total)
        l.last = l.first;
    return l;
}

/* Row i of the chunk, none of whose unknowns is gone yet while `next` is next. Returns the largest entry. */
SB_ALWAYS_INLINE R bring(const sb_piece *p, const lines *l, int64_t i, int64_t next, int k, T *row)
{
    R largest = 0;
    bool direct = i >= l->first && i < l->last;
    for (int w = 0; w < 4 * k + 1; ++w)
        row[w] = 0;
    for (int d = -k; d <= k; ++d) {
        int64_t column = i + d;
        const T *at = l->at[k + d];
        T a = direct ? (at ? at[i * l->stride] : 0) : entry(p->A, p->start + i, d);
        row[column < k ? column + k : 2 * k + column - next] = a;
        largest = sb_larger(sb_abs1(a), largest);
    }
    row[4 * k + 1] = p->b.at ? p->b.at[(p->start + i) * p->b.stride] : 0;
    return largest;
}

/* The row with the largest entry in the next unknown goes to the end. */
SB_ALWAYS_INLINE T *choose(active *rows, int k)
{
    int best = 0;
    R largest = sb_abs1(rows[0][2 * k]);
    for (int r = 1; r <= 2 * k; ++r) {
        R size = sb_abs1(rows[r][2 * k]);
        best = size > largest ? r : best;
        largest = size > largest ? size : largest;
    }
    for (int w = 0; w < 4 * k + 2; ++w) {
        T kept = rows[best][w];
        rows[best][w] = rows[2 * k][w];
        rows[2 * k][w] = kept;
    }
    return rows[2 * k];
}

SB_ALWAYS_INLINE R largest_of(const T *row, int k)
{
    R largest = 0;
    for (int w = 0; w < 4 * k + 1; ++w)
        largest = sb_larger(sb_abs1(row[w]), largest);
    return largest;
}

/* row -= l pivot; the unknown they shared is gone, and the others move up. */
SB_ALWAYS_INLINE void eliminate(T *row, const T *pivot, T reciprocal, int k)
{
    T l = row[2 * k] * reciprocal;
    for (int w = 0; w < 2 * k; ++w)
        row[w] -= l * pivot[w];
    for (int w = 2 * k; w < 4 * k; ++w)
        row[w] = row[w + 1] - l * pivot[w + 1];
    row[4 * k] = 0;
    row[4 * k + 1] -= l * pivot[4 * k + 1];
}

/* The spent pivot row, divided by its pivot, which itself is left out. */
SB_ALWAYS_INLINE void keep(const T *pivot, T reciprocal, int k, T *kept)
{
    for (int w = 0, to = 0; w < 4 * k + 2; ++w)
        if (w != 2 * k)
            kept[to++] = pivot[w] * reciprocal;
}

SB_ALWAYS_INLINE sb_outcome reduce(const sb_piece *p, int k, T *kept, T *equations)
{
    active rows[ACTIVE];
    lines l = lines_of(p);
    R in_a = 0, in_u = 0;
    sb_outcome outcome = {.row = -1};
    for (int r = 0; r <= 2 * k; ++r)
        in_a = sb_larger(bring(p, &l, r, k, k, rows[r]), in_a);
    for (int64_t i = k; i < p->m - k; ++i, kept += 4 * k + 1) {
        T *pivot = choose(rows, k), reciprocal = 1 / pivot[2 * k];
        if (outcome.row < 0 && !(sb_finite(reciprocal) && sb_finite(pivot[2 * k])))
            outcome.row = p->start + i;
        in_u = sb_larger(largest_of(pivot, k), in_u);
        keep(pivot, reciprocal, k, kept);
        for (int r = 0; r < 2 * k; ++r)
            eliminate(rows[r], pivot, reciprocal, k);
        if (i + 1 < p->m - k)
            in_a = sb_larger(bring(p, &l, i + 1 + k, i + 1, k, pivot), in_a);
    }
    for (int r = 0; r < 2 * k; ++r) {
        in_u = sb_larger(largest_of(rows[r], k), in_u);
        for (int w = 0; w < 4 * k; ++w)
            equations[r * (4 * k + 1) + w] = rows[r][w];
        equations[r * (4 * k + 1) + 4 * k] = rows[r][4 * k + 1];
    }
    outcome.growth = sb_grow(0, in_u, in_a);
    return outcome;
}

sb_outcome SB_NAME(piece_reduce)(const sb_piece *p, T *kept, T *equations)
{
    return p->k == 1 ? reduce(p, 1, kept, equations) : reduce(p, 2, kept, equations);
}

void SB_NAME(piece_substitute)(const sb_piece *p, const T *kept, const T *ends, T *x, int64_t stride)
{
    int k = p->k;
    T next[2 * BAND];
    for (int t = 0; t < 2 * k; ++t)
        next[t] = ends[2 * k + t];
    for (int64_t i = p->m - k - 1; i >= k; --i) {
        const T *row = kept + (i - k) * sb_kept_words(k);
        T y = row[4 * k];
        for (int w = 0; w < 2 * k; ++w)
            y -= row[w] * ends[w] + row[2 * k + w] * next[w];
        for (int t = 2 * k - 1; t > 0; --t)
            next[t] = next[t - 1];
        x[(p->start + i) * stride] = next[0] = y;
    }
}

int64_t SB_NAME(piece_breaks)(const sb_piece *p)
{
    int k = p->k;
    T upper[BAND][BAND] = {{0}}; /* of the rows above, nearest first, divided by their pivots */
    for (int64_t i = k; i < p->m - k; ++i) {
        T row[2 * BAND + 1];
        for (int d = -k; d <= k; ++d)
            row[k + d] = entry(p->A, p->start + i, d);
        for (int j = k - 1; j >= 0; --j)
            for (int t = 0; t < k; ++t)
                row[k - j + t] -= row[k - 1 - j] * upper[j][t];
        T reciprocal = 1 / row[k];
        if (!(sb_finite(reciprocal) && sb_finite(row[k])))
            return p->start + i;
        for (int t = 0; t < k; ++t) {
            upper[1][t] = upper[0][t];
            upper[0][t] = row[k + 1 + t] * reciprocal;
        }
    }
    return -1;
}
