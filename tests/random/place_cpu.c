/* The CPU works on the trial's own arrays. */
#include "tests/random/place.h"

const char place_name[] = "cpu";

const char *place_missing(void)
{
    return NULL;
}

slimband_executor place_executor(const trial *t)
{
    return slimband_cpu(t->threads);
}

void place_release(void)
{
}

void place_limit(trial *t)
{
    (void)t;
}

bool place_bring(const trial *t, placed *arrays)
{
    trial_diagonals(t, arrays->diagonals);
    arrays->x = array_pointer(&t->x);
    arrays->b = t->in_place ? arrays->x : array_pointer(&t->b);
    return true;
}

slimband_status place_take_back(const trial *t, const placed *arrays, const slimband_plan *plan,
                                slimband_status status)
{
    (void)t, (void)arrays, (void)plan;
    return status;
}
