/* What avx2 and avx512 say alike, in SB_MM(operation): the intrinsic of their width and type. */
#include <immintrin.h>

static inline V vsplat(R s)
{
    return SB_MM(set1)(s);
}

static inline V vmadd(V a, V b, V c)
{
    return SB_MM(fmadd)(a, b, c);
}

static inline V vnmadd(V a, V b, V c)
{
    return SB_MM(fnmadd)(a, b, c);
}

static inline V vabs(V a)
{
    return SB_MM(andnot)(vsplat(-(R)0), a);
}

static inline V vcounterpart(V a)
{
    return SB_MM(andnot)(a, vsplat((R)INFINITY));
}

static inline V vmax(V a, V b)
{
    return SB_MM(max)(a, b);
}

static inline V vmin(V a, V b)
{
    return SB_MM(min)(a, b);
}

static inline void vstream(R *p, V a)
{
    SB_MM(stream)(p, a);
}

static inline void vfence(void)
{
    _mm_sfence();
}

static inline V vlow(V a, V b)
{
    return SB_MM(unpacklo)(a, b);
}

static inline V vhigh(V a, V b)
{
    return SB_MM(unpackhi)(a, b);
}

#if SB_SINGLE
static inline V vlow2(V a, V b)
{
    return SB_MM(shuffle)(a, b, 0x44);
}

static inline V vhigh2(V a, V b)
{
    return SB_MM(shuffle)(a, b, 0xee);
}
#endif
