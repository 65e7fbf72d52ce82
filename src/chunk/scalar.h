/* The scalar type of this compilation, as C and as CUDA C++. Every file that includes this header is compiled
 * four times, with SB_TYPE set by the build to f32, f64, c64 or c128; SB_NAME keeps the four apart. T is the
 * scalar, R its real type. Text that keeps to operators, the functions below and the two inline macros means
 * the same on the CPU and on the GPU. */
#ifndef SB_CHUNK_SCALAR_H
#define SB_CHUNK_SCALAR_H

#ifndef __CUDACC__
#include <complex.h>
#endif
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

#if SB_IS(SB_TYPE) == SB_IS_f32 || SB_IS(SB_TYPE) == SB_IS_f64
#define SB_COMPLEX 0
#elif SB_IS(SB_TYPE) == SB_IS_c64 || SB_IS(SB_TYPE) == SB_IS_c128
#define SB_COMPLEX 1
#else
#error "SB_TYPE must be f32, f64, c64 or c128"
#endif

#if SB_IS(SB_TYPE) == SB_IS_f32 || SB_IS(SB_TYPE) == SB_IS_c64
typedef float R;
#else
typedef double R;
#endif

/* SB_BOTH for small functions on both. SB_ALWAYS_INLINE for texts that are called with constant bandwidths and must
   become the kernel of that bandwidth: nvcc needs to be told to unroll their loops, so that arrays stay in registers. */
#ifdef __CUDACC__
#define SB_BOTH static __host__ __device__ inline
#define SB_ALWAYS_INLINE static __host__ __device__ __forceinline__
#define SB_RESTRICT __restrict__
#define SB_UNROLL _Pragma("unroll")
#else
#define SB_BOTH static inline
#define SB_ALWAYS_INLINE static inline __attribute__((always_inline))
#define SB_RESTRICT restrict
#define SB_UNROLL
#endif

#if !SB_COMPLEX
typedef R T;
#elif defined __CUDACC__
#include "src/chunk/complex.cuh"
#elif SB_IS(SB_TYPE) == SB_IS_c64
typedef float _Complex T;
#else
typedef double _Complex T;
#endif

#if SB_COMPLEX && defined __CUDACC__
SB_BOTH R sb_real(T z)
{
    return z.re;
}

SB_BOTH R sb_imaginary(T z)
{
    return z.im;
}

SB_BOTH T sb_conj(T z)
{
    return T(z.re, -z.im);
}
#elif SB_COMPLEX
SB_BOTH R sb_real(T z)
{
    return (R)creal(z);
}

SB_BOTH R sb_imaginary(T z)
{
    return (R)cimag(z);
}

SB_BOTH T sb_conj(T z)
{
    return (T)conj(z);
}
#else
SB_BOTH T sb_conj(T z)
{
    return z;
}
#endif

/* |x|, without a jump: one that depends on x's sign is mispredicted every other time. */
SB_BOTH R sb_abs(R x)
{
    return sizeof(R) == sizeof(float) ? (R)fabsf((float)x) : (R)fabs((double)x);
}

/* |z| for comparing pivots: LAPACK's cabs1 for complex numbers, which never overflows early. NaN stays NaN. */
SB_BOTH R sb_abs1(T z)
{
#if SB_COMPLEX
    return sb_abs(sb_real(z)) + sb_abs(sb_imaginary(z));
#else
    return sb_abs(z);
#endif
}

/* b if either is NaN. */
SB_BOTH R sb_larger(R a, R b)
{
    return a > b ? a : b;
}

SB_BOTH bool sb_finite(T z)
{
#if SB_COMPLEX
    return isfinite(sb_real(z)) && isfinite(sb_imaginary(z));
#else
    return isfinite(z);
#endif
}

#endif
