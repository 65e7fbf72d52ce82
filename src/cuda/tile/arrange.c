/* How `tile` cuts systems, and which kernels they go to. */
#include "src/cuda/tile/arrange.h"

#include "src/cuda/tile/grid.h"
#include "src/cuda/tile/rate.h"

/* LEAST_TAKEN: bytes of a tile of lines that are worth being taken from a queue (512 rows of one matrix: 1.13 -> 1.09 floors; with
   4 KB, f32 and 1024 rows, 1.13 -> 1.35, all being taken in one place). */
enum { FEWEST_STAGES = 2, BOX = 256, WARP = 32, LEAST_TAKEN = 8000 };

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t share(int64_t whole, int64_t parts)
{
    return (whole + parts - 1) / parts;
}

static bool in_lines(const slimband_problem *p)
{
    return p->rhs.line == 1 && p->solution.line == 1;
}

bool sb_tile_owns_matrices(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    bool own = p->coefficients == SLIMBAND_OWN && setup->matrices == setup->systems;
    bool lines = in_lines(p) && p->matrix.line == 1, aside = p->rhs.line != 1;
    if (own && sb_tile_half_band(p) == 2 && lines)
        return p->n > 1 && (setup->systems > 1 || p->one_pass);
    if (own && p->lower == 2 && p->upper == 2)
        return aside && p->scalar < SLIMBAND_C64 && p->n > 1 && setup->systems > 1;
    return own && p->lower == 1 && p->upper == 1 && (lines || aside);
}

static int64_t room(const sb_tile_strided *job, int64_t bytes)
{
    const sb_tile_cut *cut = &job->cut;
    int64_t k = cut->k, order = cut->blocks * k;
    int64_t scalars =
        (int64_t)cut->chunks * cut->slots * (3 * k + SB_TILE_FORWARD(k, SB_TILE_ALONE(k, job->lines > 0))) +
        cut->chunks * SB_TILE_LINK * k * k + 2 * k * k + 2 * k * order +
        SB_TILE_TURNS * (cut->chunks + cut->blocks) * 2 * k * job->columns;
    return (SB_TILE_MOST_STAGES + SB_TILE_TURNS + SB_TILE_NUMBERS) * (int64_t)sizeof(uint64_t) +
           scalars * bytes;
}

/* Of lines one after another: how far they stand apart in a stage; where the copy engine can take them back, and chunks of whole pieces
   of 16 bytes be read. */
static void stand_in_lines(const sb_cuda_setup *setup, sb_tile_strided *job)
{
    const int64_t bytes = (int64_t)setup->scalar_bytes, piece = 16;
    const sb_tile_grid *grid = &job->grid;
    sb_tile_cut *cut = &job->cut;
    job->pitch_bytes = (int)(((share(cut->block_rows * bytes, piece) + 1) | 1) * piece);
    const bool in = cut->n * bytes % piece == 0 && cut->block_rows * bytes % piece == 0 &&
                    sb_tile_lines_in_pieces(&grid->b_at, bytes);
    const int64_t rows = SB_TILE_PIECE(bytes, setup->problem->scalar >= SLIMBAND_C64),
                  first_rows = share(share(cut->block_rows, cut->chunks), rows) * rows;
    const int64_t rest = cut->n - (cut->blocks - 1) * cut->block_rows - (cut->chunks - 1) * first_rows;
    job->bulk_out = sb_tile_lines_alike(&grid->x_at, &grid->b_at, bytes);
    job->pieces = in && rows > 1 && first_rows <= cut->slots && rest >= 2 * cut->k;
    if (job->pieces)
        cut->first_rows = (int)first_rows;
}

/* Blocks of a cluster on this device: more than 8 only where that was found to be had, and no more than there are processors (of a part
   of a device there may be few). */
static int most_blocks_of(const sb_cuda_device *device, int64_t bytes, int64_t k)
{
    enum { PORTABLE = 8 };
    const bool large = device->major == 9 || device->major == 10;
    int most = SB_TILE_MOST_BLOCKS(bytes, k);
    if (device->major < 9)
        return 1;
    if (most > PORTABLE && !large)
        most = PORTABLE;
    return most < device->processors ? most : device->processors;
}

