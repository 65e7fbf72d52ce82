/* Loops over rows in the cache, for each instruction set. */
#ifndef SB_POISSON_KERNELS_H
#define SB_POISSON_KERNELS_H

#include "src/apps/isa.h"
#include "src/chunk/scalar.h"
#include "src/poisson/facr_kernels.h"

/* Arrays need no alignment. fold, unfold: a level of the sine transform to a complex Fourier transform and back. Its size is
   N = 4 quarter, quarter >= 2 lanes. x_j is x[j - 1], j = 1 .. N - 1; d_j is d[j - 1], j = 1 .. N/2 - 1; z: `quarter` complex
   numbers, re and im by turns. turn: of k = 1, 2, ... in blocks of `lanes`, each of them so many times Re t, Im t, Re s, Im s,
   with t = exp(i pi k / N) / 2 and s = i t (2 t)^4. ahead: N/2 entries that will be wanted soon, or NULL. */
typedef struct sb_poisson_kernels {
    int lanes;
    void (*fold)(int64_t quarter, const T *turn, const T *ahead, const T *x, T *z, T *d);
    void (*unfold)(int64_t quarter, const T *turn, const T *ahead, const T *z, const T *d, T *x);
    /* 2 h entries c, or x, v, and h complex numbers z, h >= 2 lanes; turn as above with N = 4 h */
    void (*twist)(int64_t h, const T *turn, T first, const T *c, T *z); /* c_0 counts `first` times */
    void (*untwist)(int64_t h, const T *turn, T first, const T *z,
                    T *c);                             /* c_0 is made `first` times as large */
    void (*deal)(int64_t h, T sign, const T *x, T *v); /* v_j = x_(2j), v_(2h-1-j) = sign x_(2j+1) */
    void (*undeal)(int64_t h, T sign, const T *v, T *x);
    void (*reverse)(int64_t n, const T *x, T *y);
    /* h complex numbers times w: their h real parts, then the imaginary ones. enter: of x_(2k) + i x_(2h-1-2k); leave: to these
       places, the imaginary part's sign turned. reversed: x read and written backwards. rotate: conjugate ones before */
    void (*enter)(int64_t h, const T *w, bool reversed, const T *x, T *z);
    void (*rotate)(int64_t h, const T *w, bool conjugated, const T *a, T *z);
    void (*leave)(int64_t h, const T *w, bool reversed, T scale, const T *z, T *x);
    /* x_0 .. x_(2m) and their sums s_j = x_j + x_(2m-j), j <= m, and differences d_j, j < m */
    void (*part)(int64_t m, const T *x, T *s, T *d);
    void (*unite)(int64_t m, const T *s, const T *d, T *x);
    /* y = scale times matrix x; its n columns stand `lead` apart, a multiple of lanes, and are as long; so is y */
    void (*multiply)(int64_t n, int64_t lead, const T *matrix, T scale, const T *x, T *y);
    void (*put)(T *to, const T *from, int64_t count); /* past the caches */
    void (*fence)(void);                              /* after put, before other threads read */
    const sb_facr_kernels *facr;
} sb_poisson_kernels;

/* Of this processor. */
const sb_poisson_kernels *SB_NAME(kernels)(void);

/* Their table `turn`; NULL: no memory. */
T *SB_NAME(make_turns)(int64_t quarter, int64_t lanes, size_t *bytes);

#endif
