/* The difference operator of an axis: fluxes through the faces between control volumes. */
#include <math.h>
#include <stdlib.h>

#include "src/apps/memory.h"
#include "src/poisson/internal.h"

bool sb_varying(const slimband_poisson_problem *problem)
{
    return problem->spacing || problem->coefficient;
}

static bool dirichlet(const slimband_poisson_axis *axis, int side)
{
    slimband_walls one = side ? SLIMBAND_WALLS_ND : SLIMBAND_WALLS_DN;
    return axis->walls == SLIMBAND_WALLS_DD || axis->walls == one;
}

static bool neumann(const slimband_poisson_axis *axis, int side)
{
    return axis->walls != SLIMBAND_WALLS_PP && !dirichlet(axis, side);
}

static bool at_cells(const slimband_poisson_axis *axis)
{
    return axis->centring == SLIMBAND_AT_CELLS;
}

double sb_axis_spacing(const slimband_poisson_axis *axis)
{
    int64_t steps = axis->n;
    if (!at_cells(axis))
        steps += (axis->walls == SLIMBAND_WALLS_DD) - (axis->walls == SLIMBAND_WALLS_NN);
    return axis->length / (double)steps;
}

double sb_eigenvalue(const slimband_poisson_axis *axis, int64_t k)
{
    const double pi = 3.14159265358979323846;
    int64_t n = axis->n;
    double angle = 0;
    switch (axis->walls) {
    case SLIMBAND_WALLS_DD:
        angle = pi * (double)(k + 1) / (double)(at_cells(axis) ? n : n + 1);
        break;
    case SLIMBAND_WALLS_NN:
        angle = pi * (double)k / (double)(at_cells(axis) ? n : n - 1);
        break;
    case SLIMBAND_WALLS_DN:
    case SLIMBAND_WALLS_ND:
        angle = pi * ((double)k + 0.5) / (double)n;
        break;
    case SLIMBAND_WALLS_PP:
        angle = 2 * pi * (double)(k <= n / 2 ? k : n - k) / (double)n;
        break;
    }
    double root = 2 * sin(angle / 2) / sb_axis_spacing(axis);
    return root * root;
}

int64_t sb_points_before(const slimband_poisson_problem *problem, int axis)
{
    int64_t points = 1;
    for (int a = 0; a < axis; ++a)
        points *= problem->axis[a].n;
    return points;
}

int64_t sb_points_after(const slimband_poisson_problem *problem, int axis)
{
    int64_t points = 1;
    for (int a = axis + 1; a < problem->rank; ++a)
        points *= problem->axis[a].n;
    return points;
}

/* A varying or uniform axis, read face by face. */
typedef struct grid {
    const slimband_poisson_axis *axis;
    const double *spacing, *coefficient;
    double h;
} grid;

/* Interval (nodes) or width (cells) number k. */
static double step(const grid *g, int64_t k)
{
    return g->spacing ? g->spacing[k] : g->h;
}

/* The face below unknown i; i = n: the one above the last. Nodes: the interval's number, -1 or the number of intervals
   behind a Neumann wall. */
static int64_t face(const grid *g, int64_t i)
{
    const slimband_poisson_axis *axis = g->axis;
    if (axis->walls == SLIMBAND_WALLS_PP)
        return at_cells(axis) ? i % axis->n : (i + axis->n - 1) % axis->n;
    return at_cells(axis) || dirichlet(axis, 0) ? i : i - 1;
}

static double coefficient(const grid *g, int64_t k)
{
    return g->coefficient ? g->coefficient[k] : 1;
}

static bool wall_below(const grid *g, int64_t i)
{
    return g->axis->walls != SLIMBAND_WALLS_PP && i == 0;
}

static bool wall_above(const grid *g, int64_t i)
{
    return g->axis->walls != SLIMBAND_WALLS_PP && i == g->axis->n;
}

/* a / distance through the face below unknown i; 0 at Neumann walls. */
static double conductance(const grid *g, int64_t i)
{
    const slimband_poisson_axis *axis = g->axis;
    bool below = wall_below(g, i), above = wall_above(g, i);
    int64_t n = axis->n, k = face(g, i);
    if ((below && neumann(axis, 0)) || (above && neumann(axis, 1)))
        return 0;
    if (!at_cells(axis))
        return coefficient(g, k) / step(g, k);
    double distance = below   ? step(g, 0) / 2
                      : above ? step(g, n - 1) / 2
                              : (step(g, (i + n - 1) % n) + step(g, i % n)) / 2;
    return coefficient(g, k) / distance;
}

static double volume(const grid *g, int64_t i)
{
    const slimband_poisson_axis *axis = g->axis;
    if (at_cells(axis))
        return step(g, i);
    double below = wall_below(g, i) && neumann(axis, 0) ? 0 : step(g, face(g, i));
    double above = wall_above(g, i + 1) && neumann(axis, 1) ? 0 : step(g, face(g, i + 1));
    return (below + above) / 2;
}

