/* How the papers' methods are spread over launches and blocks: known to launchers and to the host.
 *
 * Each ends with a block that has all that is left of a system in shared memory. A system that fits one block is
 * solved in one launch. Larger ones first go through `levels` launches in global memory, whose rows and unknowns lie in the
 * system's `room`, a part of scratch; as many systems as are `together` in a wave. In front of the rooms lies a key
 * for each of them: the first bad pivot, see rows.cuh. */
#ifndef SB_REDUCTION_PLAN_H
#define SB_REDUCTION_PLAN_H

#include "src/chunk/levels.h"
#include "src/cuda/method.h"

typedef enum sb_reduction_method {
    SB_CR,
    SB_PCR,
    SB_PCR_THOMAS,
    SB_WANG_MOU,
    SB_TPR,
    SB_CR_TOEPLITZ
} sb_reduction_method;

/* options.form of cr_toeplitz */
enum { SB_FORM_CHOSEN, SB_FORM_SHARED, SB_FORM_GLOBAL };

enum {
    SB_REDUCTION_STATIC = 1024, /* bytes that kernels share beside what the plan counts */
    SB_REDUCTION_THREADS = 256, /* of blocks that work in global memory */
    SB_REDUCTION_BLOCKS = 3,    /* of those with registers for all; told of none, nvcc spills */
    SB_STABLE_SLICE = 2048      /* tpr.txt 5.2 */
};

/* Most threads of the blocks that end a reduction: what registers allow. */
#define SB_REDUCTION_MOST(scalar_bytes) ((scalar_bytes) < 16 ? 512 : 256)

typedef struct sb_reduction {
    int64_t n;
    int64_t tile;     /* rows of tpr's slices and wang_mou's tiles */
    int64_t trunk;    /* cr, tpr, cr_toeplitz: rows of the system that is halved, all of them or tpr's slices */
    int64_t together; /* systems in a wave */
    int64_t room;     /* scalars */
    int64_t shared;   /* bytes of the block that ends the reduction */
    int levels;       /* launches that halve a system, split it (pcr) or merge its tiles (wang_mou) */
    int steps;        /* pcr_thomas: before Thomas, in all */
    int threads;      /* of the block that ends the reduction */
    int slice_threads; /* of a slice's or tile's block */
    bool thomas_alone; /* pcr_thomas: after `levels` launches a thread solves what is left */
    bool listed;       /* there is something to solve */
} sb_reduction;

/* Rows in shared memory whose numbers differ by powers of two fall on different banks: every so many places one is
   left out. */
#define SB_SPOT_SHIFT(item_bytes) ((item_bytes) <= 4 ? 5 : (item_bytes) <= 8 ? 4 : (item_bytes) <= 16 ? 3 : 2)
SB_CUDA_INLINE int sb_spot(int r, int shift)
{
    return r + (r >> shift) + (r >> 2 * shift);
}

/* Bytes of `count` such rows. */
SB_CUDA_INLINE int64_t sb_spots(int64_t count, int64_t item_bytes)
{
    const int shift = SB_SPOT_SHIFT(item_bytes);
    return (count + (count >> shift) + (count >> 2 * shift) + 1) * item_bytes;
}

/* Where things begin in a system's room, in scalars; a row is 4 of them.
   cr: rows of level l >= 1, then their unknowns, from `rows` on. */
SB_CUDA_INLINE int64_t sb_trunk_rows(const sb_reduction *r, int64_t rows, int level)
{
    return rows + 4 * sb_level_start(r->trunk, level);
}

SB_CUDA_INLINE int64_t sb_trunk_unknowns(const sb_reduction *r, int64_t rows, int level)
{
    return sb_trunk_rows(r, rows, r->levels + 1) + sb_level_start(r->trunk, level);
}

/* tpr: half the rows of each slice, the slices' top rows, the unknowns of the trunk, the trunk's levels. */
SB_CUDA_INLINE int64_t sb_tpr_tops(const sb_reduction *r)
{
    return 2 * r->tile * sb_slices(r->n, r->tile);
}

SB_CUDA_INLINE int64_t sb_tpr_unknowns(const sb_reduction *r)
{
    return sb_tpr_tops(r) + 4 * sb_slices(r->n, r->tile);
}

SB_CUDA_INLINE int64_t sb_tpr_trunk(const sb_reduction *r)
{
    return sb_tpr_unknowns(r) + (r->trunk + 3) / 4 * 4;
}

/* wang_mou: rows of level l >= 0, then the unknowns of level l >= 1. */
SB_CUDA_INLINE int64_t sb_tiled_start(const sb_reduction *r, int level)
{
    int64_t start = 0;
    for (int l = 0; l < level; ++l)
        start += sb_tiled_rows(r->n, r->tile, l);
    return start;
}

SB_CUDA_INLINE int64_t sb_tiled_unknowns(const sb_reduction *r, int level)
{
    return 4 * sb_tiled_start(r, r->levels + 1) + sb_tiled_start(r, level) - r->n;
}

/* Elements from one stored diagonal to the next. */
SB_CUDA_INLINE int64_t sb_reduction_pitch(int64_t n)
{
    return (n + 31) / 32 * 32;
}

#ifdef __cplusplus
extern "C"
#endif
    /* False: the slice or form that was asked for does not fit the device. */
    bool
    sb_reduction_of(sb_reduction_method method, const sb_cuda_setup *setup, sb_reduction *plan);

#endif
