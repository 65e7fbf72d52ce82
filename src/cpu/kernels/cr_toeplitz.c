/* Cyclic reduction of a near-Toeplitz matrix with precomputed coefficients (near-toeplitz.tex 3): all rows are
 * alike but for the first and the last, and every reduction step leaves that so. One step is then three
 * coefficients each for the first row, the last row and the rows between, O(log n) in all, and a solve moves
 * only the right-hand side: 2 words a row and pass, 9 operations a row.
 *
 * Any n: where a level has an odd number of rows its last row is eliminated, else it is kept; each level's last
 * coefficients say which. The levels of the transposed matrix are the transposes of the levels, so a transposed
 * solve takes its coefficients from the same rows, one place along. */
#include "src/cpu/engine.h"
#include "src/cpu/kernels/cr.h"
#include "src/cpu/kernels/rows.h"
#include "src/cpu/kernels/spread.h"

/* x[i] = (x[i] - left x[i-u] - right x[i+u]) / own. */
typedef struct weights {
    T left, own, right;
} weights;

/* Every other row of a level: its first, those between, its last. */
typedef struct stencil {
    weights first, inner, last;
} stencil;

/* Indexed by sb_op. Reduction updates the rows that are kept, substitution those that were eliminated.
   Stored are sb_cr_levels(n) of them, then the one or two rows they lead to. */
typedef struct level {
    stencil reduce[2], substitute[2];
} level;

/* The m rows of one level. */
typedef struct near_toeplitz {
    int64_t m;
    sb_row first, inner, last;
} near_toeplitz;

static const sb_row *row_of(const near_toeplitz *A, int64_t j)
{
    return j == 0 ? &A->first : j == A->m - 1 ? &A->last : &A->inner;
}

static T left_of(const near_toeplitz *A, int64_t j, sb_op op)
{
    return j == 0 ? 0 : op == SB_PLAIN ? row_of(A, j)->a : row_of(A, j - 1)->c;
}

static T right_of(const near_toeplitz *A, int64_t j, sb_op op)
{
    return j == A->m - 1 ? 0 : op == SB_PLAIN ? row_of(A, j)->c : row_of(A, j + 1)->a;
}

static weights reduction(const near_toeplitz *A, int64_t j, sb_op op)
{
    weights w = {.own = 1};
    w.left = left_of(A, j, op) / row_of(A, j - 1)->b;
    w.right = j == A->m - 1 ? 0 : right_of(A, j, op) / row_of(A, j + 1)->b;
    return w;
}

static weights substitution(const near_toeplitz *A, int64_t j, sb_op op)
{
    return (weights){left_of(A, j, op), row_of(A, j)->b, right_of(A, j, op)};
}

/* Rows begin, begin + 2, ... of the level. */
static stencil stencil_of(const near_toeplitz *A, int64_t begin, sb_op op,
                          weights (*weigh)(const near_toeplitz *, int64_t, sb_op))
{
    int64_t last = A->m - 1 - (A->m - 1 - begin) % 2;
    int64_t inner = begin + 2 < last ? begin + 2 : begin;
    return (stencil){weigh(A, begin, op), weigh(A, inner, op), weigh(A, last, op)};
}

static sb_row reduced_row(const near_toeplitz *A, int64_t j)
{
    return sb_reduce(*row_of(A, j), row_of(A, j - 1), j + 1 < A->m ? row_of(A, j + 1) : NULL);
}

static near_toeplitz reduced(const near_toeplitz *A)
{
    near_toeplitz next = {.m = A->m / 2};
    next.first = reduced_row(A, 1);
    next.inner = reduced_row(A, next.m > 2 ? 3 : 1);
    next.last = reduced_row(A, 2 * next.m - 1);
    return next;
}

/* The first eliminated row without a pivot, counted in the rows of the level, or -1. */
static int64_t unfit_row(const near_toeplitz *A)
{
    int64_t last = A->m - 1 - (A->m - 1) % 2;
    const int64_t kinds[] = {0, last > 2 ? 2 : last, last};
    for (int k = 0; k < 3; ++k)
        if (sb_bad_pivot(row_of(A, kinds[k])->b))
            return kinds[k];
    return -1;
}

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
    int64_t n = A->n, u = 1, bad = -1;
    level *levels = factors;
    sb_row *end = (sb_row *)(levels + sb_cr_levels(n));
    near_toeplitz rows = {n, gather(A, 0), gather(A, n > 2 ? 1 : 0), gather(A, n - 1)};
    for (; rows.m > 2; rows = reduced(&rows), u *= 2, ++levels) {
        if (bad < 0 && unfit_row(&rows) >= 0)
            bad = u * (unfit_row(&rows) + 1) - 1;
        for (sb_op op = SB_PLAIN; op <= SB_TRANSPOSED; ++op) {
            levels->reduce[op] = stencil_of(&rows, 1, op, reduction);
            levels->substitute[op] = stencil_of(&rows, 0, op, substitution);
        }
    }
    end[0] = rows.first;
    end[1] = rows.last;
    T unknown[2] = {0, 0};
    int side =
        rows.m == 2 ? sb_solve_pair(end[0], end[1], &unknown[0], &unknown[1]) : sb_bad_pivot(end[0].b) - 1;
    if (bad < 0 && side >= 0)
        bad = u * (side + 1) - 1;
    return (sb_outcome){.row = bad, .growth = 0};
}

/* Targets begin, begin + 2u, ... up to end; n: where x ends. */
typedef struct sweep {
    const stencil *by;
    T *x;
    int64_t begin, count, u, n;
} sweep;

static T at_end(const sweep *w, int64_t i, const weights *by)
{
    T left = i >= w->u ? by->left * w->x[i - w->u] : 0;
    T right = i + w->u < w->n ? by->right * w->x[i + w->u] : 0;
    return (w->x[i] - left - right) / by->own;
}

static inline void sweep_span(const sweep *w, int64_t begin, int64_t end, bool divide)
{
    int64_t u = w->u, from = begin > 0 ? begin : 1, to = end < w->count ? end : w->count - 1;
    weights by = w->by->inner;
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

static void solve_last(const sb_row *rows, sb_op op, int64_t u, int64_t n, T *x)
{
    sb_row e = rows[0], f = rows[1];
    e.d = x[u - 1];
    if (n / u == 1) {
        x[u - 1] = e.d / e.b;
        return;
    }
    if (op == SB_TRANSPOSED) {
        e.c = rows[1].a;
        f.a = rows[0].c;
    }
    f.d = x[2 * u - 1];
    sb_solve_pair(e, f, &x[u - 1], &x[2 * u - 1]);
}

static int64_t toeplitz_solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower,
                              int upper, T *x, void *scratch, const sb_tuning *tuning)
{
    (void)A, (void)lower, (void)upper, (void)scratch;
    const level *levels = factors;
    int64_t u = 1;
    int count = sb_cr_levels(n);
    for (int k = 0; k < count; ++k, u *= 2) {
        sweep w = {&levels[k].reduce[op], x, 2 * u - 1, n / u / 2, u, n};
        sb_spread(reduce_span, &w, w.count, w.count, tuning->threads);
    }
    solve_last((const sb_row *)(levels + count), op, u, n, x);
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
    return (size_t)sb_cr_levels(n) * sizeof(level) + 2 * sizeof(sb_row);
}

static size_t toeplitz_scratch(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)n, (void)lower, (void)upper, (void)tuning;
    return 0;
}

const sb_engine SB_NAME(cr_toeplitz) = {
    .stored = toeplitz_stored, .scratch = toeplitz_scratch, .factor = toeplitz_factor, .solve = toeplitz_solve};
