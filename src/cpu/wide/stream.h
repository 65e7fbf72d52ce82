/* A row of a tile to the user's array, where its neighbours lie side by side, around the caches: whole cache lines, wherever in
 * one the row begins; what it has of the two at its ends is stored as usual. */
#ifndef SB_STREAM_H
#define SB_STREAM_H

#include "src/cpu/wide/names.h"

/* Real number k of a row as the user has it, re and im in turn. */
SB_INLINE R real_of_row(const R *from, bool pairs, int64_t lanes, int64_t k)
{
    return SB_COMPLEX && !pairs ? from[(k % 2) * lanes + k / 2] : from[k];
}

/* A word of a row as the user has it, to an address aligned to V. pairs: see sb_rows; then it comes as it lies. */
SB_INLINE void stream_word(R *to, bool pairs, W a)
{
#if SB_COMPLEX
    V first = a.re, second = a.im;
    if (!pairs)
        vmerge(a.re, a.im, &first, &second);
    vstream(to, first);
    vstream(to + SB_WIDTH, second);
#else
    (void)pairs;
    vstream(to, a);
#endif
}

/* A row on its way. Reals before `head` and from `end` on, of `all`, are in lines that it has but a part of; those before `done` are out. */
typedef struct stream {
    const R *from; /* its first real in the tile, whose rows have */
    int64_t lanes;
    bool pairs; /* as in sb_rows */
    R *to;
    int64_t head, end, all, done;
} stream;

/* count: numbers of type T. */
SB_INLINE stream stream_of(const R *from, bool pairs, int64_t lanes, T *row, int64_t count)
{
    enum { line = SB_CACHE_LINE / sizeof(R) };
    stream s = {.from = from, .lanes = lanes, .pairs = pairs, .to = (R *)row, .all = count * SB_PLANES};
    s.head = (int64_t)(-(uintptr_t)row % SB_CACHE_LINE / sizeof(R));
    if (s.head > s.all || (SB_COMPLEX && s.head % 2))
        s.head = s.all; /* a row within a line, or complex numbers that lie across the ends of lines */
    s.end = s.all - (s.all - s.head) % line;
    return s;
}

SB_INLINE void stream_reals(stream *s, int64_t to)
{
    for (; s->done < to; ++s->done)
        s->to[s->done] = real_of_row(s->from, s->pairs, s->lanes, s->done);
}

/* What can go out of its first `count` numbers, once there are more than a line of them. */
SB_INLINE void stream_part(stream *s, int64_t count)
{
    enum { word = SB_WIDTH * SB_PLANES };
    int64_t end = count * SB_PLANES < s->end ? count * SB_PLANES : s->end;
    if (s->done < s->head)
        stream_reals(s, s->head < end ? s->head : end);
    for (; s->done + word <= end; s->done += word)
        stream_word(s->to + s->done, s->pairs,
                    s->pairs ? wload(s->from + s->done, SB_WIDTH)
                             : wload(s->from + s->done / SB_PLANES, s->lanes));
}

SB_INLINE void stream_rest(stream *s)
{
    stream_part(s, s->all / SB_PLANES);
    stream_reals(s, s->all);
}

SB_INLINE void stream_row(const R *from, int64_t lanes, T *row, int64_t count)
{
    stream s = stream_of(from, false, lanes, row, count);
    stream_rest(&s);
}

/* Rows from one that is stored to one whose ends are fetched: stores behind those to a line that is not there wait for it. */
enum { SB_ENDS_AHEAD = 8 };

/* The lines at the ends of a row that lies `further` reals from this one, where it has but a part of them. */
SB_INLINE void fetch_ends(const T *row, int64_t count, int64_t further)
{
    const R *first = (const R *)row;
    int64_t end = count * SB_PLANES + further;
    if ((uintptr_t)vfar(first, further) % SB_CACHE_LINE)
        vfetch(first, further);
    if ((uintptr_t)vfar(first, end) % SB_CACHE_LINE)
        vfetch(first, end - 1);
}

#endif
