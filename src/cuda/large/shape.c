#include <stdbool.h>
#include <stdint.h>

#include "src/cuda/large/shape.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Messages of `numbers` numbers, one from each block, with a sign every 8 bytes. */
static int64_t messages(int64_t blocks, int64_t numbers, int64_t scalar)
{
    return (blocks * ((numbers * scalar + 7) / 8) * 16 + 255) / 256 * 256;
}

/* A link has 10 numbers, a joint 11, without pivoting 7 and 3; see run.cuh for what a block shares. */
static int64_t parts(int64_t whole, int64_t of)
{
    return (whole + of - 1) / of;
}

/* Short lanes take less time; but blocks have to wait for one another, beyond a warp's number of them twice. */
static int64_t columns_for(int64_t rows, int64_t column_rows, int64_t warps, int64_t shares)
{
    int64_t columns = 1, one_block = warps * column_rows, few = least(shares, SB_LARGE_LANES);
    int64_t blocks = rows <= one_block * SB_LARGE_COLUMNS ? 1 : few;
    while (columns < SB_LARGE_COLUMNS && rows > blocks * one_block * columns)
        columns += 2;
    return columns;
}

/* A system that stays on chip, eliminated without pivots: its columns and blocks such that it takes little time, in units of
   a row that every lane sweeps. Blocks of a cluster, and clusters, wait for one another; no more blocks than there are
   processors run at once. False where none will do. */
static bool choose_resident(const sb_cuda_setup *setup, int64_t column_rows, int64_t room, sb_large_shape *s)
{
    enum { CLUSTER = 16, OF_GRID = 8, FIXED = 10, EXCHANGE = 6, MESSAGES = 12 };
    const sb_cuda_device *device = setup->device;
    const slimband_problem *p = setup->problem;
    int64_t per_column = column_rows / SB_LARGE_LANES, least_time = INT64_MAX;
    int64_t grid = device->processors * 10 / 11 / OF_GRID;
    if (p->ends != SLIMBAND_OPEN || p->pivoting == SLIMBAND_PIVOT_PARTIAL || !setup->longest)
        return false;
    for (int64_t columns = 1; columns <= SB_LARGE_COLUMNS; columns += 2) {
        int64_t tiles = parts(setup->longest, columns * column_rows), blocks = parts(tiles, room);
        int64_t cluster = blocks <= CLUSTER ? blocks : OF_GRID;
        if (blocks > CLUSTER)
            blocks = parts(blocks, OF_GRID) * OF_GRID;
        if (blocks > 1 && device->major < 9)
            continue;
        if (blocks > CLUSTER && (setup->systems > 1 || blocks > grid * OF_GRID || !device->cooperative))
            continue;
        int64_t waves = parts(most(1, setup->systems) * blocks, device->processors);
        int64_t time =
            waves * (FIXED + columns * per_column + (blocks > 1) * EXCHANGE + (blocks > CLUSTER) * MESSAGES);
        if (time >= least_time)
            continue;
        least_time = time;
        s->columns = columns;
        s->tiles = tiles;
        s->blocks = blocks;
        s->cluster = cluster;
    }
    return least_time < INT64_MAX;
}

sb_large_shape sb_large_shape_of(const sb_cuda_setup *setup)
{
    enum { MOST_TOGETHER = 4096 };
    const sb_cuda_device *device = setup->device;
    int64_t scalar = (int64_t)setup->scalar_bytes, lanes = SB_LARGE_LANES;
    int64_t joint = 11 * scalar, link = 10 * scalar, ends = 4 * scalar,
            slot = 4 * lanes * SB_LARGE_COLUMNS * 16;
    int64_t per_warp = slot + (lanes - 1) * joint + link + ends, per_block = 3 * (lanes - 1) * joint;
    int64_t room =
        least(SB_LARGE_WARPS(scalar), (device->shared_block - SB_LARGE_STATIC - per_block) / per_warp);
    int64_t systems = most(1, setup->systems), column_rows = lanes * 16 / scalar;
    int64_t shares = device->cooperative ? least(device->processors, lanes * room) : 1;
    sb_large_shape s = {0};
    if (!choose_resident(setup, column_rows, room, &s)) {
        s.columns = columns_for(setup->longest, column_rows, room, most(1, shares / systems));
        s.tiles = most(1, parts(setup->longest, s.columns * column_rows));
        s.blocks = most(1, least(parts(s.tiles, room), shares / systems));
    }
    s.warps = least(room, parts(s.tiles, s.blocks));
    if (!s.cluster)
        s.blocks = least(s.blocks, parts(s.tiles, s.warps)); /* none without a tile */
    s.together = s.blocks == s.cluster ? least(systems, MOST_TOGETHER)
                 : s.blocks > 1        ? shares / s.blocks
                                       : systems;
    s.shared = per_block + s.warps * per_warp;
    s.plain_at = s.cluster ? 0 : (s.tiles * joint + 255) / 256 * 256;
    s.pivoted_at = s.plain_at + messages(s.blocks, 7, scalar);
    s.signs_at = s.pivoted_at + messages(s.blocks, 10, scalar);
    s.scratch = s.signs_at + 256;
    return s;
}
