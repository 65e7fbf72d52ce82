/* Beside T and R, on the host: WT and WR, the wider pair in which residuals are summed. */
#ifndef SB_CHUNK_WIDER_H
#define SB_CHUNK_WIDER_H

#include "src/chunk/scalar.h"

#if SB_IS(SB_TYPE) == SB_IS_f32
typedef double WT, WR;
#elif SB_IS(SB_TYPE) == SB_IS_f64
typedef long double WT, WR;
#elif SB_IS(SB_TYPE) == SB_IS_c64
typedef double _Complex WT;
typedef double WR;
#else
typedef long double _Complex WT;
typedef long double WR;
#endif

#endif
