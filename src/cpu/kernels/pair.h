/* Two numbers that go the same way: as two lanes of a word in vectors of 128 bits, which every processor has. */
#ifndef SB_PAIR_H
#define SB_PAIR_H

#define SB_ISA portable
#include <string.h>

#include "src/cpu/vec/word.h"

enum { WAYS = 2 };

typedef int64_t sb_words __attribute__((vector_size(16)));

/* Lanes beyond the two repeat them, so that nothing is divided that is not theirs. */
SB_INLINE V lanes_of(R above, R below)
{
#if SB_SINGLE
    return (V){above, below, above, below};
#else
    return (V){above, below};
#endif
}

SB_INLINE W pair_load(const T *above, const T *below)
{
    const R *a = (const R *)above, *b = (const R *)below;
#if SB_COMPLEX
    return (W){lanes_of(a[0], b[0]), lanes_of(a[1], b[1])};
#else
    return lanes_of(a[0], b[0]);
#endif
}

/* One lane's number. */
SB_INLINE void pair_put(W a, int way, T *to)
{
    R *r = (R *)to;
#if SB_COMPLEX
    r[0] = a.re[way];
    r[1] = a.im[way];
#else
    r[0] = a[way];
#endif
}

SB_INLINE V lane_splat(V a, int way)
{
    return vsplat(a[way]);
}

SB_INLINE W pair_alone(W a, int way)
{
#if SB_COMPLEX
    return (W){lane_splat(a.re, way), lane_splat(a.im, way)};
#else
    return lane_splat(a, way);
#endif
}

/* Two lanes to and from memory. */
SB_INLINE void lanes_store(V a, R *to)
{
#if SB_SINGLE
    const int64_t bits = ((sb_words)a)[0];
    memcpy(to, &bits, sizeof bits);
#else
    vstore(to, a);
#endif
}

SB_INLINE V lanes_load(const R *from)
{
#if SB_SINGLE
    int64_t bits;
    memcpy(&bits, from, sizeof bits);
    return (V)(sb_words){bits, 0};
#else
    return vload(from);
#endif
}

/* A pair in as much memory as two numbers take. */
SB_INLINE void pair_keep(W a, T *to)
{
#if SB_COMPLEX
    lanes_store(a.re, (R *)to);
    lanes_store(a.im, (R *)to + WAYS);
#else
    lanes_store(a, to);
#endif
}

SB_INLINE W pair_kept(const T *from)
{
#if SB_COMPLEX
    return (W){lanes_load((const R *)from), lanes_load((const R *)from + WAYS)};
#else
    return lanes_load(from);
#endif
}

#endif
