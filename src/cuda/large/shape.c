#include <stdint.h>

#include "src/cuda/large/shape.h"
#include "src/cuda/scratch.h"

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

/* Short lanes take less time; but blocks have to wait for one another, beyond a warp's number of them twice. */
static int64_t columns_for(int64_t rows, int64_t column_rows, int64_t warps, int64_t shares)
{
    int64_t columns = 1, one_block = warps * column_rows, few = least(shares, SB_LARGE_LANES);
    int64_t blocks = rows <= one_block * SB_LARGE_COLUMNS ? 1 : few;
    while (columns < SB_LARGE_COLUMNS && rows > blocks * one_block * columns)
        columns += 2;
    return columns;
}

static int doublings(int64_t count)
{
    int steps = 0;
    while (INT64_C(1) << steps < count)
        ++steps;
    return steps;
}

double sb_large_detour(const sb_cuda_setup *setup)
{
    const double sector = 32, apart = 2.8;
    return sb_cuda_lies_across(setup->problem) ? apart * sector / (double)setup->scalar_bytes : 1;
}

static bool in_pieces(const slimband_problem *p, const slimband_layout *at, int64_t bytes)
{
    const int64_t piece = 16;
    bool all = true;
    for (int d = 0; d < p->batch_rank; ++d)
        all = all && (p->batch[d] == 1 || at->batch[d] * bytes % piece == 0);
    return all;
}

bool sb_large_uneven(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    const int64_t bytes = (int64_t)setup->scalar_bytes;
    const bool own = setup->matrices > 1;
    return !sb_cuda_lies_across(p) && (!in_pieces(p, &p->rhs, bytes) || !in_pieces(p, &p->solution, bytes) ||
                                       (own && !in_pieces(p, &p->matrix, bytes)));
}

/* Elements come by themselves where lines begin anywhere. */
static double bytes_a_word(const sb_cuda_setup *setup)
{
    const double uneven = setup->scalar_bytes == 4 ? 1.2 : 1.1;
    return (double)most(1, setup->systems) * (double)setup->longest * (double)setup->scalar_bytes *
           sb_large_detour(setup) * (sb_large_uneven(setup) ? uneven : 1);
}

/* A cluster stays within a group of some 18 processors, of which two in several groups are missing. */
static int64_t systems_at_once(const sb_cuda_device *device, const sb_large_shape *s)
{
    enum { GROUP = 18, SURE = 16 };
    int64_t groups = most(1, device->processors / GROUP);
    return s->blocks == 1           ? device->processors
           : s->blocks == 2         ? device->processors / 2
           : s->blocks > s->cluster ? 1
                                    : groups * (SURE / s->blocks);
}

/* Microseconds on an H200: what one system waits for, as often as the device is full of systems, and its 5 words a row. See
   resident.cuh for the steps; fitted to measured times of all shapes of 2^7 to 2^16 rows whose ends come apart after some
   16 rows, as those of most matrices do, and of 32 batches, some of several waves, in f64. A processor has 4 schedulers, whose second warps come late, and takes its rows in
   at a certain rate. */
static double time_of_resident(const sb_cuda_setup *setup, const sb_large_shape *s, int64_t lane_rows)
{
    const double scalar = (double)setup->scalar_bytes;
    const double fixed = 4.6 + 0.06 * scalar, row = 0.05 + 0.0075 * scalar, level = 0.06 + 0.006 * scalar,
                 second = 0.06 * scalar, cluster = 0.6, messages = 0.9, block_bytes_per_microsecond = 1.5e5,
                 bytes_per_microsecond = 4e6;
    const int64_t apart = 16;
    int64_t waves = sb_cuda_parts(most(1, setup->systems), systems_at_once(setup->device, s));
    int64_t clusters = s->blocks / s->cluster;
    double rows = (double)(s->warps * lane_rows * SB_LARGE_LANES);
    double waits = row * (double)lane_rows + second * (double)(sb_cuda_parts(s->warps, 4) - 1) +
                   level * (doublings(sb_cuda_parts(apart, lane_rows)) + doublings(s->warps) +
                            doublings(s->cluster) + doublings(clusters)) +
                   (s->blocks > 1 ? cluster : 0) + (clusters > 1 ? messages : 0) +
                   4 * rows * scalar / block_bytes_per_microsecond;
    const double again = 1.2, of_cluster = 1.1; /* what of a wave's waits those around it do not fill */
    return fixed + waits + (double)(waves - 1) * (again + of_cluster * doublings(s->cluster)) +
           5 * bytes_a_word(setup) / bytes_per_microsecond;
}

/* Runs of one tile stay on chip, but take as long. */
static double time_of_runs(const sb_cuda_setup *setup)
{
    const double fixed = 13, bytes_per_microsecond = 4.1e6;
    return fixed + 9 * bytes_a_word(setup) / bytes_per_microsecond;
}

