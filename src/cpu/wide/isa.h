/* The instruction sets that this build has wide kernels for, the best first. */
#ifndef SB_ISA_H
#define SB_ISA_H

#include <stdbool.h>

/* X(name, can this processor run it): cmake/isas.cmake has the same list. */
#if defined __x86_64__
#ifdef SB_WITHOUT_AVX512
#define SB_ISAS_AVX512(X)
#else
#define SB_ISAS_AVX512(X)                                                                \
    X(avx512, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && \
                  __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
#endif
#ifdef SB_WITHOUT_AVX2
#define SB_ISAS_AVX2(X)
#else
#define SB_ISAS_AVX2(X) X(avx2, __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#endif
#define SB_ISAS(X)    \
    SB_ISAS_AVX512(X) \
    SB_ISAS_AVX2(X)   \
    X(portable, true)
#elif defined __aarch64__
#define SB_ISAS(X) \
    X(neon, true)  \
    X(portable, true)
#else
#define SB_ISAS(X) X(portable, true)
#endif

/* Those that have kernels for long systems with one vector of chunks in a tile beside those with two, in f32 and f64. */
#if defined __x86_64__ && !defined SB_WITHOUT_AVX2
#define SB_NARROW_ISAS(X) SB_ISAS_AVX2(X)
#else
#define SB_NARROW_ISAS(X)
#endif

/* Number of an instruction set that this processor has: by name, or the best for "". -1 if there is none. */
int sb_isa_named(const char *name);

/* Of a vector. */
int sb_isa_bytes(int isa);

#endif
