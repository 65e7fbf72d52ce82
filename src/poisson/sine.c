/* The discrete sine transform by FFTW's real transforms, level by level. */
#include "src/poisson/sine.h"

#ifdef SB_HAVE_FFTW
#include <stdlib.h>

#include "src/apps/memory.h"
#include "src/poisson/fftw.h"

static const double pi = 3.14159265358979323846;

bool SB_NAME(sine_fits)(int64_t n)
{
    return n % 2 == 1 && n + 1 >= 2 * SB_SINE_LEAST && n < INT32_MAX / 2;
}

int64_t SB_NAME(sine_room)(int64_t n)
{
    enum { line = 64 / sizeof(T) };
    return (n + 2 + line) / line * line;
}

/* Where level number l begins among the coefficients. */
static int64_t place_of(const sb_sine *s, int l)
{
    int64_t place = 0;
    for (int k = 0; k < l; ++k)
        place += s->level[k].half;
    return place;
}

/* The input of level l on the way there: parts 0 and 1 of `from` by turns. Its output on the way back: `to` and part 1. */
static T *source(const sb_sine *s, T *from, int l)
{
    return l % 2 ? from + s->room : from;
}

static T *result(const sb_sine *s, T *from, T *to, int l)
{
    return l % 2 ? from + s->room : to;
}

/* The lowest level as a matrix. */
static bool make_matrix(sb_sine *s, size_t *bytes)
{
    int64_t lanes = s->kernels->lanes;
    s->lead = (s->rest + lanes - 1) / lanes * lanes;
    s->matrix = sb_app_allocate((size_t)(s->rest * s->lead), sizeof *s->matrix, bytes);
    for (int64_t j = 0; s->matrix && j < s->rest * s->lead; ++j) {
        int64_t product = (j / s->lead + 1) * (j % s->lead + 1) % (2 * (s->rest + 1));
        s->matrix[j] = j % s->lead < s->rest ? (T)sin(pi * (double)product / (double)(s->rest + 1)) : 0;
    }
    return s->matrix;
}

static bool make_lowest(sb_sine *s, unsigned flags, T *from, T *to, size_t *bytes)
{
    if (s->rest < SB_SINE_LEAST)
        return make_matrix(s, bytes);
    int64_t place = place_of(s, s->levels);
    s->lowest[0] = FFTW(plan_r2r_1d)((int)s->rest, source(s, from, s->levels), to + place, FFTW_RODFT00, flags);
    s->lowest[1] = FFTW(plan_r2r_1d)((int)s->rest, from + place, result(s, from, to, s->levels), FFTW_RODFT00,
                                     flags | FFTW_PRESERVE_INPUT);
    return s->lowest[0] && s->lowest[1];
}

static void note_order(const sb_sine *s, int64_t *order)
{
    int64_t p = 0, factor = 1;
    for (int l = 0; l < s->levels; ++l, factor *= 2)
        for (int64_t m = 0, half = s->level[l].half; m < half; ++m) {
            int64_t t = 2 * m < half ? 2 * m : 2 * (half - 1 - m) + 1;
            order[p++] = (2 * t + 1) * factor - 1;
        }
    for (int64_t q = 1; q <= s->rest; ++q)
        order[p++] = q * factor - 1;
}

static bool turn_half(sb_sine_level *l, size_t *bytes)
{
    int64_t half = l->half, turns = half / 2 + 1;
    l->turn = sb_app_allocate(2 * (size_t)turns, sizeof *l->turn, bytes);
    for (int64_t k = 0; l->turn && k < turns; ++k) {
        l->turn[k] = (T)cos(pi * (double)k / (double)(2 * half));
        l->turn[turns + k] = (T)sin(pi * (double)k / (double)(2 * half));
    }
    return l->turn;
}

