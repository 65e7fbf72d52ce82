/* Short systems, a lane each, whole systems on chip: known to launchers and to the host. */
#ifndef SB_SHORT_SHAPE_H
#define SB_SHORT_SHAPE_H

#include "src/cuda/method.h"

/* Unknowns of a system, and diagonals on a side, at most; bytes that a block shares besides its rows. */
enum { SB_SHORT_ROWS = 64, SB_SHORT_STATIC = 16 };
#define sb_short_widest(scalar_bytes) ((scalar_bytes) == 16 ? 2 : 4)

/* Half bandwidth of the kernels: 1, 2 and 4. */
SB_CUDA_INLINE int sb_short_half(int lower, int upper)
{
    int widest = lower > upper ? lower : upper;
    return widest < 2 ? 1 : widest == 2 ? 2 : 4;
}

/* Bytes of a warp's 32 systems. One matrix for all of them stands there once. */
SB_CUDA_INLINE int64_t sb_short_shared(int64_t half, int64_t rows, bool one_matrix, bool straight,
                                       int64_t scalar_bytes)
{
    return ((2 * half + (straight ? 0 : 1)) * (one_matrix ? 1 : 32) + 32) * rows * scalar_bytes;
}

typedef struct sb_short_shape {
    int nearest;                         /* the batch dimension along which systems are next to each other */
    bool matrix_along, b_along, x_along; /* rows are nearer to each other than systems are */
    bool straight; /* lanes take their rows straight from memory: those rows lie so, and it is sooner done */
    bool sooner_straight;
    double microseconds; /* that a solve takes */
} sb_short_shape;

/* The same for copies of the matrices, of which neighbouring lanes' are next to each other. */
SB_CUDA_INLINE sb_short_shape sb_short_kept(sb_short_shape s)
{
    s.matrix_along = false;
    s.straight = s.sooner_straight && !s.b_along && !s.x_along;
    return s;
}

#ifdef __cplusplus
extern "C" {
#endif

sb_short_shape sb_short_shape_of(const sb_cuda_setup *setup);

#ifdef __cplusplus
}
#endif

SB_CUDA_KEPT_IN_STATE(sb_short_shape, sb_short_shape_of, sb_short)

#endif
