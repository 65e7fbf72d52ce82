/* Cyclic reduction (tpr.txt 2.2.1; lass.txt II): every step eliminates every other unknown, until two are left;
 * then back. Any n: at stride u there are n / u rows, and a row without a right neighbour keeps its side, whose
 * coefficient is 0.
 * 17 operations a row in log2 n - 1 steps there and log2 n back. Words a row: 4 read and 4 written to assemble,
 * then what the steps touch of those. */
#include "src/cpu/kernels/cr.h"
#include "src/cpu/kernels/joint.h"

typedef struct step {
    sb_row *rows;
    int64_t u, n;
} step;

static int64_t reduce_span(const void *work, int64_t begin, int64_t end)
{
    const step *w = work;
    int64_t u = w->u, bad = SB_NO_ROW;
    for (int64_t j = begin; j < end; ++j) {
        int64_t i = 2 * u * (j + 1) - 1;
        bool right = i + u < w->n;
        bad = sb_first_row(bad, sb_unfit(w->rows, i - u));
        if (right)
            bad = sb_first_row(bad, sb_unfit(w->rows, i + u));
        w->rows[i] = sb_reduce(w->rows[i], &w->rows[i - u], right ? &w->rows[i + u] : NULL);
    }
    return bad;
}

int64_t SB_NAME(cr_reduce)(sb_row *rows, int64_t u, int64_t n, int threads)
{
    step w = {rows, u, n};
    int64_t count = n / u / 2;
    return sb_spread(reduce_span, &w, count, count, threads);
}

typedef struct back_step {
    const sb_row *rows;
    int64_t u, n;
    T *x;
} back_step;

static int64_t substitute_span(const void *work, int64_t begin, int64_t end)
{
    const back_step *w = work;
    int64_t u = w->u, bad = SB_NO_ROW;
    for (int64_t j = begin; j < end; ++j) {
        int64_t i = u * (2 * j + 1) - 1;
        bad = sb_first_row(bad, sb_unfit(w->rows, i));
        w->x[i] = sb_unknown(w->rows[i], i >= u ? w->x[i - u] : 0, i + u < w->n ? w->x[i + u] : 0);
    }
    return bad;
}

int64_t SB_NAME(cr_substitute)(const sb_row *rows, int64_t u, int64_t n, T *x, int threads)
{
    back_step w = {rows, u, n, x};
    int64_t count = (n / u + 1) / 2;
    return sb_spread(substitute_span, &w, count, count, threads);
}

/* The one or two rows that are left at stride u. */
static int64_t solve_last(const sb_row *rows, int64_t u, int64_t n, T *x)
{
    if (n / u == 1)
        return SB_NAME(cr_substitute)(rows, u, n, x, 1);
    int bad = sb_solve_pair(rows[u - 1], rows[2 * u - 1], &x[u - 1], &x[2 * u - 1]);
    return bad < 0 ? SB_NO_ROW : u * (bad + 1) - 1;
}

int64_t SB_NAME(cr_every)(sb_row *rows, int64_t u, int64_t n, T *x, int threads)
{
    int64_t bad = SB_NO_ROW;
    int levels = sb_cr_levels(n / u);
    if (n / u == 0)
        return bad;
    for (int k = 0; k < levels && bad == SB_NO_ROW; ++k, u *= 2)
        bad = SB_NAME(cr_reduce)(rows, u, n, threads);
    if (bad == SB_NO_ROW)
        bad = solve_last(rows, u, n, x);
    for (int k = 0; k < levels && bad == SB_NO_ROW; ++k)
        bad = SB_NAME(cr_substitute)(rows, u /= 2, n, x, threads);
    return bad;
}

static size_t cr_scratch(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)lower, (void)upper, (void)tuning;
    return (size_t)n * sizeof(sb_row);
}

static int64_t cr_solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower, int upper,
                        T *x, void *scratch, const sb_tuning *tuning)
{
    (void)factors, (void)op, (void)lower, (void)upper;
    sb_joint_rows(A, n, x, scratch, tuning->threads);
    return sb_joint_result(SB_NAME(cr_every)(scratch, 1, n, x, tuning->threads));
}

const sb_engine SB_NAME(cr) = SB_JOINT_ENGINE(0, cr_scratch, cr_solve);
