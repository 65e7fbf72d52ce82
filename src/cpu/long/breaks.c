/* Where elimination of a chunk without pivoting breaks down: row by row, to name the row. */
#include "src/cpu/long/task.h"

static T entry(const sb_matrix *A, int64_t i, int d)
{
    bool exists = d >= -A->lower && d <= A->upper && (A->periodic || (i + d >= 0 && i + d < A->n));
    return exists ? sb_at(A, i, d) : 0;
}

int64_t SB_NAME(long_breaks)(const sb_matrix *A, int64_t start, int64_t m, int k)
{
    /* Of the rows above, nearest first, divided by their pivots. */
    T upper[SB_CHUNKED_BAND][SB_CHUNKED_BAND] = {{0}};
    for (int64_t i = k; i < m - k; ++i) {
        T row[2 * SB_CHUNKED_BAND + 1];
        for (int d = -k; d <= k; ++d)
            row[k + d] = entry(A, start + i, d);
        for (int j = k - 1; j >= 0; --j)
            for (int t = 0; t < k; ++t)
                row[k - j + t] -= row[k - 1 - j] * upper[j][t];
        T reciprocal = 1 / row[k];
        if (!(sb_finite(reciprocal) && sb_finite(row[k])))
            return start + i;
        for (int t = 0; t < k; ++t) {
            for (int j = k - 1; j > 0; --j)
                upper[j][t] = upper[j - 1][t];
            upper[0][t] = row[k + 1 + t] * reciprocal;
        }
    }
    return -1;
}
