/* A plan: a problem bound to a method, a place to run and its workspace.
 *
 * Threads: one plan may be used by one thread at a time; distinct plans by any number of threads at once.
 * Memory:  slimband_plan_create allocates everything; factor, solve and the rest allocate nothing (the OpenMP library
 *          may, to start threads, and for the tasks of pcr_thomas:form=tasked).
 * Arrays:  inputs are never written to (but for x == b); slimband keeps no pointer to them after a call
 * returns. Failure: systems are independent. When some fail, the others are solved all the same, the failed
 * ones have every unknown set to NaN, the call returns the status of the lowest-numbered failed system, and
 *          slimband_system_status tells about each. Errors of arguments leave everything untouched. */
#ifndef SLIMBAND_PLAN_H
#define SLIMBAND_PLAN_H

#include "slimband/executor.h"
#include "slimband/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slimband_plan slimband_plan;

/* As a method's name: the fastest method that is safe for the problem, by what slimband_solve takes, or, where each system has its
   own matrix and `one_pass` is set, slimband_factor_solve. */
#define SLIMBAND_AUTO "auto"

/* method: a name from slimband_method, with options as in "tpr:slice=32" or "tpr:stable". The problem is
   copied. On error *plan is NULL. Errors: every rule of problem.h, executor and method. */
SLIMBAND_API slimband_status slimband_plan_create(slimband_plan **plan, const slimband_problem *problem,
                                                  slimband_executor executor, const char *method);
SLIMBAND_API void slimband_plan_destroy(slimband_plan *plan); /* NULL is fine */

/* Factor all matrices. diagonals: lower + 1 + upper pointers, lowest diagonal first (problem.h).
   Returns SLIMBAND_SINGULAR, _BREAKDOWN or _NOT_FINITE when some matrix could not be factored. */
SLIMBAND_API slimband_status slimband_factor(slimband_plan *plan, const void *const *diagonals);

/* A x = b for every system, with the factors of the last slimband_factor. x == b solves in place and needs
   equal layouts; otherwise x and b must not share elements. */
SLIMBAND_API slimband_status slimband_solve(slimband_plan *plan, const void *b, void *x);

/* transpose(A) x = b, and conjugate transpose(A) x = b (the adjoint; for real types the same). */
SLIMBAND_API slimband_status slimband_solve_transposed(slimband_plan *plan, const void *b, void *x);
SLIMBAND_API slimband_status slimband_solve_adjoint(slimband_plan *plan, const void *b, void *x);

/* Factor and solve in one pass; factors of an earlier slimband_factor are no longer valid afterwards. */
SLIMBAND_API slimband_status slimband_factor_solve(slimband_plan *plan, const void *const *diagonals,
                                                   const void *b, void *x);

typedef struct slimband_report {
    const char *method; /* the method chosen; a static string */
    int threads;
    int levels;                /* of elimination: 1 one sweep; 2 chunks and a reduced system; ... */
    double words_per_row;      /* that slimband_solve must move between memory and core, b and x included */
    size_t workspace_bytes;    /* all that the plan allocated */
    int64_t systems, matrices; /* right-hand sides and distinct matrices */
    int64_t pivoted;           /* matrices whose last factorisation pivoted */
    int64_t failed;            /* systems that failed in the last call */
    double largest_growth;     /* over all matrices: see slimband_system_info */
    double truncation_bound;   /* relative size of the couplings a truncated method dropped; 0 for exact ones */
} slimband_report;

SLIMBAND_API slimband_status slimband_plan_report(const slimband_plan *plan, slimband_report *report);

typedef struct slimband_system_info {
    slimband_status status; /* OK, SINGULAR, BREAKDOWN, NOT_FINITE or SOLUTION_NOT_FINITE */
    int64_t row;            /* first zero pivot, or first row with NaN or Inf; -1 if none */
    /* The largest |l u| met in a row over the row's largest |a|; but for partition of bands wider than 2 + 2 on the GPU also over
       the larger of the two entries it comes from and is subtracted from. With pivoting max |u| / max |a|. 0 where the method
       does not measure it, and 1 where lanes find less. */
    double growth;
    bool pivoted; /* was solved with partial pivoting (on CUDA not told of a transposed that alone had to be) */
} slimband_system_info;

/* What became of one system in the last call. system: row-major index over the batch extents. */
SLIMBAND_API slimband_status slimband_system_status(const slimband_plan *plan, int64_t system,
                                                    slimband_system_info *info);

#ifdef __cplusplus
}
#endif

#endif
