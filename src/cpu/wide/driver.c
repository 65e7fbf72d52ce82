/* The drivers of `lanes`: chunks of systems are gathered into tiles, solved side by side and put back, chunks
 * shared out among threads. Factors are stored in lane order where nothing is wrong with a tile's matrices; elsewhere
 * as the engine stores them, so that system.c can take over any single system: those whose pivots are unfit, and whole
 * plans that want what tiles cannot do. */
#include <omp.h>

#include "src/cpu/route.h"
#include "src/cpu/wide/moves.h"
#include "src/cpu/wide/worth.h"

extern const sb_drivers SB_NAME(drivers);
extern const sb_engine SB_NAME(thomas);

static void weigh_matrices(const slimband_plan *plan, int64_t *weight)
{
    const slimband_problem *p = &plan->problem;
    int64_t next = 1;
    for (int d = p->batch_rank - 1; d >= 0; --d) {
        bool moves = plan->matrices > 1 && p->matrix.batch[d] != 0;
        weight[d] = moves ? next : 0;
        next *= moves ? p->batch[d] : 1;
    }
}

/* Can so many systems in front of these fill up a vector? Where they lie in a row with them, and matrices are read as they were given: one
   matrix leaves so few words a row that bringing those in by themselves is as fast. One line fills a vector by itself. */
static bool can_fill_up(const sb_task *t, int64_t first, int64_t count, int64_t others)
{
    const slimband_problem *p = &t->job.plan->problem;
    int64_t row = p->batch_rank > 0 ? p->batch[p->batch_rank - 1] : 1, at = first % row;
    bool reads = t->job.diagonals && t->job.b && (p->solution.line != 1 || count > 1);
    return reads && at >= others && at + count <= row;
}

/* What is left over of whole vectors is a chunk by itself, so that the others can be swept where they lie: of lines, of factors in lane
   order, and of systems side by side that are cut where they end, unless all of them can be swept with their last vectors overlapping. */
static int64_t do_chunk(const sb_task *t, const sb_tiles *empty, sb_chunk *step, int64_t first, int64_t count)
{
    int64_t width = t->wide->width, rest = count % width, whole = count - rest, others = width - rest;
    bool fills = rest > 0 && can_fill_up(t, first + whole, rest, others);
    bool cut = t->row > 0 || t->laned || t->job.plan->problem.solution.line == 1;
    if (rest == 0 || sb_overlaps(t, count) || !(fills || (cut && whole > 0)))
        return step(t, empty, first, count, 0);
    int64_t failed = whole > 0 ? step(t, empty, first, whole, 0) : INT64_MAX;
    others = fills ? others : 0;
    return sb_smaller(failed, step(t, empty, first + whole - others, rest + others, others));
}

/* How the items of a task are cut: chunks of `lanes` of them, that of a row's end shorter, as little as groups allow. */
typedef struct cuts {
    int64_t lanes, row, per_row, count;
} cuts;

static int64_t chunk_number(const sb_task *t, const cuts *by, const sb_tiles *empty, int64_t c, sb_chunk *step)
{
    int64_t r = by->count > by->per_row ? c / by->per_row : 0, at = (c - r * by->per_row) * by->lanes;
    return do_chunk(t, empty, step, r * by->row + at, sb_smaller(by->lanes, by->row - at));
}