/* The cut with at most this many chunks a block, of a processor's several blocks; false if the device cannot do it. */
static bool cut(const sb_cuda_setup *setup, int most_chunks, int resident, bool bulk, sb_tile_plan *plan)
{
    sb_tile_strided *job = &plan->strided;
    int64_t n = setup->longest, bytes = (int64_t)setup->scalar_bytes;
    const int k = sb_tile_half_band(setup->problem);
    const bool in_lines = job->lines > 0, alone = SB_TILE_ALONE(k, in_lines);
    int slots = SB_TILE_SLOTS(bytes, setup->problem->scalar >= SLIMBAND_C64, k, alone),
        lanes = SB_TILE_LANES(bytes);
    int64_t most =
        resident == 2 && alone ? SB_TILE_PAIR_CHUNKS(k) : SB_TILE_MOST_CHUNKS(bytes, alone) / resident;
    int64_t blocks = share(n, most_chunks * slots);
    if (blocks > most_blocks_of(setup->device, bytes, k))
        return false;
    int64_t rows = share(n, blocks), chunks = share(rows, slots);
    if (alone && chunks > most)
        return false;
    if (in_lines && blocks > 1)
        rows = share(rows, 16 / bytes) * (16 / bytes);
    int64_t across = in_lines ? setup->systems : job->grid.extent,
            outer = in_lines ? 1 : job->grid.outer[0] * job->grid.outer[1];
    int64_t groups = smaller(most / smaller(chunks, most), BOX / (WARP * lanes * SB_TILE_WORDS(bytes)));
    groups = smaller(groups, share(across, WARP * lanes));
    int64_t lines = share(across, WARP * lanes) * outer;
    while (groups > 1 && lines / groups < setup->device->processors)
        groups /= 2;
    job->cut = (sb_tile_cut){k, (int)n, (int)blocks, (int)chunks, slots, (int)rows, 0, 0, 0};
    job->columns = (int)groups * WARP * lanes;
    job->parts = (int)share(rows, BOX);
    job->part_rows = (int)share(rows, job->parts);
    if (in_lines)
        stand_in_lines(setup, job);
    job->stage_bytes =
        (int)(in_lines ? job->columns * job->pitch_bytes : job->parts * job->part_rows * job->columns * bytes);
    const int64_t reserved = 1 << 10; /* of shared memory, for each block */
    int64_t block_bytes = (setup->device->shared_block + reserved) / resident - reserved;
    int64_t left = block_bytes - room(job, bytes);
    job->stages = bulk && left > 0 ? (int)smaller(left / job->stage_bytes, SB_TILE_MOST_STAGES) : 0;
    job->across = (int)share(across, job->columns);
    job->tiles = (int)(job->across * outer);
    plan->shared_bytes = room(job, bytes);
    return left >= 0 && (!bulk || job->stages > 0);
}

/* Whether lines follow each other without gaps. */
static void lay_lines(const sb_cuda_setup *setup, sb_tile_lines *job)
{
    const sb_tile_grid *grid = &job->grid;
    int64_t n = setup->longest;
    job->joined = grid->single && grid->b_at.column == n && grid->x_at.column == n;
    job->systems = (int)setup->systems;
}

/* The room of a tile, and what the copy engine can do. */
static void size_stages(const sb_cuda_setup *setup, sb_tile_lines *job)
{
    int64_t bytes = (int64_t)setup->scalar_bytes,
            n = smaller(setup->longest, (int64_t)job->near * job->cut.block_rows);
    const sb_tile_grid *grid = &job->grid;
    int64_t length = n * bytes * (job->joined ? job->together : 1);
    job->pitch_bytes = (int)(share(n * bytes, SB_TILE_LINE_ALIGNMENT) + 1) * SB_TILE_LINE_ALIGNMENT;
    job->stage_bytes = (int)(job->joined ? (share(length, SB_TILE_LINE_ALIGNMENT) + 1) * SB_TILE_LINE_ALIGNMENT
                                         : (int64_t)job->together * job->pitch_bytes);
    job->bulk_in = setup->device->major >= 9;
    job->bulk_out = job->bulk_in && sb_tile_lines_alike(&grid->x_at, &grid->b_at, bytes);
}

