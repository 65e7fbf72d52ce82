/* The transform that diagonalises a uniform axis: along one contiguous row, by FFTW. */
#include "src/poisson/fourier.h"

#ifdef SB_HAVE_FFTW
#include <fftw3.h>

#include "src/poisson/planner.h"

#if SB_IS(SB_TYPE) == SB_IS_f32
#define FFTW(name) fftwf_##name
#else
#define FFTW(name) fftw_##name
#endif

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

slimband_status SB_NAME(fourier_make)(sb_fourier *fourier, const slimband_poisson_axis *axis, bool measure, T *from,
                                      T *to)
{
    if (axis->n > INT32_MAX / 2)
        return SLIMBAND_TOO_LARGE;
    fftw_r2r_kind kind[2];
    fourier->n = axis->n;
    choose_kinds(axis, kind, &fourier->norm);
    unsigned flags = (measure ? FFTW_MEASURE : FFTW_ESTIMATE) | FFTW_DESTROY_INPUT;
    sb_lock_planner();
    for (int b = 0; b < 2; ++b)
        fourier->plan[b] = FFTW(plan_r2r_1d)((int)axis->n, from, to, kind[b], flags);
    sb_unlock_planner();
    return fourier->plan[0] && fourier->plan[1] ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

void SB_NAME(fourier_free)(sb_fourier *fourier)
{
    sb_lock_planner();
    for (int b = 0; b < 2; ++b)
        if (fourier->plan[b])
            FFTW(destroy_plan)(fourier->plan[b]);
    sb_unlock_planner();
    *fourier = (sb_fourier){0};
}

void SB_NAME(fourier_run)(const sb_fourier *fourier, bool backward, T *from, T *to)
{
    FFTW(execute_r2r)(fourier->plan[backward], from, to);
}

#else

slimband_status SB_NAME(fourier_make)(sb_fourier *fourier, const slimband_poisson_axis *axis, bool measure, T *from,
                                      T *to)
{
    (void)fourier, (void)axis, (void)measure, (void)from, (void)to;
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

#endif
