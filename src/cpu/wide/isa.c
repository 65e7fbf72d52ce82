/* Which instruction sets the processor has. */
#include "src/cpu/wide/isa.h"

#include <string.h>

int sb_isa_named(const char *name)
{
    int isa = 0;
#define FOUND(set, here)                           \
    if ((!*name || !strcmp(name, #set)) && (here)) \
        return isa;                                \
    ++isa;
    SB_ISAS(FOUND)
#undef FOUND
    return -1;
}
