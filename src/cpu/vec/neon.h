/* NEON as on every AArch64: 128 bits, one chunk. What the compilers make of plain vectors is as good but for
 * the fused multiply-add. */
#if !defined __ARM_NEON || !defined __aarch64__
#error "neon is for AArch64"
#endif
#include <arm_neon.h>

#include "src/cpu/vec/chunk.h"

static inline V vmadd(V a, V b, V c)
{
#if SB_SINGLE
    return (V)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
    return (V)vfmaq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#endif
}

static inline V vnmadd(V a, V b, V c)
{
#if SB_SINGLE
    return (V)vfmsq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
    return (V)vfmsq_f64((float64x2_t)c, (float64x2_t)a, (float64x2_t)b);
#endif
}
