/* The transform that diagonalises a uniform axis: along one contiguous row, by FFTW. */
#include "src/poisson/fourier.h"

#ifdef SB_HAVE_FFTW
#include <stdlib.h>
#include <string.h>

#include "src/apps/memory.h"
#include "src/poisson/fftw.h"
#include "src/poisson/planner.h"

static bool by_levels(const slimband_poisson_axis *axis)
{
    return axis->walls == SLIMBAND_WALLS_DD && axis->centring == SLIMBAND_AT_NODES &&
           SB_NAME(sine_fits)(axis->n);
}

int64_t SB_NAME(fourier_room)(const slimband_poisson_axis *axis)
{
    return by_levels(axis) ? 3 * SB_NAME(sine_room)(axis->n) : axis->n;
}

/* Eigenvectors, with x at the unknowns, and the pair of transforms that leads to and from their coefficients. */
static void choose_kinds(const slimband_poisson_axis *axis, fftw_r2r_kind kind[2], double *norm)
{
    static const fftw_r2r_kind kinds[2][6][2] = {
        {[SLIMBAND_WALLS_DD] = {FFTW_RODFT00, FFTW_RODFT00},
         [SLIMBAND_WALLS_DN] = {FFTW_RODFT01, FFTW_RODFT10},
         [SLIMBAND_WALLS_ND] = {FFTW_REDFT01, FFTW_REDFT10},
         [SLIMBAND_WALLS_NN] = {FFTW_REDFT00, FFTW_REDFT00},
         [SLIMBAND_WALLS_PP] = {FFTW_R2HC, FFTW_HC2R}},
        {[SLIMBAND_WALLS_DD] = {FFTW_RODFT10, FFTW_RODFT01},
         [SLIMBAND_WALLS_DN] = {FFTW_RODFT11, FFTW_RODFT11},
         [SLIMBAND_WALLS_ND] = {FFTW_REDFT11, FFTW_REDFT11},
         [SLIMBAND_WALLS_NN] = {FFTW_REDFT10, FFTW_REDFT01},
         [SLIMBAND_WALLS_PP] = {FFTW_R2HC, FFTW_HC2R}},
    };
    kind[0] = kinds[axis->centring][axis->walls][0];
    kind[1] = kinds[axis->centring][axis->walls][1];
    double n = (double)axis->n;
    *norm = axis->walls == SLIMBAND_WALLS_PP ? n : 2 * n;
    if (kind[0] == FFTW_RODFT00)
        *norm = 2 * (n + 1);
    if (kind[0] == FFTW_REDFT00)
        *norm = 2 * (n - 1);
}

static slimband_status make_sine(sb_fourier *fourier, unsigned flags, T *from, T *to, size_t *bytes)
{
    fourier->norm = 1;
    fourier->sine = sb_app_allocate(1, sizeof *fourier->sine, bytes);
    fourier->order = sb_app_allocate((size_t)fourier->n, sizeof *fourier->order, bytes);
    if (!fourier->sine || !fourier->order)
        return SLIMBAND_OUT_OF_MEMORY;
    return SB_NAME(sine_make)(fourier->sine, fourier->n, flags, from, to, fourier->order, bytes);
}

static slimband_status make_plans(sb_fourier *fourier, const slimband_poisson_axis *axis, unsigned flags,
                                  T *from, T *to)
{
    fftw_r2r_kind kind[2];
    choose_kinds(axis, kind, &fourier->norm);
    for (int b = 0; b < 2; ++b)
        fourier->plan[b] = FFTW(plan_r2r_1d)((int)axis->n, from, to, kind[b], flags | FFTW_DESTROY_INPUT);
    return fourier->plan[0] && fourier->plan[1] ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

slimband_status SB_NAME(fourier_make)(sb_fourier *fourier, const slimband_poisson_axis *axis, bool measure,
                                      T *from, T *to, size_t *bytes)
{
    if (axis->n > INT32_MAX / 2)
        return SLIMBAND_TOO_LARGE;
    *fourier = (sb_fourier){.n = axis->n};
    unsigned flags = measure ? FFTW_MEASURE : FFTW_ESTIMATE;
    sb_lock_planner();
    slimband_status status = by_levels(axis) ? make_sine(fourier, flags, from, to, bytes)
                                             : make_plans(fourier, axis, flags, from, to);
    sb_unlock_planner();
    return status;
}

void SB_NAME(fourier_free)(sb_fourier *fourier)
{
    sb_lock_planner();
    for (int b = 0; b < 2; ++b)
        if (fourier->plan[b])
            FFTW(destroy_plan)(fourier->plan[b]);
    if (fourier->sine)
        SB_NAME(sine_free)(fourier->sine);
    sb_unlock_planner();
    free(fourier->sine);
    free(fourier->order);
    *fourier = (sb_fourier){0};
}

void SB_NAME(fourier_run)(const sb_fourier *fourier, bool backward, T *from, T *to)
{
    if (!fourier->sine)
        FFTW(execute_r2r)(fourier->plan[backward], from, to);
    else if (backward)
        SB_NAME(sine_backward)(fourier->sine, NULL, from, to, to);
    else
        SB_NAME(sine_forward)(fourier->sine, from, NULL, from, to);
}

static void scale_into(T *restrict y, const T *restrict x, T scale, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        y[k] = scale * x[k];
}

void SB_NAME(fourier_row)(const sb_fourier *fourier, bool backward, T scale, const T *x, const T *ahead, T *y,
                          T *from, T *to)
{
    size_t bytes = (size_t)fourier->n * sizeof *from;
    if (fourier->sine && !backward) {
        SB_NAME(sine_forward)(fourier->sine, x, ahead, from, to);
    } else {
        if (x != from)
            memcpy(from, x, bytes);
        if (fourier->sine && scale == 1) {
            SB_NAME(sine_backward)(fourier->sine, ahead, from, to, y);
            return;
        }
        SB_NAME(fourier_run)(fourier, backward, from, to);
    }
    if (scale == 1 && y != to)
        memcpy(y, to, bytes);
    else if (scale != 1)
        scale_into(y, to, scale, fourier->n);
}

#else

int64_t SB_NAME(fourier_room)(const slimband_poisson_axis *axis)
{
    return axis->n;
}

slimband_status SB_NAME(fourier_make)(sb_fourier *fourier, const slimband_poisson_axis *axis, bool measure,
                                      T *from, T *to, size_t *bytes)
{
    (void)fourier, (void)axis, (void)measure, (void)from, (void)to, (void)bytes;
    return SLIMBAND_NEEDS_FFTW;
}

void SB_NAME(fourier_free)(sb_fourier *fourier)
{
    *fourier = (sb_fourier){0};
}

void SB_NAME(fourier_run)(const sb_fourier *fourier, bool backward, T *from, T *to)
{
    (void)fourier, (void)backward, (void)from, (void)to;
}

void SB_NAME(fourier_row)(const sb_fourier *fourier, bool backward, T scale, const T *x, const T *ahead, T *y,
                          T *from, T *to)
{
    (void)fourier, (void)backward, (void)scale, (void)x, (void)ahead, (void)y, (void)from, (void)to;
}

#endif
