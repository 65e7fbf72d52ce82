/* Levels of transforms that halve themselves. */
#include "src/poisson/halving.h"

#ifdef SB_HAVE_FFTW
#include <stdlib.h>

#include "src/apps/memory.h"
#include "src/poisson/fftw.h"

int64_t SB_NAME(halving_place)(const sb_halving *h, int l)
{
    int64_t place = 0;
    for (int k = 0; k < l; ++k)
        place += h->level[k].half;
    return place;
}

bool SB_NAME(halving_add)(sb_halving *h, int64_t half, unsigned flags, T *z, T *from, T *to, size_t *bytes)
{
    int64_t place = SB_NAME(halving_place)(h, h->levels);
    T *turn = SB_NAME(make_turns)(half / 2, h->kernels->lanes, bytes);
    void *there = FFTW(plan_dft_1d)((int)half / 2, (FFTW(complex) *)z, (FFTW(complex) *)(to + place),
                                    FFTW_BACKWARD, flags);
    void *back = FFTW(plan_dft_1d)((int)half / 2, (FFTW(complex) *)(from + place), (FFTW(complex) *)z,
                                   FFTW_FORWARD, flags);
    h->level[h->levels].half = half;
    h->level[h->levels].turn = turn;
    h->level[h->levels].there = there;
    h->level[h->levels++].back = back;
    return turn && there && back;
}

static bool make_matrix(sb_halving *h, sb_halving_entry *entry, size_t *bytes)
{
    int64_t lanes = h->kernels->lanes, n = h->unknowns;
    h->lead = (n + lanes - 1) / lanes * lanes;
    h->matrix = sb_app_allocate((size_t)(n * h->lead), sizeof *h->matrix, bytes);
    for (int64_t e = 0; h->matrix && e < n * h->lead; ++e)
        h->matrix[e] = e % h->lead < n ? (T)entry(h->size, e / h->lead, e % h->lead) : 0;
    return h->matrix;
}

bool SB_NAME(halving_end)(sb_halving *h, int kind, sb_halving_entry *entry, unsigned flags, T *from, T *to,
                          size_t *bytes)
{
    if (h->unknowns == 0)
        return true;
    if (h->size <= SB_HALVED_LEAST)
        return make_matrix(h, entry, bytes);
    int n = (int)h->unknowns;
    int64_t place = SB_NAME(halving_place)(h, h->levels);
    h->lowest[0] =
        FFTW(plan_r2r_1d)(n, sb_halving_source(h, from, h->levels), to + place, (FFTW(r2r_kind))kind, flags);
    h->lowest[1] = FFTW(plan_r2r_1d)(n, from + place, sb_halving_result(h, from, to, h->levels),
                                     (FFTW(r2r_kind))kind, flags | FFTW_PRESERVE_INPUT);
    return h->lowest[0] && h->lowest[1];
}

void SB_NAME(halving_free)(sb_halving *h)
{
    for (int l = 0; l < h->levels; ++l) {
        if (h->level[l].there)
            FFTW(destroy_plan)(h->level[l].there);
        if (h->level[l].back)
            FFTW(destroy_plan)(h->level[l].back);
        free(h->level[l].turn);
    }
    for (int b = 0; b < 2; ++b)
        if (h->lowest[b])
            FFTW(destroy_plan)(h->lowest[b]);
    free(h->matrix);
}

/* FFTW's are twice as large. */
void SB_NAME(halving_lowest)(const sb_halving *h, int plan, T scale, T *in, T *out)
{
    if (h->matrix)
        h->kernels->multiply(h->unknowns, h->lead, h->matrix, scale, in, out);
    if (!h->lowest[plan])
        return;
    FFTW(execute_r2r)(h->lowest[plan], in, out);
    for (int64_t k = 0; k < h->unknowns; ++k)
        out[k] *= (T)0.5 * scale;
}

#endif
