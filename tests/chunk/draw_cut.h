/* Cuts of one block into a power of two of chunks, of k rows at least. */
#ifndef SB_TESTS_CHUNK_DRAW_CUT_H
#define SB_TESTS_CHUNK_DRAW_CUT_H

#include "src/cuda/tile/cut.h"
#include "tests/chunk/draw.h"

static inline sb_tile_cut draw_cut(int k, int most_chunks, int n, sb_random *random)
{
    int chunks = 1, most = n / k < most_chunks ? n / k : most_chunks;
    while (2 * chunks <= most && sb_random_between(random, 0, 3) > 0)
        chunks *= 2;
    int least = (n + chunks - 1) / chunks;
    sb_tile_cut cut = {.k = k, .n = n, .blocks = 1, .chunks = chunks, .block_rows = n};
    if (sb_random_between(random, 0, 1))
        cut.first_rows = least + (int)sb_random_between(random, 0, 3);
    return cut;
}

#endif
