/* Fast Poisson and Helmholtz solvers (libslimband-apps): (lambda - Laplacian) u = f on an interval, a rectangle or a box,
 * by second-order differences.
 *
 *     slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){1023, 1023});
 *     slimband_poisson_plan *plan;
 *     slimband_status s = slimband_poisson_plan_create(&plan, &p, slimband_cpu(0), SLIMBAND_AUTO);
 *     if (!s) s = slimband_poisson_solve(plan, f, NULL, u);
 *     slimband_poisson_plan_destroy(plan);
 *
 * Threads: one plan may be used by one thread at a time; distinct plans by any number of threads at once. Plans that
 * use FFTW are made and destroyed under a lock of this library, since FFTW's planner is not thread-safe: a program that
 * plans with FFTW itself must not do so at the same moment.
 * Memory: slimband_poisson_plan_create allocates everything that is this library's; slimband_poisson_solve allocates nothing
 * itself (FFTW may for some sizes, and the OpenMP library may, to start threads).
 * GPU: with the executor of slimband/cuda.h, f, u and the walls' values are pointers to the device's memory. solve puts its
 * work on the stream and returns; it allocates nothing and waits for nothing, so that it can be captured in a CUDA graph.
 * The arrays must stay until the work is done. slimband_poisson_plan_report waits for the stream, and returns
 * DEVICE_FAILED if the work failed. */
#ifndef SLIMBAND_POISSON_H
#define SLIMBAND_POISSON_H

#include "slimband/plan.h"
#include "slimband/walls.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SLIMBAND_POISSON_MAX_RANK = 3 };

typedef struct slimband_poisson_axis {
    int64_t n;     /* unknowns, at least 1; NN at nodes: at least 2 */
    double length; /* ignored along line_axis when spacing is set */
    slimband_walls walls;
    slimband_centring centring;
} slimband_poisson_axis;

/* Plain data; start from slimband_poisson and change the fields that differ. */
typedef struct slimband_poisson_problem {
    slimband_scalar scalar; /* F32 or F64 */
    int rank;               /* 1 to 3 */
    slimband_poisson_axis axis[SLIMBAND_POISSON_MAX_RANK];
    double lambda;
    double mean;    /* of u where it is not determined: lambda = 0 and no Dirichlet wall anywhere */
    int64_t fields; /* right-hand sides, one whole C-ordered array after another */

    /* The axis whose tridiagonal systems are solved while the others are transformed; -1: chosen. Along it the grid may
       be non-uniform, and a coefficient a(x) make the operator lambda u - (a u_x)_x - u_yy - u_zz. NULL means uniform, and
       1. Copied by the plan.
       spacing      nodes: distances between neighbouring points, walls included: n + 1 of them for DD, n for DN, ND and
                    PP (the last leads from the last point to the first), n - 1 for NN. Cells: their n widths.
       coefficient  nodes: one in each of those intervals (a Neumann wall's is extrapolated from the last two). Cells: at their n + 1 faces; PP: n, face i below cell i. */
    int line_axis;
    const double *spacing, *coefficient;
} slimband_poisson_problem;

/* One field on the unit interval, square or box: rank extents, Dirichlet walls, unknowns at nodes, lambda 0. With extents
   NULL or a rank outside of 1..3, nothing that slimband_poisson_plan_create accepts. */
SLIMBAND_API slimband_poisson_problem slimband_poisson(slimband_scalar scalar, int rank,
                                                       const int64_t *extents);

/* Every rule of this page, checked; the first that is broken is returned. */
SLIMBAND_API slimband_status slimband_poisson_validate(const slimband_poisson_problem *problem);

/* side[a][0] and side[a][1]: at the lower and the upper end of axis a, the value of u (D) or of du/dx, the derivative
   along the axis (N), one for each point of the other axes in C order, field after field, of the problem's scalar type.
   NULL: zero. Ignored for PP. */
typedef struct slimband_poisson_boundary {
    const void *side[SLIMBAND_POISSON_MAX_RANK][2];
} slimband_poisson_boundary;

typedef struct slimband_poisson_plan slimband_poisson_plan;

