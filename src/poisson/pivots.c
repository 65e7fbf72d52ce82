/* Tables of reciprocal pivots. */
#include "src/poisson/pivots.h"

#include <stdlib.h>

#include "src/apps/memory.h"

/* One mode's elimination of a half. */
typedef struct course {
    const sb_stencil *s;
    double shift;
    int half;
    int64_t j;
    double pivot;
} course;

static int64_t rows_of(const sb_stencil *s, int half)
{
    return half ? s->n - 1 - s->n / 2 : s->n / 2;
}

static int64_t row_at(const sb_stencil *s, int half, int64_t j)
{
    return half ? s->n - 1 - j : j;
}

/* The next pivot. */
static void advance(course *c)
{
    const sb_stencil *s = c->s;
    int64_t i = row_at(s, c->half, c->j);
    double d = s->diagonal[i] + c->shift;
    if (c->j > 0) {
        int64_t last = row_at(s, c->half, c->j - 1);
        double out = c->half ? s->upper[i] : s->lower[i], in = c->half ? s->lower[last] : s->upper[last];
        d -= out * in * c->pivot;
    }
    c->pivot = 1 / d;
    c->j += 1;
}

static void fill_mode(sb_pivots *p, const sb_stencil *s, double shift, int64_t mode, bool singular)
{
    int64_t group = mode / SB_PIVOT_GROUP, n = s->n, i = n / 2;
    double middle = s->diagonal[i] + shift;
    for (int half = 0; half < 2; ++half) {
        course c = {.s = s, .shift = shift, .half = half};
        T *to = p->table + p->row[2 * group + half] * SB_PIVOT_GROUP + mode % SB_PIVOT_GROUP;
        int64_t stored = p->row[2 * group + half + 1] - p->row[2 * group + half];
        for (; c.j < stored; to += SB_PIVOT_GROUP) {
            advance(&c);
            *to = (T)c.pivot;
        }
        if (half ? i < n - 1 : i > 0)
            middle -= c.pivot * (half ? s->upper[i] * s->lower[i + 1] : s->lower[i] * s->upper[i - 1]);
    }
    p->middle[mode] = singular ? 0 : (T)(1 / middle);
}

slimband_status SB_NAME(pivots_make)(sb_pivots *p, const sb_stencil *s, const double *shift, int64_t modes,
                                     bool singular, size_t *bytes)
{
    *p = (sb_pivots){.n = s->n, .modes = modes, .groups = (modes + SB_PIVOT_GROUP - 1) / SB_PIVOT_GROUP};
    p->row = sb_app_allocate(2 * (size_t)p->groups + 1, sizeof *p->row, bytes);
    p->middle = sb_app_allocate((size_t)modes, sizeof *p->middle, bytes);
    if (!p->row || !p->middle)
        return SLIMBAND_OUT_OF_MEMORY;
    for (int64_t k = 0; k < 2 * p->groups; ++k)
        p->row[k + 1] = p->row[k] + rows_of(s, (int)(k % 2));
    p->table = sb_app_allocate((size_t)p->row[2 * p->groups] + 1, SB_PIVOT_GROUP * sizeof *p->table, bytes);
    if (!p->table)
        return SLIMBAND_OUT_OF_MEMORY;
#pragma omp parallel for schedule(dynamic, 512)
    for (int64_t m = 0; m < modes; ++m)
        fill_mode(p, s, shift[m], m, singular && m == 0);
    return SLIMBAND_OK;
}

void SB_NAME(pivots_free)(sb_pivots *p)
{
    free(p->row);
    free(p->table);
    free(p->middle);
    *p = (sb_pivots){0};
}
