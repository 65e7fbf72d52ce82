/* One run of `slimband solve`. */
#ifndef SB_SOLVE_JOB_H
#define SB_SOLVE_JOB_H

#include "cli/progress.h"
#include "cli/solve.h"

/* All that one run holds. */
typedef struct sb_job {
    sb_solve *solve;
    sb_matrix_file file;
    sb_npy b, x;
    slimband_problem problem;
    void *diagonals[SLIMBAND_MAX_DIAGONALS];
    slimband_plan *plan;
    sb_output output;
    sb_progress progress;
} sb_job;

/* Where the method asks for a Toeplitz matrix and the diagonals are those of one, make the problem say so. */
void sb_solve_recognise_toeplitz(sb_job *job);

/* Why slimband_factor_solve returned this status: the first system that failed, where and how. Always false. */
bool sb_solve_explain(sb_job *job, slimband_status status);

/* Is the answer one? If not, *failure says so. */
bool sb_solve_judge(sb_job *job, const slimband_backward_error *error);

#endif
