/* The instruction sets to force. */
#ifndef SB_WIDE_SETS_H
#define SB_WIDE_SETS_H

#include "slimband/slimband.h"
#include "src/cpu/wide/wide.h"

typedef struct set {
    char method[32]; /* "lanes:isa=avx2" */
    const sb_wide *wide;
} set;

enum { MOST_SETS = 4 };

/* Those that this processor has; returns how many. */
int sets_here(set *sets);

#define SB_SCALAR_OF_f32 SLIMBAND_F32
#define SB_SCALAR_OF_f64 SLIMBAND_F64
#define SB_SCALAR_OF_c64 SLIMBAND_C64
#define SB_SCALAR_OF_c128 SLIMBAND_C128
#define SB_SCALAR_OF2(type) SB_SCALAR_OF_##type
#define SB_SCALAR_OF(type) SB_SCALAR_OF2(type)
static const slimband_scalar scalar = SB_SCALAR_OF(SB_TYPE);

#endif
