/* How a large system is spread over the device, and for how long: known to launchers and to the host. */
#ifndef SB_LARGE_SHAPE_H
#define SB_LARGE_SHAPE_H

#include <stdbool.h>

#include "src/cuda/method.h"

enum { SB_LARGE_LANES = 32, SB_LARGE_COLUMNS = 7, SB_LARGE_STATIC = 512 };

/* Elements from one stored diagonal to the next. */
#define sb_large_pitch(n) (((n) + 31) / 32 * 32)

/* Blocks of a cluster: at most, and where there are several clusters; how many there are at most. */
enum { SB_LARGE_CLUSTER = 16, SB_LARGE_OF_GRID = 8, SB_LARGE_CLUSTERS = 16 };

/* Warps of partition's blocks at most: what registers allow. */
#define SB_LARGE_WARPS(scalar_bytes) ((scalar_bytes) < 16 ? 12 : 8)

typedef struct sb_large_shape {
    int64_t columns;                        /* of a tile: granules of 16 bytes in each lane, an odd number */
    int64_t tiles;                          /* of a system */
    int64_t warps;                          /* of a block */
    int64_t blocks;                         /* of a system */
    int64_t cluster;                        /* of these, where the system stays on chip; else 0 */
    int64_t together;                       /* systems in one launch */
    int64_t shared;                         /* bytes of a block */
    int64_t plain_at, pivoted_at, signs_at; /* in scratch, which has a part for each system in flight */
    int64_t scratch;
    double microseconds; /* that a solve takes */
    /* Do as many clusters run at once as have to wait for one another? Of the kernel that walks through runs of tiles, and of
       the one whose systems stay on chip. */
    bool runs_fit, stays_fit;
} sb_large_shape;

/* What the truncated method leaves on the device: how much it may have neglected, as the bits of a float that bounds
   the error relative to the largest unknowns; the exact kernels behind it read that, and return where it is no more than
   the limit. last: what the call before neglected; 0 where it was solved exactly. */
typedef struct sb_large_doubt {
    int bound, last;
    unsigned asked;
} sb_large_doubt;

#define SB_LARGE_LIMIT(real) (sizeof(real) == 4 ? 0x1p-24f : 0x1p-53f)

#ifdef __cplusplus
extern "C" {
#endif

sb_large_shape sb_large_shape_of(const sb_cuda_setup *setup);

/* How many times as long its words take to come and go as those of lines, measured: of a system that lies across its
   neighbours each comes by itself. */
double sb_large_detour(const sb_cuda_setup *setup);

/* Do lines of several systems begin elsewhere than at multiples of 16 bytes? Those that lie across are counted as a detour. */
bool sb_large_uneven(const sb_cuda_setup *setup);

#ifdef __cplusplus
}
#endif

SB_CUDA_KEPT_IN_STATE(sb_large_shape, sb_large_shape_of, sb_large)

#endif
