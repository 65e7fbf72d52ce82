#include "src/cuda/along/shape.h"

#include "src/cuda/scratch.h"

/* On an H200: launches, those of teams that have nothing to do among them; and rows, there and back, of which those of tiles at the
   ends of lines take nearly twice as long; of a Toeplitz matrix tiles are alike, which take a quarter, or not. */
static double time_of(const sb_cuda_setup *setup, const sb_along_shape *s)
{
    static const double row[] = {
        [SLIMBAND_F32] = 19e-6, [SLIMBAND_F64] = 34e-6, [SLIMBAND_C64] = 55e-6, [SLIMBAND_C128] = 122e-6};
    const double begin = 30, level = 8, idle = 3, at_ends = 0.9, alike = 0.25, other = 1.4;
    const double own = (double)s->tiles + at_ends * (double)(s->tiles < 3 ? s->tiles : 3),
                 found = (double)(s->high - s->low),
                 toeplitz = alike * found + other * ((double)s->tiles - found);
    const bool one = setup->problem->coefficients == SLIMBAND_TOEPLITZ;
    double tiles = (double)setup->systems * (one ? toeplitz : own) * 132 / setup->device->processors;
    return begin + level * (double)s->levels + idle * (3 + 2 * (double)s->teams.levels) +
           tiles * (double)SB_ALONG_ROWS(setup->scalar_bytes) * row[setup->problem->scalar];
}

/* Which tiles have no row with entries of its own, nor one that is less than two rows away from one or from the ends. */
static void find_alike(const sb_cuda_setup *setup, sb_along_shape *s)
{
    const slimband_problem *p = setup->problem;
    const int64_t rows = SB_ALONG_ROWS((int64_t)setup->scalar_bytes);
    int64_t behind = p->n - p->toeplitz_last - 2;
    s->low = sb_cuda_parts(p->toeplitz_first + 2, rows);
    s->high = behind / rows;
    if (behind < 0 || s->high < s->low)
        s->high = s->low = 0;
    s->high -= (s->high - s->low) % SB_ALONG_AT_ONCE((int64_t)setup->scalar_bytes);
}

/* Blocks of both trades are as many as there are processors, or can have a tile; the others' tiles take AS_MANY times as long. */
static void share(const sb_cuda_setup *setup, sb_along_shape *s)
{
    enum { AS_MANY = 7 };
    const int64_t processors = setup->device->processors, alike = setup->systems * (s->high - s->low),
                  others = setup->systems * s->tiles - alike, work = AS_MANY * others + alike;
    const int64_t of_others = sb_cuda_parts(others, SB_ALONG_WARPS),
                  of_alike =
                      sb_cuda_parts(alike, SB_ALONG_WARPS * SB_ALONG_AT_ONCE((int64_t)setup->scalar_bytes));
    int64_t apart =
        alike ? (int64_t)((double)processors * AS_MANY * (double)others / (double)work) : processors;
    apart = alike && apart >= processors ? processors - 1 : apart;
    apart = apart < 1 ? 1 : apart;
    s->apart = apart < of_others ? apart : of_others;
    const int64_t rest = processors > s->apart ? processors - s->apart : 1;
    s->blocks = s->apart + (of_alike < rest ? of_alike : rest);
}

/* Of a Toeplitz matrix, which has no size to speak of, as of own ones. */
static int64_t joints_every(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    const int64_t tile = (p->lower + 1 + p->upper + 2) * SB_ALONG_ROWS((int64_t)setup->scalar_bytes);
    int64_t every = 2;
    while (every < SB_ALONG_RUN && 20 * (SB_ALONG_LINK + SB_ALONG_JOINTS(every) * SB_ALONG_JOINT) > tile)
        every *= 2;
    return every;
}

sb_along_shape sb_along_shape_of(const sb_cuda_setup *setup)
{
    const size_t bytes = setup->scalar_bytes, each = (size_t)setup->systems;
    const bool toeplitz = setup->problem->coefficients == SLIMBAND_TOEPLITZ;
    sb_along_shape s = {.teams = sb_bands_shape_of(setup), .every = joints_every(setup)};
    const size_t alike = toeplitz ? (size_t)SB_ALONG_ALIKE_WORDS(bytes) * bytes : 0;
    size_t used = (size_t)s.teams.links_at[0];
    int64_t count = sb_cuda_parts(setup->longest, SB_ALONG_ROWS((int64_t)bytes));
    s.tiles = count = count < 1 ? 1 : count;
    if (toeplitz)
        find_alike(setup, &s);
    share(setup, &s);
    for (int l = 0;; ++l, count = sb_cuda_parts(count, SB_ALONG_RUN)) {
        s.levels = l;
        s.count[l] = count;
        s.links_at[l] = sb_cuda_take(&used, sb_times(sb_times(each, SB_ALONG_LINK * bytes), (size_t)count + 1));
        if (count <= SB_ALONG_RUN)
            break;
    }
    s.joints_at = sb_cuda_take(&used, sb_times(sb_times(each, (size_t)s.tiles),
                                               (size_t)SB_ALONG_JOINTS(s.every) * SB_ALONG_JOINT * bytes));
    s.alike_at = sb_cuda_take(&used, alike);
    (void)sb_cuda_take(&s.stored, sb_bands_stored_bytes(setup));
    if (s.stored)
        s.kept_at = sb_cuda_take(&s.stored, 2 * alike);
    used = used > s.teams.scratch ? used : s.teams.scratch;
    s.told_at = sb_cuda_take(&used, sb_times(each + 1, sizeof(int32_t)));
    s.scratch = used;
    s.microseconds = time_of(setup, &s);
    return s;
}
