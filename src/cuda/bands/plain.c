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

/* On an H200, with strips of so many rows: what a row takes a lane, there and back, while processors have one warp each; what rows take
   while memory is busy; a level of links there and back, what each of the first level's takes, and closing a system; launches, those of
   teams that have nothing to do among them. */
static double time_of(const sb_cuda_setup *setup, double systems, int64_t rows)
{
    static const struct {
        double alone, row, level;
    } times[] = {[SLIMBAND_F32] = {0.65, 51e-6, 20},
                 [SLIMBAND_F64] = {1.1, 68e-6, 23},
                 [SLIMBAND_C64] = {3, 122e-6, 50},
                 [SLIMBAND_C128] = {5, 235e-6, 60}};
    const double begin = 55, link = 2e-3, close = 7e-3;
    const slimband_scalar scalar = setup->problem->scalar;
    const int64_t strips = sb_cuda_parts(setup->longest, rows);
    const double links = systems * (double)strips, turns = ceil(links / (double)lanes_at_once(setup));
    const double lanes = turns * (double)rows * times[scalar].alone,
                 memory =
                     systems * (double)setup->longest * times[scalar].row * 132 / setup->device->processors;
    return begin + (lanes > memory ? lanes : memory) +
           (2 * (double)sb_bands_levels(strips) + 1) * times[scalar].level + links * link + systems * close;
}

/* As many strips as there is room for at once, or fewer levels of links. */
static int64_t choose_rows(const sb_cuda_setup *setup, double systems, double *microseconds)
{
    enum { FEWEST = 64, DOUBLINGS = 7 };
    const double at_once = (double)lanes_at_once(setup) / (systems > 1 ? systems : 1);
    const int64_t strips = at_once > 1 ? (int64_t)at_once : 1;
    const int64_t window = SB_PLAIN_WINDOW((int64_t)setup->scalar_bytes),
                  filling = sb_cuda_parts(sb_cuda_parts(setup->longest, strips), window) * window;
    int64_t best = FEWEST;
    *microseconds = INFINITY;
    for (int k = 0; k <= DOUBLINGS; ++k) {
        const int64_t rows = k == DOUBLINGS ? filling : (int64_t)FEWEST << k;
        const double time = rows < FEWEST ? INFINITY : time_of(setup, systems, rows);
        if (time < *microseconds) {
            *microseconds = time;
            best = rows;
        }
    }
    return best;
}

sb_plain_shape sb_plain_shape_of(const sb_cuda_setup *setup)
{
    const size_t bytes = setup->scalar_bytes, each = (size_t)setup->systems;
    sb_plain_shape s = {.teams = sb_bands_shape_of(setup)};
    s.links = (sb_bands_shape){.half = SB_BANDS_WIDE, .across = s.teams.across, .zeros_at = s.teams.zeros_at};
    s.links.rows = choose_rows(setup, (double)each, &s.microseconds);
    size_t used = (size_t)s.teams.links_at[0];
    const int64_t strips = sb_cuda_parts(setup->longest, s.links.rows);
    const size_t lanes = sb_times(each, (size_t)strips);
    sb_bands_cut_levels(&s.links, strips, each, bytes, &used);
    const size_t warps = lanes == SIZE_MAX ? SIZE_MAX : (lanes + SB_PLAIN_LANES - 1) / SB_PLAIN_LANES,
                 windows = (size_t)(s.links.rows / SB_PLAIN_WINDOW((int64_t)bytes) - 1);
    s.kept_at = sb_cuda_take(&used, sb_times(sb_times(warps, windows), SB_PLAIN_KEPT * SB_PLAIN_LANES * bytes));
    used = used > s.teams.scratch ? used : s.teams.scratch;
    s.told_at = sb_cuda_take(&used, sb_times(each + 1, sizeof(int32_t)));
    s.scratch = used;
    return s;
}
