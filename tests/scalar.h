/* The public name of SB_TYPE, for tests that are compiled once for each scalar type. */
#ifndef SB_TESTS_SCALAR_H
#define SB_TESTS_SCALAR_H

#include "slimband/slimband.h"

#define SB_SCALAR_OF_f32 SLIMBAND_F32
#define SB_SCALAR_OF_f64 SLIMBAND_F64
#define SB_SCALAR_OF_c64 SLIMBAND_C64
#define SB_SCALAR_OF_c128 SLIMBAND_C128
#define SB_SCALAR_OF2(type) SB_SCALAR_OF_##type
#define SB_SCALAR_OF(type) SB_SCALAR_OF2(type)
static const slimband_scalar scalar = SB_SCALAR_OF(SB_TYPE);

#endif
