/* The right-hand side as the solvers read it: f and the boundary's terms. */
#ifndef SB_POISSON_RHS_H
#define SB_POISSON_RHS_H

#include "src/chunk/scalar.h"
#include "src/poisson/internal.h"

/* Entries column .. column + count - 1 of a row (a line along the last axis), in row[0 .. count - 1]. Rows of all fields
   are numbered in C order. */
void SB_NAME(rhs_load)(const sb_rhs *rhs, int64_t number, int64_t column, int64_t count, T *row);

#endif