/* Where chunks begin to be tried. Twice as long ones halve the lanes that have to agree, which is what pentadiagonal lines wait for
   (f64, floors: n = 128 / 256 / 300 / 512 1.81 / 1.69 / 2.69 / 1.70 -> 1.73 / 1.53 / 2.31 / 1.42, but 64 2.04 -> 2.25); tridiagonal ones
   gain only where no lane is idle (256 / 512 1.06 / 1.055 -> 1.047 / 1.045), but in f32, where it is instructions that they wait
   for (300 / 450 1.29 / 1.14 -> 1.11 / 1.10, but 40 / 128 / 192 1.22 / 1.18 / 1.22 -> 1.79 / 1.74 / 1.42). */
static int fewest_slots(int64_t bytes, bool complex, int k, int64_t n)
{
    enum { FEWEST_ROWS = 128, FEWEST_SINGLE = 225, FEWEST_TRIDIAGONAL = 256 };
    int64_t lanes = 1;
    if (bytes == 4 && k == 1)
        return n >= FEWEST_SINGLE ? SB_TILE_MIDDLE : SB_TILE_SHORT;
    while (lanes * SB_TILE_MIDDLE < n)
        lanes *= 2;
    bool full = n >= FEWEST_TRIDIAGONAL && 10 * n >= 9 * lanes * SB_TILE_MIDDLE;
    return bytes == 8 && !complex && (k == 2 ? n >= FEWEST_ROWS : full) ? SB_TILE_MIDDLE : SB_TILE_SHORT;
}

/* Lanes of a line: as many as there are chunks, where that was timed; else the next power of two. */
static int line_width(int64_t bytes, bool complex, int k, int chunks)
{
    int width = 1;
    if (!complex && (bytes == 4 || k == 1))
        return chunks;
    while (width < chunks)
        width *= 2;
    return width;
}

/* As many warps as there is room for, and registers. */
static bool fill_block(const sb_cuda_setup *setup, sb_tile_plan *plan)
{
    enum { STAGES = 2 };
    sb_tile_lines *job = &plan->line;
    const sb_tile_cut *cut = &job->cut;
    const int64_t bytes = (int64_t)setup->scalar_bytes, word = (int64_t)sizeof(uint64_t), near = job->near;
    const int most =
        SB_TILE_LINE_WARPS(bytes, setup->problem->scalar >= SLIMBAND_C64, cut->k, cut->slots, cut->blocks > 1);
    job->stages = job->bulk_in ? STAGES : 1;
    const int64_t tables = near * SB_TILE_LANE_TABLES(cut->k, cut->slots, cut->blocks) * bytes + word;
    int64_t team = job->stages * (job->stage_bytes + word);
    if (cut->blocks > 1)
        team += SB_TILE_TURNS * (2 * (int64_t)cut->k * cut->blocks * bytes + 2 * word);
    const int64_t teams = smaller(most / near, (setup->device->shared_block - tables) / team);
    job->warps = (int)(teams * near);
    plan->shared_bytes = tables + teams * team;
    return teams >= 1;
}

/* Warps that share a line, a part each; parts begin at multiples of 16 bytes, and each chunk has an interior. The tables of a part
   take a block's room from stages, so that a cluster's blocks have one part each; but for two whose lanes are all at work (f64,
   floors by one block and by several: n = 2048 1.059 and 1.080, 1500 1.17 and 1.09, 3000 2.2 and 1.04, 4096 1.67 and 1.05). */
static bool arrange_team(const sb_cuda_setup *setup, int slots, sb_tile_plan *plan)
{
    enum { MOST_PARTS = 8, PAIR = 2 };
    sb_tile_lines *job = &plan->line;
    const int64_t n = setup->longest, bytes = (int64_t)setup->scalar_bytes, piece = share(16, bytes),
                  parts = share(n, WARP * slots);
    const bool full = 10 * n >= 9 * parts * WARP * slots, small = bytes < 16;
    const int k = sb_tile_half_band(setup->problem), most = setup->device->major < 9 ? PAIR : MOST_PARTS;
    if (parts > most || setup->systems > INT32_MAX / 2)
        return false;
    const int64_t rows = share(share(n, parts), piece) * piece;
    plan->form = SB_TILE_LINES;
    plan->places = slots;
    job->cut = (sb_tile_cut){k, (int)n, (int)parts, (int)share(rows, slots), slots, (int)rows, slots, 2 * k, 0};
    job->width = WARP;
    job->together = 1;
    job->near = setup->device->major < 9 || (k == 1 && parts == PAIR && full && small) ? (int)parts : 1;
    lay_lines(setup, job);
    job->joined = job->joined && job->near == parts;
    job->queued = n * bytes >= LEAST_TAKEN;
    size_stages(setup, job);
    return fill_block(setup, plan);
}

