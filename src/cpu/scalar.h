/* The scalar type of this compilation. Every file that includes this header is compiled four times, with
 * SB_TYPE set by the build to f32, f64, c64 or c128; SB_NAME keeps the four apart. */
#ifndef SB_SCALAR_H
#define SB_SCALAR_H

#include <complex.h>
#include <float.h>
#include <math.h>

#include "slimband/scalar.h"

#define SB_JOIN2(name, type) sb_##name##_##type
#define SB_JOIN(name, type) SB_JOIN2(name, type)
#define SB_NAME(name) SB_JOIN(name, SB_TYPE)

#define SB_IS_f32 1
#define SB_IS_f64 2
#define SB_IS_c64 3
#define SB_IS_c128 4
#define SB_IS2(type) SB_IS_##type
#define SB_IS(type) SB_IS2(type)

/* T scalar, R its real type; WT and WR the wider pair in which residuals are summed. */
#if SB_IS(SB_TYPE) == SB_IS_f32
typedef float T, R;
typedef double WT, WR;
#elif SB_IS(SB_TYPE) == SB_IS_f64
typedef double T, R;
typedef long double WT, WR;
#elif SB_IS(SB_TYPE) == SB_IS_c64
typedef float _Complex T;
typedef float R;
typedef double _Complex WT;
typedef double WR;
#elif SB_IS(SB_TYPE) == SB_IS_c128
typedef double _Complex T;
typedef double R;
typedef long double _Complex WT;
typedef long double WR;
#else
#error "SB_TYPE must be f32, f64, c64 or c128"
#endif

#if SB_IS(SB_TYPE) == SB_IS_f32 || SB_IS(SB_TYPE) == SB_IS_f64
#define SB_COMPLEX 0
#else
#define SB_COMPLEX 1
#endif

/* For texts that are called with constant bandwidths and must become the kernel of that bandwidth. */
#define SB_ALWAYS_INLINE static inline __attribute__((always_inline))

/* |z| for comparing pivots: LAPACK's cabs1 for complex numbers, which never overflows early. NaN stays NaN. */
static inline R sb_abs1(T z)
{
#if SB_COMPLEX
    R re = (R)creal(z), im = (R)cimag(z);
    return (re < 0 ? -re : re) + (im < 0 ? -im : im);
#else
    return z < 0 ? -z : z;
#endif
}

/* b if either is NaN. */
static inline R sb_larger(R a, R b)
{
    return a > b ? a : b;
}

static inline T sb_conj(T z)
{
#if SB_COMPLEX
    return (T)conj(z);
#else
    return z;
#endif
}

static inline bool sb_finite(T z)
{
#if SB_COMPLEX
    return isfinite(creal(z)) && isfinite(cimag(z));
#else
    return isfinite(z);
#endif
}

#endif
