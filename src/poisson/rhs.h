/* The right-hand side as the solvers read it: f and the boundary's terms. */
#ifndef SB_POISSON_RHS_H
#define SB_POISSON_RHS_H

#include "src/chunk/scalar.h"
#include "src/poisson/internal.h"

/* Is nothing added to f? */
static inline bool sb_rhs_plain(const sb_rhs *rhs)
{
    bool none = true;
    for (int k = 0; k < 2 * SLIMBAND_POISSON_MAX_RANK; ++k)
        none &= !rhs->boundary->side[k / 2][k % 2];
    return none;
}

/* Entries column .. column + count - 1 of a row (a line along the last axis), in row[0 .. count - 1]. Rows of all fields
   are numbered in C order. */
void SB_NAME(rhs_load)(const sb_rhs *rhs, int64_t number, int64_t column, int64_t count, T *row);

#endif
