/* The vector vocabulary: one vector V of the real type R, SB_WIDTH reals wide, and what kernels may do with it
 * besides + - * /. Everything that computes on lanes is compiled once for each scalar type and instruction set,
 * with SB_ISA set by the build beside SB_TYPE; kernels/pair.h alone is always portable.
 *
 * An instruction set's header defines V, vmask, SB_WIDTH and
 *
 *     vsplat(s)                 s in every lane
 *     vmadd(a, b, c)            c + a b, rounded once where the processor can
 *     vnmadd(a, b, c)           c - a b, likewise
 *     vabs(a), vmax(a, b)       lane by lane; vmax is b where either is NaN, or NaN; vmin(a, b) too
 *     vlargest(a, b)            the larger of |a| and |b|; any of these, or NaN, where one is NaN
 *     vcounterpart(a)           the power of two s with 2 <= |s a| < 4; s a is no number where a is 0, denormal (or
 *                               infinite then), NaN or Inf
 *     vexceeds(a, b)            the lanes where not a <= b: greater, or NaN
 *     vany(m), vselect(m, a, b) is any lane set; a where it is, else b
 *     vfirst(count)             the first `count` lanes, as a vpart:
 *     vload_part(p, some, rest) those lanes from p on, and nothing else is read; the others of rest
 *     vstore_part(p, some, a)   those lanes of a, and nothing else is written
 *     vstream(p, a), vfence()   store past the caches, to an address aligned to V; and make that visible
 *     vlow, vhigh(a, b)         in each 128-bit chunk, the lower (upper) reals of a and b alternating
 *     vlow2, vhigh2(a, b)       f32: in each chunk, the lower (upper) pair of a, then that of b
 *     vchunks(r, step)          transpose r[0], r[step], ... as a square of 128-bit chunks
 *     vload_chunks(p, between, r)  load a square of lines `between` apart and transpose its chunks: with s reals
 *                               in a chunk, chunk c of r[g s + j] is chunk g of line c s + j
 *     vload_chunks_at(p, offset, r)  the same of lines that begin at p + offset[]
 * and, where SB_STRIP is not 0 (so many rows are best brought in as fit in the registers beside what is done with them),
 *     vload_strip_chunks(p, between, r)  of lines `between` apart, the first SB_STRIP reals only */
#ifndef SB_VEC_H
#define SB_VEC_H

#include "src/cpu/fetch.h"
#include "src/cpu/scalar.h"

#define SB_SINGLE (SB_IS(SB_TYPE) == SB_IS_f32 || SB_IS(SB_TYPE) == SB_IS_c64)

#define SB_ISA_portable 1
#define SB_ISA_neon 2
#define SB_ISA_avx2 3
#define SB_ISA_avx512 4
#define SB_ISA_IS2(isa) SB_ISA_##isa
#define SB_ISA_IS1(isa) SB_ISA_IS2(isa)
#define SB_ISA_IS SB_ISA_IS1(SB_ISA)

#if SB_ISA_IS == SB_ISA_portable
#include "src/cpu/vec/portable.h"
#elif SB_ISA_IS == SB_ISA_neon
#include "src/cpu/vec/neon.h"
#elif SB_ISA_IS == SB_ISA_avx2
#include "src/cpu/vec/avx2.h"
#elif SB_ISA_IS == SB_ISA_avx512
#include "src/cpu/vec/avx512.h"
#else
#error "SB_ISA must be portable, neon, avx2 or avx512"
#endif

#ifndef SB_STRIP
#define SB_STRIP 0
#endif

/* Inlined whatever the optimiser thinks. But not where every access is instrumented (the build sets SB_CHECKED): the
   kernels of constant bandwidth would take minutes to compile. */
#ifdef SB_CHECKED
#define SB_INLINE static inline __attribute__((unused))
#else
#define SB_INLINE static inline __attribute__((always_inline))
#endif

/* Before a loop over the parts of an array that is to live in registers. */
#if defined __clang__
#define SB_IN_REGISTERS _Pragma("clang loop unroll(full)")
#else
#define SB_IN_REGISTERS _Pragma("GCC unroll 16")
#endif

/* Before a loop that had better be unrolled: clang decides for itself, and calls it an error where it can't. */
#if defined __clang__
#define SB_AS_A_SEQUENCE
#else
#define SB_AS_A_SEQUENCE _Pragma("GCC unroll 16")
#endif

/* V where no alignment is known. */
typedef V sb_loose __attribute__((aligned(sizeof(R)), may_alias));

SB_INLINE V vload(const R *p)
{
    return *(const sb_loose *)p;
}

SB_INLINE void vstore(R *p, V a)
{
    *(sb_loose *)p = a;
}

/* An address that may lie outside of every array, for fetches only. */
SB_INLINE const void *vfar(const R *p, int64_t reals)
{
    uintptr_t at = (uintptr_t)p + (uintptr_t)(reals * (int64_t)sizeof(R));
    return (const void *)at; /* NOLINT(performance-no-int-to-ptr) */
}

