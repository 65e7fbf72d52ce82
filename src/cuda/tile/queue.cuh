/* Tiles as they are taken: who is done first takes the next one, so that what is read and written at any time lies close together and
 * nobody waits for the slowest. */
#ifndef SB_CUDA_TILE_QUEUE_CUH
#define SB_CUDA_TILE_QUEUE_CUH

#include "src/cuda/tile/deal.h"

namespace
{

/* Of one launch, or piece. Each of `takers` is given the tiles that are its own number and `given` - 1 times as many takers behind;
   having been given none that is not there, it takes one after another until it has taken one that is not. So `tiles` less
   those given before the last round are taken in all, whoever does, and the last to take leaves 0 behind for the next launch. */
struct sb_tile_queue {
    unsigned *taken;
    int tiles, takers, given;

    __device__ __forceinline__ int take() const
    {
        return given * takers + static_cast<int>(atomicInc(taken, tiles - (given - 1) * takers - 1));
    }
};

} // namespace

#endif
