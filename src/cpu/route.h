/* A route takes a whole system, ends and all, to an engine:
 *
 *     open  hands it over as it is
 *     ring  cuts a periodic system open: an open interior for the engine, and a border of max(lower, upper)
 * unknowns that close the ring fold  reorders a periodic system of any size into an open band of twice the
 * width (for an engine that pivots)
 *
 * Engines stay ignorant of periodic ends, and every engine gets them. */
#ifndef SB_ROUTE_H
#define SB_ROUTE_H

#include "src/cpu/engine.h"
#include "src/cpu/record.h"

typedef struct sb_route {
    size_t (*stored)(const sb_engine *engine, int64_t n, int lower, int upper, const sb_tuning *tuning);
    size_t (*scratch)(const sb_engine *engine, int64_t n, int lower, int upper, const sb_tuning *tuning);
    sb_outcome (*factor)(const sb_engine *engine, const sb_matrix *A, void *factors, void *scratch,
                         const sb_tuning *tuning);
    int64_t (*solve)(const sb_engine *engine, const sb_matrix *A, const void *factors, sb_op op, int64_t n,
                     int lower, int upper, T *x, void *scratch, const sb_tuning *tuning);
} sb_route;

extern const sb_route SB_NAME(open), SB_NAME(ring), SB_NAME(fold);

/* One open system through an engine; those that read the matrix get the transposed view instead of an op. */
static inline int64_t sb_engine_solve(const sb_engine *engine, const sb_matrix *A, const void *factors,
                                      sb_op op, int64_t n, int lower, int upper, T *x, void *scratch,
                                      const sb_tuning *tuning)
{
    if (!engine->reads_matrix)
        return engine->solve(NULL, factors, op, n, lower, upper, x, scratch, tuning);
    sb_matrix view = op == SB_PLAIN ? *A : SB_NAME(transpose)(A);
    return engine->solve(&view, factors, SB_PLAIN, n, view.lower, view.upper, x, scratch, tuning);
}

/* Sizes rounded up so that what follows stays aligned to 64 bytes. */
static inline size_t sb_round(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

#endif
