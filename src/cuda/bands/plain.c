#include "src/cuda/bands/plain.h"

#include <math.h>

#include "src/cuda/scratch.h"

/* Lanes that sweep at once, as many warps as processors have room for. */
static int64_t lanes_at_once(const sb_cuda_setup *setup)
{
    enum { OF_SYSTEM = 1024, REGISTERS = 256 };
    const sb_cuda_device *d = setup->device;
    const int64_t room = d->shared_total / (SB_PLAIN_SHARED_BYTES((int64_t)setup->scalar_bytes) + OF_SYSTEM),
                  registers = d->registers / (SB_PLAIN_LANES * REGISTERS);
    const int64_t warps = room < registers ? room : registers;
    return (warps > 0 ? warps : 1) * SB_PLAIN_LANES * d->processors;
}

/* Numbers beside the system that each of its rows has, where strips have so many: what is kept, what passes, and links. */
static double extra_of(int64_t rows, int64_t window, int64_t group)
{
    const double links = (double)sb_bands_link(SB_BANDS_WIDE) * SB_BANDS_RUN / (SB_BANDS_RUN - 1);
    return ((double)sb_plain_kept_groups(rows, window, group) * SB_PLAIN_KEPT +
            (double)(group - 1) * SB_PLAIN_PASSED + links) /
           (double)rows;
}

/* Less by what of a large system counts beside its whole strips: the last one, further levels, what is told. */
static double twentieth_of(const slimband_problem *p)
{
    const double whole = 0.98;
    return whole * (double)(p->lower + 1 + p->upper + 2) / 20;
}

/* The smallest group for which that is no more than a twentieth of a system's numbers, or the one for which it is least. */
static int64_t spare_group(const slimband_problem *p, int64_t rows, int64_t window)
{
    const double enough = twentieth_of(p);
    double least = INFINITY;
    int64_t best = 1;
    for (int64_t group = 1; group <= rows / window && least > enough; ++group) {
        const double extra = extra_of(rows, window, group);
        if (extra < least) {
            least = extra;
            best = group;
        }
    }
    return best;
}

/* So few rows have no such group in any band. And a single system does with strips for one lane in SOME, and takes half as long again or
   more. */
enum { NO_SPARE_ROWS = 512, SOME = 3 };

/* So many that there is such a group. Of a few rows more there may be none that fits as well, since groups do not come out even. */
static int64_t fewest_spare_rows(const slimband_problem *p, int64_t window)
{
    int64_t rows = NO_SPARE_ROWS;
    while (extra_of(rows, window, spare_group(p, rows, window)) > twentieth_of(p))
        rows += window;
    return rows;
}

/* The same for systems that have groups, 0 for others: those have whose strips of so many rows are as many as lanes at once, single ones
   sooner, and whoever asks for it. */
static int64_t rows_with_groups(const sb_cuda_setup *setup, int64_t window)
{
    const int form = setup->options.form;
    const int64_t filling = setup->longest / lanes_at_once(setup) * (setup->systems == 1 ? SOME : 1);
    if (form != SB_PARTITION_SPARE && (form != SB_PARTITION_CHOSEN || filling < NO_SPARE_ROWS))
        return 0;
    const int64_t fewest = fewest_spare_rows(setup->problem, window);
    return form == SB_PARTITION_SPARE || filling >= fewest ? fewest : 0;
}

/* On an H200, with strips of so many rows: what a row takes a lane, there and back, while processors have one warp each; what rows take
   while memory is busy; a level of links there and back, what each of the first level's takes, and closing a system; launches, those of
   teams that have nothing to do among them. With groups: what a third sweep adds, and `few`, how much longer rows take with half as many
   lanes as there is room for; 2^26 rows in f64 take 6.2 ms, of which this says 6.0. */