/* Shorter chunks where so many fewer lanes are idle that it takes less time (f64, n = 1057 / 1200 / 1300, floors: 1.50 / 1.32 / 1.23 ->
   1.31 / 1.14 / 1.08; pentadiagonal, 1600: 2.49 -> 1.63). What they reach, longer ones do. */
static bool arrange_teams(const sb_cuda_setup *setup, int longest, sb_tile_plan *plan)
{
    sb_tile_plan between = *plan;
    if (!arrange_team(setup, longest, plan))
        return false;
    if (longest > SB_TILE_BETWEEN && arrange_team(setup, SB_TILE_BETWEEN, &between) &&
        sb_tile_rate(setup, &between) > sb_tile_rate(setup, plan))
        *plan = between;
    return true;
}

/* All chunks but the first ones have as many rows as places, which is odd, so that lanes fall on different banks; in a ring each has
   an interior. */
static bool arrange_lines(const sb_cuda_setup *setup, sb_tile_plan *plan)
{
    enum { MOST_RUN = 16 << 10, FULL_RUN = 6 << 10 };
    const slimband_problem *p = setup->problem;
    sb_tile_lines *job = &plan->line;
    int64_t bytes = (int64_t)setup->scalar_bytes, n = setup->longest;
    const int k = sb_tile_half_band(p), least = p->ends == SLIMBAND_PERIODIC ? 2 * k : 0,
              longest = SB_TILE_LONGEST(bytes, p->scalar >= SLIMBAND_C64);
    int slots = fewest_slots(bytes, p->scalar >= SLIMBAND_C64, k, n);
    while (slots < longest && WARP * slots < n)
        slots = 2 * slots - 1;
    if (WARP * SB_TILE_SHORT < n &&
        n <= WARP * SB_TILE_BETWEEN) /* f64, n = 545: 1.20 -> 1.05 floors; f32 1.42 -> 1.19 */
        slots = (int)smaller(SB_TILE_BETWEEN, longest);
    if (WARP * slots < n)
        return arrange_teams(setup, slots, plan);
    if (setup->systems > INT32_MAX / 2)
        return false;
    plan->form = SB_TILE_LINES;
    plan->places = slots;
    job->cut = (sb_tile_cut){k, (int)n, 1, (int)share(n, slots), slots, (int)n, slots, least, 0};
    job->width = line_width(bytes, p->scalar >= SLIMBAND_C64, k, job->cut.chunks);
    job->together = WARP / job->width * SB_TILE_DEPTH(bytes, slots, k);
    job->near = 1;
    lay_lines(setup, job);
    /* Runs that begin on whole lines of memory; for the lines that wait for instructions only where that leaves room for all warps
       (300 in f32: 1.11 or 1.24 floors). */
    const bool busy = bytes == 4 && k == 1 && slots == SB_TILE_MIDDLE;
    const int64_t most_run = busy ? FULL_RUN : MOST_RUN;
    for (int times = 1; job->joined && times < 4 && job->together * n * bytes % SB_TILE_LINE_ALIGNMENT != 0 &&
                        job->together * n * bytes <= most_run / 2;
         times *= 2)
        job->together *= 2;
    size_stages(setup, job);
    job->queued = job->together * n * bytes >= LEAST_TAKEN;
    return fill_block(setup, plan);
}

/* How many lanes of a warp meet in a bank at most, each at the same row of its chunk: `width` lanes a line, chunks of so many rows,
   lines `apart` bytes apart. Lanes come in turns of 128 bytes. */
static int lanes_in_a_bank(int64_t width, int64_t rows, int64_t apart, int64_t bytes)
{
    enum { BANKS = 32, BANK_BYTES = 4 };
    const int64_t banks = bytes / BANK_BYTES, at_once = BANKS / banks;
    int count[BANKS] = {0}, most = 0;
    for (int64_t lane = 0; lane < at_once; ++lane) {
        const int64_t at = lane / width * apart + lane % width * rows * bytes;
        int *here = &count[at / bytes % at_once];
        most = ++*here > most ? *here : most;
    }
    return most;
}