/* Every warp of a few blocks walks through its run of tiles. */
static void choose_runs(const sb_cuda_setup *setup, int64_t column_rows, int64_t room, int64_t shares,
                        sb_large_shape *s)
{
    int64_t systems = most(1, setup->systems);
    s->columns = columns_for(setup->longest, column_rows, room, most(1, shares / systems));
    s->tiles = most(1, sb_cuda_parts(setup->longest, s->columns * column_rows));
    s->blocks = most(1, least(sb_cuda_parts(s->tiles, room), shares / systems));
    s->warps = least(room, sb_cuda_parts(s->tiles, s->blocks));
    s->blocks = least(s->blocks, sb_cuda_parts(s->tiles, s->warps)); /* none without a tile */
    s->together = s->blocks > 1 ? shares / s->blocks : systems;
    s->microseconds = time_of_runs(setup);
}

/* Takes s with so many blocks for the best if it takes less time; warps have two tiles where one each does not do. With pivoting,
   each warp reads a link of 32 blocks. Blocks of a cluster, and clusters, wait for one another; of several clusters all have to
   run at once. */
static void try_blocks(const sb_cuda_setup *setup, sb_large_shape s, int64_t blocks, int64_t lane_rows,
                       int64_t room, sb_large_shape *best)
{
    enum { MOST_TOGETHER = 4096 };
    const sb_cuda_device *device = setup->device;
    int64_t systems = most(1, setup->systems);
    int64_t clusters = least(device->processors * 10 / 11 / SB_LARGE_OF_GRID, SB_LARGE_CLUSTERS);
    int64_t grid = clusters * SB_LARGE_OF_GRID;
    bool several = blocks > SB_LARGE_CLUSTER;
    bool deep = s.columns == SB_LARGE_COLUMNS && s.tiles > room * blocks;
    s.blocks = several ? sb_cuda_parts(blocks, SB_LARGE_OF_GRID) * SB_LARGE_OF_GRID : blocks;
    s.cluster = several ? SB_LARGE_OF_GRID : blocks;
    s.warps = sb_cuda_parts(s.tiles, (deep ? 2 : 1) * s.blocks);
    if (s.warps > room || s.blocks > SB_LARGE_LANES * s.warps || ((blocks > 1 || deep) && device->major < 9) ||
        (several && (systems > 1 || s.blocks > grid || !device->cooperative)))
        return;
    s.together = several ? 1 : least(systems, MOST_TOGETHER);
    s.microseconds = time_of_resident(setup, &s, (deep ? 2 : 1) * lane_rows);
    if (s.microseconds < best->microseconds)
        *best = s;
}

/* A system that stays on chip, eliminated without pivots: in columns and blocks such that it takes less time. */
static void choose_resident(const sb_cuda_setup *setup, int64_t column_rows, int64_t room, sb_large_shape *best)
{
    const slimband_problem *p = setup->problem;
    if (p->ends != SLIMBAND_OPEN || p->pivoting == SLIMBAND_PIVOT_PARTIAL || setup->longest == 0 ||
        (p->coefficients == SLIMBAND_TOEPLITZ && p->one_pass) || p->batch_rank > 1)
        return;
    for (int64_t columns = 1; columns <= SB_LARGE_COLUMNS; columns += 2) {
        sb_large_shape s = {.columns = columns, .tiles = sb_cuda_parts(setup->longest, columns * column_rows)};
        int64_t deep = columns == SB_LARGE_COLUMNS ? 2 : 1;
        int64_t blocks = sb_cuda_parts(s.tiles, deep * room),
                enough = least(s.tiles, setup->device->processors);
        for (; blocks <= enough; blocks += blocks < SB_LARGE_CLUSTER ? 1 : SB_LARGE_OF_GRID)
            try_blocks(setup, s, blocks, columns * column_rows / SB_LARGE_LANES, room, best);
    }
}

/* A link has 10 numbers, a joint 11, without pivoting 7 and 3; see run.cuh and resident.cuh for what a block shares. */
sb_large_shape sb_large_shape_of(const sb_cuda_setup *setup)
{
    const sb_cuda_device *device = setup->device;
    int64_t scalar = (int64_t)setup->scalar_bytes, lanes = SB_LARGE_LANES;
    int64_t joint = 11 * scalar, link = 10 * scalar, ends = 4 * scalar,
            slot = 4 * lanes * SB_LARGE_COLUMNS * 16;
    int64_t per_warp = slot + (lanes - 1) * joint + link + ends, per_block = 3 * (lanes - 1) * joint;
    int64_t room =
        least(SB_LARGE_WARPS(scalar), (device->shared_block - SB_LARGE_STATIC - per_block) / per_warp);
    int64_t column_rows = lanes * 16 / scalar;
    int64_t shares = device->cooperative ? least(device->processors, lanes * room) : 1;
    sb_large_shape s = {0};
    choose_runs(setup, column_rows, room, shares, &s);
    choose_resident(setup, column_rows, room, &s);
    s.shared = per_block + s.warps * per_warp;
    s.plain_at = s.cluster && s.tiles <= s.warps * s.blocks ? 0 : (s.tiles * joint + 255) / 256 * 256;
    s.pivoted_at = s.plain_at + messages(s.blocks, 7, scalar);
    s.signs_at = s.pivoted_at + messages(s.blocks, 10, scalar);
    s.scratch = s.signs_at + 256;
    return s;
}
