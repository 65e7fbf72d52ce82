/* The cost model. Its constants are calibrated for what today's processors share, not for one of them: they only
 * have to rank methods whose times differ by the words moved, by vectors and by cores. */
#include "src/cpu/cost.h"

#include <math.h>

#include "src/core/backend.h"
#include "src/cpu/fetch.h"
#include "src/cpu/kernels/spread.h"
#include "src/cpu/long/chunks.h"
#include "src/cpu/wide/isa.h"

/* Bytes that one core moves in a nanosecond, by where they are. Half of its cores, but no less than
 * two, saturate a machine's memory. */
static const double bytes_per_ns[] = {0, 50, 20, 16};
enum { FIRST_CACHE, OWN_CACHE, LAST_CACHE, MEMORY };

static const double cache_where_unknown[] = {1 << 15, 1 << 20, 1 << 25};

static const double ns_call = 600;    /* a call by itself, */
static const double ns_region = 5000; /* waking threads that sleep, each doubling of their number, */
static const double ns_unit = 90;     /* and beginning a system or a tile */
static const double ns_met = 150;     /* a row that cores share: 100 to 300 where it was measured */
static const double ns_apart = 0.4;   /* a lane's word into or out of a vector that is not full */

/* Facts were measured where vectors have 512 bits. Where they have no more than 256 (a Zen 3) it takes so much of that what is a row's own
 * chain, a vector's row, of doubles and of floats, and to begin a tile: of own matrices, and of kept factors. */
typedef struct older {
    double chain, vector, single, begun;
} older;

static const older older_own = {1.25, 0.75, 1, 1.1}, older_kept = {1.25, 1.1, 1.1, 1};

/* What complex numbers take, in times of real ones, on a Zen 3 in c64 and c128: of a row's own chain, and of vectors, of which there are two
   then, the imaginary parts beside. And what it takes them to begin a tile. */
typedef struct longer {
    double eliminate, substitute;
} longer;

static const longer as_long = {1, 1}, complex_rows = {4, 2}, complex_vectors = {5, 2.5};
static const double complex_begun = 2;

/* A tile's own lines are dozens: the share of memory's speed that is left where few are followed. */
static const double followed = 0.5;

enum {
    TILE_VECTORS = 2, /* of systems in a tile: SB_DEPTH */
    CACHE_LINE = 64,
    WIDE_VECTOR = 64,
    NARROWEST_VECTOR = 16 /* that of the last instruction set: sb_isa_bytes */
};

/* The problem in the numbers that count. */
typedef struct load {
    double n, systems, scalar_bytes, width, lanes;
    double joined; /* lines that may go together as one system */
    double line;   /* words that a word of a line brings with it from memory, itself among them */
    double real_bytes;
    bool own, complex, alike;
    bool given;         /* own matrices come with right-hand sides; else solves read factors */
    const older *older; /* NULL where vectors are wide */
} load;

/* Who does it: workers at once, the systems or tiles of the busiest, and its share of each. */
typedef struct crew {
    double workers, turns, share, together;
} crew;

static load load_of(const slimband_problem *p, const sb_cost_machine *machine)
{
    load l = {.systems = (double)slimband_systems(p),
              .scalar_bytes = (double)sb_scalar_bytes(p->scalar),
              .width = p->lower + 1 + p->upper,
              .joined = (double)sb_lines_joined(p),
              .own = p->coefficients == SLIMBAND_OWN && sb_matrices(p) == slimband_systems(p),
              .complex = p->scalar == SLIMBAND_C64 || p->scalar == SLIMBAND_C128,
              .alike = p->coefficients == SLIMBAND_TOEPLITZ};
    l.given = l.own && p->one_pass;
    const int64_t *offsets = p->ragged ? p->ragged->offsets : NULL;
    double rows = offsets ? (double)(offsets[p->ragged->systems] - offsets[0]) : (double)p->n * l.systems;
    l.n = l.systems > 0 ? rows / l.systems : 0;
    l.line = fmin(fabs((double)p->solution.line), fmax(1, CACHE_LINE / l.scalar_bytes));
    l.real_bytes = l.complex ? l.scalar_bytes / 2 : l.scalar_bytes;
    l.lanes = fmax(1, machine->vector_bytes / l.real_bytes);
    if (machine->vector_bytes < WIDE_VECTOR)
        l.older = l.given ? &older_own : &older_kept;
    return l;
}

