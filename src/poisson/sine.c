/* The discrete sine transform by FFTW's real transforms, level by level. */
#include "src/poisson/sine.h"

#ifdef SB_HAVE_FFTW
#include <stdlib.h>

#include "src/apps/memory.h"
#include "src/poisson/fftw.h"

static const double pi = 3.14159265358979323846;

bool SB_NAME(sine_fits)(int64_t n)
{
    return n % 2 == 1 && n + 1 >= 2 * SB_HALVED_LEAST && n < INT32_MAX / 2;
}

int64_t SB_NAME(sine_room)(int64_t n)
{
    enum { line = 64 / sizeof(T) };
    return (n + 2 + line) / line * line;
}

static double entry(int64_t size, int64_t j, int64_t k)
{
    return sin(pi * (double)((j + 1) * (k + 1) % (2 * size)) / (double)size);
}

static void note_order(const sb_halving *h, int64_t *order)
{
    int64_t p = 0, factor = 1;
    for (int l = 0; l < h->levels; ++l, factor *= 2)
        for (int64_t m = 0, half = h->level[l].half; m < half; ++m) {
            int64_t t = 2 * m < half ? 2 * m : 2 * (half - 1 - m) + 1;
            order[p++] = (2 * t + 1) * factor - 1;
        }
    for (int64_t q = 1; q <= h->unknowns; ++q)
        order[p++] = q * factor - 1;
}

static T *turn_half(int64_t half, size_t *bytes)
{
    int64_t turns = half / 2 + 1;
    T *turn = sb_app_allocate(2 * (size_t)turns, sizeof *turn, bytes);
    for (int64_t k = 0; turn && k < turns; ++k) {
        turn[k] = (T)cos(pi * (double)k / (double)(2 * half));
        turn[turns + k] = (T)sin(pi * (double)k / (double)(2 * half));
    }
    return turn;
}

/* One more level, M odd: by a real transform. */
static bool add_odd(sb_halving *h, int half, unsigned flags, T *z, T *from, T *to, size_t *bytes)
{
    int64_t place = SB_NAME(halving_place)(h, h->levels);
    FFTW(complex) *v = (FFTW(complex) *)z;
    T *turn = turn_half(half, bytes);
    void *there = FFTW(plan_dft_c2r_1d)(half, v, to + place, flags | FFTW_DESTROY_INPUT);
    void *back = FFTW(plan_dft_r2c_1d)(half, from + place, v, flags | FFTW_PRESERVE_INPUT);
    h->level[h->levels].half = half;
    h->level[h->levels].turn = turn;
    h->level[h->levels].there = there;
    h->level[h->levels++].back = back;
    return turn && there && back;
}

