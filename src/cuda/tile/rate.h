/* How fast tiles go. */
#ifndef SB_CUDA_TILE_RATE_H
#define SB_CUDA_TILE_RATE_H

#include "src/cuda/tile/plan.h"

/* Bytes a microsecond while the device is full: near the speed of memory, but for own lines so long that few of them are on chip
   at once, and for blocks that wait for each other. */
double sb_tile_rate(const sb_cuda_setup *setup, const sb_tile_plan *plan);

#endif
