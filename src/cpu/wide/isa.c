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

int sb_isa_bytes(int isa)
{
    enum { avx512 = 64, avx2 = 32, neon = 16, portable = 16 };
#define BYTES(set, here) set,
    static const int bytes[] = {SB_ISAS(BYTES)};
#undef BYTES
    return bytes[isa];
}
