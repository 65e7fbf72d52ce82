/* The reduced system, by the engine that pivots. */
#include "src/cpu/long/reduced.h"

#include "src/cpu/route.h"

_Static_assert(2 * (3 * SB_CHUNKED_BAND - 1) <= SB_MAX_REACH, "a ring's reduced system, folded");

static const sb_route *route_of(bool periodic)
{
    return periodic ? &SB_NAME(fold) : &SB_NAME(open);
}

sb_reduced_bytes SB_NAME(reduced_bytes)(const sb_engine *engine, int64_t n, int k, bool periodic)
{
    const sb_route *route = route_of(periodic);
    int reach = 3 * k - 1;
    return (sb_reduced_bytes){.rows = (size_t)(n * sb_reduced_width(k)) * sizeof(T),
                              .x = (size_t)n * sizeof(T),
                              .store = route->stored(engine, n, reach, reach, NULL),
                              .scratch = route->scratch(engine, n, reach, reach, NULL)};
}

static int reach_of(const sb_reduced *r, bool wide)
{
    return wide ? 3 * r->k - 1 : 2 * r->k - 1;
}

int64_t SB_NAME(reduced_factor)(const sb_reduced *r, bool wide)
{
    int most = 3 * r->k - 1, reach = reach_of(r, wide);
    sb_matrix A = {.n = r->n,
                   .lower = reach,
                   .upper = reach,
                   .periodic = r->periodic,
                   .stride = sb_reduced_width(r->k),
                   .first = r->n,
                   .total = r->n};
    for (int d = 0; d <= 2 * reach; ++d)
        A.diagonal[d] = r->rows + most - reach + d;
    return route_of(r->periodic)->factor(r->engine, &A, r->store, r->scratch, NULL).row;
}

int64_t SB_NAME(reduced_solve)(const sb_reduced *r, bool wide)
{
    int reach = reach_of(r, wide);
    return route_of(r->periodic)
        ->solve(r->engine, NULL, r->store, SB_PLAIN, r->n, reach, reach, r->x, r->scratch, NULL);
}
