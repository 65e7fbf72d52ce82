#include "src/cuda/abreast/penta.h"

#include <math.h>

#include "src/cuda/scratch.h"

static bool is_wide(const slimband_problem *p)
{
    return p->lower != 1 || p->upper != 1;
}

/* What the levels of links take: each joins a run of them one after another, and goes back through it. */
static double time_of_links(int64_t strips)
{
    const double launch = 3, join = 1, between = 0.3;
    double time = launch;
    for (; strips > SB_ABREAST_RUN; strips = sb_cuda_parts(strips, SB_ABREAST_RUN))
        time += 2 * launch + (join + between) * SB_ABREAST_RUN;
    return time + (join + between) * (double)strips;
}

/* Microseconds on an H200 with strips of so many tiles: a warp goes through its strip tile by tile, each of which takes a
   round trip, or as long as the memory needs for the tiles of all warps that a processor holds. Of one matrix for all, which
   comes from cache, reading counts for a third of a word. */
static double time_of(const sb_cuda_setup *setup, const sb_abreast_shape *s, int64_t strip)
{
    /* Before the first strip; words of a row that is folded; a tile's wait; links, over those of tridiagonal systems. */
    static const struct {
        double begin, words, trip, links;
    } of[2][2] = {{{20, 4, 2, 1}, {20, 1.35, 2, 1}}, {{20, 6, 4, 2}, {10, 2.6, 4, 1}}}; /* [wide][one matrix] */
    const double bytes_per_microsecond = 31000;
    const bool wide = is_wide(setup->problem), one = setup->matrices == 1;
    const double slower = setup->problem->scalar == SLIMBAND_C128 ? 2 : 1;
    int64_t strips = sb_cuda_parts(s->tiles, strip), warps = strips * s->groups,
            processors = setup->device->processors,
            most_warps = wide ? SB_ABREAST_PENTA_CROWD : SB_ABREAST_CROWD;
    double waves = (double)sb_cuda_parts(warps, most_warps * processors);
    double crowd = (double)(waves > 1 ? most_warps : sb_cuda_parts(warps, processors));
    double word = 32 * (double)setup->scalar_bytes * (double)s->rows * crowd / bytes_per_microsecond;
    double joints = (wide ? (double)s->numbers : SB_ABREAST_PLAIN_JOINT) / (double)s->rows;
    double fold = (of[wide][one].words + joints) * word, finish = fold + word,
           wait = slower * of[wide][one].trip;
    return of[wide][one].begin + slower * of[wide][one].links * time_of_links(strips) +
           waves * (double)strip * (fmax(fold, wait) + fmax(finish, wait));
}

static void try_strip(const sb_cuda_setup *setup, sb_abreast_shape *s, int64_t strip)
{
    double time = time_of(setup, s, strip);
    if (time < s->microseconds) {
        s->strip = strip;
        s->microseconds = time;
    }
}

/* Strips of half as many tiles, and so on, and such that warps fill the device once, twice, ... */
static void choose_strip(const sb_cuda_setup *setup, sb_abreast_shape *s)
{
    enum { MOST_WAVES = 8 };
    const int64_t crowd = is_wide(setup->problem) ? SB_ABREAST_PENTA_CROWD : SB_ABREAST_CROWD;
    s->strip = s->tiles;
    s->microseconds = time_of(setup, s, s->strip);
    for (int waves = 1; waves <= MOST_WAVES; ++waves) {
        int64_t strips = waves * crowd * setup->device->processors / s->groups;
        try_strip(setup, s, sb_cuda_parts(s->tiles, strips < 1 ? 1 : strips));
    }
    for (int64_t strip = s->tiles; strip > 1; strip = sb_cuda_parts(strip, 2))
        try_strip(setup, s, strip);
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

sb_abreast_shape sb_abreast_shape_of(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    const bool never = p->pivoting == SLIMBAND_PIVOT_NONE, wide = is_wide(p);
    const int64_t bytes = (int64_t)setup->scalar_bytes, place = wide ? SB_ABREAST_PENTA_LINK : SB_ABREAST_JOINT;
    sb_abreast_shape s = {.groups =
                              most(1, sb_cuda_parts(most(setup->systems, setup->matrices), SB_LARGE_LANES)),
                          .rows = wide ? SB_ABREAST_PENTA_ROWS(bytes) : SB_ABREAST_ROWS(bytes),
                          .numbers = wide    ? SB_ABREAST_PENTA_JOINT
                                     : never ? SB_ABREAST_PLAIN_JOINT
                                             : SB_ABREAST_JOINT,
                          .nearest = sb_cuda_nearest(p)};
    s.tiles = most(1, sb_cuda_parts(setup->longest, s.rows));
    s.lanes = SB_LARGE_LANES * s.groups;
    choose_strip(setup, &s);
    size_t number = sb_times((size_t)s.lanes, setup->scalar_bytes), used = 0;
    s.joints_at = sb_cuda_take(&used, sb_times(sb_times(number, (size_t)s.numbers), (size_t)s.tiles));
    int64_t count = sb_cuda_parts(s.tiles, s.strip);
    s.pivoted_at = sb_cuda_take(&used, sb_times(sizeof(uint32_t) * (size_t)s.groups, (size_t)count));
    s.told_at = sb_cuda_take(&used, ((size_t)s.lanes + 1) * sizeof(int32_t));
    for (int l = 0;; ++l, count = sb_cuda_parts(count, SB_ABREAST_RUN)) {
        s.levels = l;
        s.count[l] = count;
        s.links_at[l] = sb_cuda_take(&used, sb_times(sb_times(number, (size_t)place), (size_t)count + 1));
        if (count <= SB_ABREAST_RUN)
            break;
    }
    s.scratch = used;
    return s;
}

sb_abreast_penta sb_abreast_penta_of(const sb_cuda_setup *setup)
{
    const double idle = setup->matrices == 1 ? 2 : 4; /* microseconds of a launch that has nothing to do */
    sb_abreast_penta s = {.lanes = sb_abreast_shape_of(setup), .teams = sb_bands_shape_of(setup)};
    s.teams_at = (int64_t)s.lanes.scratch;
    s.scratch = sb_plus(s.lanes.scratch, s.teams.scratch);
    s.microseconds = s.lanes.microseconds + idle * (3 + 2 * (double)s.teams.levels);
    return s;
}
