/* The order in which a ring of any number of places is solved by cyclic reduction: at the steps s = 1, 2, 4, ... every second one
 * of those that are left leaves, but never the last, which closes the ring. Left at step s are the places s - 1, 2 s - 1, ...
 * and the last one; `end` is its number, and s <= end. */
#ifndef SB_CHUNK_RING_ORDER_H
#define SB_CHUNK_RING_ORDER_H

#include "src/chunk/scalar.h"

SB_ALWAYS_INLINE bool sb_ring_has(int place, int end, int s)
{
    return place == end || ((place + 1) & (s - 1)) == 0;
}

SB_ALWAYS_INLINE bool sb_ring_leaves(int place, int end, int s)
{
    return place != end && ((place + 1) & (2 * s - 1)) == s;
}

/* The nearest places that are left on either side of one that is. */
SB_ALWAYS_INLINE int sb_ring_before(int place, int end, int s)
{
    if (place == end)
        return (end & -s) - 1;
    return place < s ? end : place - s;
}

SB_ALWAYS_INLINE int sb_ring_behind(int place, int end, int s)
{
    if (place == end)
        return s - 1;
    return place + s < end ? place + s : end;
}

#endif