/* Bytes from line to line where lines are apart: room for one wherever it begins, and an odd number of the copy engine's pieces, which keeps
   lanes of different lines on different banks. */
static int64_t odd_pitch(int64_t line_bytes)
{
    enum { PIECE = 16 };
    return ((share(line_bytes, PIECE) + SB_TILE_LINE_ALIGNMENT / PIECE) | 1) * PIECE;
}

/* The width, of those that leave chunks of `shortest` to 33 rows, at which fewest lanes meet; how many these are. */
static int best_width(int64_t n, int64_t apart, int64_t bytes, int64_t shortest, int64_t *width)
{
    enum { LONGEST = 33 };
    int64_t w = 1;
    int least = WARP + 1;
    while (w < WARP && w * LONGEST < n)
        w *= 2;
    for (int64_t narrower = 0; w <= WARP && narrower * shortest < n; narrower = w, w *= 2) {
        const int met = lanes_in_a_bank(w, share(n, w) | 1, apart, bytes);
        if (w * LONGEST >= n && met < least) {
            least = met;
            *width = w;
        }
    }
    return least;
}

/* Do tridiagonal rows of own matrices stay in shared memory? Where lanes hardly meet there: floats in chunks as long as may be, lines one after
   another as they come if that will do, else apart. Of 2^24 rows on an H200, of the ceiling by registers and so, n = 64 / 100 / 128 /
   256 / 300 / 512: f64 .86 / .86 / .87 / .87 / .80 / .88, .84 / .95 / .94 / .94 / .96 / .92; f32 .39 / .73 / .61 / .74 / .59 / .74, .61 /
   .82 / .71 / .75 / .74 / .80; c64, 64 / 100 / 256 / 300, .70 / .65 / .65 / .56, .66 / .73 / .68 / .70. */
static bool stays_shared(const sb_cuda_setup *setup, sb_tile_lines *job, int64_t *width)
{
    enum { LEAST_ROWS = 64, LONG = 33, HALF = 17 };
    const int64_t n = setup->longest, bytes = (int64_t)setup->scalar_bytes;
    const bool single = bytes == sizeof(float);
    const int most = setup->problem->scalar >= SLIMBAND_C64 ? 1 : 2;
    int64_t best = 0;
    if (bytes > 8 || n < LEAST_ROWS || setup->device->major < 9)
        return false;
    if (job->joined && best_width(n, n * bytes, bytes, single ? LONG : HALF, &best) <= most) {
        *width = best;
        return true;
    }
    if ((job->joined && !single) || best_width(n, odd_pitch(n * bytes), bytes, HALF, &best) > most)
        return false;
    job->joined = false;
    *width = best;
    return true;
}

/* Own matrices: as few lanes a line as leave chunks short, and of these an odd number of rows. Registers hold tridiagonal ones, and
   one stage is enough, unless they are long, a line is little work for all of a warp, registers suffice for few warps (c128; but where a
   lane has a line, they all meet in one bank), or lanes hardly meet in shared memory; then as many stages as the device holds.
   Pentadiagonal ones stay in shared memory, and the more warps there are for it. */
