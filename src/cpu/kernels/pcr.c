/* Parallel cyclic reduction (tpr.txt 2.2.2; lass.txt II): every step reduces all rows by their neighbours at
 * distance u and so splits each system into two of half the size, until they have two rows or one. Any n: a row
 * without a neighbour keeps that side, whose coefficient is 0. Steps read one copy of the rows and write the
 * other. 12 log2 n operations a row in log2 n - 1 steps and one substitution; 8 words a row and step.
 * Neighbouring unknowns come from different systems, so that their rounding errors are not in step: the
 * backward error is small where the matrix is well conditioned, not for every dominant matrix. */
#include "src/cpu/kernels/pcr.h"
#include "src/cpu/kernels/joint.h"

typedef struct step {
    const sb_row *from;
    sb_row *to;
    int64_t u, n;
} step;

static int64_t reduce_span(const void *work, int64_t begin, int64_t end)
{
    const step *w = work;
    int64_t u = w->u, bad = SB_NO_ROW;
    for (int64_t i = begin; i < end; ++i) {
        bad = sb_first_row(bad, sb_unfit(w->from, i));
        w->to[i] =
            sb_reduce(w->from[i], i >= u ? &w->from[i - u] : NULL, i + u < w->n ? &w->from[i + u] : NULL);
    }
    return bad;
}

int64_t SB_NAME(pcr_reduce)(const sb_row *from, sb_row *to, int64_t u, int64_t n, int threads)
{
    step w = {from, to, u, n};
    return sb_spread(reduce_span, &w, n, n, threads);
}

typedef struct last_step {
    const sb_row *rows;
    int64_t u, n;
    T *x;
} last_step;

static int64_t solve_span(const void *work, int64_t begin, int64_t end)
{
    const last_step *w = work;
    int64_t u = w->u, bad = SB_NO_ROW;
    for (int64_t i = begin; i < end; ++i) {
        if (i + u < w->n) {
            int side = sb_solve_pair(w->rows[i], w->rows[i + u], &w->x[i], &w->x[i + u]);
            bad = side < 0 ? bad : sb_first_row(bad, i + side * u);
        } else {
            bad = sb_first_row(bad, sb_unfit(w->rows, i));
            w->x[i] = sb_unknown(w->rows[i], 0, 0);
        }
    }
    return bad;
}

static size_t pcr_scratch(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)lower, (void)upper, (void)tuning;
    return 2 * (size_t)n * sizeof(sb_row);
}

static int64_t pcr_solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower, int upper,
                         T *x, void *scratch, const sb_tuning *tuning)
{
    (void)factors, (void)op, (void)lower, (void)upper;
    sb_row *rows = scratch, *other = rows + n;
    int64_t u = 1, bad = SB_NO_ROW;
    sb_joint_rows(A, n, x, rows, tuning->threads);
    for (; 2 * u < n && bad == SB_NO_ROW; u *= 2) {
        bad = SB_NAME(pcr_reduce)(rows, other, u, n, tuning->threads);
        sb_row *read = rows;
        rows = other;
        other = read;
    }
    last_step w = {rows, u, n, x};
    if (bad == SB_NO_ROW)
        bad = sb_spread(solve_span, &w, u < n ? u : n, n, tuning->threads);
    return sb_joint_result(bad);
}

const sb_engine SB_NAME(pcr) = SB_JOINT_ENGINE(0.01, pcr_scratch, pcr_solve);