slimband_status SB_NAME(sine_make)(sb_sine *s, int64_t n, unsigned flags, T *from, T *to, int64_t *order,
                                   size_t *bytes)
{
    *s = (sb_sine){.n = n,
                   .levels = {.size = n + 1, .room = SB_NAME(sine_room)(n), .kernels = SB_NAME(kernels)()}};
    sb_halving *h = &s->levels;
    T *z = from + 2 * h->room;
    bool made = true;
    while (made && (h->levels == 0 || SB_NAME(sine_fits)(h->size - 1))) {
        h->size /= 2;
        made = h->size % 2 ? add_odd(h, (int)h->size, flags, z, from, to, bytes)
                           : SB_NAME(halving_add)(h, h->size, flags, z, from, to, bytes);
    }
    h->unknowns = h->size - 1;
    made = made && SB_NAME(halving_end)(h, FFTW_RODFT00, entry, flags, from, to, bytes);
    note_order(h, order);
    return made ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

void SB_NAME(sine_free)(sb_sine *s)
{
    SB_NAME(halving_free)(&s->levels);
}

/* Of an odd half: x_j at x[j - 1], j = 1 .. 2 M - 1, to V (re, im by turns) and to d. */
static void fold(int64_t half, const T *restrict turn, const T *restrict x, T *restrict v, T *restrict d)
{
    int64_t pairs = half / 2, turns = half / 2 + 1;
    const T *restrict cosine = turn, *restrict sine = turn + turns;
    v[0] = x[half - 1];
    v[1] = 0;
    for (int64_t k = 1; k <= pairs; ++k) {
        T a = x[k - 1], b = x[2 * half - k - 1], p = x[half - k - 1], q = x[half + k - 1];
        T near = a + b, far = p + q;
        v[2 * k] = (T)0.5 * (far * cosine[k] + near * sine[k]);
        v[2 * k + 1] = (T)0.5 * (far * sine[k] - near * cosine[k]);
        d[k - 1] = a - b;
        d[half - k - 1] = p - q;
    }
}

/* The other way; V as the transform there and back again makes it, M times too large. */
static void unfold(int64_t half, const T *restrict turn, const T *restrict v, const T *restrict d,
                   T *restrict x)
{
    int64_t pairs = half / 2, turns = half / 2 + 1;
    const T *restrict cosine = turn, *restrict sine = turn + turns;
    T scale = 1 / (T)half;
    x[half - 1] = v[0] * scale;
    for (int64_t k = 1; k <= pairs; ++k) {
        T re = v[2 * k] * scale, im = v[2 * k + 1] * scale;
        T far = re * cosine[k] + im * sine[k], near = re * sine[k] - im * cosine[k];
        T low = (T)0.5 * d[k - 1], high = (T)0.5 * d[half - k - 1];
        x[k - 1] = near + low;
        x[2 * half - k - 1] = near - low;
        x[half - k - 1] = far + high;
        x[half + k - 1] = far - high;
    }
}

void SB_NAME(sine_forward)(const sb_sine *s, const T *x, const T *ahead, T *from, T *to)
{
    const sb_halving *h = &s->levels;
    T *v = from + 2 * h->room;
    for (int l = 0; l < h->levels; ++l) {
        int64_t half = h->level[l].half;
        const T *whole = l ? sb_halving_source(h, from, l) : x;
        T *rest = sb_halving_source(h, from, l + 1);
        if (half % 2) {
            fold(half, h->level[l].turn, whole, v, rest);
            FFTW(execute_dft_c2r)(h->level[l].there, (FFTW(complex) *)v, to);
        } else {
            h->kernels->fold(half / 2, h->level[l].turn, ahead, whole, v, rest);
            FFTW(execute_dft)(h->level[l].there, (FFTW(complex) *)v, (FFTW(complex) *)to);
        }
        to += half;
        ahead = ahead ? ahead + half : NULL;
    }
    SB_NAME(halving_lowest)(h, 0, 1, sb_halving_source(h, from, h->levels), to);
}

void SB_NAME(sine_backward)(const sb_sine *s, const T *ahead, T *from, T *to, T *y)
{
    const sb_halving *h = &s->levels;
    T *v = from + 2 * h->room;
    int64_t place = s->n - h->unknowns;
    SB_NAME(halving_lowest)(h, 1, 2 / (T)h->size, from + place, sb_halving_result(h, from, to, h->levels));
    for (int l = h->levels - 1; l >= 0; --l) {
        int64_t half = h->level[l].half;
        T *rest = sb_halving_result(h, from, to, l + 1), *whole = l ? sb_halving_result(h, from, to, l) : y;
        place -= half;
        if (half % 2) {
            FFTW(execute_dft_r2c)(h->level[l].back, from + place, (FFTW(complex) *)v);
            unfold(half, h->level[l].turn, v, rest, whole);
        } else {
            FFTW(execute_dft)(h->level[l].back, (FFTW(complex) *)(from + place), (FFTW(complex) *)v);
            h->kernels->unfold(half / 2, h->level[l].turn, ahead ? ahead + place : NULL, v, rest, whole);
        }
    }
}

#endif