static bool arrange_own_lines(const sb_cuda_setup *setup, sb_tile_line matrix, sb_tile_plan *plan)
{
    enum { MOST_STAGES = 2 };
    sb_tile_lines *job = &plan->own_lines.lines;
    int64_t n = setup->longest, bytes = (int64_t)setup->scalar_bytes, width = 1;
    int k = sb_tile_half_band(setup->problem);
    int places = k == 2 ? SB_TILE_PENTA_LINE_ROWS : SB_TILE_OWN_LINE_PLACES(bytes);
    while (width < WARP && width * places < n)
        width *= 2;
    if (setup->systems > INT32_MAX / 2 || n > INT32_MAX / WARP)
        return false;
    lay_lines(setup, job);
    job->joined = job->joined && matrix.column == n;
    const bool shared = k == 1 && stays_shared(setup, job, &width);
    int64_t rows = share(n, width) | 1;
    bool little = width == WARP && (bytes == sizeof(float) || 4 * rows < 3 * places);
    plan->form = SB_TILE_OWN_LINES;
    const bool few = bytes > (int64_t)sizeof(double) && width > 1;
    plan->places = k == 1 && rows <= places && !little && !few && !shared ? places : 0;
    plan->own_lines.open = setup->problem->ends == SLIMBAND_OPEN;
    job->matrix_at = matrix;
    job->cut = (sb_tile_cut){k, (int)n, 1, (int)width, 0, (int)n, 0, 0, (int)rows};
    job->width = (int)width;
    job->together = (int)(WARP / width);
    job->near = 1;
    job->apart = plan->places > 0;
    size_stages(setup, job);
    if (shared && !job->joined) {
        job->pitch_bytes = (int)odd_pitch(n * bytes);
        job->stage_bytes = job->together * job->pitch_bytes;
    }
    int64_t planes = SB_TILE_OWN_ARRAYS(k) + job->apart;
    int64_t slot = planes * job->stage_bytes + SB_TILE_OWN_LINE_BARRIERS((int64_t)sizeof(uint64_t));
    int64_t slots = setup->device->shared_block / slot;
    int64_t most = k == 2 ? SB_TILE_PENTA_LINE_WARPS(bytes) : SB_TILE_OWN_LINE_WARPS(bytes, plan->places);
    job->stages = !job->apart && slots >= MOST_STAGES * most ? MOST_STAGES : 1;
    job->warps = (int)smaller(slots / job->stages, most);
    job->queued = !job->apart && planes * job->stage_bytes >= LEAST_TAKEN;
    plan->shared_bytes = job->warps * job->stages * slot;
    return job->warps >= 1;
}

/* Bytes of a block beside its stages, tri- and pentadiagonal. */
static int64_t own_room(const sb_tile_strided *job, int64_t bytes)
{
    const sb_tile_cut *cut = &job->cut;
    int64_t blocks = cut->blocks, chunks = cut->chunks, columns = job->columns;
    int64_t lanes = SB_TILE_LANES(bytes), pitch = SB_TILE_OWN_PITCH(columns, chunks, bytes);
    int64_t warps = columns / (WARP * lanes) * chunks;
    int64_t told = cut->k == 2 ? SB_TILE_PENTA_BARRIERS : 2;
    int64_t barriers = (warps * SB_TILE_MOST_STAGES + told) * (int64_t)sizeof(uint64_t);
    if (cut->k == 1)
        return (blocks > 1 ? 2 * blocks + 1 : 1) * columns * SB_TILE_OWN_WORDS_BYTES(bytes) +
               (((SB_TILE_OWN_POSTS + 1) * chunks + 1) * pitch +
                SB_TILE_OWN_FAR(cut->slots, bytes) * SB_TILE_OWN_THREADS * lanes) *
                   bytes +
               barriers + (SB_TILE_OWN_SIZES * chunks * pitch + 2 * columns) * (int64_t)sizeof(int);
    int64_t exchange = blocks * share(columns, blocks) * SB_TILE_PENTA_WORDS_BYTES(bytes) +
                       sb_tile_penta_answers(columns, blocks, bytes);
    return (blocks > 1 ? exchange : 0) + 2 * (chunks + 1) * columns * bytes +
           SB_TILE_PENTA_KEPT(cut->slots, bytes) * SB_TILE_OWN_THREADS * lanes * bytes + barriers +
           2 * columns * (int64_t)sizeof(int);
}

/* Own matrices in columns: as few chunks as hold a block's rows, a power of two, as many columns as there are threads
   for, and as many rows on their way as the device holds. The longer chunks of wider bands are worth it where clusters become
   so small that more of them fit a group of processors. */
