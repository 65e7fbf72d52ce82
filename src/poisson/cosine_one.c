/* The cosine transform of type I by complex Fourier transforms, level by level. */
#include "src/poisson/cosine_one.h"

#ifdef SB_HAVE_FFTW
#include <stdlib.h>

#include "src/apps/memory.h"
#include "src/poisson/fftw.h"

bool SB_NAME(cosine_one_fits)(int64_t n)
{
    return (n - 1) % 4 == 0 && n - 1 >= 2 * SB_HALVED_LEAST && n < INT32_MAX / 2;
}

static int64_t part(int64_t n)
{
    enum { line = 64 / sizeof(T) };
    return (n + line) / line * line;
}

int64_t SB_NAME(cosine_one_room)(int64_t n)
{
    return 4 * part(n);
}

static void note_order(const sb_halving *h, int64_t *order)
{
    int64_t p = 0, factor = 1;
    for (int l = 0; l < h->levels; ++l, factor *= 2)
        for (int64_t m = 0, half = h->level[l].half; m < half; ++m)
            order[p++] = factor * (2 * (2 * m < half ? 2 * m : 2 * (half - 1 - m) + 1) + 1);
    order[p++] = order[0];
    order[0] = 0;
    for (int64_t q = 1; q <= h->size; ++q)
        order[p++] = q * factor;
}

static double entry(int64_t size, int64_t j, int64_t k)
{
    const double pi = 3.14159265358979323846;
    return (j == 0 || j == size ? 0.5 : 1) * cos(pi * (double)(j * k % (2 * size)) / (double)size);
}

slimband_status SB_NAME(cosine_one_make)(sb_cosine_one *c, int64_t n, unsigned flags, T *from, T *to,
                                         int64_t *order, size_t *bytes)
{
    *c = (sb_cosine_one){.size = n - 1,
                         .levels = {.size = n - 1, .room = part(n), .kernels = SB_NAME(kernels)()}};
    sb_halving *h = &c->levels;
    bool made = true;
    while (made && SB_NAME(cosine_one_fits)(h->size + 1)) {
        h->size /= 2;
        made = SB_NAME(halving_add)(h, h->size, flags, from + 3 * h->room, from, to, bytes);
    }
    h->unknowns = h->size + 1;
    made = made && SB_NAME(halving_end)(h, FFTW_REDFT00, entry, flags, from, to, bytes);
    note_order(h, order);
    return made ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

void SB_NAME(cosine_one_free)(sb_cosine_one *c)
{
    SB_NAME(halving_free)(&c->levels);
}

void SB_NAME(cosine_one_forward)(const sb_cosine_one *c, const T *x, T *from, T *to)
{
    const sb_halving *h = &c->levels;
    T *d = from + 2 * h->room, *z = from + 3 * h->room, *out = to;
    for (int l = 0; l < h->levels; ++l) {
        int64_t half = h->level[l].half;
        h->kernels->part(half, l ? sb_halving_source(h, from, l) : x, sb_halving_source(h, from, l + 1), d);
        h->kernels->twist(half / 2, h->level[l].turn, (T)0.5, d, z);
        FFTW(execute_dft)(h->level[l].there, (FFTW(complex) *)z, (FFTW(complex) *)out);
        out += half;
    }
    SB_NAME(halving_lowest)(h, 0, 1, sb_halving_source(h, from, h->levels), out);
    T first = to[0];
    to[0] = out[0] / (T)c->size;
    out[0] = first;
}

void SB_NAME(cosine_one_backward)(const sb_cosine_one *c, T *from, T *to, T *y)
{
    const sb_halving *h = &c->levels;
    T *d = from + 2 * h->room, *z = from + 3 * h->room;
    int64_t place = SB_NAME(halving_place)(h, h->levels);
    T first = from[place];
    from[place] = from[0] * (T)c->size;
    from[0] = first;
    SB_NAME(halving_lowest)(h, 1, 2 / (T)h->size, from + place, sb_halving_result(h, from, to, h->levels));
    for (int l = h->levels - 1; l >= 0; --l) {
        T *whole = l ? sb_halving_result(h, from, to, l) : y;
        place -= h->level[l].half;
        FFTW(execute_dft)(h->level[l].back, (FFTW(complex) *)(from + place), (FFTW(complex) *)z);
        h->kernels->untwist(h->level[l].half / 2, h->level[l].turn, 2, z, d);
        h->kernels->unite(h->level[l].half, sb_halving_result(h, from, to, l + 1), d, whole);
    }
}

#endif
