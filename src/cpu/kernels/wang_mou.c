/* Wang and Mou's method (tpr.txt 2.2.3): blocks of rows, each row of which couples its own unknown to the two
 * unknowns next to the block, are merged two by two, log2 n times; then every row holds its own unknown alone.
 * Any n: the last block may be shorter, or wait for a later merge.
 *
 * The paper gives every element i a triad of rows: Left for the block's first unknown, Center for its own,
 * Right for the block's last. All Lefts of a block are the same row, and so are all Rights; moreover Left is
 * the Center of the block's first element and Right that of its last. Where all rows lie in one memory the
 * Centers are therefore enough: 4 words a row instead of 12, and 6 log2 n operations a row instead of 48 log2
 * n. */
#include "src/cpu/kernels/wang_mou.h"
#include "src/cpu/kernels/joint.h"

typedef struct step {
    sb_row *rows;
    int64_t u, n;
} step;

/* Upper block s..m-1, lower block m..e-1: the upper's Right {s-1, m-1, m} and the lower's Left {m-1, m, e} rid
   each other of the unknown that they share. */
static int64_t meet_span(const void *work, int64_t begin, int64_t end)
{
    const step *w = work;
    int64_t bad = SB_NO_ROW;
    for (int64_t j = begin; j < end; ++j) {
        int64_t m = w->u * (2 * j + 1);
        bad = sb_first_row(bad, sb_unfit(w->rows, m - 1));
        w->rows[m] = sb_reduce(w->rows[m], &w->rows[m - 1], NULL);
        bad = sb_first_row(bad, sb_unfit(w->rows, m));
        w->rows[m - 1] = sb_replace_right(w->rows[m - 1], w->rows[m]);
    }
    return bad;
}

/* The other Centers {s-1, i, m} of the upper and {m-1, i, e} of the lower block. */
static int64_t widen_span(const void *work, int64_t begin, int64_t end)
{
    const step *w = work;
    for (int64_t i = begin; i < end; ++i) {
        int64_t m = (i & ~(2 * w->u - 1)) + w->u;
        if (m >= w->n || i == m || i == m - 1)
            continue;
        w->rows[i] =
            i < m ? sb_replace_right(w->rows[i], w->rows[m]) : sb_replace_left(w->rows[i], w->rows[m - 1]);
    }
    return SB_NO_ROW;
}

int64_t SB_NAME(wang_mou_merge)(sb_row *rows, int64_t u, int64_t n, int threads)
{
    step w = {rows, u, n};
    int64_t pairs = (n + u - 1) / (2 * u);
    int64_t bad = sb_spread(meet_span, &w, pairs, pairs, threads);
    return sb_first_row(bad, sb_spread(widen_span, &w, n, n, threads));
}

static size_t wang_mou_scratch(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)lower, (void)upper, (void)tuning;
    return (size_t)n * sizeof(sb_row);
}

static int64_t wang_mou_solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower,
                              int upper, T *x, void *scratch, const sb_tuning *tuning)
{
    (void)factors, (void)op, (void)lower, (void)upper;
    sb_row *rows = scratch;
    int64_t bad = SB_NO_ROW;
    sb_joint_rows(A, n, x, rows, tuning->threads);
    for (int64_t u = 1; u < n && bad == SB_NO_ROW; u *= 2)
        bad = SB_NAME(wang_mou_merge)(rows, u, n, tuning->threads);
    for (int64_t i = 0; i < n && bad == SB_NO_ROW; ++i) {
        bad = sb_unfit(rows, i);
        x[i] = sb_unknown(rows[i], 0, 0);
    }
    return sb_joint_result(bad);
}

const sb_engine SB_NAME(wang_mou) = SB_JOINT_ENGINE(0.01, wang_mou_scratch, wang_mou_solve);
