/* How partition spreads bands of up to 4 + 4 over lanes that do not pivot, a strip each, and what solves those systems that this is not
 * to be trusted with: known to launchers and to the host. */
#ifndef SB_BANDS_PLAIN_H
#define SB_BANDS_PLAIN_H

#include "src/cuda/bands/shape.h"

/* Lanes of a warp, which is a block; rows of its window. Before each window, or each of a group, a strip keeps what it knows of the
   four rows before: 36 numbers; 20 where the unknowns before the strip are known, which is what passes from window to window of a
   group on the way back. */
enum { SB_PLAIN_LANES = 32, SB_PLAIN_KEPT = 36, SB_PLAIN_PASSED = 20 };
#define SB_PLAIN_WINDOW(scalar_bytes) ((scalar_bytes) == 16 ? 8 : 16)

/* Bytes that a block has on chip: a window for each diagonal and for right-hand sides, and where lanes' strips are, 1536; of complex
   doubles the strips' heads too, 36 numbers of each lane and one more, for which there are no registers. */
#define SB_PLAIN_PITCH(scalar_bytes) ((scalar_bytes) == 16 ? 36 : SB_PLAIN_LANES + 8 / (scalar_bytes))
#define SB_PLAIN_HEADS(scalar_bytes) ((scalar_bytes) == 16 ? SB_PLAIN_LANES * (SB_PLAIN_KEPT + 1) : 0)
#define SB_PLAIN_SHARED_BYTES(scalar_bytes)                                                               \
    ((10 * SB_PLAIN_WINDOW(scalar_bytes) * SB_PLAIN_PITCH(scalar_bytes) + SB_PLAIN_HEADS(scalar_bytes)) * \
         (scalar_bytes) +                                                                                 \
     1536)

/* links: of strips, whose rows are a multiple of a window's; the last has four at least. */
typedef struct sb_plain_shape {
    sb_bands_shape links, teams;
    int64_t group;       /* windows of a group; 1: each window is one */
    int64_t kept_at;     /* bytes in scratch: where teams, who come later, have their links */
    int64_t passed_at;   /* and what passes from window to window */
    int64_t told_at;     /* of each system, whether it is left to teams, and behind them whether any is */
    size_t scratch;      /* SIZE_MAX where it overflows */
    double microseconds; /* that a solve takes */
} sb_plain_shape;

/* Groups of a strip's windows that begin behind its first one. */
SB_CUDA_INLINE int64_t sb_plain_kept_groups(int64_t rows, int64_t window, int64_t group)
{
    return (rows / window - 1) / group;
}

/* Where a strip begins, the last of which has four rows at least. */
SB_CUDA_INLINE int64_t sb_plain_start(int64_t n, int64_t strips, int64_t rows, int64_t strip)
{
    if (strip == strips)
        return n;
    int64_t most = n - 4 * (strips - strip);
    return strip * rows < most ? strip * rows : most;
}

#ifdef __cplusplus
extern "C" {
#endif

sb_plain_shape sb_plain_shape_of(const sb_cuda_setup *setup);

#ifdef __cplusplus
}
#endif

SB_CUDA_KEPT_IN_STATE(sb_plain_shape, sb_plain_shape_of, sb_plain)

#endif
