/* The GPU as a place of systems that differ by a shift. */
#ifndef SB_CUDA_SHIFTED_H
#define SB_CUDA_SHIFTED_H

#include "src/core/backend.h"

extern const sb_shifted_place sb_cuda_shifted_f32, sb_cuda_shifted_f64;

#endif
