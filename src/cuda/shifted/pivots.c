/* Tables of reciprocal pivots. */
#include "src/cuda/shifted/pivots.h"

#include "src/core/backend.h"

/* One mode's elimination of a half. */
typedef struct course {
    const sb_tridiagonal *m;
    double shift;
    int half;
    int64_t j;
    double pivot;
} course;

static int64_t rows_of(const sb_tridiagonal *m, int half)
{
    return half ? m->n - 1 - m->n / 2 : m->n / 2;
}

static int64_t row_at(const sb_tridiagonal *m, int half, int64_t j)
{
    return half ? m->n - 1 - j : j;
}

/* The next pivot. */
static void advance(course *c)
{
    const sb_tridiagonal *m = c->m;
    int64_t i = row_at(m, c->half, c->j);
    double d = m->diagonal[i] + c->shift;
    if (c->j > 0) {
        int64_t last = row_at(m, c->half, c->j - 1);
        double out = c->half ? m->upper[i] : m->lower[i], in = c->half ? m->lower[last] : m->upper[last];
        d -= out * (c->pivot * in); /* which is 1 at most; no other product need be a number */
    }
    c->pivot = 1 / d;
    c->j += 1;
}

/* False where a number of T overflows or vanishes. */
static bool fill_mode(sb_pivot_table *p, const sb_tridiagonal *m, double shift, int64_t mode, bool singular)
{
    int64_t group = mode / SB_PIVOT_GROUP, n = m->n, i = n / 2;
    double middle = m->diagonal[i] + shift;
    bool fits = true;
    for (int half = 0; half < 2; ++half) {
        course c = {.m = m, .shift = shift, .half = half};
        T *to = p->table + p->row[2 * group + half] * SB_PIVOT_GROUP + mode % SB_PIVOT_GROUP;
        int64_t stored = p->row[2 * group + half + 1] - p->row[2 * group + half];
        for (; c.j < stored; to += SB_PIVOT_GROUP) {
            advance(&c);
            *to = (T)c.pivot;
            fits &= sb_fits(c.pivot, sizeof(T) == sizeof(float));
        }
        if (half ? i < n - 1 : i > 0)
            middle -=
                half ? m->upper[i] * (c.pivot * m->lower[i + 1]) : m->lower[i] * (c.pivot * m->upper[i - 1]);
    }
    p->middle[mode] = singular ? 0 : (T)(1 / middle);
    return fits && (singular || sb_fits(1 / middle, sizeof(T) == sizeof(float)));
}

slimband_status SB_NAME(pivots_make)(sb_pivot_table *p, const sb_tridiagonal *m, const double *shift,
                                     int64_t modes, int64_t singular)
{
    size_t bytes = 0;
    *p = (sb_pivot_table){.n = m->n, .modes = modes, .groups = (modes + SB_PIVOT_GROUP - 1) / SB_PIVOT_GROUP};
    p->row = sb_allocate(sb_times(2 * (size_t)p->groups + 1, sizeof *p->row), &bytes);
    p->middle = sb_allocate(sb_times((size_t)modes, sizeof *p->middle), &bytes);
    if (!p->row || !p->middle)
        return SLIMBAND_OUT_OF_MEMORY;
    for (int64_t k = 0; k < 2 * p->groups; ++k)
        p->row[k + 1] = p->row[k] + rows_of(m, (int)(k % 2));
    p->table =
        sb_allocate(sb_times((size_t)p->row[2 * p->groups] + 1, SB_PIVOT_GROUP * sizeof *p->table), &bytes);
    if (!p->table)
        return SLIMBAND_OUT_OF_MEMORY;
    bool finite = true;
#pragma omp parallel for schedule(dynamic, 512) reduction(&& : finite)
    for (int64_t k = 0; k < modes; ++k)
        finite = fill_mode(p, m, shift[k], k, k == singular) && finite;
    return finite ? SLIMBAND_OK : SLIMBAND_BREAKDOWN;
}

void SB_NAME(pivots_free)(sb_pivot_table *p)
{
    sb_release(p->row);
    sb_release(p->table);
    sb_release(p->middle);
    *p = (sb_pivot_table){0};
}
