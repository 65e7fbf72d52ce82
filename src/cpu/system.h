/* One system from its matrix to its answer: route, pivoting policy, refinement, checks. */
#ifndef SB_SYSTEM_H
#define SB_SYSTEM_H

#include "src/cpu/engine.h"
#include "src/cpu/record.h"

/* Bytes that a factored system of n rows keeps, and that one thread needs to factor and solve it. */
size_t SB_NAME(system_stored)(const sb_recipe *recipe, int64_t n);
size_t SB_NAME(system_scratch)(const sb_recipe *recipe, int64_t n);

/* Factor A into `store`. */
void SB_NAME(system_factor)(const sb_recipe *recipe, const sb_matrix *A, void *store, void *scratch,
                            sb_matrix_record *record);

/* The first row that holds NaN or Inf, or -1. */
int64_t SB_NAME(first_row_not_finite)(const sb_matrix *A);

/* x: the right-hand side, contiguous, becomes the solution, or NaN throughout if the record says that it
   failed. A: the matrix if the caller still has it; otherwise NULL, and the copy in the store is read. */
sb_system_record SB_NAME(system_solve)(const sb_recipe *recipe, const sb_matrix *A, int64_t n,
                                       const void *store, const sb_matrix_record *record, sb_op op, T *x,
                                       void *scratch);

/* Both, where nobody will want the factors; x as above. */
sb_system_record SB_NAME(system_solve_once)(const sb_recipe *recipe, const sb_matrix *A, void *store,
                                            sb_matrix_record *record, T *x, void *scratch);

#endif
