/* Which level this processor has. */
#include "bench/level.h"

int sb_bench_level(void)
{
#if defined __x86_64__
    bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl");
    return v3 + v4;
#else
    return 0;
#endif
}

const char *sb_bench_level_name(int level)
{
#define NAME(name) #name,
    static const char *const names[] = {SB_LEVELS(NAME)};
#undef NAME
    return names[level];
}