/* One thread opens no region, as in team.h. */
static int64_t each_chunk(const sb_task *t, int64_t items, sb_chunk *step)
{
    int64_t lanes = t->job.cpu->wide.lanes, row = t->row > 0 ? t->row : items, failed = INT64_MAX;
    int64_t per_row = (row + lanes - 1) / lanes;
    if (t->row > 0)
        lanes = ((row + per_row - 1) / per_row + t->wide->group - 1) / t->wide->group * t->wide->group;
    cuts by = {lanes, row, per_row, row > 0 ? items / row * per_row : 0};
    int threads = by.count > 1 ? t->job.cpu->threads : 1;
    if (threads <= 1) {
        sb_tiles empty = SB_NAME(tiles_of)(t->job.plan, 0);
        for (int64_t c = 0; c < by.count; ++c)
            failed = sb_smaller(failed, chunk_number(t, &by, &empty, c, step));
        t->wide->fence();
        return failed == INT64_MAX ? -1 : failed;
    }
#pragma omp parallel num_threads(threads)
    {
        sb_tiles empty = SB_NAME(tiles_of)(t->job.plan, omp_get_thread_num());
#pragma omp for schedule(guided) reduction(min : failed)
        for (int64_t c = 0; c < by.count; ++c)
            failed = sb_smaller(failed, chunk_number(t, &by, &empty, c, step));
        t->wide->fence();
    }
    return failed == INT64_MAX ? -1 : failed;
}

/* Systems that lie side by side; 0 if none do. */
static int64_t row_of_neighbours(const slimband_problem *p)
{
    int last = p->batch_rank - 1;
    return last >= 0 && p->solution.line != 1 && p->solution.batch[last] == 1 ? p->batch[last] : 0;
}

/* The same, but 0 if they do not fill a vector: tiles go beyond them then. Those that do are swept where they lie, or moved vector by vector,
   in narrow tiles rather than gathered across rows in wide ones (Zen 3, rows of 8 to 48: a half to a quarter of the time). */
static int64_t side_by_side(const slimband_problem *p, const sb_wide *kernel)
{
    int64_t row = row_of_neighbours(p);
    return row >= kernel->width ? row : 0;
}

/* Rings whose last row can go along with the elimination of the others, in one pass. */
static bool closes_along(const slimband_problem *p)
{
    return p->ends == SLIMBAND_PERIODIC && p->lower == 1 && p->upper == 1 && p->n > 1;
}

static bool has_usual_band(const slimband_problem *p)
{
    return p->lower == p->upper && p->lower >= 1 && p->lower <= SB_USUAL_MOST;
}

/* Words of U that wait with a row of own matrices: its entries, and where rows are not eliminated and swept down together, the pivot. */
static int64_t words_of_upper(const slimband_problem *p)
{
    bool together = has_usual_band(p) && (p->ends == SLIMBAND_OPEN || closes_along(p));
    return p->upper + (together ? 0 : 1);
}

/* Has the second-level cache room for a tile and for the next one, which is fetched meanwhile? Words a row: of one matrix the
   right-hand sides of both, and solutions; of own ones what waits for the way back and the lines of both, which may fill half of
   it. */
static bool is_small(const slimband_plan *plan, int64_t lanes, int64_t cache)
{
    const slimband_problem *p = &plan->problem;
    int64_t tile = lanes * p->n * (int64_t)sizeof(T), lines = p->lower + 1 + p->upper + 1;
    return plan->matrices == 1 ? 3 * tile < cache : (1 + words_of_upper(p) + 2 * lines) * tile < cache / 2;
}

static sb_task task_of(const slimband_plan *plan, const void *const *diagonals, const void *b, void *x)
{
    const sb_cpu *cpu = plan->state;
    const sb_recipe *r = &cpu->recipe;
    int64_t n = plan->problem.n;
    bool ring = r->periodic && (r->lower > 0 || r->upper > 0);
    bool keeps_lines = cpu->wide.small || plan->matrices == 1;
    sb_task t = {.job = {.plan = plan, .cpu = cpu, .diagonals = diagonals, .op = SB_PLAIN, .b = b, .x = x},
                 .wide = cpu->wide.kernels,
                 .alone = SB_NAME(solve_one),
                 .shared = plan->matrices > 1 ? NULL : (const T *)cpu->factors,
                 .lower = r->lower,
                 .upper = r->upper,
                 .inner = n,
                 .ring = ring,
                 .past_cache = cpu->wide.past_cache && (b != x || !keeps_lines),
                 .usual = has_usual_band(&plan->problem),
                 .far = cpu->wide.far,
                 .laned = cpu->wide.laned && cpu->factors,
                 .small = cpu->wide.small};
    weigh_matrices(plan, t.matrix_weight);
    if (ring)
        t.inner = n - sb_wider(r->lower, r->upper);
    if (ring && cpu->factors)
        t.border = SB_NAME(ring_view)(r->engine, cpu->factors, n, r->lower, r->upper, &r->tuning);
    return t;
}

