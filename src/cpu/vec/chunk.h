/* Vectors of a single 128-bit chunk in the compilers' own vector language: what portable and neon share. */
#if defined __SSE2__
#include <emmintrin.h>
#endif

typedef R V __attribute__((vector_size(16)));
#if SB_SINGLE
typedef int32_t vmask __attribute__((vector_size(16)));
#define SB_WIDTH_LOG2 2
#else
typedef int64_t vmask __attribute__((vector_size(16)));
#define SB_WIDTH_LOG2 1
#endif

typedef int vpart;

enum { SB_WIDTH = 1 << SB_WIDTH_LOG2, SB_DEPTH = 2 };

static inline V vsplat(R s)
{
#if SB_SINGLE
    return (V){s, s, s, s};
#else
    return (V){s, s};
#endif
}

static inline V vselect(vmask m, V a, V b)
{
    return (V)((m & (vmask)a) | (~m & (vmask)b));
}

static inline V vabs(V a)
{
    return (V)((vmask)a & ~(vmask)vsplat(-(R)0));
}

static inline V vcounterpart(V a)
{
    return (V)(~(vmask)a & (vmask)vsplat((R)INFINITY));
}

#if defined __SSE2__
/* In one instruction each, which the compilers do not find. */
#if SB_SINGLE
#define SB_SSE(operation) _mm_##operation##_ps
#define SB_SSE_V __m128
#else
#define SB_SSE(operation) _mm_##operation##_pd
#define SB_SSE_V __m128d
#endif

static inline V vmax(V a, V b)
{
    return (V)SB_SSE(max)((SB_SSE_V)a, (SB_SSE_V)b);
}

static inline V vmin(V a, V b)
{
    return (V)SB_SSE(min)((SB_SSE_V)a, (SB_SSE_V)b);
}

static inline vmask vexceeds(V a, V b)
{
    return (vmask)SB_SSE(cmpnle)((SB_SSE_V)a, (SB_SSE_V)b);
}

static inline bool vany(vmask m)
{
    return SB_SSE(movemask)((SB_SSE_V)m) != 0;
}
#else
static inline V vmax(V a, V b)
{
    return vselect(a > b, a, b);
}

static inline V vmin(V a, V b)
{
    return vselect(a < b, a, b);
}

static inline vmask vexceeds(V a, V b)
{
    return ~(a <= b);
}

static inline bool vany(vmask m)
{
    int64_t halves[2];
    __builtin_memcpy(halves, &m, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}
#endif

static inline V vlargest(V a, V b)
{
    return vmax(vabs(a), vabs(b));
}

static inline vpart vfirst(int count)
{
    return count;
}

static inline V vload_part(const R *p, vpart some, V rest)
{
    for (int s = 0; s < some; ++s)
        rest[s] = p[s];
    return rest;
}

static inline void vstore_part(R *p, vpart some, V a)
{
    for (int s = 0; s < some; ++s)
        p[s] = a[s];
}

static inline void vstream(R *p, V a)
{
    *(V *)p = a;
}

static inline void vfence(void)
{
}

#if SB_SINGLE
static inline V vlow(V a, V b)
{
    return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}

static inline V vhigh(V a, V b)
{
    return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

static inline V vlow2(V a, V b)
{
    return __builtin_shufflevector(a, b, 0, 1, 4, 5);
}

static inline V vhigh2(V a, V b)
{
    return __builtin_shufflevector(a, b, 2, 3, 6, 7);
}
#else
static inline V vlow(V a, V b)
{
    return __builtin_shufflevector(a, b, 0, 2);
}

static inline V vhigh(V a, V b)
{
    return __builtin_shufflevector(a, b, 1, 3);
}
#endif

static inline void vchunks(V *r, int step)
{
    (void)r, (void)step;
}

static inline void vload_chunks(const R *p, int64_t between, V *r)
{
    for (int j = 0; j < SB_WIDTH; ++j)
        __builtin_memcpy(&r[j], p + j * between, sizeof r[j]);
}

static inline void vload_chunks_at(const R *p, const int64_t *offset, V *r)
{
    for (int j = 0; j < SB_WIDTH; ++j)
        __builtin_memcpy(&r[j], p + offset[j], sizeof r[j]);
}
