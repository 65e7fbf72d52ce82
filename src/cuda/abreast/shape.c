#include "src/cuda/abreast/penta.h"

#include <math.h>

static bool is_wide(const slimband_problem *p)
{
    return p->lower != 1 || p->upper != 1;
}

static int64_t parts(int64_t n, int64_t of)
{
    return (n + of - 1) / of;
}

/* Takes this many bytes of scratch, from a place aligned to 256. */
static int64_t take(size_t *used, size_t bytes)
{
    size_t at = *used == SIZE_MAX ? 0 : *used;
    *used = sb_plus(sb_plus(*used, bytes), 255);
    *used = *used == SIZE_MAX ? SIZE_MAX : *used / 256 * 256;
    return (int64_t)at;
}

/* What the levels of links take: each joins a run of them one after another, and goes back through it. */
static double time_of_links(int64_t strips)
{
    const double launch = 3, join = 1, between = 0.3;
    double time = launch;
    for (; strips > SB_ABREAST_RUN; strips = parts(strips, SB_ABREAST_RUN))
        time += 2 * launch + (join + between) * SB_ABREAST_RUN;
    return time + (join + between) * (double)strips;
}

/* Microseconds on an H200 with strips of so many tiles: a warp goes through its strip tile by tile, each of which takes a
   round trip, or as long as the memory needs for the tiles of all warps that a processor holds. Of one matrix for all, which
   comes from cache, reading counts for a third of a word. */
static double time_of(const sb_cuda_setup *setup, const sb_abreast_shape *s, int64_t strip)
{
    const double trip = 2, bytes_per_microsecond = 31000;
    const bool wide = is_wide(setup->problem), one = setup->matrices == 1;
    const double begin = wide && one ? 10 : 20;
    const double slower = setup->problem->scalar == SLIMBAND_C128 ? 2 : 1;
    int64_t strips = parts(s->tiles, strip), warps = strips * s->groups, processors = setup->device->processors,
            most_warps = wide ? SB_ABREAST_PENTA_CROWD : SB_ABREAST_CROWD;
    double waves = (double)parts(warps, most_warps * processors);
    double crowd = (double)(waves > 1 ? most_warps : parts(warps, processors));
    double word = 32 * (double)setup->scalar_bytes * (double)s->rows * crowd / bytes_per_microsecond;
    double joints = (wide ? (double)s->numbers : SB_ABREAST_PLAIN_JOINT) / (double)s->rows;
    double fold = ((one ? (wide ? 2.6 : 1.35) : wide ? 6 : 4) + joints) * word, finish = fold + word;
    double wait = slower * trip * (wide ? 2 : 1);
    return begin + slower * (wide && !one ? 2 : 1) * time_of_links(strips) +
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
        try_strip(setup, s, parts(s->tiles, strips < 1 ? 1 : strips));
    }
    for (int64_t strip = s->tiles; strip > 1; strip = parts(strip, 2))
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
    sb_abreast_shape s = {.groups = most(1, parts(most(setup->systems, setup->matrices), SB_LARGE_LANES)),
                          .rows = wide ? SB_ABREAST_PENTA_ROWS(bytes) : SB_ABREAST_ROWS(bytes),
                          .numbers = wide    ? SB_ABREAST_PENTA_JOINT
                                     : never ? SB_ABREAST_PLAIN_JOINT
                                             : SB_ABREAST_JOINT,
                          .nearest = sb_cuda_nearest(p)};
    s.tiles = most(1, parts(setup->longest, s.rows));
    s.lanes = SB_LARGE_LANES * s.groups;
    choose_strip(setup, &s);
    size_t number = sb_times((size_t)s.lanes, setup->scalar_bytes), used = 0;
    s.joints_at = take(&used, sb_times(sb_times(number, (size_t)s.numbers), (size_t)s.tiles));
    int64_t count = parts(s.tiles, s.strip);
    s.pivoted_at = take(&used, sb_times(sizeof(uint32_t) * (size_t)s.groups, (size_t)count));
    s.told_at = take(&used, ((size_t)s.lanes + 1) * sizeof(int32_t));
    for (int l = 0;; ++l, count = parts(count, SB_ABREAST_RUN)) {
        s.levels = l;
        s.count[l] = count;
        s.links_at[l] = take(&used, sb_times(sb_times(number, (size_t)place), (size_t)count + 1));
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
