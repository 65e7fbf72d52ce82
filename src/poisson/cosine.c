/* Sine and cosine transforms of types II, III and IV by one complex Fourier transform of half the length. */
#include "src/poisson/cosine.h"

#ifdef SB_HAVE_FFTW
#include <stdlib.h>

#include "src/apps/memory.h"
#include "src/poisson/fftw.h"

enum { LEAST = 256 / sizeof(T) }; /* 4 lanes of the widest vectors */

static bool different_walls(const slimband_poisson_axis *axis)
{
    return axis->walls == SLIMBAND_WALLS_DN || axis->walls == SLIMBAND_WALLS_ND;
}

bool SB_NAME(cosine_fits)(const slimband_poisson_axis *axis)
{
    bool walls = axis->centring == SLIMBAND_AT_NODES ? different_walls(axis) : axis->walls != SLIMBAND_WALLS_PP;
    return walls && axis->n % 2 == 0 && axis->n >= LEAST && axis->n < INT32_MAX / 2;
}

static int64_t part(int64_t n)
{
    enum { line = 64 / sizeof(T) };
    return (n + line) / line * line;
}

int64_t SB_NAME(cosine_room)(int64_t n)
{
    return 2 * part(n);
}

static void note_order(const sb_cosine *c, int64_t *order)
{
    for (int64_t p = 0; p < c->n; ++p)
        if (c->fourth)
            order[p] = p % 2 ? c->n - p : p;
        else if (c->cells)
            order[p] = c->sign < 0 ? c->n - 1 - p : p;
        else
            order[p] = 2 * p < c->n ? 2 * p : 2 * (c->n - 1 - p) + 1;
}

static T *make_fourth(int64_t n, size_t *bytes)
{
    const double pi = 3.14159265358979323846;
    int64_t half = n / 2;
    T *w = sb_app_allocate((size_t)n, sizeof *w, bytes);
    for (int64_t k = 0; w && k < half; ++k) {
        w[k] = (T)cos(pi * ((double)k + 0.125) / (double)n);
        w[half + k] = (T)-sin(pi * ((double)k + 0.125) / (double)n);
    }
    return w;
}

slimband_status SB_NAME(cosine_make)(sb_cosine *c, const slimband_poisson_axis *axis, unsigned flags, T *from,
                                     T *to, int64_t *order, size_t *bytes)
{
    *c = (sb_cosine){.n = axis->n,
                     .room = part(axis->n),
                     .cells = axis->centring == SLIMBAND_AT_CELLS,
                     .reversed = axis->walls == SLIMBAND_WALLS_DN,
                     .sign = axis->walls == SLIMBAND_WALLS_DD ? -1 : 1,
                     .kernels = SB_NAME(kernels)()};
    int half = (int)(c->n / 2);
    FFTW(complex) *z = (FFTW(complex) *)(from + c->room), *in = (FFTW(complex) *)from,
                  *out = (FFTW(complex) *)(c->cells ? from : to);
    c->fourth = c->cells && different_walls(axis);
    c->turn = c->fourth ? make_fourth(c->n, bytes) : SB_NAME(make_turns)(half, c->kernels->lanes, bytes);
    c->plan[0] = FFTW(plan_dft_1d)(half, z, out, FFTW_BACKWARD, flags);
    c->plan[1] = FFTW(plan_dft_1d)(half, c->cells ? z : in, c->cells ? in : z, FFTW_FORWARD, flags);
    note_order(c, order);
    return c->turn && c->plan[0] && c->plan[1] ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

void SB_NAME(cosine_free)(sb_cosine *c)
{
    for (int b = 0; b < 2; ++b)
        if (c->plan[b])
            FFTW(destroy_plan)(c->plan[b]);
    free(c->turn);
}

static void execute(const sb_cosine *c, int plan, T *in, T *out)
{
    FFTW(execute_dft)(c->plan[plan], (FFTW(complex) *)in, (FFTW(complex) *)out);
}

void SB_NAME(cosine_forward)(const sb_cosine *c, const T *x, T *from, T *to)
{
    T *z = from + c->room;
    int64_t h = c->n / 2;
    if (c->fourth) {
        c->kernels->enter(h, c->turn, c->reversed, x, z);
        execute(c, 1, z, from);
        c->kernels->rotate(h, c->turn, false, from, to);
        return;
    }
    if (c->cells) {
        c->kernels->deal(h, c->sign, x, z);
        execute(c, 1, z, from);
        c->kernels->untwist(h, c->turn, 1, from, to);
        return;
    }
    if (c->reversed)
        c->kernels->reverse(c->n, x, to);
    c->kernels->twist(h, c->turn, (T)0.5, c->reversed ? to : x, z);
    execute(c, 0, z, to);
}

void SB_NAME(cosine_backward)(const sb_cosine *c, T *from, T *y)
{
    T *z = from + c->room;
    int64_t h = c->n / 2;
    if (c->fourth) {
        c->kernels->rotate(h, c->turn, true, from, z);
        execute(c, 1, z, from);
        c->kernels->leave(h, c->turn, c->reversed, 1 / (T)h, from, y);
        return;
    }
    if (c->cells) {
        c->kernels->twist(h, c->turn, 1, from, z);
        execute(c, 0, z, from);
        c->kernels->undeal(h, c->sign, from, y);
        return;
    }
    execute(c, 1, from, z);
    c->kernels->untwist(h, c->turn, 2, z, c->reversed ? from : y);
    if (c->reversed)
        c->kernels->reverse(c->n, from, y);
}

#endif
