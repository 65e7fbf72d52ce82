/* What prepare leaves to the launchers. */
#ifndef SB_CUDA_TILE_PLAN_H
#define SB_CUDA_TILE_PLAN_H

#include "src/cuda/method.h"
#include "src/cuda/tile/strided.h"

/* Which kernels. */
typedef enum sb_tile_form { SB_TILE_STRIDED, SB_TILE_LINES, SB_TILE_OWN, SB_TILE_OWN_LINES } sb_tile_form;

typedef struct sb_tile_plan {
    sb_tile_form form;
    int places; /* LINES, OWN_LINES: of a chunk in registers */
    union {
        sb_tile_strided strided;
        sb_tile_lines line;
        sb_tile_own own;
        sb_tile_own_lines own_lines;
    };
    int bulk;             /* strides that the copy engine can do; the arrays' alignment is seen at the call */
    int64_t shared_bytes; /* of a block */
    int resident[2];      /* clusters that the device holds at once: without the copy engine, with it */
} sb_tile_plan;

static inline const sb_tile_cut *sb_tile_cut_of(const sb_tile_plan *plan)
{
    return plan->form == SB_TILE_LINES       ? &plan->line.cut
           : plan->form == SB_TILE_OWN       ? &plan->own.tiles.cut
           : plan->form == SB_TILE_OWN_LINES ? &plan->own_lines.lines.cut
                                             : &plan->strided.cut;
}

#endif
