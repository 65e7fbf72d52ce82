/* Where a difference operator looks beyond a wall: at the mirror image of a point. */
#ifndef SB_FOLD_H
#define SB_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "slimband/walls.h"

typedef struct sb_image {
    int64_t row;
    int sign; /* 1, -1, or 0 for a point on a wall where u = 0 */
} sb_image;

/* Index -1, -2, ... beyond a lower wall. */
static inline sb_image sb_beyond(bool dirichlet, slimband_centring centring, int64_t j)
{
    if (centring == SLIMBAND_AT_CELLS)
        return (sb_image){-1 - j, dirichlet ? -1 : 1};
    if (!dirichlet)
        return (sb_image){-j, 1};
    return j == -1 ? (sb_image){0, 0} : (sb_image){-2 - j, -1};
}

/* The point that stands for index j, at most two outside of 0..n-1. Odd images at Dirichlet walls and even ones at
   Neumann walls continue the solutions of the heat equation smoothly, so that no order is lost there. */
static inline sb_image sb_fold(slimband_walls walls, slimband_centring centring, int64_t n, int64_t j)
{
    if (j >= 0 && j < n)
        return (sb_image){j, 1};
    if (walls == SLIMBAND_WALLS_PP)
        return (sb_image){j < 0 ? j + n : j - n, 1};
    if (j < 0)
        return sb_beyond(walls == SLIMBAND_WALLS_DD || walls == SLIMBAND_WALLS_DN, centring, j);
    sb_image image = sb_beyond(walls == SLIMBAND_WALLS_DD || walls == SLIMBAND_WALLS_ND, centring, n - 1 - j);
    image.row = n - 1 - image.row;
    return image;
}

#endif
