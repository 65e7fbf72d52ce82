/* Which problems tiles are for. */
#include "src/cpu/wide/worth.h"

#include "src/cpu/record.h"

bool sb_fits_tiles(const slimband_problem *p)
{
    bool open = p->ends == SLIMBAND_OPEN || (p->lower == 0 && p->upper == 0);
    if (p->ragged || p->n == 0 || p->refinements || slimband_systems(p) < 2)
        return false;
    return open || sb_ring_fits(p->n, p->lower, p->upper);
}
