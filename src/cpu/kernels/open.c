/* Open systems: the engine sees the system as it is. */
#include "src/cpu/route.h"

static size_t stored(const sb_engine *engine, int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    return engine->stored(n, lower, upper, tuning);
}

static size_t scratch(const sb_engine *engine, int64_t n, int lower, int upper, const sb_tuning *tuning)
{
    return engine->scratch(n, lower, upper, tuning);
}

static sb_outcome factor(const sb_engine *engine, const sb_matrix *A, void *factors, void *memory,
                         const sb_tuning *tuning)
{
    (void)memory;
    return engine->factor(A, factors, tuning);
}

const sb_route SB_NAME(open) = {
    .stored = stored, .scratch = scratch, .factor = factor, .solve = sb_engine_solve};
