/* What the engines have in common that keep no factors: matrix and right-hand side are reduced together, in
 * rows that are assembled anew for every solve. */
#ifndef SB_JOINT_H
#define SB_JOINT_H

#include "src/chunk/row.h"
#include "src/cpu/engine.h"
#include "src/cpu/kernels/spread.h"

static inline size_t sb_joint_stored(int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    (void)n, (void)lower, (void)upper, (void)tuning;
    return 0;
}

static inline sb_outcome sb_joint_factor(const sb_matrix *A, void *factors, const sb_tuning *tuning)
{
    (void)A, (void)factors, (void)tuning;
    return (sb_outcome){.row = -1, .growth = 0};
}

typedef struct sb_joint {
    const sb_matrix *A;
    const T *rhs;
    sb_row *rows;
} sb_joint;

static inline int64_t sb_joint_span(const void *work, int64_t begin, int64_t end)
{
    const sb_joint *w = work;
    SB_NAME(assemble_span)(w->A, &w->rows->a, sizeof(sb_row) / sizeof(T), begin, end);
    for (int64_t i = begin; i < end; ++i)
        w->rows[i].d = w->rhs[i];
    return SB_NO_ROW;
}

/* Each thread assembles the rows that it will reduce in the first step. */
static inline void sb_joint_rows(const sb_matrix *A, int64_t n, const T *rhs, sb_row *rows, int threads)
{
    sb_joint w = {A, rhs, rows};
    sb_spread(sb_joint_span, &w, n, n, threads);
}

/* The row itself if its pivot is unfit to divide by. */
static inline int64_t sb_unfit(const sb_row *rows, int64_t i)
{
    return sb_bad_pivot(rows[i].b) ? i : SB_NO_ROW;
}

static inline int64_t sb_joint_result(int64_t bad)
{
    return bad == SB_NO_ROW ? -1 : bad;
}

#define SB_JOINT_ENGINE(dominance, needs, solves)                                               \
    {                                                                                           \
        .margin = dominance, .reads_matrix = true, .stored = sb_joint_stored, .scratch = needs, \
        .factor = sb_joint_factor, .solve = solves                                              \
    }

#endif
