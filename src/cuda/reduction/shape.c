/* How much of a system each launch takes. */
#include "src/cuda/reduction/plan.h"

#include "src/chunk/switch_point.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t row_bytes(const sb_cuda_setup *setup)
{
    return 4 * (int64_t)setup->scalar_bytes;
}

static int64_t room_of_block(const sb_cuda_setup *setup)
{
    return setup->device->shared_block - SB_REDUCTION_STATIC;
}

/* Enough systems for one block each to keep the device busy. */
static bool many(const sb_cuda_setup *setup)
{
    return 2 * setup->systems >= setup->device->processors;
}

/* Systems of a wave that goes through global memory: so many that the launches of small levels are nothing, so few that
   their rooms, up to 8 words a row, are no more than large systems'. */
static int64_t in_flight(const sb_cuda_setup *setup)
{
    const int64_t rows = INT64_C(1) << 23;
    return least(setup->systems, most(1, rows / setup->longest));
}

/* Rows that the last block takes, of those that it has room for: all of a system that fits if there are many; of a few
   systems no more than one block is quicker with than launches are. */
static int64_t block_rows(const sb_cuda_setup *setup, int64_t fit, int64_t quick)
{
    return many(setup) && setup->longest <= fit ? fit : least(fit, quick);
}

static int threads_for(const sb_cuda_setup *setup, int64_t items)
{
    return (int)least((most(items, 1) + 31) / 32 * 32, SB_REDUCTION_MOST(setup->scalar_bytes));
}

/* The most items, of which sb_spots takes room. */
static int64_t spots_in(int64_t bytes, int64_t item)
{
    int64_t count = 1;
    while (sb_spots(2 * count, item) <= bytes)
        count *= 2;
    for (int64_t more = count / 2; more > 0; more /= 2)
        if (sb_spots(count + more, item) <= bytes)
            count += more;
    return count;
}

/* Halved until the last block takes the rest, half of which it keeps in shared memory. */
static void halve(const sb_cuda_setup *setup, int64_t item, int64_t quick, sb_reduction *r)
{
    int64_t fit = 2 * spots_in(room_of_block(setup), item);
    r->levels = sb_halvings_to(r->trunk, block_rows(setup, fit, quick));
    int64_t kept = (r->trunk >> r->levels) / 2;
    r->shared = sb_spots(kept, item);
    r->threads = threads_for(setup, kept);
}

static void shape_cr(const sb_cuda_setup *setup, sb_reduction *r)
{
    const int64_t quick = 2048;
    r->trunk = r->n;
    halve(setup, row_bytes(setup), quick, r);
    r->room = sb_trunk_unknowns(r, 0, r->levels + 1);
}

static bool shape_toeplitz(const sb_cuda_setup *setup, sb_reduction *r)
{
    const int64_t quick = 8192, item = (int64_t)setup->scalar_bytes;
    r->trunk = r->n;
    halve(setup, item, quick, r);
    if (setup->options.form == SB_FORM_SHARED) {
        r->levels = 0;
        r->shared = sb_spots(r->n / 2, item);
        r->threads = threads_for(setup, r->n / 2);
    }
    if (setup->options.form == SB_FORM_GLOBAL)
        r->levels = sb_cr_levels(r->n);
    r->room = sb_level_start(r->n, r->levels + 1);
    return r->n / 2 <= spots_in(room_of_block(setup), item) || setup->options.form != SB_FORM_SHARED;
}

/* Two copies of the rows of a system. */
static int64_t pcr_fit(const sb_cuda_setup *setup)
{
    return room_of_block(setup) / (2 * row_bytes(setup));
}

static void shape_pcr(const sb_cuda_setup *setup, sb_reduction *r)
{
    const int64_t quick = 1024;
    int64_t rows = block_rows(setup, pcr_fit(setup), quick);
    while (sb_system_rows(r->n, r->levels, 0) > rows)
        ++r->levels;
    rows = sb_system_rows(r->n, r->levels, 0);
    r->shared = 2 * rows * row_bytes(setup);
    r->threads = threads_for(setup, rows);
    r->room = 4 * r->n * least(r->levels, 2);
}