/* Methods, by name; a colon and an option may follow:
     spectral       transforms along all axes but one, tridiagonal lines along that one. Any problem. On the CPU it needs
                    FFTW with more than one axis; :measure lets FFTW time its choices when the plan is made
     bcr2, bcr4     block cyclic reduction of radix 2 or 4 along the first axis (in three dimensions also along the
                    second): DD at nodes, uniform, n = 2^k - 1 there, lambda >= 0. :lines=NAME is the method of their
                    tridiagonal plans on the CPU (by default cr_toeplitz where it fits); on a GPU no axis may vary
     auto           the fastest that fits
   Accuracy: backward errors are a few roundings. Lines along an axis without a Dirichlet wall tell constants from nothing by what
   lambda and the other axes add to their matrix; where that axis' points lie much closer than the others', u's error is up to
   4/h^2 over the least of these shifts (10/length^2 between Dirichlet walls) times as large, and a status tells only when no
   digit is left. With line_axis -1 spectral takes another axis then. One that is named is kept, and so is bcr's last axis
   on the CPU.
   On error *plan is NULL. Errors: every rule of this page, executor and method; SLIMBAND_NEAR_EIGENVALUE;
   SLIMBAND_POISSON_OUT_OF_RANGE. */
SLIMBAND_API slimband_status slimband_poisson_plan_create(slimband_poisson_plan **plan,
                                                          const slimband_poisson_problem *problem,
                                                          slimband_executor executor, const char *method);
SLIMBAND_API void slimband_poisson_plan_destroy(slimband_poisson_plan *plan); /* NULL is fine */

/* f and u: fields x axis[0].n x axis[1].n x axis[2].n, C order; u == f solves in place, otherwise they must not share
   elements. boundary: NULL for zero everywhere. Where u's mean is not determined, the equation that is solved has the
   weighted mean of f and the boundary's terms taken off its right-hand side (weights: the length, area or volume that a
   point stands for), and u gets the weighted mean that the problem asks for.
   Errors: NULL_ARGUMENT, which leaves u alone; of the others u is not to be used.
     SOLUTION_NOT_FINITE  f, a wall's value or u holds NaN or Inf, or sums overflowed: bcr on the CPU, and spectral where lines
                          have plans (one axis; on the CPU also lines of other axes than the first, periodic ones, those not
                          diagonally dominant and the one of a singular problem). Other lines are not looked at: u holds NaN
                          or Inf, and the status is OK
     NEAR_EIGENVALUE      spectral: a line is singular to working precision
     SINGULAR, BREAKDOWN  bcr on the CPU: so is one of its lines, or its :lines method can't go on without pivoting
     DEVICE_FAILED        on a GPU; OUT_OF_MEMORY and BAD_STREAM too, where CUDA says so. What lines' plans found there comes from
                          slimband_poisson_plan_report */
SLIMBAND_API slimband_status slimband_poisson_solve(slimband_poisson_plan *plan, const void *f,
                                                    const slimband_poisson_boundary *boundary, void *u);

typedef struct slimband_poisson_report {
    const char *method; /* the method chosen; a static string */
    int threads;
    int line_axis; /* along which tridiagonal systems were solved */
    size_t
        workspace_bytes; /* all that the plan allocated, device memory and tridiagonal plans included, FFTW's own
                               tables not */
    bool singular;       /* u is determined but for its mean */
    double
        projected; /* what the last solve took off the right-hand side: the largest in modulus of all fields */
    int64_t subproblems; /* tridiagonal systems that the last solve solved, of all fields; 0 where all axes were
                                  transformed */
    int64_t outer_subproblems; /* bcr: those of the first axis, which (17) and (18) of the paper count */
} slimband_poisson_report;

SLIMBAND_API slimband_status slimband_poisson_plan_report(const slimband_poisson_plan *plan,
                                                          slimband_poisson_report *report);

typedef struct slimband_poisson_error {
    double
        normwise; /* max |f - A u| / (||A|| max |u| + max |f|), over all points; f with the boundary's terms, less
                         what is projected away; in wider precision */
    double projected; /* as in the report, from f itself */
} slimband_poisson_error;

/* The backward error of u as a solution of the difference equations. Stateless; thread-safe. */
SLIMBAND_API slimband_status slimband_poisson_residual(const slimband_poisson_problem *problem, const void *f,
                                                       const slimband_poisson_boundary *boundary, const void *u,
                                                       slimband_poisson_error *error);

/* The coordinates of an axis' n unknowns, 0 at its lower end. Errors: NULL_ARGUMENT, BAD_AXIS, and the problem's. */
SLIMBAND_API slimband_status slimband_poisson_points(const slimband_poisson_problem *problem, int axis,
                                                     double *x);

#ifdef __cplusplus
}
#endif

#endif
