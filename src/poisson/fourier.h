/* The transform that diagonalises a uniform axis: along one contiguous row, by FFTW. */
#ifndef SB_POISSON_FOURIER_H
#define SB_POISSON_FOURIER_H

#include "src/chunk/scalar.h"
#include "src/poisson/cosine.h"
#include "src/poisson/cosine_one.h"
#include "src/poisson/internal.h"
#include "src/poisson/sine.h"

/* Forward, then backward, multiplies by norm. Coefficient k belongs to sb_eigenvalue number order[k], or k; where constants
   are in the null space, the constant 1 has coefficient 0 equal to norm, and all others 0. */
typedef struct sb_fourier {
    int64_t n;
    double norm;
    void *plan[2]; /* forward, backward: FFTW's, from one aligned buffer to another; NULL where there is */
    sb_sine *sine; /* or */
    sb_cosine *cosine;
    sb_cosine_one *one;
    int64_t half;   /* periodic: where `from` has room for n / 2 + 1 complex numbers; else 0 */
    int64_t *order; /* NULL: as they are numbered */
} sb_fourier;

/* Elements that each of the buffers `from` and `to` needs for a row of this axis. */
int64_t SB_NAME(fourier_room)(const slimband_poisson_axis *axis);

/* from and to: buffers like those that fourier_run will get. */
slimband_status SB_NAME(fourier_make)(sb_fourier *fourier, const slimband_poisson_axis *axis, bool measure,
                                      T *from, T *to, size_t *bytes);
void SB_NAME(fourier_free)(sb_fourier *fourier);

/* n entries from `from`, which is overwritten, to `to`; both aligned to 64. Thread-safe. */
void SB_NAME(fourier_run)(const sb_fourier *fourier, bool backward, T *from, T *to);

/* y = scale times the transform of x, through these buffers; x and y anywhere, or the same; also x = from, or y = to
   with scale 1, which saves copies. ahead: a row that will be wanted after this one, or NULL. */
void SB_NAME(fourier_row)(const sb_fourier *fourier, bool backward, T scale, const T *x, const T *ahead, T *y,
                          T *from, T *to);

#endif
