/* What prepare leaves to the launchers. */
#ifndef SB_CUDA_TILE_PLAN_H
#define SB_CUDA_TILE_PLAN_H

#include "src/cuda/method.h"
#include "src/cuda/tile/strided.h"

typedef struct sb_tile_plan {
    int lines, owned; /* which of the three: places of a chunk of lines, or own matrices, or neither */
    union {
        sb_tile_strided strided;
        sb_tile_lines line;
        sb_tile_own own;
    };
    int bulk;             /* strides that the copy engine can do; the arrays' alignment is seen at the call */
    int64_t shared_bytes; /* of a block */
} sb_tile_plan;

#endif
