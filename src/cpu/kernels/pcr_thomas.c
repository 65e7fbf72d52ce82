/* Parallel cyclic reduction, then Thomas (lass.txt III, IV): K steps of the one leave 2^K interleaved systems,
 * which the other solves, each on one core. Any n: the systems differ in length by at most one row, and K goes no
 * further than one row a system. K is the user's, and then the bits do not depend on the threads; or it is the
 * switch point for n and the threads (switch_point.h), and changes with them. The forms do the same arithmetic
 * and differ in where rows stand and in who waits for whom:
 *
 *     plain (P+T)        steps in the rows' own order; Thomas-Copy puts the systems apart; then each is solved
 *                        and its unknowns are copied back
 *     overlapped (P+TO)  the last step writes its rows to where Thomas-Copy would put them
 *     tasked (P+TT)      copy, compute and copy back are tasks, one of each a system, ordered by dependences.
 *                        The OpenMP library allocates these; with one thread there are none
 *     shuffled (SP+T)    every step puts the systems apart, so that all steps read and write at stride 1. The
 *                        paper leaves the halves of a system where the system stood; here all first halves come
 *                        before all second ones, so that the systems end in order and a place is a formula
 *
 * 12 K + 8 operations a row. Words a row and step: 4 read, 4 written; Thomas-Copy moves as many again, Thomas 4
 * and 2 forwards, 2 and 1 backwards, copying back 1 and 1.
 * Memory, words a row: 8 in every form, two copies of the rows. Table 1 has 8 for SP+T and 12 for the others
 * (it also counts the 4 of the system itself; its 1 GB for P+TO at 2^24 does not fit its other rows); the 4
 * saved are Thomas's buffers, for which the copy that the last step has read will do. */
#include "src/cpu/kernels/pcr_thomas.h"
#include "src/cpu/kernels/joint.h"
#include "src/cpu/kernels/pcr.h"
#include "src/cpu/kernels/switch_point.h"

/* After the steps: `rows` as these left them, and the same with the systems apart. */
typedef struct work {
    const sb_row *rows;
    sb_row *apart;
    int64_t n;
    int level;
    T *x;
} work;

static int64_t copy_rows(const void *argument, int64_t begin, int64_t end)
{
    const work w = *(const work *)argument;
    for (int64_t i = begin; i < end; ++i)
        w.apart[sb_place(w.n, w.level, i)] = w.rows[i];
    return SB_NO_ROW;
}

/* The stages of one system; `own` is where it stands apart. */
static sb_row *own_rows(const work *w, int64_t s)
{
    return w->apart + sb_system_start(w->n, w->level, s);
}

static void copy_system(const work *w, int64_t s, sb_row *own)
{
    for (int64_t i = s; i < w->n; i += INT64_C(1) << w->level)
        *own++ = w->rows[i];
}

static int64_t compute_system(const work *w, int64_t s, sb_row *own)
{
    int64_t bad = SB_NAME(thomas_rows)(own, sb_system_rows(w->n, w->level, s));
    return bad == SB_NO_ROW ? bad : s + (bad << w->level);
}

static void copy_back_system(const work *w, int64_t s, const sb_row *own)
{
    for (int64_t i = s; i < w->n; i += INT64_C(1) << w->level)
        w->x[i] = own++->d;
}

static int64_t solve_systems(const void *argument, int64_t begin, int64_t end)
{
    int64_t bad = SB_NO_ROW;
    for (int64_t s = begin; s < end; ++s) {
        sb_row *own = own_rows(argument, s);
        bad = sb_first_row(bad, compute_system(argument, s, own));
        copy_back_system(argument, s, own);
    }
    return bad;
}

static void keep_first(int64_t *bad, int64_t row)
{
#pragma omp critical(sb_bad_row)
    *bad = sb_first_row(*bad, row);
}

/* All three Thomas stages of each system, waiting for nothing but one another. */
static int64_t solve_as_tasks(const work *w, int64_t systems, int threads)
{
    int64_t bad = SB_NO_ROW;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int64_t s = 0; s < systems; ++s) {
        sb_row *own = own_rows(w, s);
#pragma omp task depend(out : *own)
        copy_system(w, s, own);
#pragma omp task depend(inout : *own)
        keep_first(&bad, compute_system(w, s, own));
#pragma omp task depend(in : *own)
        copy_back_system(w, s, own);
    }
    return bad;
}

static int64_t reduce(const sb_row *from, sb_row *to, int level, int64_t n, bool last, const sb_tuning *tuning)
{
    if (tuning->form == SB_FORM_SHUFFLED)
        return SB_NAME(pcr_shuffle)(from, to, level, n, tuning->threads);
    if (tuning->form == SB_FORM_OVERLAPPED && last)
        return SB_NAME(pcr_separate)(from, to, level, n, tuning->threads);
    return SB_NAME(pcr_reduce)(from, to, INT64_C(1) << level, n, tuning->threads);
}

static int64_t solve_reduced(const work *w, const sb_tuning *tuning)
{
    int64_t systems = INT64_C(1) << w->level;
    if (w->apart != w->rows) {
        if (tuning->form == SB_FORM_TASKED && sb_cores_of(w->n, tuning) > 1)
            return solve_as_tasks(w, systems, tuning->threads);
        sb_spread(copy_rows, w, w->n, w->n, tuning->threads);
    }
    return sb_spread(solve_systems, w, systems, w->n, tuning->threads);
}

static size_t pcr_thomas_scratch(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)lower, (void)upper, (void)tuning;
    return 2 * (size_t)n * sizeof(sb_row);
}

static int64_t pcr_thomas_solve(const sb_matrix *A, const void *factors, sb_op op, int64_t n, int lower,
                                int upper, T *x, void *scratch, const sb_tuning *tuning)
{
    (void)factors, (void)op, (void)lower, (void)upper;
    sb_row *rows = scratch, *other = rows + n;
    int64_t bad = SB_NO_ROW;
    int level = 0, last = sb_steps_of(n, tuning);
    sb_joint_rows(A, n, x, rows, tuning->threads);
    for (; level < last && bad == SB_NO_ROW; ++level) {
        bad = reduce(rows, other, level, n, level + 1 == last, tuning);
        sb_row *read = rows;
        rows = other;
        other = read;
    }
    bool apart = level == 0 || tuning->form == SB_FORM_OVERLAPPED || tuning->form == SB_FORM_SHUFFLED;
    work w = {rows, apart ? rows : other, n, level, x};
    if (bad == SB_NO_ROW)
        bad = solve_reduced(&w, tuning);
    return sb_joint_result(bad);
}

const sb_engine SB_NAME(pcr_thomas) = SB_JOINT_ENGINE(0.01, pcr_thomas_scratch, pcr_thomas_solve);
