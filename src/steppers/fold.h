/* Where a difference operator looks beyond a wall: at the mirror image of a point. */
#ifndef SB_FOLD_H
#define SB_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "slimband/walls.h"

#ifdef __CUDACC__
#define SB_FOLD static __host__ __device__ inline
#else
#define SB_FOLD static inline
#endif

typedef struct sb_image {
    int64_t row;
    int sign; /* 1, -1, or 0 for a point on a wall where u = 0 */
} sb_image;

/* Index -1, -2, ... beyond a lower wall. */
SB_FOLD sb_image sb_beyond(bool dirichlet, slimband_centring centring, int64_t j)
{
    sb_image image = {-j, 1};
    if (centring == SLIMBAND_AT_CELLS) {
        image.row = -1 - j;
        image.sign = dirichlet ? -1 : 1;
    } else if (dirichlet) {
        image.row = j == -1 ? 0 : -2 - j;
        image.sign = j == -1 ? 0 : -1;
    }
    return image;
}

/* The point that stands for index j, at most two outside of 0..n-1. Odd images at Dirichlet walls and even ones at
   Neumann walls continue the solutions of the heat equation smoothly, so that no order is lost there. */
SB_FOLD sb_image sb_fold(slimband_walls walls, slimband_centring centring, int64_t n, int64_t j)
{
    sb_image image = {j, 1};
    if (j >= 0 && j < n)
        return image;
    if (walls == SLIMBAND_WALLS_PP) {
        image.row = j < 0 ? j + n : j - n;
        return image;
    }
    if (j < 0)
        return sb_beyond(walls == SLIMBAND_WALLS_DD || walls == SLIMBAND_WALLS_DN, centring, j);
    image = sb_beyond(walls == SLIMBAND_WALLS_DD || walls == SLIMBAND_WALLS_ND, centring, n - 1 - j);
    image.row = n - 1 - image.row;
    return image;
}

#endif