static bool arrange_own(const sb_cuda_setup *setup, sb_tile_line matrix, sb_tile_plan *plan)
{
    sb_tile_strided *job = &plan->own.tiles;
    int64_t n = setup->longest, bytes = (int64_t)setup->scalar_bytes, k = sb_tile_half_band(setup->problem);
    int64_t slots = SB_TILE_OWN_SLOTS(k, bytes);
    int64_t warps = SB_TILE_OWN_THREADS / WARP, wide = WARP * SB_TILE_LANES(bytes);
    int64_t most = most_blocks_of(setup->device, bytes, k);
    if (k == 2 && most / share(n, warps * SB_TILE_PENTA_LONG) > most / share(n, warps * slots))
        slots = SB_TILE_PENTA_LONG;
    int64_t blocks = share(n, warps * slots), rows = share(n, blocks);
    int64_t chunks = 1, groups = share(job->grid.extent, wide);
    if (blocks > most)
        return false;
    while (chunks * slots < rows)
        chunks *= 2;
    groups = smaller(groups, warps / chunks);
    int64_t lines = share(job->grid.extent, wide) * job->grid.outer[0] * job->grid.outer[1];
    while (groups > 1 && lines / groups * blocks < 2 * setup->device->processors)
        groups /= 2;
    int64_t together = SB_TILE_OWN_ROWS(bytes);
    int64_t boxed = share(share(rows, chunks), together) * together;
    plan->form = SB_TILE_OWN;
    plan->own.matrix_at = matrix;
    const int64_t *number = job->grid.number;
    plan->own.stored_at = (sb_tile_line){setup->systems, number[0], {number[1], number[2]}};
    bool bulk = setup->device->major >= 9 && sb_tile_engine_takes(&job->grid.b_at, &job->grid, bytes);
    plan->own.bulk = bulk && sb_tile_engine_takes(&matrix, &job->grid, bytes);
    plan->own.stored_bulk = bulk && sb_tile_engine_takes(&plan->own.stored_at, &job->grid, bytes);
    plan->own.open = setup->problem->ends == SLIMBAND_OPEN;
    job->cut = (sb_tile_cut){(int)k, (int)n, (int)blocks, (int)chunks, (int)slots, (int)rows, 0, 0, (int)boxed};
    job->columns = (int)(groups * wide);
    job->across = (int)share(job->grid.extent, job->columns);
    job->tiles = job->across * job->grid.outer[0] * job->grid.outer[1];
    job->stage_bytes = (int)(chunks * groups * SB_TILE_OWN_ARRAYS(k) * SB_TILE_OWN_BOX(bytes));
    int64_t rest = own_room(job, bytes);
    job->stages = (int)smaller((setup->device->shared_block - rest) / job->stage_bytes, SB_TILE_MOST_STAGES);
    plan->shared_bytes = rest + (int64_t)job->stages * job->stage_bytes;
    return job->stages >= FEWEST_STAGES;
}

/* Do clusters of so many blocks leave few of the 16 processors idle that stand together? */
static bool fills_group(int blocks)
{
    const int group = 16;
    return group % blocks <= group / 8;
}

/* Blocks that are alone: the first of these that there is room for. Two of them to a processor after all, where one or two hold a
   system in so few warps that there are registers for both, each with a stage to come; one with a stage to come; one without;
   and in clusters that leave processors idle (f64, pentadiagonal lines of 256 and 300, floors: two 1.36 and 1.30, one 1.45 and
   2.02; of 512: 1.60 and 1.46). */
static bool arrange_alone(const sb_cuda_setup *setup, bool bulk, sb_tile_plan *plan)
{
    const struct choice {
        int resident, stages, most_blocks;
        bool idle;
    } all[] = {{2, 2, 2, false}, {1, 2, 16, false}, {1, 1, 16, false}, {1, 2, 16, true}, {1, 1, 16, true}};
    const sb_tile_strided *job = &plan->strided;
    const int most = SB_TILE_MOST_CHUNKS(setup->scalar_bytes, true);
    for (int c = 0; c < (int)(sizeof all / sizeof *all); ++c)
        for (int chunks = most; chunks >= most / 2; --chunks)
            if (cut(setup, chunks, all[c].resident, bulk, plan) && (!bulk || job->stages >= all[c].stages) &&
                job->cut.blocks <= all[c].most_blocks && (all[c].idle || fills_group(job->cut.blocks)))
                return true;
    return false;
}

/* Two blocks to a processor where they have room. bulk: rows come through stages. */
static bool arrange_strided(const sb_cuda_setup *setup, bool bulk, sb_tile_plan *plan)
{
    sb_tile_strided *job = &plan->strided;
    const int bytes = (int)setup->scalar_bytes, k = sb_tile_half_band(setup->problem);
    const int most = SB_TILE_MOST_CHUNKS(bytes, false), most_blocks = most_blocks_of(setup->device, bytes, k),
              most_pairs = bytes == 16 ? (most_blocks + 1) / 2 : most_blocks;
    if (SB_TILE_ALONE(k, job->lines > 0))
        return arrange_alone(setup, bulk, plan);
    if (cut(setup, most / 2, 2, bulk, plan) && job->cut.blocks <= most_pairs)
        return true;
    for (int chunks = most; chunks >= most / 2; --chunks)
        if (cut(setup, chunks, 1, bulk, plan))
            return true;
    return false;
}

