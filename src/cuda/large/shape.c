#include "src/cuda/large/shape.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A link has 10 numbers, a joint 11; see partition.cu for what a block shares. */
sb_large_shape sb_large_shape_of(const sb_cuda_setup *setup)
{
    const sb_cuda_device *device = setup->device;
    int64_t scalar = (int64_t)setup->scalar_bytes, lanes = SB_LARGE_LANES;
    int64_t tile_rows = lanes * (SB_LARGE_LANE_BYTES / scalar), joint = 11 * scalar, link = 10 * scalar,
            ends = 4 * scalar;
    int64_t per_warp = 4 * lanes * SB_LARGE_LANE_BYTES + (lanes - 1) * joint + link + ends,
            per_block = 3 * (lanes - 1) * joint;
    sb_large_shape s = {.tiles = most(1, (setup->longest + tile_rows - 1) / tile_rows)};
    int64_t room =
        least(SB_LARGE_WARPS(scalar), (device->shared_block - SB_LARGE_STATIC - per_block) / per_warp);
    int64_t systems = most(1, setup->systems);
    int64_t shares = device->cooperative ? least(device->processors, lanes * room) : 1;
    s.blocks = most(1, least((s.tiles + room - 1) / room, shares / systems));
    s.warps = least(room, (s.tiles + s.blocks - 1) / s.blocks);
    s.together = s.blocks > 1 ? shares / s.blocks : systems;
    s.shared = per_block + s.warps * per_warp;
    s.links_at = (s.tiles * joint + 255) / 256 * 256;
    s.flags_at = s.links_at + (s.blocks * link + 255) / 256 * 256;
    s.scratch = s.flags_at + (s.blocks * 4 + 255) / 256 * 256;
    return s;
}