/* The cache line of what lies so many reals behind p, wherever that is. Nothing is read. into_first: the first-level cache, or
   only the second one. */
SB_INLINE void vfetch_into(bool into_first, const R *p, int64_t reals)
{
    if (into_first)
        __builtin_prefetch(vfar(p, reals), 0, 3);
    else
        __builtin_prefetch(vfar(p, reals), 0, 2);
}

SB_INLINE void vfetch(const R *p, int64_t reals)
{
    vfetch_into(sb_into_first, p, reals);
}

/* The same of SB_WIDTH lines that begin at p + offset[]. */
SB_INLINE void vfetch_at(const R *p, int64_t reals, const int64_t *offset)
{
    if (sb_into_first) {
        SB_IN_REGISTERS
        for (int s = 0; s < SB_WIDTH; ++s)
            __builtin_prefetch(vfar(p, reals + offset[s]), 0, 3);
        return;
    }
    SB_IN_REGISTERS
    for (int s = 0; s < SB_WIDTH; ++s)
        __builtin_prefetch(vfar(p, reals + offset[s]), 0, 2);
}

/* Cache lines of one lane that are fetched one after another: a Xeon's memory reads some 32 lines by turns at full speed, as many as a
   tile of doubles has; single precision's have twice as many. Doubles gain nothing so, and pentadiagonal ones lose a twentieth. */
enum { SB_IN_A_ROW = SB_SINGLE ? 4 : 1 };

/* Into the second level, of SB_WIDTH lines that begin at p + offset[]: so many cache lines of those whose turn it is, one line in so many.
   After as many turns every line has had its own. */
SB_INLINE void vfetch_turn_at(const R *p, int64_t reals, const int64_t *offset, int64_t turn)
{
    for (int s = (int)(turn % SB_IN_A_ROW); s < SB_WIDTH; s += SB_IN_A_ROW) {
        SB_IN_REGISTERS
        for (int j = 0; j < SB_IN_A_ROW; ++j)
            vfetch_into(false, p, reals + offset[s] + j * (int)(64 / sizeof(R)));
    }
}

/* The same of lines `between` apart. */
SB_INLINE void vfetch_turn(const R *p, int64_t reals, int64_t between, int64_t turn)
{
    for (int s = (int)(turn % SB_IN_A_ROW); s < SB_WIDTH; s += SB_IN_A_ROW) {
        const R *line = vfar(p, reals + s * between);
        SB_IN_REGISTERS
        for (int j = 0; j < SB_IN_A_ROW; ++j)
            vfetch_into(false, line, j * (int)(64 / sizeof(R)));
    }
}

/* Of SB_WIDTH lines `between` apart; those of four share the register that an address begins with. */
SB_INLINE void vfetch_lines(bool into_first, const R *p, int64_t reals, int64_t between)
{
    enum { some = SB_WIDTH < 4 ? SB_WIDTH : 4 };
    SB_IN_REGISTERS
    for (int s = 0; s < SB_WIDTH; s += some) {
        const char *line = vfar(p, reals + s * between);
        SB_IN_REGISTERS
        for (int j = 0; j < some; ++j)
            vfetch_into(into_first, (const R *)line, j * between);
    }
}

enum { SB_CHUNK = 16 / sizeof(R) };

/* Transpose the small squares inside the chunks of SB_CHUNK vectors; and of all. */
SB_INLINE void vtranspose_chunk(V *r)
{
#if SB_SINGLE
    V a = vlow(r[0], r[1]), b = vlow(r[2], r[3]), c = vhigh(r[0], r[1]), d = vhigh(r[2], r[3]);
    r[0] = vlow2(a, b);
    r[1] = vhigh2(a, b);
    r[2] = vlow2(c, d);
    r[3] = vhigh2(c, d);
#else
    V a = vlow(r[0], r[1]), b = vhigh(r[0], r[1]);
    r[0] = a;
    r[1] = b;
#endif
}

SB_INLINE void vtranspose_chunks(V *r)
{
    for (int p = 0; p < SB_WIDTH; p += SB_CHUNK)
        vtranspose_chunk(r + p);
}

/* SB_WIDTH reals of each of SB_WIDTH lines, `between` apart, as vectors across the lines. */
SB_INLINE void vload_square(const R *p, int64_t between, V *r)
{
    vload_chunks(p, between, r);
    vtranspose_chunks(r);
}

/* The same of lines that begin at p + offset[]. */
SB_INLINE void vload_square_at(const R *p, const int64_t *offset, V *r)
{
    vload_chunks_at(p, offset, r);
    vtranspose_chunks(r);
}

#if SB_STRIP
/* Of lines `between` apart, the first SB_STRIP vectors. */
SB_INLINE void vload_strip(const R *p, int64_t between, V *r)
{
    vload_strip_chunks(p, between, r);
    for (int j = 0; j < SB_STRIP; j += SB_CHUNK)
        vtranspose_chunk(r + j);
}
#endif