/* Are lanes of one warp better than warps for a pentadiagonal line, by what was measured on an H200? f64 (floors by lanes and by
   warps): 64 / 100 / 256 / 300 1.90 / 2.06 / 1.44 / 2.18 and 1.48 / 1.58 / 1.36 / 1.30, 512 / 545 / 700 / 800 / 850 / 950 / 1056
   1.43 / 1.96 / 1.66 / 1.55 / 2.05 / 1.86 / 1.37 and 1.54 / 2.32 / 1.96 / 2.00 / 1.97 / 2.07 / 2.09; f32 300 1.88 and 1.43, else lanes;
   c64 512 / 545 / 800 / 1000 / 1056 2.36 / 2.43 / 1.96 / 2.77 / 1.82 and 2.07 / 2.93 / 2.78 / 2.50 / 2.98; c128 2.3 to 3.1 and 2.0 to
   3.0. */
static bool suits_warp(const sb_cuda_setup *setup, const sb_tile_lines *job)
{
    enum { SHORT_ROWS = 400, PAIR_ROWS = 320, IDLE_LANES = 10 };
    const int64_t n = setup->longest, places = (int64_t)job->width * job->cut.slots;
    const bool between = job->cut.slots == SB_TILE_BETWEEN;
    if (setup->problem->scalar >= SLIMBAND_C64)
        return between || (job->cut.slots == SB_TILE_MIDDLE && 50 * n >= 49 * WARP * SB_TILE_MIDDLE);
    if (setup->scalar_bytes == sizeof(float))
        return n > PAIR_ROWS || WARP % job->width <= IDLE_LANES;
    return n > SHORT_ROWS && (between || 20 * n >= (n > WARP * SB_TILE_BETWEEN ? 17 : 18) * places);
}

/* By lanes of one warp or of several, or, wider bands, by warps that have a row of many lines each. */
static bool arrange_shared_lines(const sb_cuda_setup *setup, sb_tile_plan *plan)
{
    const int k = sb_tile_half_band(setup->problem);
    sb_tile_plan by_rows = *plan;
    const bool lanes = k <= 2 && arrange_lines(setup, plan);
    by_rows.strided.lines = (int)smaller(setup->systems, INT32_MAX);
    if (k == 1 || setup->device->major < 9 || setup->systems > INT32_MAX / 2 ||
        !arrange_strided(setup, true, &by_rows))
        return lanes;
    if (!lanes || !(plan->line.cut.blocks > 1 ? sb_tile_rate(setup, plan) >= sb_tile_rate(setup, &by_rows)
                                              : suits_warp(setup, &plan->line)))
        *plan = by_rows;
    return true;
}

bool sb_tile_arrange(const sb_cuda_setup *setup, sb_tile_plan *plan)
{
    /* Columns, in words of the copy engine, and tiles are counted in 32 bits. */
    enum { MOST_SYSTEMS = INT32_MAX - (1 << 16) };
    int64_t bytes = (int64_t)setup->scalar_bytes;
    *plan = (sb_tile_plan){0};
    if (setup->systems > MOST_SYSTEMS / SB_TILE_WORDS(bytes))
        return false;
    sb_tile_grid *grid = &plan->strided.grid;
    sb_tile_line matrix = {0};
    sb_tile_lay_out(setup->problem, grid, &matrix);
    if (sb_tile_owns_matrices(setup))
        return setup->problem->rhs.line == 1 ? arrange_own_lines(setup, matrix, plan)
                                             : arrange_own(setup, matrix, plan);
    if (in_lines(setup->problem) && setup->longest > 1)
        return arrange_shared_lines(setup, plan);
    plan->bulk = setup->device->major >= 9 && sb_tile_engine_takes(&grid->b_at, grid, bytes);
    if (arrange_strided(setup, plan->bulk, plan))
        return true;
    const bool straight = plan->bulk && arrange_strided(setup, false, plan);
    plan->bulk = plan->bulk && !straight;
    return straight;
}
