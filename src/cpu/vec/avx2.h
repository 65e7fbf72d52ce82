/* AVX2 with fused multiply-add: 256 bits, two chunks. */
#if !defined __AVX2__ || !defined __FMA__
#error "avx2 is compiled with -mavx2 -mfma"
#endif
#include <immintrin.h>

#if SB_SINGLE
typedef __m256 V;
#define SB_MM(operation) _mm256_##operation##_ps
#define SB_PERMUTE(a, b, order) _mm256_permute2f128_ps(a, b, order)
#define SB_WIDTH_LOG2 3
#else
typedef __m256d V;
#define SB_MM(operation) _mm256_##operation##_pd
#define SB_PERMUTE(a, b, order) _mm256_permute2f128_pd(a, b, order)
#define SB_WIDTH_LOG2 2
#endif
typedef V vmask;

enum { SB_WIDTH = 1 << SB_WIDTH_LOG2, SB_DEPTH = 2 };

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

static inline V vmax(V a, V b)
{
    return SB_MM(max)(a, b);
}

static inline vmask vexceeds(V a, V b)
{
    return SB_MM(cmp)(a, b, _CMP_NLE_UQ);
}

static inline bool vany(vmask m)
{
    return SB_MM(movemask)(m) != 0;
}

static inline V vselect(vmask m, V a, V b)
{
    return SB_MM(blendv)(b, a, m);
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
    return _mm256_shuffle_ps(a, b, 0x44);
}

static inline V vhigh2(V a, V b)
{
    return _mm256_shuffle_ps(a, b, 0xee);
}
#endif

static inline void vchunks(V *r, int step)
{
    V a = r[0], b = r[step];
    r[0] = SB_PERMUTE(a, b, 0x20);
    r[step] = SB_PERMUTE(a, b, 0x31);
}
