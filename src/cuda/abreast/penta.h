/* Pentadiagonal systems abreast, and what solves those of them that elimination without pivots is not to be trusted with. */
#ifndef SB_ABREAST_PENTA_H
#define SB_ABREAST_PENTA_H

#include "src/cuda/abreast/shape.h"
#include "src/cuda/bands/shape.h"

typedef struct sb_abreast_penta {
    sb_abreast_shape lanes;
    sb_bands_shape teams;
    int64_t teams_at; /* bytes in scratch */
    size_t scratch;
    double microseconds;
} sb_abreast_penta;

#ifdef __cplusplus
extern "C" {
#endif

sb_abreast_penta sb_abreast_penta_of(const sb_cuda_setup *setup);

#ifdef __cplusplus
}
#endif

SB_CUDA_KEPT_IN_STATE(sb_abreast_penta, sb_abreast_penta_of, sb_abreast_penta)

#endif
