/* Cyclic reduction of a near-Toeplitz matrix with precomputed coefficients (near-toeplitz.tex 3; the coefficients are
 * those of src/chunk/near_toeplitz.h). One step is three coefficients each for the first row, the last row and the
 * rows between, O(log n) in all, and a solve moves only the right-hand side: 2 words a row and pass, 9 operations a
 * row. */
#include "src/chunk/near_toeplitz.h"
#include "src/cpu/engine.h"
#include "src/cpu/kernels/spread.h"

static sb_row gather(const sb_matrix *A, int64_t i)
{
    sb_row row = {.b = sb_at(A, i, 0)};
    if (i > 0)
        row.a = sb_at(A, i, -1);
    if (i + 1 < A->n)
        row.c = sb_at(A, i, 1);
    return row;
}

static sb_outcome toeplitz_factor(const sb_matrix *A, void *factors, const sb_tuning *tuning)
{
    (void)tuning;
    int64_t n = A->n;
    sb_near_toeplitz rows = {n, gather(A, 0), gather(A, n > 2 ? 1 : 0), gather(A, n - 1)};
    return (sb_outcome){.row = sb_toeplitz_factor(&rows, factors), .growth = 0};
}

/* Targets begin, begin + 2u, ... up to end; n: where x ends. */
typedef struct sweep {
    const sb_stencil *by;
    T *x;
    int64_t begin, count, u, n;
} sweep;

static T at_end(const sweep *w, int64_t i, const sb_weights *by)
{
    T left = i >= w->u ? by->left * w->x[i - w->u] : 0;
    T right = i + w->u < w->n ? by->right * w->x[i + w->u] : 0;
    return (w->x[i] - left - right) / by->own;
}

static inline void sweep_span(const sweep *w, int64_t begin, int64_t end, bool divide)
{
    int64_t u = w->u, from = begin > 0 ? begin : 1, to = end < w->count ? end : w->count - 1;
    sb_weights by = w->by->inner;
    T *x = w->x + w->begin;
    if (begin == 0)
        x[0] = at_end(w, w->begin, &w->by->first);
    for (int64_t j = from; j < to; ++j) {
        int64_t i = 2 * u * j;
        T t = x[i] - by.left * x[i - u] - by.right * x[i + u];
        x[i] = divide ? t / by.own : t;
    }
    if (end == w->count && end > 1)
        x[2 * u * (end - 1)] = at_end(w, w->begin + 2 * u * (end - 1), &w->by->last);
}

static int64_t reduce_span(const void *work, int64_t begin, int64_t end)
{
    sweep_span(work, begin, end, false);
    return SB_NO_ROW;
}

static int64_t substitute_span(const void *work, int64_t begin, int64_t end)
{
    sweep_span(work, begin, end, true);
    return SB_NO_ROW;
}

static int64_t toeplitz_solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower,
                              int upper, T *x, void *scratch, const sb_tuning *tuning)
{
    (void)A, (void)lower, (void)upper, (void)scratch;
    const sb_toeplitz_level *levels = factors;
    int64_t u = 1;
    int count = sb_cr_levels(n);
    for (int k = 0; k < count; ++k, u *= 2) {
        sweep w = {&levels[k].reduce[op], x, 2 * u - 1, n / u / 2, u, n};
        sb_spread(reduce_span, &w, w.count, w.count, tuning->threads);
    }
    int64_t left = n / u;
    sb_toeplitz_solve_last((const sb_row *)(levels + count), op == SB_TRANSPOSED, left, &x[u - 1],
                           &x[left * u - 1]);
    for (int k = count; k-- > 0;) {
        u /= 2;
        sweep w = {&levels[k].substitute[op], x, u - 1, (n / u + 1) / 2, u, n};
        sb_spread(substitute_span, &w, w.count, w.count, tuning->threads);
    }
    return -1;
}

static size_t toeplitz_stored(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)lower, (void)upper, (void)tuning;
    return (size_t)sb_cr_levels(n) * sizeof(sb_toeplitz_level) + 2 * sizeof(sb_row);
}

static size_t toeplitz_scratch(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)n, (void)lower, (void)upper, (void)tuning;
    return 0;
}

const sb_engine SB_NAME(cr_toeplitz) = {
    .stored = toeplitz_stored, .scratch = toeplitz_scratch, .factor = toeplitz_factor, .solve = toeplitz_solve};
