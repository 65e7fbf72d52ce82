/* The table of one instruction set's kernels for long systems. */
#include "src/cpu/long/row.h"

typedef union carry {
    carried c;
    truncated t;
    keeping k;
    pivoting p;
} carry;

const sb_long SB_LONG_TABLE = {.lanes = LANES,
                               .state_bytes = sizeof(carry[DEPTH]),
                               .reduce = SB_LONG(reduce),
                               .reduce_lines = SB_LONG(reduce_lines),
                               .forward = SB_LONG(forward),
                               .forward_lines = SB_LONG(forward_lines),
                               .backward = SB_LONG(backward),
                               .start = SB_LONG(start),
                               .sweep = SB_LONG(sweep),
                               .sweep_lines = SB_LONG(sweep_lines),
                               .look = SB_LONG(look),
                               .back = SB_LONG(back),
                               .judge = SB_LONG(judge),
                               .pivot = SB_LONG(pivot),
                               .unpivot = SB_LONG(unpivot),
                               .keep_chunk = SB_LONG(keep_chunk),
                               .keep_rows = SB_LONG(keep_rows),
                               .descend = SB_LONG(descend),
                               .ascend = SB_LONG(ascend)};
