/* How partition spreads systems wider than tridiagonal over teams of lanes: known to launchers and to the host. */
#ifndef SB_BANDS_SHAPE_H
#define SB_BANDS_SHAPE_H

#include "src/cuda/method.h"

/* partition's forms: lines: lanes share a system; spare: the same with less workspace, of wide bands; abreast: each lane has its own;
   teams: few lanes share one, of wider bands. */
enum {
    SB_PARTITION_CHOSEN,
    SB_PARTITION_LINES,
    SB_PARTITION_SPARE,
    SB_PARTITION_ABREAST,
    SB_PARTITION_TEAMS,
    SB_PARTITION_FORMS
};

/* Half bandwidths of the kernels: 2, and 4 for wider ones. */
enum { SB_BANDS_NARROW = 2, SB_BANDS_WIDE = 4 };

/* Links that a team joins to one, and how many times that may be done: 16 x 8^14 rows. */
enum { SB_BANDS_RUN = 8, SB_BANDS_LEVELS = 15 };

/* Warps of a block. */
enum { SB_BANDS_WARPS = 2 };

/* Lanes of a team: one for each of the 4 half columns of two neighbouring states. */
#define SB_BANDS_TEAM(half) ((half) <= 2 ? 8 : 16)

/* Rows of a strip: at most so many that links are a twentieth of the system, half, a quarter, .. of that where that takes less time, but
   of one large system, or where there is no room on chip for more. Narrow ones come in powers of two, but for one large system: of
   fewer than five diagonals links are up to a tenth of the others. */
enum { SB_BANDS_NARROW_ROWS = 128, SB_BANDS_LEAST_ROWS = 16 };

/* Words between the rooms of teams on chip, lest those of a warp all begin in one bank. */
enum { SB_BANDS_APART = 4 };

/* Words of a link. */
SB_CUDA_INLINE int64_t sb_bands_link(int64_t half)
{
    return 2 * half * (4 * half + 1);
}

/* Words of shared memory, narrow bands: from one lane's chunk to the next one's, an odd number, so that lanes do not meet in a
   bank; on the way up the chunk's link takes its place. */
SB_CUDA_INLINE int64_t sb_bands_pace(int64_t half, int64_t rows)
{
    int64_t own = rows / SB_BANDS_TEAM(half) * (2 * half + 2) + 1, link = sb_bands_link(half) + 1;
    return own > link ? own : link;
}

/* Words of a team that folds or finishes a strip. Narrow: its lanes' chunks, and to finish their links and the states at their
   ends. Wide: half a strip, a link for the other team of the pair, one of its own to solve in, and two states. */
SB_CUDA_INLINE int64_t sb_bands_room_to_fold(int64_t half, int64_t rows)
{
    return half <= 2 ? SB_BANDS_TEAM(half) * sb_bands_pace(half, rows)
                     : rows / 2 * (2 * half + 2) + 2 * sb_bands_link(half) + 4 * half;
}

SB_CUDA_INLINE int64_t sb_bands_room_to_finish(int64_t half, int64_t rows)
{
    int64_t team = SB_BANDS_TEAM(half), links = team * (sb_bands_link(half) + 1) + (team + 1) * 2 * half;
    return sb_bands_room_to_fold(half, rows) + (half <= 2 ? links : 0);
}

/* Bytes of a block whose teams have so many words. */
SB_CUDA_INLINE int64_t sb_bands_shared(int64_t half, int64_t words, int64_t scalar_bytes)
{
    return SB_BANDS_WARPS * (32 / SB_BANDS_TEAM(half)) * (words + SB_BANDS_APART) * scalar_bytes;
}

/* Level 0 has a link for each strip: 2 half equations of 4 half + 1 numbers. On the way back the state at the cut where it begins
   takes its place, and that at the system's end the place of one link more. All systems' links of a level stand together. */
typedef struct sb_bands_shape {
    int64_t half;                      /* 2 or 4 */
    int64_t rows;                      /* of a strip */
    int64_t levels;                    /* behind the first; the last has a run's links at most */
    int64_t count[SB_BANDS_LEVELS];    /* links of a system */
    int64_t links_at[SB_BANDS_LEVELS]; /* bytes in scratch */
    int64_t zeros_at;    /* of each system: the unknown, counted from the end, that no equation knew; 0: none */
    size_t scratch;      /* SIZE_MAX where it overflows */
    double microseconds; /* that a solve takes */
    bool across;         /* neighbouring systems are nearer to each other than neighbouring rows */
} sb_bands_shape;

#ifdef __cplusplus
extern "C" {
#endif

sb_bands_shape sb_bands_shape_of(const sb_cuda_setup *setup);

/* Levels behind the first, of so many strips. */
int64_t sb_bands_levels(int64_t strips);
/* Cuts room for the links of every level, of each system and one more, from scratch memory of which so much is used. */
void sb_bands_cut_levels(sb_bands_shape *s, int64_t strips, size_t systems, size_t scalar_bytes, size_t *used);

/* Elements of each stored diagonal of a matrix; and the bytes that matrices are stored in. */
int64_t sb_bands_stored_rows(const sb_cuda_setup *setup);
size_t sb_bands_stored_bytes(const sb_cuda_setup *setup);

#ifdef __cplusplus
}
#endif

SB_CUDA_KEPT_IN_STATE(sb_bands_shape, sb_bands_shape_of, sb_bands)

#endif