static double time_of(const sb_cuda_setup *setup, double systems, int64_t rows, bool spare)
{
    static const struct {
        double alone, row, level;
    } times[] = {[SLIMBAND_F32] = {0.65, 51e-6, 20},
                 [SLIMBAND_F64] = {1.1, 68e-6, 23},
                 [SLIMBAND_C64] = {3, 122e-6, 50},
                 [SLIMBAND_C128] = {5, 235e-6, 60}};
    const double begin = 55, link = 2e-3, close = 7e-3, few = 0.3, slower = spare ? 1.4 : 1,
                 more = spare ? 1.25 : 1;
    const slimband_scalar scalar = setup->problem->scalar;
    const int64_t strips = sb_cuda_parts(setup->longest, rows);
    const double links = systems * (double)strips, full = links / (double)lanes_at_once(setup);
    const double waits = spare && full < 1 ? 1 + few * (1 / full - 1) : 1;
    const double lanes = ceil(full) * (double)rows * times[scalar].alone * slower,
                 memory = systems * (double)setup->longest * times[scalar].row * more * waits * 132 /
                          setup->device->processors;
    return begin + (lanes > memory ? lanes : memory) +
           (2 * (double)sb_bands_levels(strips) + 1) * times[scalar].level + links * link + systems * close;
}

/* As many strips as there is room for at once, or fewer levels of links. */
static int64_t choose_rows(const sb_cuda_setup *setup, double systems, int64_t fewest, bool spare,
                           double *microseconds)
{
    enum { DOUBLINGS = 7 };
    const double at_once = (double)lanes_at_once(setup) / (systems > 1 ? systems : 1);
    const int64_t strips = at_once > 1 ? (int64_t)at_once : 1;
    const int64_t window = SB_PLAIN_WINDOW((int64_t)setup->scalar_bytes),
                  filling = sb_cuda_parts(sb_cuda_parts(setup->longest, strips), window) * window;
    int64_t best = fewest;
    *microseconds = INFINITY;
    for (int k = 0; k <= DOUBLINGS; ++k) {
        const int64_t rows = k == DOUBLINGS ? filling : fewest << k;
        const double time = rows < fewest ? INFINITY : time_of(setup, systems, rows, spare);
        if (time < *microseconds) {
            *microseconds = time;
            best = rows;
        }
    }
    return best;
}

sb_plain_shape sb_plain_shape_of(const sb_cuda_setup *setup)
{
    enum { FEWEST = 64 };
    const size_t bytes = setup->scalar_bytes, each = (size_t)setup->systems;
    const int64_t window = SB_PLAIN_WINDOW((int64_t)bytes), with_groups = rows_with_groups(setup, window);
    const bool spare = with_groups > 0;
    sb_plain_shape s = {.teams = sb_bands_shape_of(setup)};
    s.links = (sb_bands_shape){.half = SB_BANDS_WIDE, .across = s.teams.across, .zeros_at = s.teams.zeros_at};
    s.links.rows = choose_rows(setup, (double)each, spare ? with_groups : FEWEST, spare, &s.microseconds);
    s.group = spare ? spare_group(setup->problem, s.links.rows, window) : 1;
    size_t used = (size_t)s.teams.links_at[0];
    const int64_t strips = sb_cuda_parts(setup->longest, s.links.rows);
    const size_t lanes = sb_times(each, (size_t)strips);
    sb_bands_cut_levels(&s.links, strips, each, bytes, &used);
    const size_t warps = lanes == SIZE_MAX ? SIZE_MAX : (lanes + SB_PLAIN_LANES - 1) / SB_PLAIN_LANES,
                 kept = (size_t)sb_plain_kept_groups(s.links.rows, window, s.group),
                 passed = (size_t)(s.group - 1);
    s.kept_at = sb_cuda_take(&used, sb_times(sb_times(warps, kept), SB_PLAIN_KEPT * SB_PLAIN_LANES * bytes));
    s.passed_at =
        sb_cuda_take(&used, sb_times(sb_times(warps, passed), SB_PLAIN_PASSED * SB_PLAIN_LANES * bytes));
    used = used > s.teams.scratch ? used : s.teams.scratch;
    s.told_at = sb_cuda_take(&used, sb_times(each + 1, sizeof(int32_t)));
    s.scratch = used;
    return s;
}
