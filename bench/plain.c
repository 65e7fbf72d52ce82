/* The plain kernels of each scalar type and level. */
#include "bench/plain.h"

#define DECLARE(type, level)                                                                   \
    sb_plain_function sb_eliminate_line_##type##_##level, sb_eliminate_strip_##type##_##level, \
        sb_factor_##type##_##level, sb_substitute_line_##type##_##level, sb_substitute_strip_##type##_##level;
#define DECLARE_LEVEL(level) DECLARE(f32, level) DECLARE(f64, level) DECLARE(c64, level) DECLARE(c128, level)
SB_LEVELS(DECLARE_LEVEL)

#define ROW(type, level)                                                                                     \
    {                                                                                                        \
        sb_eliminate_line_##type##_##level, sb_eliminate_strip_##type##_##level, sb_factor_##type##_##level, \
            sb_substitute_line_##type##_##level, sb_substitute_strip_##type##_##level                        \
    }
#define ROWS(level) {ROW(f32, level), ROW(f64, level), ROW(c64, level), ROW(c128, level)},

const sb_plain_kernels *sb_plain_kernels_of(slimband_scalar scalar, int level)
{
    static const sb_plain_kernels kernels[][4] = {SB_LEVELS(ROWS)};
    return &kernels[level][scalar];
}
