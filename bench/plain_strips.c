/* Many lines side by side: row after row, the inner loop along the strip. */
#include "bench/plain_text.h"

/* edge: rows whose band leaves the matrix. */
SB_PLAIN_INLINE eliminate_strip_row(const sb_plain_job *job, int64_t i, bool edge, int L, int U)
{
    const T *b = (const T *)job->b + i * job->stride;
    T *x = (T *)job->x + i * job->stride, *upper = (T *)job->store + i * U * job->width;
    int64_t width = job->width, stride = job->stride;
#pragma omp simd
    for (int64_t s = 0; s < width; ++s) {
        T row[2 * SB_PLAIN_ROOM + 1], r = b[s];
        for (int k = -L; k <= U; ++k)
            row[L + k] =
                edge && (i + k < 0 || i + k >= job->n) ? 0 : ((const T *)job->diagonals[L + k])[i * stride + s];
        for (int d = L; d >= 1; --d) {
            if (edge && d > i)
                continue;
            for (int j = 1; j <= U; ++j)
                row[L - d + j] -= row[L - d] * upper[(-d * U + j - 1) * width + s];
            r -= row[L - d] * x[-d * stride + s];
        }
        T inverse = 1 / row[L];
        for (int j = 0; j < U; ++j)
            upper[j * width + s] = row[L + 1 + j] * inverse;
        x[s] = r * inverse;
    }
}

SB_PLAIN_INLINE eliminate_strip_band(const sb_plain_job *job, int L, int U)
{
    int64_t n = job->n, width = job->width, stride = job->stride;
    for (int64_t i = 0; i < n; ++i) {
        if (i < L || i + U >= n)
            eliminate_strip_row(job, i, true, L, U);
        else
            eliminate_strip_row(job, i, false, L, U);
    }
    for (int64_t i = n - 2; i >= 0; --i) {
        T *x = (T *)job->x + i * stride;
        const T *upper = (const T *)job->store + i * U * width;
        int64_t reach = U < n - 1 - i ? U : n - 1 - i;
        for (int j = 1; j <= U; ++j) {
            if (j > reach)
                break;
#pragma omp simd
            for (int64_t s = 0; s < width; ++s)
                x[s] -= upper[(j - 1) * width + s] * x[j * stride + s];
        }
    }
}

/* One matrix for the strip: its factors are the same along the inner loop. */
SB_PLAIN_INLINE substitute_strip_row(const sb_plain_job *job, int64_t i, const T *row, int before, int L)
{
    const T *b = (const T *)job->b + i * job->stride;
    T *x = (T *)job->x + i * job->stride;
    int64_t stride = job->stride, width = job->width;
#pragma omp simd
    for (int64_t s = 0; s < width; ++s) {
        T r = b[s];
        for (int d = before; d >= 1; --d)
            r -= row[L - d] * x[-d * stride + s];
        x[s] = r * row[L];
    }
}

SB_PLAIN_INLINE back_strip_row(const sb_plain_job *job, int64_t i, const T *upper, int behind)
{
    T *x = (T *)job->x + i * job->stride;
    int64_t stride = job->stride, width = job->width;
#pragma omp simd
    for (int64_t s = 0; s < width; ++s) {
        T value = x[s];
        for (int j = behind; j >= 1; --j)
            value -= upper[j - 1] * x[j * stride + s];
        x[s] = value;
    }
}

SB_PLAIN_INLINE substitute_strip_band(const sb_plain_job *job, int L, int U)
{
    const T *factors = job->store;
    int64_t n = job->n;
    for (int64_t i = 0; i < n; ++i) {
        const T *row = factors + i * (L + 1 + U);
        if (i < L)
            substitute_strip_row(job, i, row, (int)i, L);
        else
            substitute_strip_row(job, i, row, L, L);
    }
    for (int64_t i = n - 1; i >= 0; --i) {
        const T *upper = factors + i * (L + 1 + U) + L + 1;
        if (i + U >= n)
            back_strip_row(job, i, upper, (int)(n - 1 - i));
        else
            back_strip_row(job, i, upper, U);
    }
}

SB_PLAIN_SPECIALISE(eliminate_strip)
SB_PLAIN_SPECIALISE(substitute_strip)
