/* Single systems of a batch, for drivers that solve the rest in another way. */
#ifndef SB_BATCH_H
#define SB_BATCH_H

#include "src/cpu/system.h"
#include "src/cpu/workspace.h"

/* A call's arguments: with diagonals, systems are factored as they are solved. */
typedef struct sb_job {
    const slimband_plan *plan;
    const sb_cpu *cpu;
    const void *const *diagonals;
    sb_op op;
    bool conjugate;
    const T *b;
    T *x;
} sb_job;

/* The view of a matrix where its user keeps it. */
sb_matrix SB_NAME(matrix_at)(const slimband_problem *problem, const void *const *diagonals, int64_t matrix);

/* In the memory of one of the plan's threads. solve_one: true if the system failed. */
void SB_NAME(factor_one)(const slimband_plan *plan, const void *const *diagonals, int thread, int64_t matrix);
typedef bool sb_alone(const sb_job *job, int thread, int64_t system);
sb_alone SB_NAME(solve_one);

/* wide/driver.c, for other drivers whose plans lanes_drivers.prepare has looked at, and left kernels in. Systems first..end-1, every one with
   its matrix, by lanes in one thread's tiles; alone: for those that tiles can't take. Returns the first that failed, or INT64_MAX. */
int64_t SB_NAME(solve_in_lanes)(const sb_job *job, int thread, int64_t first, int64_t end, sb_alone *alone);

#endif
