/* The table of one instruction set's wide kernels. */
#include "src/cpu/wide/names.h"

const sb_wide SB_WIDE(lanes) = {.width = SB_WIDTH,
                                .group = SB_GROUP,
                                .gather = SB_WIDE(gather),
                                .scatter = SB_WIDE(scatter),
                                .fence = SB_WIDE(fence),
                                .forward = SB_WIDE(forward),
                                .backward = SB_WIDE(backward),
                                .eliminate = SB_WIDE(eliminate),
                                .forward_rows = SB_WIDE(forward_rows),
                                .backward_rows = SB_WIDE(backward_rows),
                                .forward_lines = SB_WIDE(forward_lines),
                                .backward_lines = SB_WIDE(backward_lines),
                                .march = SB_WIDE(march),
                                .march_lines = SB_WIDE(march_lines),
                                .border = SB_WIDE(border),
                                .unspike = SB_WIDE(unspike),
                                .unspike_own = SB_WIDE(unspike_own),
                                .measure = SB_WIDE(measure)};