static void factor(const slimband_plan *plan, const void *const *diagonals)
{
    sb_cpu *cpu = plan->state;
    cpu->wide.matrices_told = cpu->wide.systems_told = false;
    if (!cpu->wide.kernels || plan->matrices == 1) {
        SB_NAME(drivers).factor(plan, diagonals);
        return;
    }
    sb_task t = task_of(plan, diagonals, NULL, NULL);
    t.row = t.laned ? side_by_side(&plan->problem, t.wide) : 0;
    each_chunk(&t, plan->matrices, SB_NAME(factor_chunk));
}

/* The one matrix of open systems is transposed for all; others are swept by columns. */
static void transpose(sb_task *t, bool conjugate)
{
    sb_tiles tiles = SB_NAME(tiles_of)(t->job.plan, 0);
    t->job.op = SB_TRANSPOSED;
    t->job.conjugate = conjugate;
    t->by_columns = !t->shared || t->ring || !SB_NAME(transpose_task)(t, &tiles, conjugate);
}

/* Are all rows swept where they lie, a run of neighbours each? */
static bool sweeps_neighbours(const sb_task *t)
{
    const slimband_problem *p = &t->job.plan->problem;
    int last = p->batch_rank - 1;
    bool rhs = last >= 0 && p->rhs.line != 1 && p->rhs.batch[last] == 1;
    bool matrices = t->shared || (t->job.diagonals && p->matrix.line != 1 && p->matrix.batch[last] == 1);
    return row_of_neighbours(p) > 0 && rhs && matrices && t->usual && !t->ring && !t->by_columns &&
           !p->check_finite;
}

/* told: before this call, of the records that it writes; and after it. */
static int64_t each_system(sb_task t, bool *told, sb_chunk *step)
{
    bool other = false;
    t.row = side_by_side(&t.job.plan->problem, t.wide);
    t.implies = sweeps_neighbours(&t);
    t.told = *told;
    t.other = &other;
    int64_t failed = each_chunk(&t, t.job.plan->systems, step);
    *told = !other;
    return failed;
}

static int64_t solve(const slimband_plan *plan, sb_solve op, const void *b, void *x)
{
    sb_cpu *cpu = plan->state;
    bool told = cpu->wide.systems_told;
    cpu->wide.systems_told = false;
    if (!cpu->wide.kernels || (plan->matrices == 1 && !sb_plain_factors(cpu->matrices)))
        return SB_NAME(drivers).solve(plan, op, b, x);
    sb_task t = task_of(plan, NULL, b, x);
    if (op != SB_SOLVE)
        transpose(&t, SB_COMPLEX && op == SB_SOLVE_ADJOINT);
    if (t.by_columns && SB_NAME(by_stretches)(&t))
        return SB_NAME(drivers).solve(plan, op, b, x);
    int64_t failed = each_system(t, &told, SB_NAME(solve_chunk));
    cpu->wide.systems_told = told;
    return failed;
}

static int64_t factor_solve(const slimband_plan *plan, const void *const *diagonals, const void *b, void *x)
{
    sb_cpu *cpu = plan->state;
    if (!cpu->wide.kernels)
        return SB_NAME(drivers).factor_solve(plan, diagonals, b, x);
    if (plan->matrices < plan->systems) {
        factor(plan, diagonals);
        return solve(plan, SB_SOLVE, b, x);
    }
    bool told = cpu->wide.systems_told && cpu->wide.matrices_told;
    sb_task t = task_of(plan, diagonals, b, x);
    if (t.ring && closes_along(&plan->problem)) {
        t.ring = false;
        t.closed = true;
        t.inner = plan->problem.n;
    }
    int64_t failed = each_system(t, &told, SB_NAME(factor_solve_chunk));
    cpu->wide.systems_told = cpu->wide.matrices_told = told;
    return failed;
}

