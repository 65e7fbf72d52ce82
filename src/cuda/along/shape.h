/* How partition spreads long pentadiagonal lines over warps, and what solves those of them that elimination without pivots is not to
 * be trusted with: known to launchers and to the host. */
#ifndef SB_ALONG_SHAPE_H
#define SB_ALONG_SHAPE_H

#include "src/cuda/bands/shape.h"

/* Links that the lanes of a warp join to one, and how many times that may be done. Warps of a block. */
enum { SB_ALONG_RUN = 32, SB_ALONG_LEVELS = 9, SB_ALONG_WARPS = 8 };

/* Numbers of a link's place, which becomes a joint's and then that of two unknowns; and of a joint. */
enum { SB_ALONG_LINK = 24, SB_ALONG_JOINT = 10 };

/* Rows of a lane: odd, so that lanes fall on different banks; a tile's; bytes of a plane of one on chip, its rows keeping their place
   within 16 bytes. */
#define SB_ALONG_LANE_ROWS(scalar_bytes) ((scalar_bytes) == 4 ? 33 : (scalar_bytes) == 8 ? 17 : 9)
#define SB_ALONG_ROWS(scalar_bytes) (SB_ALONG_RUN * SB_ALONG_LANE_ROWS(scalar_bytes))
#define SB_ALONG_PLANE_BYTES(scalar_bytes) (SB_ALONG_ROWS(scalar_bytes) * (scalar_bytes) + 16)
#define SB_ALONG_STAGE_BYTES(scalar_bytes) (6 * SB_ALONG_PLANE_BYTES(scalar_bytes))
#define SB_ALONG_SHARED_BYTES(scalar_bytes) \
    (SB_ALONG_WARPS * (SB_ALONG_STAGE_BYTES(scalar_bytes) + (int)sizeof(int64_t)))

/* Joints that a tile keeps, of lanes number every, 2 every, ... but the last, which that many lanes' rows lie between: as many as are a
   twentieth of a system with their links. */
#define SB_ALONG_JOINTS(every) (SB_ALONG_RUN / (every)-1)

/* What tiles of alike rows have in common: levels of lanes that leave, 9 numbers for each of the rows that a lane sweeps, 7 for its last
   two, 24 a level, and a link. A warp has AT_ONCE of them at once. On chip what they have in common stands behind the stages and
   barriers for as many tiles of each warp as have room in its stage. */
enum { SB_ALONG_ALIKE_LEVELS = 5 };
#define SB_ALONG_AT_ONCE(scalar_bytes) ((scalar_bytes) == 16 ? 1 : 2)
#define SB_ALONG_QUEUE_BYTES(scalar_bytes) \
    (SB_ALONG_WARPS * 6 / SB_ALONG_AT_ONCE(scalar_bytes) * (int)sizeof(int64_t))
#define SB_ALONG_ALIKE_WORDS(scalar_bytes) \
    (9 * (SB_ALONG_LANE_ROWS(scalar_bytes) - 2) + 7 + 24 * SB_ALONG_ALIKE_LEVELS + SB_ALONG_LINK)
#define SB_ALONG_ALIKE_SHARED_BYTES(scalar_bytes)                               \
    (SB_ALONG_SHARED_BYTES(scalar_bytes) + SB_ALONG_QUEUE_BYTES(scalar_bytes) + \
     SB_ALONG_ALIKE_WORDS(scalar_bytes) * (scalar_bytes))

/* Each system's tiles have links, runs of which are joined level by level. Place k of a system's at a level: number + (system (count +
   1) + k) SB_ALONG_LINK; the one behind the links is for the last unknowns. */
typedef struct sb_along_shape {
    int64_t tiles;                     /* of a system */
    int64_t levels;                    /* behind the first; the last has a run's links at most */
    int64_t count[SB_ALONG_LEVELS];    /* links of a system */
    int64_t links_at[SB_ALONG_LEVELS]; /* bytes in scratch: where teams, who come later, have theirs */
    int64_t joints_at, alike_at;       /* there too */
    int64_t every;                     /* lanes from one joint that tiles keep to the next: 2, 4 .. */
    int64_t kept_at;       /* what alike tiles have in common, and of the transposed, behind kept matrices */
    int64_t low, high;     /* tiles low .. high - 1 of each system are alike, a multiple of AT_ONCE */
    int64_t blocks, apart; /* the first `apart` of them have the other tiles */
    int64_t told_at;       /* of each system, whether it is left to teams, and behind them whether any is */
    sb_bands_shape teams;
    size_t stored, scratch; /* SIZE_MAX where they overflow */
    double microseconds;    /* that a solve takes */
} sb_along_shape;

/* Where a tile begins, the last of which has two rows at least. */
SB_CUDA_INLINE int64_t sb_along_start(int64_t n, int64_t tiles, int rows, int64_t tile)
{
    return tile == tiles ? n : tile * rows - (tile == tiles - 1 && tile > 0 && n % rows == 1);
}

#ifdef __cplusplus
extern "C" {
#endif

sb_along_shape sb_along_shape_of(const sb_cuda_setup *setup);

#ifdef __cplusplus
}
#endif

SB_CUDA_KEPT_IN_STATE(sb_along_shape, sb_along_shape_of, sb_along)

#endif