static double cache_of(const sb_cost_machine *machine, int level)
{
    return machine->cache_bytes[level] ? (double)machine->cache_bytes[level] : cache_where_unknown[level];
}

static double sum_of(sb_band_sum s, const slimband_problem *p)
{
    return s.each + s.diagonal * (p->lower + p->upper) + s.product * p->lower * p->upper;
}

/* Lines go by one vector where a whole tile of one matrix outgrows the first-level cache, or what waits of own ones half of the second,
   and where they are too few for all cores. */
static double in_a_tile(const load *l, const sb_cost_machine *machine)
{
    double tile = TILE_VECTORS * l->lanes,
           bytes = tile * l->n * l->scalar_bytes * (l->own ? 1 + l->width / 2 : 1);
    double room = cache_of(machine, l->own ? OWN_CACHE : FIRST_CACHE) / 2;
    bool enough = ceil(l->systems / tile) >= machine->cores;
    return l->line > 1 || (bytes <= room && enough) ? tile : l->lanes;
}

static crew crew_of(const sb_cost_facts *f, const load *l, const sb_cost_machine *machine)
{
    int cores = machine->cores;
    crew c = {.together = f->side == SB_SYSTEMS_IN_TILES ? in_a_tile(l, machine) : f->joins ? l->joined : 1};
    double units = ceil(l->systems / c.together);
    bool inside = f->inside && units < cores && l->n >= SB_ROWS_WORTH_THREADS;
    c.workers = inside ? cores : fmax(1, fmin(units, cores));
    c.turns = inside ? units : ceil(units / c.workers);
    c.share = inside ? 1.0 / cores : 1;
    return c;
}

static double arithmetic(const sb_cost_facts *f, const slimband_problem *p, const load *l, const crew *c,
                         double visits)
{
    const longer *times = !l->complex ? &as_long : f->side == SB_ROW ? &complex_rows : &complex_vectors;
    double row = (l->given ? sum_of(f->eliminate, p) * times->eliminate : 0) +
                 sum_of(f->substitute, p) * visits *
                     (l->complex && f->times_complex > 0 ? f->times_complex : times->substitute);
    double rows = l->n * c->share;
    if (f->side == SB_ROWS_IN_VECTORS)
        rows = ceil(rows * c->together / l->lanes);
    if (f->side == SB_SYSTEMS_IN_TILES)
        rows *= ceil(fmin(c->together, l->systems) / l->lanes);
    bool vectors = f->side != SB_ROW;
    if (l->older)
        row *= !vectors                         ? l->older->chain
               : l->real_bytes < sizeof(double) ? l->older->single
                                                : l->older->vector;
    row += p->pivoting == SLIMBAND_PIVOT_PARTIAL ? f->pivoting : 0;
    /* Those that fill no vector of the processor's; side by side there are narrower ones. */
    const double fills = l->line > 1 ? fmin(l->lanes, NARROWEST_VECTOR / l->real_bytes) : l->lanes;
    bool apart = f->side == SB_SYSTEMS_IN_TILES && l->systems < fills;
    double words = apart ? l->lanes * (l->own ? l->width + 2 : 2) : 0;
    return row * rows * c->turns + ns_apart * words * l->n;
}

/* Where a set of so many bytes is, of which every worker has its part. */
static int level_of(double set, double workers, const sb_cost_machine *machine)
{
    if (set <= cache_of(machine, OWN_CACHE) * workers)
        return OWN_CACHE;
    return set <= cache_of(machine, LAST_CACHE) ? LAST_CACHE : MEMORY;
}

/* Nanoseconds to move bytes from and to there. */
static double moving(double bytes, int level, double workers, const sb_cost_machine *machine)
{
    double at_once = level == MEMORY ? fmin(workers, fmax(2, machine->cores / 2.0)) : workers;
    return bytes / (bytes_per_ns[level] * at_once);
}

/* What waits in half of a core's own cache, of which the rest is for what passes through, moves while other words come; what
   waits in the last one comes the same way. Of what fills more than half of that one, those drive more and more out, which then moves over the
   same way. `level`: where all of it lies. */