int64_t SB_NAME(solve_in_lanes)(const sb_job *j, int thread, int64_t first, int64_t end, sb_alone *alone)
{
    bool other = false;
    sb_task t = task_of(j->plan, j->diagonals, j->b, j->x);
    t.alone = alone;
    t.other = &other;
    const sb_tiles empty = SB_NAME(tiles_of)(j->plan, thread);
    const int64_t lanes = j->cpu->wide.lanes;
    int64_t failed = INT64_MAX;
    for (int64_t s = first; s < end; s += lanes)
        failed = sb_smaller(failed,
                            do_chunk(&t, &empty, SB_NAME(factor_solve_chunk), s, sb_smaller(lanes, end - s)));
    t.wide->fence();
    return failed;
}

enum {
    first_level = 1 << 15, /* bytes of the first-level cache that there are everywhere */
    page = 4096,
    widest_row = 2 * page /* of a strip */
};

static int64_t second_level(const slimband_machine *machine)
{
    enum { usual = 1 << 19 };
    return machine->cache_bytes[1] ? machine->cache_bytes[1] : usual;
}

/* A thread's share of the last-level cache, or as much of it as can be counted on. */
static int64_t share_of(const slimband_machine *machine, int64_t threads)
{
    enum { most = 1 << 24 };
    return sb_smaller(machine->cache_bytes[2] / threads, most);
}

/* Stores past the caches pay where what is written leaves the last of them; fetching ahead, where what is read is not in
   the cores' own, and of systems side by side, whose long rows processors fetch by themselves, not in half of what of the last one
   can be counted on either. */
static bool outgrows(const slimband_plan *plan, int words, double cache)
{
    return (double)plan->systems * (double)plan->problem.n * words * (double)sizeof(T) > cache;
}

/* Words of a row that wait for the way back. */
static int64_t kept_words(const slimband_plan *plan)
{
    const slimband_problem *p = &plan->problem;
    int64_t spikes = plan->matrices > 1 && p->ends == SLIMBAND_PERIODIC ? sb_wider(p->lower, p->upper) : 0;
    return 1 + spikes + (plan->matrices > 1 ? words_of_upper(p) : 0);
}

/* Lines of stride 1: one group of lanes, two of short ones of one matrix; or a vector of them, which are fewer to drive one another
   out of the caches, however their addresses are related, where a group of shared matrices' lines does not fit the first level, or where
   own ones that are not short come from beyond the second; or where even that is too much for that cache. With AVX2, whose processors may
   be those that follow only 16 lines at once (Zen 3), so do 8 doubles, and lines are short while what waits fits the first level: a
   vector by itself waits for its own divisions. No more than leave something to do for each thread. */
static int64_t lanes_of_lines(const slimband_plan *plan, const sb_wide *kernel, int64_t cache, bool beyond)
{
    enum { ways = 8 };
    const int64_t bytes = kept_words(plan) * plan->problem.n * kernel->group * (int64_t)sizeof(T);
    const bool half = kernel->width * (int)sizeof(R) == SB_CACHE_LINE / 2, one = plan->matrices == 1;
    const int64_t times = one ? 8 : half ? 1 : 16;
    const bool brief = times * bytes <= first_level,
               fewer = one ? kernel->group > ways && bytes > first_level / 2
                           : (kernel->group > ways || half) && beyond && !brief;
    int64_t lanes = fewer || bytes > cache / 2 ? kernel->width : kernel->group;
    if (one && brief)
        lanes = 2 * kernel->group;
    while (lanes > kernel->width &&
           (plan->systems + lanes - 1) / lanes < ((const sb_cpu *)plan->state)->threads)
        lanes /= 2;
    return lanes;
}

