/* One random problem: what is to be solved, how, and the numbers. */
#ifndef SB_RANDOM_TRIAL_H
#define SB_RANDOM_TRIAL_H

#include "gallery/random.h"
#include "slimband/slimband.h"
#include "tests/random/array.h"

typedef enum operation {
    FACTOR_THEN_SOLVE,
    FACTOR_THEN_TRANSPOSED,
    FACTOR_THEN_ADJOINT,
    FACTOR_SOLVE,
    OPERATIONS
} operation;

typedef enum arrangement {
    SINGLE,
    CONTIGUOUS,  /* slimband_contiguous */
    INTERLEAVED, /* slimband_interleaved */
    AXIS,        /* slimband_along_axis */
    PADDED_AXIS, /* slimband_along_strided_axis, gaps, any order of axes */
    FREE,        /* every array its own strides, some of them 0 */
    RAGGED,
    ARRANGEMENTS
} arrangement;

enum { MOST_SYSTEMS = 64 };

typedef struct trial {
    uint64_t seed;
    slimband_problem problem;
    slimband_ragged ragged;
    int64_t offsets[MOST_SYSTEMS + 1];
    arrangement arrangement;
    operation operation;
    int threads;
    bool in_place, dominant, sparse;
    double margin; /* dominant: |a_ii| >= margin * sum of the others */
    char method[48];

    int diagonal_count;
    array diagonals[SLIMBAND_MAX_DIAGONALS];
    array b, x; /* in place: b is what x holds on entry */
} trial;

/* Draw the problem, then its numbers. The trial is not to be moved: problem.ragged points into it. False
   without memory. Whatever happens, trial_free. */
bool trial_draw(trial *t, uint64_t seed);
void trial_free(trial *t);
void trial_print(const trial *t);

/* draw_method.c: a name, with options, among those that slimband_method_fits accepts. */
void draw_method(trial *t, sb_random *random);

/* draw_layout.c: arrangement, batch and strides, for a problem with scalar, bandwidths and coefficients. */
void draw_layout(trial *t, sb_random *random);

/* draw_values.c: fill the arrays. */
bool draw_values(trial *t, sb_random *random);

/* where.c: the contract of problem.h, read a second time. Indices into the arrays. */
int64_t length_of(const trial *t, int64_t system);
int64_t line_start(const trial *t, const slimband_layout *layout, int64_t system);
int64_t matrix_index(const trial *t, int64_t system, int64_t row);
bool is_coupled(const trial *t, int64_t system, int64_t row, int k);
int64_t elements_of(const trial *t, const slimband_layout *layout);
int64_t matrix_elements(const trial *t);

/* solve.c: what t->operation stands for. factored: solve again with the factors that the plan holds. */
slimband_status trial_solve(const trial *t, slimband_plan *plan, bool factored);
void trial_diagonals(const trial *t, const void **pointers);

/* In place, x has become the solution: put the right-hand side back. */
void trial_restore(trial *t);

/* Small helpers of drawing. */
static inline bool one_in(sb_random *random, int chances)
{
    return sb_random_between(random, 1, chances) == 1;
}

static inline int pick(sb_random *random, int count)
{
    return (int)sb_random_between(random, 0, count - 1);
}

#endif
