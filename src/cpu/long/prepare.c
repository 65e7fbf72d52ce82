/* How the systems of a plan are cut, before its memory is: rows of chunks, what goes together, and in what caches that stays. */
#include "src/cpu/fetch.h"
#include "src/cpu/long/task.h"

extern const sb_engine SB_NAME(thomas);

enum { UNIT = 64 / sizeof(T) };

static const sb_recipe *recipe_of(const slimband_plan *plan)
{
    return &((const sb_cpu *)plan->state)->recipe;
}

/* The kernels' half bandwidth. */
static int band_of(const sb_recipe *r)
{
    return r->lower > r->upper ? r->lower : r->upper;
}

/* Rows of a chunk: its interfaces, and one between them. */
static int64_t least_rows(int k)
{
    return k > 2 ? 2 * k + 1 : 5;
}

/* A matrix without its entries. */
sb_matrix SB_NAME(long_shape)(const sb_recipe *r, int64_t n)
{
    return (sb_matrix){.n = n,
                       .lower = r->lower,
                       .upper = r->upper,
                       .periodic = r->periodic,
                       .stride = 1,
                       .first = r->toeplitz ? r->first : n,
                       .last = r->toeplitz ? r->last : 0,
                       .total = n};
}

/* Those with a vector of chunks in a tile, if there are any: in f32 and f64. */
static const sb_long *narrow_kernels(int isa)
{
#if !SB_COMPLEX
#define NARROW(set, here)          \
    if (isa == sb_isa_named(#set)) \
        return &SB_ISA_NAME(narrow, set);
    SB_NARROW_ISAS(NARROW)
#undef NARROW
#endif
    (void)isa;
    return NULL;
}

static const sb_long *kernels_of(const sb_recipe *r)
{
#define KERNELS(isa, here) &SB_ISA_NAME(long, isa),
    static const sb_long *const kernels[] = {SB_ISAS(KERNELS)};
#undef KERNELS
    const int64_t vectors = r->tuning.vectors ? r->tuning.vectors : sb_follows_few ? 1 : 2;
    const sb_long *narrow = vectors == 1 && band_of(r) <= SB_NARROW_BAND ? narrow_kernels(r->tuning.isa) : NULL;
    return narrow ? narrow : kernels[r->tuning.isa];
}

static const sb_wide *lines_of(const sb_recipe *r)
{
#define LINES(isa, here) &SB_ISA_NAME(lanes, isa),
    static const sb_wide *const lines[] = {SB_ISAS(LINES)};
#undef LINES
    return lines[r->tuning.isa];
}

/* A task without its system. */
sb_long_task SB_NAME(long_task)(const sb_recipe *r, int64_t n)
{
    enum { block_bytes = 1 << 14 };
    sb_long_task t = {.kernels = kernels_of(r),
                      .wide = lines_of(r),
                      .k = band_of(r),
                      .A = SB_NAME(long_shape)(r, n),
                      .wary = r->pivoting == SLIMBAND_PIVOT_AUTO,
                      .partial = r->pivoting == SLIMBAND_PIVOT_PARTIAL};
    int64_t row = t.kernels->lanes * (2 * t.k + 2) * (int64_t)sizeof(T);
    t.block = block_bytes / row / UNIT * UNIT;
    const int64_t least = least_rows(t.k);
    t.block = t.block < least ? least / UNIT * UNIT + UNIT : t.block;
    t.chunks = sb_chunks_of(n, t.kernels->lanes, r->tuning.chunk, least);
    return t;
}

/* The same for the one pass that truncates, of so many joined lines: blocks whose number of rows divides `reach`, and groups of
   rows that stay in the first-level cache with what is looked at below them. */
sb_long_task SB_NAME(truncating_task)(const sb_recipe *r, int64_t n, int64_t lines)
{
    enum { reach = 64, kept_bytes = 3 << 14, least = 64, most = 192 };
    sb_long_task t = SB_NAME(long_task)(r, n);
    int64_t block = reach, row = t.kernels->lanes * (t.k + 1) * (int64_t)sizeof(T);
    while (block > t.block)
        block /= 2;
    int64_t group = kept_bytes / row - reach;
    group = group < least ? least : group > most ? most : group;
    t.reaches = true;
    t.reach = reach;
    t.block = block;
    t.group = group / block * block;
    t.spans = sb_spans_of(n * lines, t.kernels->lanes, r->tuning.span, UNIT);
    return t;
}

static bool worth_chunks(const slimband_plan *plan, int lanes)
{
    const slimband_problem *p = &plan->problem;
    return sb_fits_chunks(p) && p->n >= lanes * least_rows(band_of(recipe_of(plan)));
}

/* Rows of a chunk for which a tile and what waits for its way back, so many words a row, stay in the second-level cache;
   the next tile takes the place of what is done. */
static int64_t rows_that_fit(int words, int lanes, const slimband_machine *machine)
{
    enum { usual_cache = 1 << 19 };
    int64_t cache = machine->cache_bytes[1] ? machine->cache_bytes[1] : usual_cache;
    return cache / ((int64_t)sizeof(T) * lanes * words);
}

static int64_t choose_rows(const slimband_plan *plan, int lanes, const slimband_machine *machine)
{
    enum { best = 1088 };
    const sb_recipe *r = recipe_of(plan);
    int64_t n = plan->problem.n, fit = rows_that_fit(3 * (band_of(r) + 1), lanes, machine),
            least = least_rows(band_of(r)),
            wanted = r->tuning.chunk && r->tuning.chunk < least ? least : r->tuning.chunk;
    if (wanted)
        return wanted < n / lanes ? wanted : n / lanes;
    return sb_chunk_rows_near(n, lanes, fit < best ? fit : best, UNIT);
}

/* Stores past the caches pay where what is written would have left them before it is read again: where all systems together
   do not fit them. */
static bool outgrows_caches(const slimband_plan *plan, int words, const slimband_machine *machine)
{
    const double usual_cache = 1 << 25;
    double cache = machine->cache_bytes[2] ? (double)machine->cache_bytes[2] : usual_cache;
    return (double)plan->systems * (double)plan->problem.n * words * (double)sizeof(T) > cache;
}

/* Words a row: the solution, and the right-hand side in each pass; so the matrix, or a group's share of its factors. */
static double words_of(const slimband_plan *plan)
{
    const sb_cpu *cpu = plan->state;
    const sb_recipe *r = &cpu->recipe;
    int passes = cpu->chunked.truncates ? 1 : 2, k = band_of(r);
    double matrix = passes * (r->lower + 1 + r->upper);
    if (sb_keeps_factors(r))
        matrix = (double)(passes * 2 * k + 1) / cpu->chunked.group;
    return passes + 1 + (r->toeplitz ? 0 : matrix);
}

/* Bytes of one call in one pass: of joined lines, of those that are left over, which may be cut into more tiles, and of one line. */
static size_t truncated_bytes(const slimband_plan *plan, int64_t more)
{
    const sb_cpu *cpu = plan->state;
    const sb_recipe *r = &cpu->recipe;
    const int64_t lines[] = {1, cpu->chunked.joined, plan->systems % cpu->chunked.joined};
    size_t most = 0;
    for (int i = 0; i < 3; ++i) {
        sb_long_task task = SB_NAME(truncating_task)(r, plan->problem.n, lines[i] > 0 ? lines[i] : 1);
        size_t bytes = SB_NAME(truncated_layout)(&task, r->tuning.threads, NULL);
        bytes = sb_plus(bytes, sb_times((size_t)more, SB_NAME(long_bytes_beside)(&task)));
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* Bytes of one call: of either way to solve, and of what each system more of a group needs. */
static size_t bytes_of(const slimband_plan *plan)
{
    const sb_cpu *cpu = plan->state;
    const sb_recipe *r = &cpu->recipe;
    int64_t n = plan->problem.n, more = cpu->chunked.group - 1;
    sb_long_task task = SB_NAME(long_task)(r, n);
    size_t bytes = SB_NAME(long_layout)(&task, r->pivoted, r->tuning.threads, NULL);
    bytes = sb_plus(bytes, sb_times((size_t)more, SB_NAME(long_bytes_beside)(&task)));
    if (!cpu->chunked.truncates)
        return bytes;
    const size_t truncated = truncated_bytes(plan, more);
    return truncated > bytes ? truncated : bytes;
}

/* Systems of a group share what is read of a matrix; every thread should have some. */
static int choose_group(const slimband_plan *plan)
{
    int64_t threads = ((const sb_cpu *)plan->state)->threads, share = (plan->systems + threads - 1) / threads;
    bool shares = plan->matrices < plan->systems && sb_keeps_factors(recipe_of(plan));
    return !shares ? 1 : share < SB_MOST_TOGETHER ? (int)share : SB_MOST_TOGETHER;
}

/* Rows of a chunk that reaches into its neighbours. Kept factors of a tile stay in the second-level cache for the next system.
   Else, the longer the chunks, the fewer rows are looked at twice, the second time a tile later and out of whichever cache;
   but many threads want many tiles, unless they have joined lines of their own, and how many threads there are must not change the
   bits. */
static int64_t choose_span(const slimband_plan *plan, int lanes, const slimband_machine *machine)
{
    enum { best = 4160, good = 2112, least = 512, many = 32 };
    const sb_recipe *r = recipe_of(plan);
    bool kept = sb_keeps_factors(r), joined = ((const sb_cpu *)plan->state)->chunked.joined > 1;
    int64_t fit = rows_that_fit((kept ? 2 : 1) * (band_of(r) + 1), lanes, machine);
    int64_t share = kept ? good : joined ? best : plan->problem.n / lanes / many;
    int64_t most = share < good ? good : share < best ? share : best;
    return fit < least ? least : fit < most ? fit : most;
}

/* Joined lines that can't be taken so: lanes moves fewer words than partition, where they fill a vector and what of it waits for the way
   back stays in three quarters of the second-level cache (elsewhere they may take longer so: 16 of 16384, a Zen 3, a Xeon). */
static bool lanes_take_joined(const slimband_plan *plan, const slimband_machine *machine)
{
    const sb_recipe *r = recipe_of(plan);
    const int width = lines_of(r)->width;
    return ((const sb_cpu *)plan->state)->chunked.joined >= width &&
           plan->problem.n <= rows_that_fit(1 + r->upper, width, machine) * 3 / 4;
}

void SB_NAME(long_prepare)(slimband_plan *plan)
{
    enum { worth_reaching = 256 };
    sb_cpu *cpu = plan->state;
    sb_recipe *r = &cpu->recipe;
    slimband_machine machine;
    slimband_machine_facts(&machine);
    if (r->pivoting == SLIMBAND_PIVOT_PARTIAL)
        r->engine = r->pivoted;
    else if (r->lower == 1 && r->upper == 1)
        r->engine = &SB_NAME(thomas);
    const sb_long *kernel = kernels_of(r);
    if (!worth_chunks(plan, kernel->lanes)) {
        r->tuning.chunk = 0;
        return;
    }
    r->tuning.chunk = choose_rows(plan, kernel->lanes, &machine);
    r->keeps_matrix = !plan->problem.one_pass || plan->matrices < plan->systems;
    cpu->chunked = (sb_chunked_plan){.kernels = kernel, .group = choose_group(plan), .joined = 1};
    const int64_t joined = sb_lines_joined(&plan->problem);
    r->tuning.truncates &=
        plan->problem.n * joined / kernel->lanes >= (r->tuning.span ? least_rows(band_of(r)) : worth_reaching);
    if (r->tuning.truncates) {
        cpu->chunked.truncates = true;
        cpu->chunked.joined = joined;
        r->tuning.span = r->tuning.span ? r->tuning.span : choose_span(plan, kernel->lanes, &machine);
        if (lanes_take_joined(plan, &machine))
            SB_NAME(lanes_drivers).prepare(plan);
    }
    cpu->chunked.bytes = bytes_of(plan);
    cpu->chunked.far = outgrows_caches(plan, r->toeplitz ? 2 : 3 + r->lower + r->upper, &machine);
    cpu->words_per_row = words_of(plan);
}