/* How wide strips are at most. A page where rows drive one another out of the caches; where they do not, narrow strips stay nearer, but
   each costs time of its own, which shows in the short rows of one matrix: up to a page as well, if what waits leaves the last cache's
   share to others, and threads have four strips each, since what one's caches fetch beyond the end of its part of a row is what another
   writes to. If matrices are own half a page while what waits fits the second-level cache (Zen 4, 16 to 256 unknowns, from memory: 3 to
   7 % less than a quarter page takes), and a quarter page else. */
static int64_t widest_strip(const slimband_plan *plan, int64_t threads, int64_t cache, int64_t share,
                            int64_t lane_bytes)
{
    const slimband_problem *p = &plan->problem;
    int64_t all = page / (int64_t)sizeof(T), quarter = all / 4;
    if (plan->matrices > 1)
        return 2 * quarter * lane_bytes <= cache ? 2 * quarter : quarter;
    if (p->solution.line % all == 0)
        return all;
    int64_t part = row_of_neighbours(p) / (threads > 1 ? 4 * threads : 1);
    return sb_wider(quarter, sb_smaller(all, sb_smaller(part, share / 4 / lane_bytes)));
}

/* Systems side by side go in strips, not so wide that threads go without. What waits for the way back stays in the second-level cache; but
   in a thread's share of the last one, where one matrix serves a batch of twice what the cores' own hold, swept once down and once
   back: there long runs of neighbours count for more than how far they come. Own matrices' in doubles, with open ends, are as wide
   as those may be all the same, so that rows are not fetched in pieces, as long as what waits stays in the second level or a quarter of the
   last one's share (Zen 4, 16384 systems of 1024, 1 / 2 threads: 3.32 / 1.74 -> 2.63 / 1.67 ns a row; in f32 nothing is gained, with
   periodic ends time is lost). Short ones' are up to two pages wide, as long as what waits fits the second level: but not with vectors of
   512 bits, which are slower so on a Xeon. */
static int64_t lanes_of_rows(const slimband_plan *plan, const sb_wide *kernel, const slimband_machine *machine,
                             bool beyond)
{
    enum { doubles = sizeof(R) == sizeof(double) };
    const slimband_problem *p = &plan->problem;
    int64_t threads = ((const sb_cpu *)plan->state)->threads, group = 2 * kernel->group,
            cache = second_level(machine), share = share_of(machine, threads),
            lane_bytes = kept_words(plan) * p->n * (int64_t)sizeof(T);
    if (plan->matrices == 1 && p->ends == SLIMBAND_OPEN && has_usual_band(p) &&
        outgrows(plan, 1, 2.0 * (double)threads * (double)cache))
        cache = sb_wider(cache, share);
    int64_t most = widest_strip(plan, threads, cache, share, lane_bytes),
            lanes = sb_smaller(most, cache / 2 / lane_bytes);
    const bool marches = p->ends == SLIMBAND_OPEN || (p->one_pass && closes_along(p)), own = plan->matrices > 1;
    if (beyond && own && marches && kernel->width * (int)sizeof(R) < SB_CACHE_LINE)
        lanes = sb_wider(lanes, sb_smaller(widest_row / (int64_t)sizeof(T), cache / lane_bytes));
    if (beyond && own && doubles && marches && lanes < most && most * lane_bytes <= sb_wider(cache, share / 4))
        lanes = most;
    lanes = sb_smaller(lanes, (plan->systems + threads - 1) / threads + group - 1);
    return sb_wider(1, sb_wider(lanes / group * group, group));
}

/* Can tiles hold this plan's rows in stretches? */
static bool may_stretch(const slimband_plan *plan)
{
    const slimband_problem *p = &plan->problem;
    if (!has_usual_band(p) || row_of_neighbours(p) == 0 || p->rhs.line == 1)
        return false;
    if (plan->matrices == 1)
        return p->ends == SLIMBAND_OPEN;
    return p->one_pass && plan->matrices == plan->systems && p->matrix.line != 1 &&
           (p->ends == SLIMBAND_OPEN || closes_along(p));
}

