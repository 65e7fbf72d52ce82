/* One line after the other, the previous rows in registers. */
#include "bench/plain_text.h"

/* Rows i-1, i-2, ... after elimination: upper entries scaled to a unit diagonal, and right-hand sides. */
typedef struct previous_rows {
    T upper[SB_PLAIN_ROOM][SB_PLAIN_ROOM], y[SB_PLAIN_ROOM];
} previous_rows;

/* Row i with its lower entries replaced by multipliers. */
SB_PLAIN_INLINE eliminate_row(T *row, T *r, const previous_rows *before, int L, int U)
{
    for (int d = L; d >= 1; --d) {
        for (int j = 1; j <= U; ++j)
            row[L - d + j] -= row[L - d] * before->upper[d - 1][j - 1];
        *r -= row[L - d] * before->y[d - 1];
    }
}

SB_PLAIN_INLINE push_row(previous_rows *before, const T *row, T inverse, T y, int L, int U)
{
    for (int d = L - 1; d >= 1; --d) {
        for (int j = 0; j < U; ++j)
            before->upper[d][j] = before->upper[d - 1][j];
        before->y[d] = before->y[d - 1];
    }
    for (int j = 0; j < U; ++j)
        before->upper[0][j] = row[L + 1 + j] * inverse;
    before->y[0] = y;
}

SB_PLAIN_INLINE load_row(T *row, const sb_plain_job *job, int64_t i, int64_t stride, int L, int U)
{
    if (i >= L && i + U < job->n) {
        for (int d = 0; d < L + 1 + U; ++d)
            row[d] = ((const T *)job->diagonals[d])[i * stride];
        return;
    }
    for (int k = -L; k <= U; ++k)
        row[L + k] = i + k < 0 || i + k >= job->n ? 0 : ((const T *)job->diagonals[L + k])[i * stride];
}

/* x = y - (scaled upper entries) x, from the last row up; row i's entries at upper + i * width. */
SB_PLAIN_INLINE back(const sb_plain_job *job, const T *upper, int64_t width, int U)
{
    T *x = job->x, behind[SB_PLAIN_ROOM] = {0};
    for (int64_t i = job->n - 1; i >= 0; --i) {
        T value = x[i * job->stride];
        for (int j = U - 1; j >= 0; --j)
            value -= upper[i * width + j] * behind[j];
        for (int j = U - 1; j >= 1; --j)
            behind[j] = behind[j - 1];
        behind[0] = x[i * job->stride] = value;
    }
}

SB_PLAIN_INLINE eliminate_line_band(const sb_plain_job *job, int L, int U)
{
    const T *b = job->b;
    T *x = job->x, *upper = job->store;
    previous_rows before = {0};
    for (int64_t i = 0; i < job->n; ++i) {
        T row[2 * SB_PLAIN_ROOM + 1], r = b[i * job->stride];
        load_row(row, job, i, job->stride, L, U);
        eliminate_row(row, &r, &before, L, U);
        T inverse = 1 / row[L];
        push_row(&before, row, inverse, r * inverse, L, U);
        for (int j = 0; j < U; ++j)
            upper[i * U + j] = row[L + 1 + j] * inverse;
        x[i * job->stride] = r * inverse;
    }
    back(job, upper, U, U);
}

SB_PLAIN_INLINE factor_band(const sb_plain_job *job, int L, int U)
{
    T *factors = job->store;
    previous_rows before = {0};
    for (int64_t i = 0; i < job->n; ++i) {
        T *row = factors + i * (L + 1 + U), r = 0;
        load_row(row, job, i, 1, L, U);
        eliminate_row(row, &r, &before, L, U);
        row[L] = 1 / row[L];
        push_row(&before, row, row[L], 0, L, U);
        for (int j = 0; j < U; ++j)
            row[L + 1 + j] *= row[L];
    }
}

SB_PLAIN_INLINE substitute_line_band(const sb_plain_job *job, int L, int U)
{
    const T *b = job->b, *factors = job->store;
    T *x = job->x, y[SB_PLAIN_ROOM] = {0};
    int width = L + 1 + U;
    for (int64_t i = 0; i < job->n; ++i) {
        const T *row = factors + i * width;
        T r = b[i * job->stride];
        for (int d = L; d >= 1; --d)
            r -= row[L - d] * y[d - 1];
        for (int d = L - 1; d >= 1; --d)
            y[d] = y[d - 1];
        y[0] = x[i * job->stride] = r * row[L];
    }
    back(job, factors + L + 1, width, U);
}

SB_PLAIN_SPECIALISE(eliminate_line)
SB_PLAIN_SPECIALISE(factor)
SB_PLAIN_SPECIALISE(substitute_line)
