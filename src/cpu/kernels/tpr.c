/* Tree Partitioning Reduction (tpr.txt 3): slices of S rows are reduced by themselves in log2 S + 1 steps, one
 * more step integrates each with its lower neighbour, the bottom rows of the slices form a system that cyclic
 * reduction solves (the tree), and substitution runs inside the slices again.
 *
 * A slice holds two subsystems: the rows 1, 3, 5, .. (counted from 1) shrink towards the slice's top row, the
 * rows 2, 4, 6, .. towards its bottom row; in the end both couple to the bottom unknown of the slice above and
 * to the top unknown of the slice below. The top row is then rid of the latter with the bottom row's help, and
 * the bottom row, integrated with the top row of the next slice, couples to bottom unknowns only.
 *
 * Any n: rows beyond n count as equations x = 0, which change nothing and are not stored; the paper pads
 * with repeated equations. A last slice without its bottom row needs no place in the tree, because its unknowns
 * beyond n are known. For n = 2^k nothing is padded and the steps are the paper's.
 *
 * S: large slices leave fewer rows to the tree and reach further before anything is joined (more stable), small
 * ones stay in the nearest cache (faster). A slice's two subsystems round independently: as with parallel
 * cyclic reduction the backward error is small where the matrix is well conditioned, not for every dominant
 * matrix. 24 operations a row to reduce, 5 to substitute. Words a row: 4 read and 8 written to assemble and
 * reduce, the same 8 read to substitute. */
#include "src/cpu/kernels/tpr.h"
#include "src/cpu/kernels/cr.h"
#include "src/cpu/kernels/joint.h"

static int64_t slice_end(sb_slice s)
{
    return s.n - s.top < s.rows ? s.n : s.top + s.rows;
}

static int64_t reduce_row(const sb_row *from, sb_row *to, int64_t i, int64_t u, int64_t begin, int64_t end)
{
    bool left = i - u >= begin, right = i + u < end;
    to[i] = sb_reduce(from[i], left ? &from[i - u] : NULL, right ? &from[i + u] : NULL);
    return sb_first_row(left ? sb_unfit(from, i - u) : SB_NO_ROW, right ? sb_unfit(from, i + u) : SB_NO_ROW);
}

int64_t SB_NAME(tpr_reduce)(const sb_row *original, sb_row *reduced, sb_slice slice, int64_t u)
{
    const sb_row *from = u == 1 ? original : reduced;
    int64_t bad = SB_NO_ROW, end = slice_end(slice);
    for (int64_t i = slice.top; i < end; i += 2 * u)
        bad = sb_first_row(bad, reduce_row(from, reduced, i, u, slice.top, end));
    for (int64_t i = slice.top + 2 * u - 1; i < end; i += 2 * u)
        bad = sb_first_row(bad, reduce_row(from, reduced, i, u, slice.top, end));
    return bad;
}

void SB_NAME(tpr_join)(sb_row *reduced, sb_slice slice)
{
    int64_t bottom = slice.top + slice.rows - 1;
    if (bottom < slice.n)
        reduced[slice.top] = sb_exchange_right(reduced[slice.top], reduced[bottom]);
}

int64_t SB_NAME(tpr_integrate)(sb_row *reduced, sb_slice slice)
{
    int64_t next = slice.top + slice.rows;
    if (next >= slice.n)
        return SB_NO_ROW;
    reduced[next - 1] = sb_reduce(reduced[next - 1], NULL, &reduced[next]);
    return sb_unfit(reduced, next);
}

int64_t SB_NAME(tpr_substitute)(const sb_row *original, const sb_row *reduced, sb_slice slice, int64_t u, T *x)
{
    const sb_row *rows = u == 1 ? original : reduced;
    int64_t bad = SB_NO_ROW, end = slice_end(slice);
    for (int64_t i = slice.top + u - 1; i < end; i += 2 * u) {
        bad = sb_first_row(bad, sb_unfit(rows, i));
        x[i] = sb_unknown(rows[i], i >= u ? x[i - u] : 0, i + u < slice.n ? x[i + u] : 0);
    }
    return bad;
}

typedef struct work {
    const sb_row *original;
    sb_row *reduced;
    int64_t slice, n;
    T *x;
} work;

static sb_slice slice_of(const work *w, int64_t j)
{
    return (sb_slice){.top = j * w->slice, .rows = w->slice, .n = w->n};
}

static int64_t reduce_slices(const void *argument, int64_t begin, int64_t end)
{
    const work *w = argument;
    int64_t bad = SB_NO_ROW;
    for (int64_t j = begin; j < end; ++j) {
        int64_t here = SB_NO_ROW;
        for (int64_t u = 1; u < w->slice && here == SB_NO_ROW; u *= 2)
            here = SB_NAME(tpr_reduce)(w->original, w->reduced, slice_of(w, j), u);
        SB_NAME(tpr_join)(w->reduced, slice_of(w, j));
        bad = sb_first_row(bad, here);
    }
    return bad;
}

static int64_t integrate_slices(const void *argument, int64_t begin, int64_t end)
{
    const work *w = argument;
    int64_t bad = SB_NO_ROW;
    for (int64_t j = begin; j < end; ++j)
        bad = sb_first_row(bad, SB_NAME(tpr_integrate)(w->reduced, slice_of(w, j)));
    return bad;
}

static int64_t substitute_slices(const void *argument, int64_t begin, int64_t end)
{
    const work *w = argument;
    int64_t bad = SB_NO_ROW;
    for (int64_t j = begin; j < end; ++j)
        for (int64_t u = w->slice / 2; u >= 1; u /= 2)
            bad = sb_first_row(bad, SB_NAME(tpr_substitute)(w->original, w->reduced, slice_of(w, j), u, w->x));
    return bad;
}

enum { STABLE_SLICE = 2048 }; /* tpr.txt 5.2 */

/* The slice asked for, but no larger than the first power of two to hold all n rows. */
static int64_t slice_rows(int64_t n, const sb_tuning *tuning)
{
    int64_t wanted = tuning->slice > 0 ? tuning->slice : STABLE_SLICE, rows = 2;
    while (rows < wanted && rows < n)
        rows *= 2;
    return rows;
}

static size_t tpr_scratch(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)lower, (void)upper, (void)tuning;
    return 2 * (size_t)n * sizeof(sb_row);
}

static int64_t tpr_solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower, int upper,
                         T *x, void *scratch, const sb_tuning *tuning)
{
    (void)factors, (void)op, (void)lower, (void)upper;
    sb_row *original = scratch;
    work w = {original, original + n, slice_rows(n, tuning), n, x};
    int64_t slices = (n - 1) / w.slice + 1;
    sb_joint_rows(A, n, x, original, tuning->threads);
    int64_t bad = sb_spread(reduce_slices, &w, slices, n, tuning->threads);
    if (bad == SB_NO_ROW)
        bad = sb_spread(integrate_slices, &w, slices, slices, tuning->threads);
    if (bad == SB_NO_ROW)
        bad = SB_NAME(cr_every)(w.reduced, w.slice, n, x, tuning->threads);
    if (bad == SB_NO_ROW)
        bad = sb_spread(substitute_slices, &w, slices, n, tuning->threads);
    return sb_joint_result(bad);
}

const sb_engine SB_NAME(tpr) = SB_JOINT_ENGINE(0.01, tpr_scratch, tpr_solve);