/* Of systems side by side: do strips of this many bytes become too narrow, or what waits in them too much, before all rows have gone
   down? Twice the elimination takes longer than rows in pieces where numbers are complex or ends periodic, until the narrowest strip,
   the sooner the narrower the band, leaves the second-level cache; and where vectors are so wide that no strip is narrow, longer than what
   waits in the last one. */
static bool too_long(const slimband_plan *plan, int64_t strip, int64_t cache, int64_t share)
{
    enum { narrow = SB_COMPLEX ? 512 : 256 };
    const slimband_problem *p = &plan->problem;
    int64_t tile = kept_words(plan) * p->n * strip, least = 4 * cache;
    bool open = p->ends == SLIMBAND_OPEN, light = open && p->lower == 1 && !SB_COMPLEX;
    if (plan->matrices == 1)
        return tile > cache && strip <= 2 * narrow;
    if (open && !SB_COMPLEX)
        least = 0;
    else if (open && p->lower <= 2)
        least = p->lower * cache / 2;
    return (strip < narrow && tile > least) ||
           tile > sb_wider(least, sb_wider(cache, light ? share / 2 : share));
}

/* What a thread keeps of a strip on the way down, stretch by stretch. */
static int64_t fronts_bytes(const slimband_plan *plan, int64_t lanes, int64_t rows)
{
    const slimband_problem *p = &plan->problem;
    return (p->n / rows + 1) * SB_NAME(front_rows)(p, plan->matrices > 1) * lanes * (int64_t)sizeof(T);
}

/* Rows that a tile holds: of long systems in a batch that comes from memory, stretches (stretches.c), in strips of two pages at most,
   what is carried from row to row filling the first-level cache; narrower ones if what is kept of very long systems takes too much memory. */
static int64_t choose_stretch(const slimband_plan *plan, const sb_wide *kernel, const slimband_machine *machine,
                              bool past_cache, int64_t *lanes)
{
    enum { fronts_most = 1 << 25, rows_least = 32, turn = 16 };
    const sb_cpu *cpu = plan->state;
    const slimband_problem *p = &plan->problem;
    int64_t kept = kept_words(plan), word = (int64_t)sizeof(T), asked = cpu->recipe.tuning.stretch,
            cache = second_level(machine), carried = kept * (1 + p->lower);
    if (!may_stretch(plan) || asked >= p->n)
        return p->n;
    if (!asked && !(past_cache && too_long(plan, *lanes * word, cache, share_of(machine, cpu->threads))))
        return p->n;
    int64_t group = 2 * kernel->group, most = sb_smaller(widest_row, first_level / carried) / word, rows,
            each = sb_smaller((plan->systems + cpu->threads - 1) / cpu->threads, row_of_neighbours(p));
    do {
        int64_t strips = sb_wider(1, (each + most - 1) / most);
        *lanes = sb_wider(group, ((each + strips - 1) / strips + group - 1) / group * group);
        rows = asked ? asked + turn - 1 : sb_wider(rows_least * p->lower, cache / 2 / (*lanes * kept * word));
        most = *lanes / 2;
    } while (*lanes > group && fronts_bytes(plan, *lanes, rows) > fronts_most);
    return sb_smaller(p->n, rows / turn * turn);
}

/* All rows of kept factors wait for the way back where they leave the second-level cache to the rest. */
static int64_t choose_factor_rows(const slimband_plan *plan, int64_t lanes, int64_t block, int64_t cache)
{
    const slimband_problem *p = &plan->problem;
    int64_t row = lanes * (p->lower + 1 + p->upper) * (int64_t)sizeof(T);
    return !p->one_pass && p->n > block && p->n * row <= cache / 2 ? p->n : block;
}

