/* The instruction sets to force. */
#ifndef SB_LONG_SETS_H
#define SB_LONG_SETS_H

#include "slimband/slimband.h"
#include "src/cpu/long/long.h"

enum { MOST_SETS = 4 };

typedef struct set {
    const char *name;
    const sb_long *kernels;
} set;

/* Those that this processor has; returns how many. */
static inline int sets_here(set *sets)
{
    int count = 0;
#define ADD(isa, here) \
    if (here)          \
        sets[count++] = (set){#isa, &SB_ISA_NAME(long, isa)};
    SB_ISAS(ADD)
#undef ADD
    return count;
}

#endif
