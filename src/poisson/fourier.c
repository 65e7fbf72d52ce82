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

static bool by_cosine_levels(const slimband_poisson_axis *axis)
{
    return axis->walls == SLIMBAND_WALLS_NN && axis->centring == SLIMBAND_AT_NODES &&
           SB_NAME(cosine_one_fits)(axis->n);
}

/* Where the second part of `from` begins, for complex numbers. */
static int64_t half_of(int64_t n)
{
    enum { line = 64 / sizeof(T) };
    return (n + 2 + line) / line * line;
}

int64_t SB_NAME(fourier_room)(const slimband_poisson_axis *axis)
{
    if (by_levels(axis))
        return 3 * SB_NAME(sine_room)(axis->n);
    if (by_cosine_levels(axis))
        return SB_NAME(cosine_one_room)(axis->n);
    if (SB_NAME(cosine_fits)(axis))
        return SB_NAME(cosine_room)(axis->n);
    return axis->walls == SLIMBAND_WALLS_PP ? 2 * half_of(axis->n) : axis->n;
}

/* Eigenvectors, with x at the unknowns, and the pair of transforms that leads to and from their coefficients. */
static void choose_kinds(const slimband_poisson_axis *axis, fftw_r2r_kind kind[2], double *norm)
{
    static const fftw_r2r_kind kinds[2][6][2] = {
        {[SLIMBAND_WALLS_DD] = {FFTW_RODFT00, FFTW_RODFT00},
         [SLIMBAND_WALLS_DN] = {FFTW_RODFT01, FFTW_RODFT10},
         [SLIMBAND_WALLS_ND] = {FFTW_REDFT01, FFTW_REDFT10},
         [SLIMBAND_WALLS_NN] = {FFTW_REDFT00, FFTW_REDFT00}},
        {[SLIMBAND_WALLS_DD] = {FFTW_RODFT10, FFTW_RODFT01},
         [SLIMBAND_WALLS_DN] = {FFTW_RODFT11, FFTW_RODFT11},
         [SLIMBAND_WALLS_ND] = {FFTW_REDFT11, FFTW_REDFT11},
         [SLIMBAND_WALLS_NN] = {FFTW_REDFT10, FFTW_REDFT01}},
    };
    kind[0] = kinds[axis->centring][axis->walls][0];
    kind[1] = kinds[axis->centring][axis->walls][1];
    double n = (double)axis->n;
    *norm = 2 * n;
    if (kind[0] == FFTW_RODFT00)
        *norm = 2 * (n + 1);
    if (kind[0] == FFTW_REDFT00)
        *norm = 2 * (n - 1);
}

/* State of so many bytes for transforms that bring their own norm and order along. */
static void *begin(sb_fourier *fourier, size_t size, size_t *bytes)
{
    fourier->norm = 1;
    fourier->order = sb_app_allocate((size_t)fourier->n, sizeof *fourier->order, bytes);
    return fourier->order ? sb_app_allocate(1, size, bytes) : NULL;
}

static slimband_status make_sine(sb_fourier *fourier, unsigned flags, T *from, T *to, size_t *bytes)
{
    fourier->sine = begin(fourier, sizeof *fourier->sine, bytes);
    return !fourier->sine
               ? SLIMBAND_OUT_OF_MEMORY
               : SB_NAME(sine_make)(fourier->sine, fourier->n, flags, from, to, fourier->order, bytes);
}

static slimband_status make_one(sb_fourier *fourier, unsigned flags, T *from, T *to, size_t *bytes)
{
    fourier->one = begin(fourier, sizeof *fourier->one, bytes);
    return !fourier->one
               ? SLIMBAND_OUT_OF_MEMORY
               : SB_NAME(cosine_one_make)(fourier->one, fourier->n, flags, from, to, fourier->order, bytes);
}

static slimband_status make_cosine(sb_fourier *fourier, const slimband_poisson_axis *axis, unsigned flags,
                                   T *from, T *to, size_t *bytes)
{
    fourier->cosine = begin(fourier, sizeof *fourier->cosine, bytes);
    return !fourier->cosine
               ? SLIMBAND_OUT_OF_MEMORY
               : SB_NAME(cosine_make)(fourier->cosine, axis, flags, from, to, fourier->order, bytes);
}

/* Coefficients are those of FFTW's complex output but for the imaginary parts that are zero, its last real part second:
   numbers of the eigenvalues as FFTW's halfcomplex format has them. */