/* Those of the processor's widest vectors that all systems fill, unless others are asked for, or of narrower ones that neighbours fill: f32
   rows of 4 to 7 with own matrices take 30 to 75 % less with vectors of 4 than gathered for 8 (a Zen 3). Of 2 where no more systems could be
   gathered either: then two f64 systems take 40 to 60 % less, but rows of two among 200 up to a half more. The last set's vectors are narrow and gather badly. */
static const sb_wide *choose_kernels(const slimband_plan *plan, const sb_tuning *tuning)
{
#define KERNELS(isa, here) &SB_ISA_NAME(lanes, isa),
    static const sb_wide *const kernels[] = {SB_ISAS(KERNELS)};
#undef KERNELS
    enum { COUNT = sizeof kernels / sizeof *kernels };
    const int64_t row = row_of_neighbours(&plan->problem);
    const sb_wide *gathers = kernels[tuning->isa];
    int next = tuning->isa + 1;
    if (tuning->isa_named || row == 0)
        return gathers;
    for (; next + 1 < COUNT && plan->systems < gathers->width; ++next)
        gathers = kernels[next];
    const int least = plan->systems < gathers->width ? 2 : 4;
    for (; row < gathers->width && next < COUNT && kernels[next]->width >= least; ++next)
        if (row >= kernels[next]->width)
            return kernels[next];
    return gathers;
}

static void prepare(slimband_plan *plan)
{
    enum { block_bytes = 1 << 14, rows_least = 16, tile_bytes_most = 1 << 26, usual_last_level = 1 << 25 };
    sb_cpu *cpu = plan->state;
    const slimband_problem *p = &plan->problem;
    if (p->lower == 1 && p->upper == 1)
        cpu->recipe.engine = &SB_NAME(thomas);
    if (!sb_fits_tiles(p))
        return;
    slimband_machine machine;
    slimband_machine_facts(&machine);
    const sb_wide *kernel = choose_kernels(plan, &cpu->recipe.tuning);
    int words = 1 + (plan->matrices > 1 ? p->lower + 1 + p->upper : 0);
    double last_level = machine.cache_bytes[2] ? (double)machine.cache_bytes[2] : usual_last_level;
    double own = (double)cpu->threads * (double)second_level(&machine),
           soon = (double)share_of(&machine, 1) / 2;
    bool beyond = outgrows(plan, 1 + words, own);
    bool past_cache = outgrows(plan, 1 + words, last_level);
    int64_t lanes = p->solution.line == 1 ? lanes_of_lines(plan, kernel, second_level(&machine), beyond)
                                          : lanes_of_rows(plan, kernel, &machine, beyond),
            stretch = choose_stretch(plan, kernel, &machine, past_cache, &lanes);
    int64_t rows = block_bytes / (lanes * (int64_t)sizeof(T) * words) / rows_least * rows_least;
    rows = rows < rows_least ? rows_least : rows;
    if (stretch < p->n)
        rows = sb_smaller(rows, stretch);
    sb_wide_plan how = {.kernels = kernel,
                        .lanes = lanes,
                        .block = rows,
                        .stretch = stretch,
                        .factor_rows = choose_factor_rows(plan, lanes, rows, second_level(&machine)),
                        .small = is_small(plan, lanes, second_level(&machine)),
                        .laned =
                            plan->matrices > 1 && plan->matrices == plan->systems && SB_NAME(fits_laned)(plan),
                        .far = beyond && (p->solution.line == 1 || outgrows(plan, 1 + words, soon)),
                        .past_cache = past_cache};
    how.bytes = SB_NAME(tiles_bytes)(plan, &how);
    if (how.bytes > tile_bytes_most)
        return;
    cpu->wide = how;
    if (stretch < p->n)
        cpu->words_per_row = 2 * words + 1;
}

const sb_drivers SB_NAME(lanes_drivers) = {.prepare = prepare,
                                           .stored = SB_NAME(system_stored),
                                           .scratch = SB_NAME(system_scratch),
                                           .factor = factor,
                                           .solve = solve,
                                           .factor_solve = factor_solve};
