/* The cut that fits a problem to the device. */
#ifndef SB_CUDA_TILE_ARRANGE_H
#define SB_CUDA_TILE_ARRANGE_H

#include "src/cuda/tile/plan.h"

/* Whether own matrices are eliminated as they are solved for; a single one can be factored as a shared one too. */
bool sb_tile_owns_matrices(const sb_cuda_setup *setup);

/* False if the device cannot do it. Rows and systems are not 0. */
bool sb_tile_arrange(const sb_cuda_setup *setup, sb_tile_plan *plan);

#endif
