/* AVX2 with fused multiply-add: 256 bits, two chunks. */
#if !defined __AVX2__ || !defined __FMA__
#error "avx2 is compiled with -mavx2 -mfma"
#endif
#include <immintrin.h>

#if SB_SINGLE
typedef __m256 V;
#define SB_MM(operation) _mm256_##operation##_ps
#define SB_PERMUTE(a, b, order) _mm256_permute2f128_ps(a, b, order)
#define SB_JOIN_CHUNKS(p, q) _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(q), 1)
#define SB_WIDTH_LOG2 3
#define SB_STRIP 4
#else
typedef __m256d V;
#define SB_MM(operation) _mm256_##operation##_pd
#define SB_PERMUTE(a, b, order) _mm256_permute2f128_pd(a, b, order)
#define SB_JOIN_CHUNKS(p, q) _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(p)), _mm_loadu_pd(q), 1)
#define SB_WIDTH_LOG2 2
#define SB_STRIP 2
#endif
typedef V vmask;
typedef __m256i vpart;

enum { SB_WIDTH = 1 << SB_WIDTH_LOG2, SB_DEPTH = 2 };

#include "src/cpu/vec/x86.h"

static inline vmask vexceeds(V a, V b)
{
    return SB_MM(cmp)(a, b, _CMP_NLE_UQ);
}

static inline V vlargest(V a, V b)
{
    return vmax(vabs(a), vabs(b));
}

static inline bool vany(vmask m)
{
    return SB_MM(movemask)(m) != 0;
}

static inline V vselect(vmask m, V a, V b)
{
    return SB_MM(blendv)(b, a, m);
}

static inline vpart vfirst(int count)
{
#if SB_SINGLE
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
#else
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
#endif
}

static inline V vload_part(const R *p, vpart some, V rest)
{
    return vselect((vmask)some, SB_MM(maskload)(p, some), rest);
}

static inline void vstore_part(R *p, vpart some, V a)
{
    SB_MM(maskstore)(p, some, a);
}

static inline void vchunks(V *r, int step)
{
    V a = r[0], b = r[step];
    r[0] = SB_PERMUTE(a, b, 0x20);
    r[step] = SB_PERMUTE(a, b, 0x31);
}

static inline void vload_chunks(const R *p, int64_t between, V *r)
{
    enum { side = SB_WIDTH / 2 };
    for (int j = 0; j < side; ++j) {
        const R *a = p + j * between, *b = a + side * between;
        r[j] = SB_JOIN_CHUNKS(a, b);
        r[side + j] = SB_JOIN_CHUNKS(a + side, b + side);
    }
}

static inline void vload_strip_chunks(const R *p, int64_t between, V *r)
{
    enum { side = SB_WIDTH / 2 };
    for (int j = 0; j < side; ++j)
        r[j] = SB_JOIN_CHUNKS(p + j * between, p + (side + j) * between);
}

static inline void vload_chunks_at(const R *p, const int64_t *offset, V *r)
{
    enum { side = SB_WIDTH / 2 };
    for (int j = 0; j < side; ++j) {
        const R *a = p + offset[j], *b = p + offset[side + j];
        r[j] = SB_JOIN_CHUNKS(a, b);
        r[side + j] = SB_JOIN_CHUNKS(a + side, b + side);
    }
}