static slimband_status make_ring(sb_fourier *fourier, unsigned flags, T *from, T *to, size_t *bytes)
{
    int64_t n = fourier->n, *order = fourier->order = sb_app_allocate((size_t)n, sizeof *order, bytes);
    fourier->norm = (double)n;
    fourier->half = half_of(n);
    FFTW(complex) *z = (FFTW(complex) *)(from + fourier->half);
    fourier->plan[0] = FFTW(plan_dft_r2c_1d)((int)n, from, z, flags | FFTW_DESTROY_INPUT);
    fourier->plan[1] = FFTW(plan_dft_c2r_1d)((int)n, z, to, flags | FFTW_DESTROY_INPUT);
    if (!order || !fourier->plan[0] || !fourier->plan[1])
        return SLIMBAND_OUT_OF_MEMORY;
    order[0] = 0;
    int64_t p = 1;
    if (n % 2 == 0)
        order[p++] = n / 2;
    for (int64_t k = 1; p < n; ++k) {
        order[p++] = k;
        order[p++] = n - k;
    }
    return SLIMBAND_OK;
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

static slimband_status make(sb_fourier *fourier, const slimband_poisson_axis *axis, unsigned flags, T *from,
                            T *to, size_t *bytes)
{
    if (by_levels(axis))
        return make_sine(fourier, flags, from, to, bytes);
    if (by_cosine_levels(axis))
        return make_one(fourier, flags, from, to, bytes);
    if (SB_NAME(cosine_fits)(axis))
        return make_cosine(fourier, axis, flags, from, to, bytes);
    if (axis->walls == SLIMBAND_WALLS_PP)
        return make_ring(fourier, flags, from, to, bytes);
    return make_plans(fourier, axis, flags, from, to);
}

slimband_status SB_NAME(fourier_make)(sb_fourier *fourier, const slimband_poisson_axis *axis, bool measure,
                                      T *from, T *to, size_t *bytes)
{
    if (axis->n > INT32_MAX / 2)
        return SLIMBAND_TOO_LARGE;
    *fourier = (sb_fourier){.n = axis->n};
    unsigned flags = measure ? FFTW_MEASURE : FFTW_ESTIMATE;
    sb_lock_planner();
    slimband_status status = make(fourier, axis, flags, from, to, bytes);
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
    if (fourier->cosine)
        SB_NAME(cosine_free)(fourier->cosine);
    if (fourier->one)
        SB_NAME(cosine_one_free)(fourier->one);
    sb_unlock_planner();
    free(fourier->sine);
    free(fourier->cosine);
    free(fourier->one);
    free(fourier->order);
    *fourier = (sb_fourier){0};
}

static void ring_forward(const sb_fourier *fourier, T *from, T *to)
{
    T *z = from + fourier->half;
    int64_t n = fourier->n, even = n % 2 == 0;
    FFTW(execute_dft_r2c)(fourier->plan[0], from, (FFTW(complex) *)z);
    to[0] = z[0];
    if (even)
        to[1] = z[n];
    memcpy(to + 1 + even, z + 2, (size_t)(n - 1 - even) * sizeof *to);
}

static void ring_backward(const sb_fourier *fourier, T *from, T *to)
{
    T *z = from + fourier->half;
    int64_t n = fourier->n, even = n % 2 == 0;
    z[0] = from[0];
    z[1] = 0;
    memcpy(z + 2, from + 1 + even, (size_t)(n - 1 - even) * sizeof *z);
    if (even) {
        z[n] = from[1];
        z[n + 1] = 0;
    }
    FFTW(execute_dft_c2r)(fourier->plan[1], (FFTW(complex) *)z, to);
}

static void forward(const sb_fourier *fourier, const T *x, const T *ahead, T *from, T *to)
{
    if (fourier->sine) {
        SB_NAME(sine_forward)(fourier->sine, x, ahead, from, to);
    } else if (fourier->one) {
        SB_NAME(cosine_one_forward)(fourier->one, x, from, to);
    } else if (fourier->cosine) {
        SB_NAME(cosine_forward)(fourier->cosine, x, from, to);
    } else {
        if (x != from)
            memcpy(from, x, (size_t)fourier->n * sizeof *from);
        if (fourier->half)
            ring_forward(fourier, from, to);
        else
            FFTW(execute_r2r)(fourier->plan[0], from, to);
    }
}

/* To y at once, which may be `to`; false: the answer is in `to`. */
static bool backward_to(const sb_fourier *fourier, const T *ahead, T *from, T *to, T *y)
{
    if (fourier->sine)
        SB_NAME(sine_backward)(fourier->sine, ahead, from, to, y);
    else if (fourier->one)
        SB_NAME(cosine_one_backward)(fourier->one, from, to, y);
    else if (fourier->cosine)
        SB_NAME(cosine_backward)(fourier->cosine, from, y);
    else if (fourier->half)
        ring_backward(fourier, from, to);
    else
        FFTW(execute_r2r)(fourier->plan[1], from, to);
    return fourier->sine || fourier->one || fourier->cosine;
}

void SB_NAME(fourier_run)(const sb_fourier *fourier, bool backward, T *from, T *to)
{
    if (backward)
        backward_to(fourier, NULL, from, to, to);
    else
        forward(fourier, from, NULL, from, to);
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
    if (!backward) {
        forward(fourier, x, ahead, from, to);
    } else {
        if (x != from)
            memcpy(from, x, bytes);
        if (backward_to(fourier, ahead, from, to, scale == 1 ? y : to) && scale == 1)
            return;
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
