/* Which instruction sets there are to force. */
#include "tests/wide/sets.h"

#include <stdio.h>

int sets_here(set *sets)
{
    int count = 0;
#define ADD(isa, here)                                                                            \
    if (here) {                                                                                   \
        snprintf(sets[count].method, sizeof sets[count].method, "lanes:isa=" #isa);               \
        snprintf(sets[count].stretched, sizeof sets->stretched, "lanes:isa=" #isa ",stretch=16"); \
        snprintf(sets[count].whole, sizeof sets->whole, "lanes:isa=" #isa ",stretch=1000000");    \
        sets[count++].wide = &SB_ISA_NAME(lanes, isa);                                            \
    }
    SB_ISAS(ADD)
#undef ADD
    return count;
}
