/* How partition spreads systems that lie abreast, a lane each, over the device: known to launchers and to the host. */
#ifndef SB_ABREAST_SHAPE_H
#define SB_ABREAST_SHAPE_H

#include <stdbool.h>

#include "src/cuda/large/shape.h"

/* Warps of a block; links that a thread joins to one, and how many times that may be done: more strips than there can be. */
enum { SB_ABREAST_WARPS = 4, SB_ABREAST_RUN = 16, SB_ABREAST_LEVELS = 13 };

/* Numbers of a link's place, which becomes a joint's and then that of a state; of a tile's joint where nothing pivots.
   Pentadiagonal: of a link, and of a joint. */
enum {
    SB_ABREAST_JOINT = 11,
    SB_ABREAST_PLAIN_JOINT = 3,
    SB_ABREAST_PENTA_LINK = 24,
    SB_ABREAST_PENTA_JOINT = 10
};

/* Rows of a tile in each lane, and warps of a processor. */
#define SB_ABREAST_ROWS(scalar_bytes) (SB_LARGE_COLUMNS * 16 / (scalar_bytes))
#define SB_ABREAST_PENTA_ROWS(scalar_bytes) (128 / (scalar_bytes))
enum { SB_ABREAST_CROWD = 12, SB_ABREAST_PENTA_CROWD = 8 };

/* A lane for each system, 32 of them a group; a warp for each strip of a group, which is a number of tiles. What systems keep
   stands side by side: number i of joint or link k at (k numbers + i) lanes + system. */
typedef struct sb_abreast_shape {
    int64_t groups, lanes;               /* lanes: 32 groups */
    int64_t tiles, rows;                 /* of a system, of a tile */
    int64_t strip;                       /* tiles of a strip; the last one may have fewer */
    int64_t numbers;                     /* of a tile's joint */
    int64_t levels;                      /* of links, behind that of strips; the last has a run's at most */
    int64_t count[SB_ABREAST_LEVELS];    /* links of a system; there is room for one more */
    int64_t links_at[SB_ABREAST_LEVELS]; /* bytes in scratch */
    int64_t joints_at;
    int64_t pivoted_at; /* tridiagonal: of each strip and group, the lanes that had to */
    int64_t
        told_at; /* tridiagonal: of each lane, whether any of its strips had to, 0 between calls; pentadiagonal: of each
                           system, whether it is left to teams, and behind them whether any is */
    int64_t nearest;     /* the batch dimension along which systems are next to each other */
    size_t scratch;      /* SIZE_MAX where it overflows */
    double microseconds; /* that a solve takes */
} sb_abreast_shape;

#ifdef __cplusplus
extern "C" {
#endif

sb_abreast_shape sb_abreast_shape_of(const sb_cuda_setup *setup);

#ifdef __cplusplus
}
#endif

SB_CUDA_KEPT_IN_STATE(sb_abreast_shape, sb_abreast_shape_of, sb_abreast)

#endif
