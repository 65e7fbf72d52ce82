/* The cosine transform of type I by complex Fourier transforms, level by level. */
#include "src/poisson/cosine_one.h"

#ifdef SB_HAVE_FFTW
#include <stdlib.h>

#include "src/apps/memory.h"
#include "src/poisson/fftw.h"

bool SB_NAME(cosine_one_fits)(int64_t n)
{
    return (n - 1) % 4 == 0 && n - 1 >= 2 * SB_COSINE_LEAST && n < INT32_MAX / 2;
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

/* Where level l begins among the coefficients. */
static int64_t place_of(const sb_cosine_one *c, int l)
{
    int64_t place = 0;
    for (int k = 0; k < l; ++k)
        place += c->level[k].half;
    return place;
}

static void note_order(const sb_cosine_one *c, int64_t *order)
{
    int64_t p = 0, factor = 1;
    for (int l = 0; l < c->levels; ++l, factor *= 2)
        for (int64_t m = 0, half = c->level[l].half; m < half; ++m)
            order[p++] = factor * (2 * (2 * m < half ? 2 * m : 2 * (half - 1 - m) + 1) + 1);
    order[p++] = order[0];
    order[0] = 0;
    for (int64_t q = 1; q <= c->rest; ++q)
        order[p++] = q * factor;
}

/* The sums that level l begins with on the way there, and makes on the way back. */
static T *source(const sb_cosine_one *c, T *from, int l)
{
    return l % 2 ? from + c->room : from;
}

static T *result(const sb_cosine_one *c, T *from, T *to, int l)
{
    return l % 2 ? from + c->room : to;
}

static slimband_status make_level(sb_cosine_one *c, unsigned flags, T *from, T *to, size_t *bytes)
{
    int64_t half = c->rest / 2, place = place_of(c, c->levels);
    FFTW(complex) *z = (FFTW(complex) *)(from + 3 * c->room);
    T *turn = SB_NAME(make_turns)(half / 2, c->kernels->lanes, bytes);
    void *there = FFTW(plan_dft_1d)((int)half / 2, z, (FFTW(complex) *)(to + place), FFTW_BACKWARD, flags);
    void *back = FFTW(plan_dft_1d)((int)half / 2, (FFTW(complex) *)(from + place), z, FFTW_FORWARD, flags);
    c->level[c->levels].half = half;
    c->level[c->levels].turn = turn;
    c->level[c->levels].there = there;
    c->level[c->levels++].back = back;
    c->rest = half;
    return turn && there && back ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

/* The lowest level as a matrix. */
static bool make_matrix(sb_cosine_one *c, size_t *bytes)
{
    const double pi = 3.14159265358979323846;
    int64_t lanes = c->kernels->lanes, n = c->rest + 1;
    c->lead = (n + lanes - 1) / lanes * lanes;
    c->matrix = sb_app_allocate((size_t)(n * c->lead), sizeof *c->matrix, bytes);
    for (int64_t k = 0; c->matrix && k < n * c->lead; ++k) {
        int64_t j = k / c->lead, product = j * (k % c->lead) % (2 * c->rest);
        double weight = j == 0 || j == c->rest ? 0.5 : 1;
        c->matrix[k] = k % c->lead < n ? (T)(weight * cos(pi * (double)product / (double)c->rest)) : 0;
    }
    return c->matrix;
}

static bool make_lowest(sb_cosine_one *c, unsigned flags, T *from, T *to, size_t *bytes)
{
    if (c->rest <= SB_COSINE_LEAST)
        return make_matrix(c, bytes);
    int n = (int)c->rest + 1;
    int64_t place = place_of(c, c->levels);
    c->lowest[0] = FFTW(plan_r2r_1d)(n, source(c, from, c->levels), to + place, FFTW_REDFT00, flags);
    c->lowest[1] = FFTW(plan_r2r_1d)(n, from + place, result(c, from, to, c->levels), FFTW_REDFT00,
                                     flags | FFTW_PRESERVE_INPUT);
    return c->lowest[0] && c->lowest[1];
}

slimband_status SB_NAME(cosine_one_make)(sb_cosine_one *c, int64_t n, unsigned flags, T *from, T *to,
                                         int64_t *order, size_t *bytes)
{
    *c = (sb_cosine_one){.size = n - 1, .rest = n - 1, .room = part(n), .kernels = SB_NAME(kernels)()};
    slimband_status status = SLIMBAND_OK;
    while (!status && SB_NAME(cosine_one_fits)(c->rest + 1))
        status = make_level(c, flags, from, to, bytes);
    if (!status && !make_lowest(c, flags, from, to, bytes))
        status = SLIMBAND_OUT_OF_MEMORY;
    note_order(c, order);
    return status;
}

void SB_NAME(cosine_one_free)(sb_cosine_one *c)
{
    for (int l = 0; l < c->levels; ++l) {
        if (c->level[l].there)
            FFTW(destroy_plan)(c->level[l].there);
        if (c->level[l].back)
            FFTW(destroy_plan)(c->level[l].back);
        free(c->level[l].turn);
    }
    for (int b = 0; b < 2; ++b)
        if (c->lowest[b])
            FFTW(destroy_plan)(c->lowest[b]);
    free(c->matrix);
}

/* From one to the other, times scale; with FFTW's plan times scale / 2 more. */
static void lowest(const sb_cosine_one *c, int plan, T scale, T *in, T *out)
{
    if (c->matrix) {
        c->kernels->multiply(c->rest + 1, c->lead, c->matrix, scale, in, out);
        return;
    }
    FFTW(execute_r2r)(c->lowest[plan], in, out);
    for (int64_t k = 0; k <= c->rest; ++k)
        out[k] *= (T)0.5 * scale;
}

void SB_NAME(cosine_one_forward)(const sb_cosine_one *c, const T *x, T *from, T *to)
{
    T *d = from + 2 * c->room, *z = from + 3 * c->room, *out = to;
    for (int l = 0; l < c->levels; ++l) {
        int64_t half = c->level[l].half;
        c->kernels->part(half, l ? source(c, from, l) : x, source(c, from, l + 1), d);
        c->kernels->twist(half / 2, c->level[l].turn, (T)0.5, d, z);
        FFTW(execute_dft)(c->level[l].there, (FFTW(complex) *)z, (FFTW(complex) *)out);
        out += half;
    }
    lowest(c, 0, 1, source(c, from, c->levels), out);
    T first = to[0];
    to[0] = out[0] / (T)c->size;
    out[0] = first;
}

void SB_NAME(cosine_one_backward)(const sb_cosine_one *c, T *from, T *to, T *y)
{
    T *d = from + 2 * c->room, *z = from + 3 * c->room;
    int64_t place = place_of(c, c->levels);
    T first = from[place];
    from[place] = from[0] * (T)c->size;
    from[0] = first;
    lowest(c, 1, 2 / (T)c->rest, from + place, result(c, from, to, c->levels));
    for (int l = c->levels - 1; l >= 0; --l) {
        place -= c->level[l].half;
        FFTW(execute_dft)(c->level[l].back, (FFTW(complex) *)(from + place), (FFTW(complex) *)z);
        c->kernels->untwist(c->level[l].half / 2, c->level[l].turn, 2, z, d);
        c->kernels->unite(c->level[l].half, result(c, from, to, l + 1), d, l ? result(c, from, to, l) : y);
    }
}

#endif
