/* What turns a level of the sine transform into a complex Fourier transform and back, for each instruction set. */
#ifndef SB_POISSON_SINE_FOLD_H
#define SB_POISSON_SINE_FOLD_H

#include "src/apps/isa.h"
#include "src/chunk/scalar.h"

/* A level of size N = 4 quarter, quarter >= 2 lanes. x_j is x[j - 1], j = 1 .. N - 1; d_j is d[j - 1], j = 1 .. N/2 - 1; z:
   `quarter` complex numbers, re and im by turns. turn: of k = 1, 2, ... in blocks of `lanes`, each of them so many times
   Re t, Im t, Re s, Im s, with t = exp(i pi k / N) / 2 and s = i t (2 t)^4. Neither arrays nor lengths need be aligned. */
typedef struct sb_sine_kernels {
    int lanes;
    void (*fold)(int64_t quarter, const T *turn, const T *x, T *z, T *d);
    void (*unfold)(int64_t quarter, const T *turn, const T *z, const T *d, T *x);
} sb_sine_kernels;

/* Of this processor. */
const sb_sine_kernels *SB_NAME(sine_kernels)(void);

#endif
