/* The instruction sets to force. */
#ifndef SB_LONG_SETS_H
#define SB_LONG_SETS_H

#include "slimband/slimband.h"
#include "src/cpu/long/long.h"

enum { MOST_SETS = 5 };

/* name: what follows "isa=" for partition and truncated; isa: for lanes. */
typedef struct set {
    const char *name, *isa;
    const sb_long *kernels;
} set;

/* Those that this processor has; returns how many. */
static inline int sets_here(set *sets)
{
    int count = 0;
#define ADD(isa, here) \
    if (here)          \
        sets[count++] = (set){#isa ",vectors=2", #isa, &SB_ISA_NAME(long, isa)};
    SB_ISAS(ADD)
#undef ADD
#if !SB_COMPLEX
#define ADD(isa, here) \
    if (here)          \
        sets[count++] = (set){#isa ",vectors=1", #isa, &SB_ISA_NAME(narrow, isa)};
    SB_NARROW_ISAS(ADD)
#undef ADD
#endif
    return count;
}

#endif
