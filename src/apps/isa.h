/* The instruction sets that the applications' kernels are compiled for, the best first, and the words by which
 * slimband_machine says that the processor has one: src/apps/CMakeLists.txt compiles the same list. */
#ifndef SB_APP_ISA_H
#define SB_APP_ISA_H

/* X(type, name, words) */
#if defined __x86_64__
#ifdef SB_WITHOUT_AVX512
#define SB_APP_AVX512(X, type)
#else
#define SB_APP_AVX512(X, type) X(type, avx512, "avx512dq")
#endif
#ifdef SB_WITHOUT_AVX2
#define SB_APP_AVX2(X, type)
#else
#define SB_APP_AVX2(X, type) X(type, avx2, "avx2 fma")
#endif
#define SB_APP_ISAS(X, type) SB_APP_AVX512(X, type) SB_APP_AVX2(X, type) X(type, portable, "")
#else
#define SB_APP_ISAS(X, type) X(type, portable, "")
#endif

#endif