/* Threads that a system can have are the cores of the switch point. */
static void shape_pcr_thomas(const sb_cuda_setup *setup, sb_reduction *r)
{
    const int64_t quick = 1024, fewest = 32, together = in_flight(setup);
    bool whole = r->n <= block_rows(setup, pcr_fit(setup), quick);
    int64_t share = (int64_t)setup->device->processors * setup->device->threads / together;
    int64_t cores = most(fewest, whole ? least(share, SB_REDUCTION_MOST(setup->scalar_bytes)) : share);
    r->steps = setup->options.steps >= 0 ? setup->options.steps : sb_switch_point(r->n, (int)cores);
    while (r->steps > 0 && r->n >> r->steps == 0)
        --r->steps;
    if (whole) {
        r->shared = 2 * r->n * row_bytes(setup);
        r->threads = threads_for(setup, r->n);
        return;
    }
    r->thomas_alone = true;
    r->levels = r->steps;
    r->room = 4 * r->n * most(1, least(r->levels, 2));
}

static void shape_wang_mou(const sb_cuda_setup *setup, sb_reduction *r)
{
    const int64_t quick = 1024, tile = 256;
    int64_t fit = room_of_block(setup) / row_bytes(setup);
    int64_t rows = block_rows(setup, fit, quick);
    for (r->tile = tile; r->tile > fit; r->tile /= 2) /* even: pairs of rows stay together */
        continue;
    while (sb_tiled_rows(r->n, r->tile, r->levels) > rows)
        ++r->levels;
    rows = sb_tiled_rows(r->n, r->tile, r->levels);
    r->threads = threads_for(setup, rows / 2);
    r->slice_threads = threads_for(setup, r->tile / 2);
    r->shared = (r->levels ? most(r->tile, rows) : rows) * row_bytes(setup);
    r->room = r->levels ? sb_tiled_unknowns(r, r->levels + 1) : 0;
}

/* tpr.txt 4.4 for a device of today. The paper: S = 2 L, L the threads of a block that fill a multiprocessor in the most
   blocks; where that leaves more slices than one block takes in the second stage, the least S that does not. Here the second stage
   begins with launches, so that it takes any number; and where there are slices enough, four rows a thread
   are quicker than two. Stable: 5.2. */
static bool shape_tpr(const sb_cuda_setup *setup, sb_reduction *r)
{
    const int64_t blocks_of_processor = 16, rows_of_thread = 4, most_slices = 1 << 14, quick = 2048;
    int64_t fit = 2, threads = 32;
    while (fit < SB_STABLE_SLICE && 2 * sb_spots(fit, row_bytes(setup)) <= room_of_block(setup))
        fit *= 2;
    while (threads * blocks_of_processor < setup->device->threads)
        threads *= 2;
    bool stable = setup->options.form, asked = setup->options.slice > 0;
    int64_t wanted = asked    ? setup->options.slice
                     : stable ? SB_STABLE_SLICE
                              : least(fit, rows_of_thread * threads);
    r->tile = sb_slice_for(r->n, wanted, asked || stable ? INT64_MAX : most_slices);
    r->tile = asked ? r->tile : least(r->tile, fit);
    r->trunk = r->n / r->tile;
    halve(setup, row_bytes(setup), quick, r);
    bool enough = sb_slices(r->n, r->tile) * setup->systems >= blocks_of_processor * setup->device->processors;
    r->slice_threads = threads_for(setup, r->tile / (enough ? rows_of_thread : 2));
    r->room = sb_trunk_unknowns(r, sb_tpr_trunk(r), r->levels + 1);
    return r->tile <= fit;
}

bool sb_reduction_of(sb_reduction_method method, const sb_cuda_setup *setup, sb_reduction *r)
{
    bool fits = true;
    *r = (sb_reduction){.n = setup->longest, .listed = setup->longest > 0 && setup->systems > 0};
    if (!r->listed)
        return true;
    switch (method) {
    case SB_CR:
        shape_cr(setup, r);
        break;
    case SB_PCR:
        shape_pcr(setup, r);
        break;
    case SB_PCR_THOMAS:
        shape_pcr_thomas(setup, r);
        break;
    case SB_WANG_MOU:
        shape_wang_mou(setup, r);
        break;
    case SB_TPR:
        fits = shape_tpr(setup, r);
        break;
    case SB_CR_TOEPLITZ:
        fits = shape_toeplitz(setup, r);
        break;
    }
    r->room = (r->room + 31) / 32 * 32;
    r->together = r->room ? in_flight(setup) : setup->systems;
    return fits;
}