/* The coefficient that a Neumann wall's flux meets. At nodes it is extrapolated from the two nearest intervals: that of the
   nearest alone would leave the scheme of first order. */
static double at_wall(const grid *g, int side)
{
    int64_t k = face(g, side ? g->axis->n : 0);
    if (at_cells(g->axis))
        return coefficient(g, k);
    int64_t inner = side ? -1 : 1, near = k + inner, far = near + inner;
    bool alone = far < 0 || far > face(g, g->axis->n) - (neumann(g->axis, 1) ? 1 : 0);
    double slope = alone ? 0 : (coefficient(g, near) - coefficient(g, far)) / (step(g, near) + step(g, far));
    return coefficient(g, near) + slope * step(g, near);
}

/* A ring's only point is its own neighbour on both sides: what its couplings and its diagonal leave of each other beside a small
   shift would be rounding. */
static void leave_alone(sb_stencil *s)
{
    s->lower[0] = s->diagonal[0] = s->upper[0] = 0;
}

static void fill(sb_stencil *s, const grid *g)
{
    int64_t n = s->n;
    double below = conductance(g, 0);
    for (int64_t i = 0; i < n; ++i) {
        double above = conductance(g, i + 1), w = volume(g, i);
        s->weight[i] = w;
        s->total += w;
        s->diagonal[i] = (below + above) / w;
        s->lower[i] = wall_below(g, i) ? 0 : -below / w;
        s->upper[i] = wall_above(g, i + 1) ? 0 : -above / w;
        below = above;
    }
    int exponent = 0;
    (void)frexp(s->total, &exponent);
    s->share = ldexp(1, -exponent);
    if (s->ring && n == 1)
        leave_alone(s);
    if (s->ring)
        return;
    s->inflow[0] = (neumann(g->axis, 0) ? -at_wall(g, 0) : conductance(g, 0)) / s->weight[0];
    s->inflow[1] = (neumann(g->axis, 1) ? at_wall(g, 1) : conductance(g, n)) / s->weight[n - 1];
}

slimband_status sb_stencil_make(sb_stencil *s, const slimband_poisson_problem *problem, int a, size_t *bytes)
{
    const slimband_poisson_axis *axis = &problem->axis[a];
    grid g = {.axis = axis};
    if (a == problem->line_axis) {
        g.spacing = problem->spacing;
        g.coefficient = problem->coefficient;
    }
    g.h = g.spacing ? 0 : sb_axis_spacing(axis);
    *s = (sb_stencil){.n = axis->n, .ring = axis->walls == SLIMBAND_WALLS_PP};
    s->floating = !dirichlet(axis, 0) && !dirichlet(axis, 1);
    double *memory = sb_app_allocate((size_t)axis->n, 4 * sizeof *memory, bytes);
    if (!memory)
        return SLIMBAND_OUT_OF_MEMORY;
    s->lower = memory;
    s->diagonal = memory + axis->n;
    s->upper = memory + 2 * axis->n;
    s->weight = memory + 3 * axis->n;
    fill(s, &g);
    return SLIMBAND_OK;
}

static void scale_axis(sb_stencil *s, double factor)
{
    for (int64_t i = 0; i < s->n; ++i) {
        s->lower[i] *= factor;
        s->diagonal[i] *= factor;
        s->upper[i] *= factor;
    }
    s->inflow[0] *= factor;
    s->inflow[1] *= factor;
}

double sb_rescale(slimband_poisson_plan *plan)
{
    slimband_poisson_problem *p = &plan->problem;
    int most = p->scalar == SLIMBAND_F32 ? 40 : 300, exponent = 0;
    double norm = fabs(p->lambda);
    for (int a = 0; a < p->rank; ++a)
        norm = fmax(norm, sb_stencil_norm(&plan->stencil[a]));
    (void)frexp(norm, &exponent);
    int kept = exponent > most ? most : exponent < -most ? -most : exponent, halves = (exponent - kept) / 2;
    double factor = ldexp(1, -2 * halves);
    for (int a = 0; a < p->rank && halves; ++a) {
        scale_axis(&plan->stencil[a], factor);
        p->axis[a].length = ldexp(p->axis[a].length, halves);
    }
    p->lambda *= factor;
    return factor;
}

void sb_stencil_free(sb_stencil *stencil)
{
    free(stencil->lower);
}

double sb_stencil_norm(const sb_stencil *s)
{
    double norm = 0;
    for (int64_t i = 0; i < s->n; ++i)
        norm = fmax(norm, s->diagonal[i] - s->lower[i] - s->upper[i]);
    return norm;
}
