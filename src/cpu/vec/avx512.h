/* AVX-512 (F, DQ, VL): 512 bits, four chunks. */
#if !defined __AVX512F__ || !defined __AVX512DQ__ || !defined __AVX512VL__ || !defined __FMA__
#error "avx512 is compiled with -mavx512f -mavx512dq -mavx512vl -mfma"
#endif
#include <immintrin.h>

#if SB_SINGLE
typedef __m512 V;
typedef __mmask16 vmask;
#define SB_MM(operation) _mm512_##operation##_ps
#define SB_MASKED(operation) _mm512_##operation##_ps_mask
#define SB_CHUNKS(a, b, order) _mm512_shuffle_f32x4(a, b, order)
#define SB_WIDTH_LOG2 4
#else
typedef __m512d V;
typedef __mmask8 vmask;
#define SB_MM(operation) _mm512_##operation##_pd
#define SB_MASKED(operation) _mm512_##operation##_pd_mask
#define SB_CHUNKS(a, b, order) _mm512_shuffle_f64x2(a, b, order)
#define SB_WIDTH_LOG2 3
#endif

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
    return SB_MASKED(cmp)(a, b, _CMP_NLE_UQ);
}

static inline bool vany(vmask m)
{
    return m != 0;
}

static inline V vselect(vmask m, V a, V b)
{
    return SB_MM(mask_blend)(m, b, a);
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
    return _mm512_shuffle_ps(a, b, 0x44);
}

static inline V vhigh2(V a, V b)
{
    return _mm512_shuffle_ps(a, b, 0xee);
}
#endif

/* 0x88 takes chunks 0 and 2 of both, 0xdd chunks 1 and 3. */
static inline void vchunks(V *r, int step)
{
    V even = SB_CHUNKS(r[0], r[step], 0x88), odd = SB_CHUNKS(r[0], r[step], 0xdd);
    V even2 = SB_CHUNKS(r[2 * step], r[3 * step], 0x88), odd2 = SB_CHUNKS(r[2 * step], r[3 * step], 0xdd);
    r[0] = SB_CHUNKS(even, even2, 0x88);
    r[step] = SB_CHUNKS(odd, odd2, 0x88);
    r[2 * step] = SB_CHUNKS(even, even2, 0xdd);
    r[3 * step] = SB_CHUNKS(odd, odd2, 0xdd);
}
