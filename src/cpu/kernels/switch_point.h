/* The switch point of a plan on the CPU. */
#ifndef SB_SWITCH_POINT_H
#define SB_SWITCH_POINT_H

#include "src/chunk/switch_point.h"
#include "src/cpu/kernels/spread.h"
#include "src/cpu/tuning.h"

/* Threads that it pays to wake: what sb_spread will use. */
static inline int sb_cores_of(int64_t n, const sb_tuning *tuning)
{
    return n < SB_ROWS_WORTH_THREADS ? 1 : tuning->threads;
}

/* The steps of a plan: as its option says, while systems have rows left; else the cheapest for those threads. */
static inline int sb_steps_of(int64_t n, const sb_tuning *tuning)
{
    if (tuning->switch_point == SB_SWITCH_CHOSEN)
        return sb_switch_point(n, sb_cores_of(n, tuning));
    int wanted = tuning->switch_point;
    while (n >> wanted == 0)
        --wanted;
    return wanted;
}

#endif