static double traffic(const sb_cost_facts *f, const slimband_problem *p, const load *l, const crew *c,
                      double visits, const sb_cost_machine *machine, int *level)
{
    double factors = l->given || l->alike ? 0 : sum_of(f->factors, p) * l->scalar_bytes;
    if (l->own && !l->given && factors == 0) /* facts are of one matrix', which are in a cache then */
        factors = l->width * l->scalar_bytes;
    double row_bytes = (l->given ? l->width + 2 : 2) * l->scalar_bytes, rows = l->n * l->systems;
    bool neighbours = l->systems > 1 && f->side != SB_ROWS_IN_VECTORS; /* whose words come with a line's */
    row_bytes *= neighbours ? 1 : l->line;
    double between =
        (l->given ? sum_of(f->between_eliminate, p) : 0) + sum_of(f->between_substitute, p) * visits;
    double under_way = l->n * fmin(l->systems, c->share < 1 ? 1 : c->workers * c->together) *
                       sum_of(f->kept, p) * l->scalar_bytes;
    double waiting = rows * between * l->scalar_bytes, words = rows * (f->passes * row_bytes + factors);
    *level = level_of(rows * (row_bytes + (l->own ? factors : 0)), c->workers, machine);
    double out = *level == MEMORY ? fmax(0, fmin(1, 2 * under_way / cache_of(machine, LAST_CACHE) - 1)) : 0;
    bool lines = l->given && l->line == 1 && f->side == SB_SYSTEMS_IN_TILES;
    double speed = *level > OWN_CACHE && lines && machine->follows_few ? followed : 1;
    double passing = moving(words + out * waiting, *level, c->workers, machine) / speed;
    int home = level_of(2 * under_way, c->workers, machine);
    double back = moving((1 - out) * waiting, home, c->workers, machine);
    return home > OWN_CACHE ? passing + back : fmax(passing, back);
}

/* To begin a tile of chunks; of given matrices facts are of doubles, of which a tile has half as many chunks as of floats. */
static double begun(const sb_cost_facts *f, const slimband_problem *p, const load *l)
{
    const double chunks = l->complex                      ? complex_begun
                          : f->side == SB_ROWS_IN_VECTORS ? sizeof(double) / l->real_bytes
                                                          : 1;
    return (l->older ? l->older->begun : 1) *
           (l->given ? sum_of(f->start, p) * chunks : sum_of(f->start_kept, p));
}

double sb_cost_seconds(const sb_cost_facts *facts, const slimband_problem *problem,
                       const sb_cost_machine *machine)
{
    load l = load_of(problem, machine);
    crew c = crew_of(facts, &l, machine);
    double visits =
        facts->visits && l.n > 0 ? facts->visits((int64_t)l.n, c.share < 1 ? machine->cores : 1) : 1;
    double steps = facts->steps && c.share < 1 ? facts->steps((int64_t)l.n) * c.turns : 1;
    double start =
        ns_call + (ns_unit + begun(facts, problem, &l)) * c.turns + ns_region * log2(c.workers) * steps;
    int level;
    double moved = traffic(facts, problem, &l, &c, visits, machine, &level),
           worked = arithmetic(facts, problem, &l, &c, visits);
    bool waits = facts->side == SB_ROW && level > OWN_CACHE;
    return 1e-9 * ((waits ? moved + worked : fmax(moved, worked)) + start);
}

/* What workers lose that share rows of neighbouring systems: each one's cache fetches ahead into what another writes to. Only
   solves of one matrix are so fast that it shows. */
static double meeting(const sb_cost_facts *f, const load *l)
{
    return f->side == SB_SYSTEMS_IN_TILES && l->line > 1 && !l->own ? ns_met * l->n : 0;
}

/* Where the model sees no work for others there may still be more tiles than it knows of: long work is theirs then. */
bool sb_cost_is_for_one(const sb_cost_facts *facts, const slimband_problem *problem, int threads)
{
    sb_cost_machine all = sb_cost_machine_here(), one = all;
    load l = load_of(problem, &all);
    all.cores = threads;
    one.cores = 1;
    double together = sb_cost_seconds(facts, problem, &all), alone = sb_cost_seconds(facts, problem, &one);
    double much = 1e-9 * 4 * ns_region * log2(threads);
    return alone == together ? alone < much : alone < together + 1e-9 * meeting(facts, &l);
}

sb_cost_machine sb_cost_machine_here(void)
{
    slimband_machine facts;
    slimband_machine_facts(&facts);
    const int vector_bytes = sb_isa_bytes(sb_isa_named(""));
    return (sb_cost_machine){
        .cores = facts.cores > 1 ? facts.cores : 1,
        .vector_bytes = vector_bytes,
        .cache_bytes = {facts.cache_bytes[0], facts.cache_bytes[1], facts.cache_bytes[2]},
        .follows_few = sb_follows_few && vector_bytes < WIDE_VECTOR,
    };
}
