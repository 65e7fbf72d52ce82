/* A word is one scalar T in each of SB_WIDTH systems: a vector, or for complex types a vector of real and one of
 * imaginary parts. Kernels are written on words, once for all types. */
#ifndef SB_WORD_H
#define SB_WORD_H

#include "src/cpu/vec/vec.h"

#if SB_SINGLE
#define SB_LARGEST FLT_MAX
#else
#define SB_LARGEST DBL_MAX
#endif

/* In memory a word's imaginary part stands `lanes` reals behind its real part. */
#if SB_COMPLEX
typedef struct W {
    V re, im;
} W;

SB_INLINE W wload(const R *p, int64_t lanes)
{
    return (W){vload(p), vload(p + lanes)};
}

SB_INLINE void wstore(R *p, int64_t lanes, W a)
{
    vstore(p, a.re);
    vstore(p + lanes, a.im);
}

SB_INLINE W wsplat(const T *s)
{
    return (W){vsplat(((const R *)s)[0]), vsplat(((const R *)s)[1])};
}

SB_INLINE W wzero(void)
{
    return (W){vsplat(0), vsplat(0)};
}

SB_INLINE W wmul(W a, W b)
{
    return (W){vnmadd(a.im, b.im, a.re * b.re), vmadd(a.im, b.re, a.re * b.im)};
}

/* c - a b */
SB_INLINE W wnmadd(W a, W b, W c)
{
    return (W){vmadd(a.im, b.im, vnmadd(a.re, b.re, c.re)), vnmadd(a.im, b.re, vnmadd(a.re, b.im, c.im))};
}

SB_INLINE W wsub(W a, W b)
{
    return (W){a.re - b.re, a.im - b.im};
}

/* 1 / a, scaled so that |a|^2 can neither overflow nor vanish. 1 / 0 is no number. */
SB_INLINE W wreciprocal(W a)
{
    V scale = vsplat(1) / vmax(vabs(a.re), vabs(a.im)), re = a.re * scale, im = a.im * scale;
    V factor = scale / vmadd(re, re, im * im);
    return (W){re * factor, -(im * factor)};
}

SB_INLINE V wabs1(W a)
{
    return vabs(a.re) + vabs(a.im);
}

SB_INLINE V wlargest(V size, W a)
{
    return vmax(size, wabs1(a));
}

SB_INLINE W wselect(vmask m, W a, W b)
{
    return (W){vselect(m, a.re, b.re), vselect(m, a.im, b.im)};
}

/* sum, which becomes NaN where a is NaN or Inf. */
SB_INLINE V wodd(W a, V sum)
{
    return vmadd(a.re, vsplat(0), vmadd(a.im, vsplat(0), sum));
}
#else
typedef V W;

SB_INLINE W wload(const R *p, int64_t lanes)
{
    (void)lanes;
    return vload(p);
}

SB_INLINE void wstore(R *p, int64_t lanes, W a)
{
    (void)lanes;
    vstore(p, a);
}

SB_INLINE W wsplat(const T *s)
{
    return vsplat(*s);
}

SB_INLINE W wzero(void)
{
    return vsplat(0);
}

SB_INLINE W wmul(W a, W b)
{
    return a * b;
}

SB_INLINE W wnmadd(W a, W b, W c)
{
    return vnmadd(a, b, c);
}

SB_INLINE W wsub(W a, W b)
{
    return a - b;
}

SB_INLINE W wreciprocal(W a)
{
    return vsplat(1) / a;
}

SB_INLINE V wabs1(W a)
{
    return vabs(a);
}

/* size, or |a| if that is larger. */
SB_INLINE V wlargest(V size, W a)
{
    return vlargest(size, a);
}

SB_INLINE W wselect(vmask m, W a, W b)
{
    return vselect(m, a, b);
}

SB_INLINE V wodd(W a, V sum)
{
    return vmadd(a, vsplat(0), sum);
}
#endif

#endif
