/* Plain C that is compiled once for each level of the x86-64 architecture (v2: SSE4, v3: AVX2, v4: AVX-512),
 * and once as it is on other machines. The build sets SB_LEVEL, and SB_TYPE where the text depends on the
 * scalar. */
#ifndef SB_BENCH_LEVEL_H
#define SB_BENCH_LEVEL_H

#include "slimband/scalar.h"

#if defined __x86_64__
#define SB_LEVELS(X) X(v2) X(v3) X(v4)
#else
#define SB_LEVELS(X) X(plain)
#endif

#define SB_LEVEL_JOIN2(name, level) sb_##name##_##level
#define SB_LEVEL_JOIN(name, level) SB_LEVEL_JOIN2(name, level)
#define SB_LEVEL_NAME(name) SB_LEVEL_JOIN(name, SB_LEVEL)

/* The widest that this processor has, counting along SB_LEVELS. */
int sb_bench_level(void);
const char *sb_bench_level_name(int level);

#endif
