/* The parts of `slimband solve`. */
#ifndef SB_SOLVE_H
#define SB_SOLVE_H

#include "cli/band.h"
#include "cli/npy.h"
#include "slimband/slimband.h"

typedef struct sb_solve {
    const char *matrix, *rhs, *output; /* paths */
    const char *method;
    int64_t lower, upper; /* -1: not given */
    int64_t axis, threads, refinements;
    int pivoting; /* slimband_pivoting */
    bool periodic, check, json;
    sb_failure failure;
} sb_solve;

/* All of the command once its options are known. */
bool sb_solve_run(sb_solve *solve);

/* What --matrix holds, as it was read. */
typedef struct sb_matrix_file {
    bool is_npy; /* else the band is set */
    sb_npy ab;   /* (lower + 1 + upper) x n, or with the systems in front */
    sb_band band;
    int lower, upper;
    int64_t n;
    int64_t matrices; /* of ab's first axis if it has three, else 0: shared by all systems */
    slimband_scalar scalar;
} sb_matrix_file;

bool sb_matrix_file_read(sb_matrix_file *file, sb_solve *solve);
void sb_matrix_file_free(sb_matrix_file *file);

/* The system of index s: element i of its line is at offset + i * line. */
int64_t sb_system_at(const slimband_problem *problem, const slimband_layout *layout, int64_t system);

/* slimband's diagonals, in problem->scalar and at problem->matrix's strides, out of one block from malloc that
   begins at diagonals[0]; `elements` of each. */
bool sb_matrix_file_diagonals(const sb_matrix_file *file, const slimband_problem *problem, int64_t elements,
                              void *diagonals[SLIMBAND_MAX_DIAGONALS]);

typedef struct sb_solve_result {
    const slimband_problem *problem;
    slimband_report report;
    slimband_backward_error error;
    double seconds; /* of slimband_factor_solve */
} sb_solve_result;

bool sb_solve_print(sb_solve *solve, const sb_solve_result *result);

#endif
