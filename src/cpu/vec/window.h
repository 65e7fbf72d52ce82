/* Neighbours of lanes in the vectors before and behind.
 *
 *     vwindow(a, b, k)   the SB_WIDTH lanes from lane k on of a followed by b; k: a constant, 0 < k < SB_WIDTH */
#ifndef SB_VEC_WINDOW_H
#define SB_VEC_WINDOW_H

#include "src/cpu/vec/vec.h"

#if SB_ISA_IS == SB_ISA_avx512 && SB_SINGLE
#define vwindow(a, b, k) \
    _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(b), _mm512_castps_si512(a), k))
#elif SB_ISA_IS == SB_ISA_avx512
#define vwindow(a, b, k) \
    _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(b), _mm512_castpd_si512(a), k))
#elif SB_WIDTH_LOG2 == 1
#define vwindow(a, b, k) __builtin_shufflevector(a, b, (k), (k) + 1)
#elif SB_WIDTH_LOG2 == 2
#define vwindow(a, b, k) __builtin_shufflevector(a, b, (k), (k) + 1, (k) + 2, (k) + 3)
#else
#define vwindow(a, b, k) \
    __builtin_shufflevector(a, b, (k), (k) + 1, (k) + 2, (k) + 3, (k) + 4, (k) + 5, (k) + 6, (k) + 7)
#endif

#endif