static slimband_status make_level(sb_sine *s, unsigned flags, T *from, T *to, size_t *bytes)
{
    sb_sine_level *l = &s->level[s->levels];
    int half = (int)(s->rest + 1) / 2;
    l->half = half;
    FFTW(complex) *v = (FFTW(complex) *)(from + 2 * s->room);
    T *there = to + place_of(s, s->levels), *back = from + place_of(s, s->levels);
    bool turned;
    if (half % 2) {
        turned = turn_half(l, bytes);
        l->there = FFTW(plan_dft_c2r_1d)(half, v, there, flags | FFTW_DESTROY_INPUT);
        l->back = FFTW(plan_dft_r2c_1d)(half, back, v, flags | FFTW_PRESERVE_INPUT);
    } else {
        l->turn = SB_NAME(make_turns)(half / 2, s->kernels->lanes, bytes);
        turned = l->turn;
        l->there = FFTW(plan_dft_1d)(half / 2, v, (FFTW(complex) *)there, FFTW_BACKWARD, flags);
        l->back = FFTW(plan_dft_1d)(half / 2, (FFTW(complex) *)back, v, FFTW_FORWARD, flags);
    }
    ++s->levels;
    s->rest = half - 1;
    return turned && l->there && l->back ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

slimband_status SB_NAME(sine_make)(sb_sine *s, int64_t n, unsigned flags, T *from, T *to, int64_t *order,
                                   size_t *bytes)
{
    *s = (sb_sine){.n = n, .rest = n, .room = SB_NAME(sine_room)(n), .kernels = SB_NAME(kernels)()};
    slimband_status status = SLIMBAND_OK;
    while (!status && (s->levels == 0 || SB_NAME(sine_fits)(s->rest)))
        status = make_level(s, flags, from, to, bytes);
    if (!status && s->rest > 0 && !make_lowest(s, flags, from, to, bytes))
        status = SLIMBAND_OUT_OF_MEMORY;
    note_order(s, order);
    return status;
}

void SB_NAME(sine_free)(sb_sine *s)
{
    for (int l = 0; l < s->levels; ++l) {
        if (s->level[l].there)
            FFTW(destroy_plan)(s->level[l].there);
        if (s->level[l].back)
            FFTW(destroy_plan)(s->level[l].back);
        free(s->level[l].turn);
    }
    for (int b = 0; b < 2; ++b)
        if (s->lowest[b])
            FFTW(destroy_plan)(s->lowest[b]);
    free(s->matrix);
}

/* Of an odd half: x_j at x[j - 1], j = 1 .. 2 M - 1, to V (re, im by turns) and to d. */
static void fold(const sb_sine_level *l, const T *restrict x, T *restrict v, T *restrict d)
{
    int64_t half = l->half, pairs = half / 2, turns = half / 2 + 1;
    const T *restrict cosine = l->turn, *restrict sine = l->turn + turns;
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
static void unfold(const sb_sine_level *l, const T *restrict v, const T *restrict d, T *restrict x)
{
    int64_t half = l->half, pairs = half / 2, turns = half / 2 + 1;
    const T *restrict cosine = l->turn, *restrict sine = l->turn + turns;
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
    T *v = from + 2 * s->room;
    for (int l = 0; l < s->levels; ++l) {
        const sb_sine_level *level = &s->level[l];
        const T *whole = l ? source(s, from, l) : x;
        T *rest = source(s, from, l + 1);
        if (level->half % 2) {
            fold(level, whole, v, rest);
            FFTW(execute_dft_c2r)(level->there, (FFTW(complex) *)v, to);
        } else {
            s->kernels->fold(level->half / 2, level->turn, ahead, whole, v, rest);
            FFTW(execute_dft)(level->there, (FFTW(complex) *)v, (FFTW(complex) *)to);
        }
        to += level->half;
        ahead = ahead ? ahead + level->half : NULL;
    }
    T *lowest = source(s, from, s->levels);
    if (s->matrix)
        s->kernels->multiply(s->rest, s->lead, s->matrix, 1, lowest, to);
    if (!s->lowest[0])
        return;
    FFTW(execute_r2r)(s->lowest[0], lowest, to);
    for (int64_t k = 0; k < s->rest; ++k)
        to[k] *= (T)0.5;
}

/* From the coefficients to `lowest`. */
static void lowest_backward(const sb_sine *s, T *coefficients, T *lowest)
{
    if (s->matrix)
        s->kernels->multiply(s->rest, s->lead, s->matrix, 2 / (T)(s->rest + 1), coefficients, lowest);
    if (!s->lowest[1])
        return;
    FFTW(execute_r2r)(s->lowest[1], coefficients, lowest);
    for (int64_t k = 0; k < s->rest; ++k)
        lowest[k] /= (T)(s->rest + 1);
}

void SB_NAME(sine_backward)(const sb_sine *s, const T *ahead, T *from, T *to, T *y)
{
    T *v = from + 2 * s->room;
    int64_t place = s->n - s->rest;
    lowest_backward(s, from + place, result(s, from, to, s->levels));
    for (int l = s->levels - 1; l >= 0; --l) {
        const sb_sine_level *level = &s->level[l];
        T *rest = result(s, from, to, l + 1), *whole = l ? result(s, from, to, l) : y;
        place -= level->half;
        if (level->half % 2) {
            FFTW(execute_dft_r2c)(level->back, from + place, (FFTW(complex) *)v);
            unfold(level, v, rest, whole);
        } else {
            FFTW(execute_dft)(level->back, (FFTW(complex) *)(from + place), (FFTW(complex) *)v);
            s->kernels->unfold(level->half / 2, level->turn, ahead ? ahead + place : NULL, v, rest, whole);
        }
    }
}

#endif