/* Transpose a square of SB_WIDTH vectors. */
SB_INLINE void vtranspose(V *r)
{
    vtranspose_chunks(r);
    for (int j = 0; j < SB_CHUNK; ++j)
        vchunks(r + j, SB_CHUNK);
}

/* Complex numbers in memory, re and im alternating, to and from a vector of each. */
#if SB_WIDTH_LOG2 == 1
#define SB_SHUFFLE_RE 0, 2
#define SB_SHUFFLE_IM 1, 3
#define SB_SHUFFLE_FIRST 0, 2
#define SB_SHUFFLE_SECOND 1, 3
#define SB_SHUFFLE_REVERSE 1, 0
#define SB_SHUFFLE_RE_DOWN 2, 0
#define SB_SHUFFLE_IM_DOWN 3, 1
#define SB_SHUFFLE_FIRST_DOWN 1, 3
#define SB_SHUFFLE_SECOND_DOWN 0, 2
#define SB_SHUFFLE_SWAP 1, 0
#elif SB_WIDTH_LOG2 == 2
#define SB_SHUFFLE_RE 0, 2, 4, 6
#define SB_SHUFFLE_IM 1, 3, 5, 7
#define SB_SHUFFLE_FIRST 0, 4, 1, 5
#define SB_SHUFFLE_SECOND 2, 6, 3, 7
#define SB_SHUFFLE_REVERSE 3, 2, 1, 0
#define SB_SHUFFLE_RE_DOWN 6, 4, 2, 0
#define SB_SHUFFLE_IM_DOWN 7, 5, 3, 1
#define SB_SHUFFLE_FIRST_DOWN 3, 7, 2, 6
#define SB_SHUFFLE_SECOND_DOWN 1, 5, 0, 4
#define SB_SHUFFLE_SWAP 1, 0, 3, 2
#elif SB_WIDTH_LOG2 == 3
#define SB_SHUFFLE_RE 0, 2, 4, 6, 8, 10, 12, 14
#define SB_SHUFFLE_IM 1, 3, 5, 7, 9, 11, 13, 15
#define SB_SHUFFLE_FIRST 0, 8, 1, 9, 2, 10, 3, 11
#define SB_SHUFFLE_SECOND 4, 12, 5, 13, 6, 14, 7, 15
#define SB_SHUFFLE_REVERSE 7, 6, 5, 4, 3, 2, 1, 0
#define SB_SHUFFLE_RE_DOWN 14, 12, 10, 8, 6, 4, 2, 0
#define SB_SHUFFLE_IM_DOWN 15, 13, 11, 9, 7, 5, 3, 1
#define SB_SHUFFLE_FIRST_DOWN 7, 15, 6, 14, 5, 13, 4, 12
#define SB_SHUFFLE_SECOND_DOWN 3, 11, 2, 10, 1, 9, 0, 8
#define SB_SHUFFLE_SWAP 1, 0, 3, 2, 5, 4, 7, 6
#else
#define SB_SHUFFLE_RE 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define SB_SHUFFLE_IM 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define SB_SHUFFLE_FIRST 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define SB_SHUFFLE_SECOND 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define SB_SHUFFLE_REVERSE 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define SB_SHUFFLE_RE_DOWN 30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0
#define SB_SHUFFLE_IM_DOWN 31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1
#define SB_SHUFFLE_FIRST_DOWN 15, 31, 14, 30, 13, 29, 12, 28, 11, 27, 10, 26, 9, 25, 8, 24
#define SB_SHUFFLE_SECOND_DOWN 7, 23, 6, 22, 5, 21, 4, 20, 3, 19, 2, 18, 1, 17, 0, 16
#define SB_SHUFFLE_SWAP 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#endif

SB_INLINE void vsplit(V first, V second, V *re, V *im)
{
    *re = __builtin_shufflevector(first, second, SB_SHUFFLE_RE);
    *im = __builtin_shufflevector(first, second, SB_SHUFFLE_IM);
}

SB_INLINE void vmerge(V re, V im, V *first, V *second)
{
    *first = __builtin_shufflevector(re, im, SB_SHUFFLE_FIRST);
    *second = __builtin_shufflevector(re, im, SB_SHUFFLE_SECOND);
}

/* The same between memory and vectors whose first lane is the last number. */
SB_INLINE void vsplit_down(V first, V second, V *re, V *im)
{
    *re = __builtin_shufflevector(first, second, SB_SHUFFLE_RE_DOWN);
    *im = __builtin_shufflevector(first, second, SB_SHUFFLE_IM_DOWN);
}

SB_INLINE void vmerge_down(V re, V im, V *first, V *second)
{
    *first = __builtin_shufflevector(re, im, SB_SHUFFLE_FIRST_DOWN);
    *second = __builtin_shufflevector(re, im, SB_SHUFFLE_SECOND_DOWN);
}

SB_INLINE V vreverse(V a)
{
    return __builtin_shufflevector(a, a, SB_SHUFFLE_REVERSE);
}

/* Neighbours change places: im and re in turn. */
SB_INLINE V vswap(V a)
{
    return __builtin_shufflevector(a, a, SB_SHUFFLE_SWAP);
}

#endif
