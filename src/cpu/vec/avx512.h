/* AVX-512 (F, DQ, VL): 512 bits, four chunks. */
#if !defined __AVX512F__ || !defined __AVX512DQ__ || !defined __AVX512VL__ || !defined __FMA__
#error "avx512 is compiled with -mavx512f -mavx512dq -mavx512vl -mfma"
#endif
#include <immintrin.h>

#if SB_SINGLE
typedef __m512 V;
typedef __mmask16 vmask;
typedef __mmask16 vpart;
#define SB_MM(operation) _mm512_##operation##_ps
#define SB_MASKED(operation) _mm512_##operation##_ps_mask
#define SB_CHUNKS(a, b, order) _mm512_shuffle_f32x4(a, b, order)
#define SB_JOIN_HALVES(p, q) \
    _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(p)), _mm256_loadu_ps(q), 1)
#define SB_JOIN_QUARTERS(p, q, r, s)                                                                           \
    _mm512_insertf32x8(_mm512_castps256_ps512(                                                                 \
                           _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(q), 1)), \
                       _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(r)), _mm_loadu_ps(s), 1), 1)
#define SB_WIDTH_LOG2 4
#else
typedef __m512d V;
typedef __mmask8 vmask;
typedef __mmask8 vpart;
#define SB_MM(operation) _mm512_##operation##_pd
#define SB_MASKED(operation) _mm512_##operation##_pd_mask
#define SB_CHUNKS(a, b, order) _mm512_shuffle_f64x2(a, b, order)
#define SB_JOIN_HALVES(p, q) \
    _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(p)), _mm256_loadu_pd(q), 1)
#define SB_WIDTH_LOG2 3
#endif
#define SB_STRIP 4

enum { SB_WIDTH = 1 << SB_WIDTH_LOG2, SB_DEPTH = 2 };

#include "src/cpu/vec/x86.h"

static inline vmask vexceeds(V a, V b)
{
    return SB_MASKED(cmp)(a, b, _CMP_NLE_UQ);
}

/* 11: the larger modulus, without its sign. */
static inline V vlargest(V a, V b)
{
    return SB_MM(range)(a, b, 11);
}

static inline bool vany(vmask m)
{
    return m != 0;
}

static inline V vselect(vmask m, V a, V b)
{
    return SB_MM(mask_blend)(m, b, a);
}

static inline vpart vfirst(int count)
{
    return (vpart)((1U << count) - 1);
}

static inline V vload_part(const R *p, vpart some, V rest)
{
    return SB_MM(mask_loadu)(rest, some, p);
}

static inline void vstore_part(R *p, vpart some, V a)
{
    SB_MM(mask_storeu)(p, some, a);
}

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

/* Half of this transpose is done by loads, which do not wait for the one port that shuffles. */
static inline void vload_chunks(const R *p, int64_t between, V *r)
{
    enum { side = SB_WIDTH / 4 };
    for (int j = 0; j < side; ++j)
        for (int half = 0; half < 2; ++half) {
            const R *a = p + j * between + half * (SB_WIDTH / 2), *c = a + 2 * side * between;
            V first = SB_JOIN_HALVES(a, a + side * between), second = SB_JOIN_HALVES(c, c + side * between);
            r[2 * half * side + j] = SB_CHUNKS(first, second, 0x88);
            r[(2 * half + 1) * side + j] = SB_CHUNKS(first, second, 0xdd);
        }
}

static inline void vload_chunks_at(const R *p, const int64_t *offset, V *r)
{
    enum { side = SB_WIDTH / 4 };
    for (int j = 0; j < side; ++j)
        for (int half = 0; half < 2; ++half) {
            const R *from = p + half * (SB_WIDTH / 2);
            V first = SB_JOIN_HALVES(from + offset[j], from + offset[side + j]),
              second = SB_JOIN_HALVES(from + offset[2 * side + j], from + offset[3 * side + j]);
            r[2 * half * side + j] = SB_CHUNKS(first, second, 0x88);
            r[(2 * half + 1) * side + j] = SB_CHUNKS(first, second, 0xdd);
        }
}

/* What fits beside the sweeps in 32 registers: a quarter of a cache line in f32, half of one in f64. */
static inline void vload_strip_chunks(const R *p, int64_t between, V *r)
{
    const R *q = p + SB_WIDTH / 2 * between;
#if SB_SINGLE
    const R *middle[2] = {p + 4 * between, q + 4 * between};
    for (int j = 0; j < SB_STRIP; ++j)
        r[j] = SB_JOIN_QUARTERS(p + j * between, middle[0] + j * between, q + j * between,
                                middle[1] + j * between);
#else
    for (int j = 0; j < SB_STRIP / 2; ++j) {
        V first = SB_JOIN_HALVES(p + j * between, p + (2 + j) * between),
          second = SB_JOIN_HALVES(q + j * between, q + (2 + j) * between);
        r[j] = SB_CHUNKS(first, second, 0x88);
        r[SB_STRIP / 2 + j] = SB_CHUNKS(first, second, 0xdd);
    }
#endif
}
