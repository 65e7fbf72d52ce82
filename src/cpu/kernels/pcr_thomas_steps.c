/* Steps of parallel cyclic reduction that leave the systems apart (lass.txt IV.A, IV.B), and Thomas for one of
 * them. A thread keeps to the same rows of the original system in every step, so that but for the neighbours at
 * either end it reads what it wrote itself. */
#include "src/cpu/kernels/pcr_thomas.h"
#include "src/cpu/kernels/spread.h"

typedef struct step {
    const sb_row *from;
    sb_row *to;
    int level;
    int64_t n;
} step;

static inline sb_row reduce_row(const sb_row *rows, int64_t i, int64_t u, int64_t n)
{
    return sb_reduce(rows[i], i >= u ? &rows[i - u] : NULL, i + u < n ? &rows[i + u] : NULL);
}

static int64_t separate_span(const void *work, int64_t begin, int64_t end)
{
    const step w = *(const step *)work;
    int64_t u = INT64_C(1) << w.level, bad = SB_NO_ROW;
    for (int64_t i = begin; i < end; ++i) {
        bad = sb_bad_pivot(w.from[i].b) ? sb_first_row(bad, i) : bad;
        w.to[sb_place(w.n, w.level + 1, i)] = reduce_row(w.from, i, u, w.n);
    }
    return bad;
}

int64_t SB_NAME(pcr_separate)(const sb_row *from, sb_row *to, int level, int64_t n, int threads)
{
    step w = {from, to, level, n};
    return sb_spread(separate_span, &w, n, n, threads);
}

/* Of each system the rows that were begin..end-1 at first: stride 1 to read, two streams of stride 1 to write.
 */
static int64_t shuffle_span(const void *work, int64_t begin, int64_t end)
{
    const step w = *(const step *)work;
    int64_t systems = INT64_C(1) << w.level, bad = SB_NO_ROW;
    for (int64_t s = 0; s < systems; ++s) {
        const sb_row *rows = w.from + sb_system_start(w.n, w.level, s);
        sb_row *halves[] = {w.to + sb_system_start(w.n, w.level + 1, s),
                            w.to + sb_system_start(w.n, w.level + 1, s + systems)};
        int64_t count = sb_system_rows(w.n, w.level, s), behind = systems - 1 - s;
        for (int64_t j = (begin + behind) >> w.level; j < (end + behind) >> w.level; ++j) {
            bad = sb_bad_pivot(rows[j].b) ? sb_first_row(bad, s + (j << w.level)) : bad;
            halves[j & 1][j >> 1] = reduce_row(rows, j, 1, count);
        }
    }
    return bad;
}

int64_t SB_NAME(pcr_shuffle)(const sb_row *from, sb_row *to, int level, int64_t n, int threads)
{
    step w = {from, to, level, n};
    return sb_spread(shuffle_span, &w, n, n, threads);
}

int64_t SB_NAME(thomas_rows)(sb_row *rows, int64_t count)
{
    T c = 0, d = 0;
    for (int64_t j = 0; j < count; ++j) {
        T pivot = rows[j].b - rows[j].a * c;
        if (sb_bad_pivot(pivot))
            return j;
        rows[j].c = c = rows[j].c / pivot;
        rows[j].d = d = (rows[j].d - rows[j].a * d) / pivot;
    }
    for (int64_t j = count - 2; j >= 0; --j)
        rows[j].d = d = rows[j].d - rows[j].c * d;
    return SB_NO_ROW;
}
