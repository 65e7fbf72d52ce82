/* What the files of this room know of each other. */
#ifndef SB_POISSON_INTERNAL_H
#define SB_POISSON_INTERNAL_H

#include <stdbool.h>

#include "slimband/plan.h"
#include "slimband/poisson.h"

/* The difference operator of one axis without lambda: row i is lower[i] u[i-1] + diagonal[i] u[i] + upper[i] u[i+1], in
   the finite-volume form, so that weight[i] * row i is symmetric. A wall's value g adds inflow * g to the right-hand side
   of the row beside it. Open axes have 0 where a row would leave the axis. */
typedef struct sb_stencil {
    int64_t n;
    bool ring, floating; /* floating: no Dirichlet wall, constants are in the null space */
    double *lower, *diagonal, *upper, *weight;
    double total; /* of the weights */
    double share; /* a power of two: weights times it add up to 1 at most, so that means are formed in range */
    double inflow[2];
} sb_stencil;

typedef struct sb_poisson_engine {
    slimband_status (*create)(slimband_poisson_plan *plan, const char *options); /* fills plan->state */
    void (*destroy)(slimband_poisson_plan *plan);
    slimband_status (*solve)(slimband_poisson_plan *plan, const void *f,
                             const slimband_poisson_boundary *boundary, void *u);
    /* Engines whose solve returns before its work is done, else NULL: wait; what was projected away. */
    slimband_status (*settle)(const slimband_poisson_plan *plan, double *projected);
} sb_poisson_engine;

/* A row of the method table. */
typedef struct sb_poisson_method {
    const char *name;
    slimband_place place;
    slimband_status (*fits)(const slimband_poisson_problem *problem);
    const sb_poisson_engine *engine[2]; /* f32, f64 */
} sb_poisson_method;

struct slimband_poisson_plan {
    slimband_poisson_problem problem; /* spacing and coefficient are NULL: the stencil has taken them in */
    slimband_executor executor;
    int threads; /* at least 1 */
    int line_axis;
    bool varying; /* along line_axis */
    const sb_poisson_method *method;
    sb_stencil stencil[SLIMBAND_POISSON_MAX_RANK];
    int64_t points; /* of a field */
    bool singular;
    size_t bytes;
    double projected;
    int64_t subproblems, outer_subproblems;
    void *state; /* the engine's */
};

/* A right-hand side as a caller passes it; rhs.h and misfit.h read it. */
typedef struct sb_rhs {
    const slimband_poisson_problem *problem;
    const sb_stencil *stencil;
    const void *f;
    const slimband_poisson_boundary *boundary;
} sb_rhs;

/* stencil.c */
slimband_status sb_stencil_make(sb_stencil *stencil, const slimband_poisson_problem *problem, int axis,
                                size_t *bytes);
void sb_stencil_free(sb_stencil *stencil);
bool sb_varying(const slimband_poisson_problem *problem);
double sb_axis_spacing(const slimband_poisson_axis *axis); /* h of a uniform axis */
double sb_stencil_norm(const sb_stencil *stencil);         /* largest absolute row sum */

/* Multiplies the equation by a power of four, which is returned, so that squares of its coefficients are inside the type's range;
   right-hand sides are the caller's. */
double sb_rescale(slimband_poisson_plan *plan);

/* Points before (after) an axis in C order, of one field. */
int64_t sb_points_before(const slimband_poisson_problem *problem, int axis);
int64_t sb_points_after(const slimband_poisson_problem *problem, int axis);

/* Eigenvalue number k of a uniform axis, in the order in which the transforms of fourier.h count. */
double sb_eigenvalue(const slimband_poisson_axis *axis, int64_t k);

/* line_axis.c: of a plan whose stencils are made. */
int sb_choose_line_axis(const slimband_poisson_plan *plan);

/* shifts.c: of each mode, the other axes' coefficients in C order: lambda and their eigenvalues. order[a]: NULL, or the
   number of the eigenvalue of each coefficient of axis a. */
void sb_fill_shifts(const slimband_poisson_plan *plan, const int64_t *const order[], double *shift);

/* eigen.c: SLIMBAND_NEAR_EIGENVALUE where an eigenvalue of the whole operator is zero to working precision. */
slimband_status sb_check_eigenvalues(const slimband_poisson_plan *plan);

#define SB_POISSON_ENGINES(X) X(spectral) X(bcr2) X(bcr4) X(gpu_spectral) X(gpu_bcr2) X(gpu_bcr4)
#define SB_DECLARE_ENGINE(name) extern const sb_poisson_engine sb_##name##_f32, sb_##name##_f64;
SB_POISSON_ENGINES(SB_DECLARE_ENGINE)
#undef SB_DECLARE_ENGINE

#endif
