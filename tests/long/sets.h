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

#define SB_SCALAR_OF_f32 SLIMBAND_F32
#define SB_SCALAR_OF_f64 SLIMBAND_F64
#define SB_SCALAR_OF_c64 SLIMBAND_C64
#define SB_SCALAR_OF_c128 SLIMBAND_C128
#define SB_SCALAR_OF2(type) SB_SCALAR_OF_##type
#define SB_SCALAR_OF(type) SB_SCALAR_OF2(type)
static const slimband_scalar scalar = SB_SCALAR_OF(SB_TYPE);

#endif
