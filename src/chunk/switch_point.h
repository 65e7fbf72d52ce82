/* The analytical switch point from parallel cyclic reduction to Thomas (lass.txt III.A): how many steps SP of
 * the one, 12 operations a row each and shared out evenly, are worth the 2^SP shorter systems that they leave
 * to the other at 8 operations a row. The paper counts, on the busiest core,
 *
 *     (12 n / cores) SP + 8 n / 2^SP
 *
 * and doubles the second term for 64 systems on 48 cores. In general a core has up to ceil(n / cores) rows of a
 * step, and then up to ceil(2^SP / cores) systems in turn, of up to ceil(n / 2^SP) rows each. Up to 3 cores the
 * answer is 0, for 4 it is 1, for 48 it is 4: fewer systems than cores. */
#ifndef SB_CHUNK_SWITCH_POINT_H
#define SB_CHUNK_SWITCH_POINT_H

#include <stdint.h>

static inline int64_t sb_shares(int64_t amount, int64_t by)
{
    return (amount + by - 1) / by;
}

/* For 2^steps <= n. */
static inline int64_t sb_switch_cost(int64_t n, int cores, int steps)
{
    int64_t systems = INT64_C(1) << steps;
    return 12 * sb_shares(n, cores) * steps + 8 * sb_shares(n, systems) * sb_shares(systems, cores);
}

/* The cheapest; among equals the one with the fewest steps, which keeps the fewest cores busy. */
static inline int sb_switch_point(int64_t n, int cores)
{
    int best = 0;
    for (int steps = 1; n >> steps > 0; ++steps)
        if (sb_switch_cost(n, cores, steps) < sb_switch_cost(n, cores, best))
            best = steps;
    return best;
}

#endif
