/* One step of cyclic reduction before the transforms: facr.h. */
#include "src/poisson/facr.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/apps/memory.h"

/* Of B. Up to there tests/poisson/facr.c finds backward errors at most twice those without reduction; and a norm that f32
   can square. */
enum { LARGEST_CONDITION = 10, LARGEST_NORM = 1000 };

/* Its numbers, in double. */
typedef struct mesh {
    double couple, beside, own, mu;
    int64_t reach;
} mesh;

static mesh mesh_of(const slimband_poisson_plan *plan)
{
    const slimband_poisson_axis *axis = plan->problem.axis;
    double h0 = sb_axis_spacing(&axis[0]), h1 = sb_axis_spacing(&axis[1]);
    mesh m = {.couple = 1 / (h0 * h0), .beside = h0 / h1 * (h0 / h1)};
    double extra = 2 + plan->problem.lambda / m.couple, t = extra / m.beside;
    double unit = sizeof(T) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON;
    m.own = extra + 2 * m.beside;
    m.mu = 1 / (1 + t / 2 + sqrt(t + t * t / 4));
    m.reach = (int64_t)(log(unit / 4) / log(m.mu)) + 1;
    m.reach = (m.reach + SB_FACR_PAD - 1) / SB_FACR_PAD * SB_FACR_PAD;
    return m;
}

static bool fits(const slimband_poisson_plan *plan)
{
    const slimband_poisson_problem *p = &plan->problem;
    if (p->rank != 2 || plan->line_axis != 0 || plan->varying || plan->singular || !(p->lambda >= 0))
        return false;
    const slimband_poisson_axis *y = &p->axis[0], *x = &p->axis[1];
    if (y->walls == SLIMBAND_WALLS_PP || y->centring != SLIMBAND_AT_NODES || y->n < 3 || x->n < SB_FACR_LEAST)
        return false;
    mesh m = mesh_of(plan);
    double least = m.own - 2 * m.beside, norm = m.own + 2 * m.beside;
    return norm <= LARGEST_CONDITION * least && norm <= LARGEST_NORM && m.reach <= x->n;
}

static bool neumann(const slimband_poisson_axis *axis, int end)
{
    return axis->walls == SLIMBAND_WALLS_NN || axis->walls == (end ? SLIMBAND_WALLS_DN : SLIMBAND_WALLS_ND);
}

static void describe_ends(sb_facr_row *row, const slimband_poisson_axis *axis, double mu)
{
    row->ring = axis->walls == SLIMBAND_WALLS_PP;
    for (int end = 0; end < 2; ++end) {
        bool cells = axis->centring == SLIMBAND_AT_CELLS, free = neumann(axis, end);
        double image = free ? 1 : cells ? -1 : 0, factor = mu / (1 - image * (free && !cells ? mu * mu : mu));
        row->inner[end] = free && !cells;
        row->image[end] = (T)image;
        row->source[end] = end ? row->n - 1 - row->inner[1] : row->inner[0];
        row->mend[end][0] = end ? 0 : (T)(-mu * factor);
        row->mend[end][1] = (T)(image * factor);
    }
    if (row->ring) {
        row->source[0] = row->source[1] = row->n - 1;
        row->mend[0][0] = 0;
        row->mend[0][1] = (T)(mu / (1 - mu * mu));
        row->mend[1][0] = (T)mu;
        row->mend[1][1] = (T)(mu * mu / (1 - mu * mu));
    }
}

/* Powers too small to matter are zero: denormal numbers would be slow. */
static T power(double mu, int64_t k)
{
    double unit = sizeof(T) == sizeof(float) ? (double)FLT_EPSILON : DBL_EPSILON, value = pow(mu, (double)k);
    return value < unit * unit ? 0 : (T)value;
}

static slimband_status make_row(sb_facr *facr, const slimband_poisson_axis *axis, const mesh *m, size_t *bytes)
{
    sb_facr_row *row = &facr->row;
    *row = (sb_facr_row){.n = axis->n,
                         .own = (T)m->own,
                         .beside = (T)m->beside,
                         .given = (T)(1 / m->couple),
                         .gain = (T)(m->mu / m->beside),
                         .reach = m->reach};
    for (int k = 0; k < 5; ++k)
        row->power[k] = power(m->mu, INT64_C(1) << k);
    describe_ends(row, axis, m->mu);
    facr->zero = sb_app_allocate((size_t)row->n, sizeof(T), bytes);
    facr->decay = sb_app_allocate(2 * (size_t)row->reach, sizeof(T), bytes);
    if (!facr->zero || !facr->decay)
        return SLIMBAND_OUT_OF_MEMORY;
    for (int64_t i = 0; i < row->reach; ++i)
        facr->decay[i] = facr->decay[2 * row->reach - 1 - i] = power(m->mu, i);
    row->decay[0] = facr->decay;
    row->decay[1] = facr->decay + row->reach;
    return SLIMBAND_OK;
}

slimband_status SB_NAME(facr_make)(sb_facr *facr, const sb_poisson_kernels *kernels,
                                   slimband_poisson_plan *plan)
{
    *facr = (sb_facr){0};
    if (!fits(plan))
        return SLIMBAND_OK;
    const slimband_poisson_axis *axis = plan->problem.axis;
    mesh m = mesh_of(plan);
    facr->planes = axis[0].n;
    facr->rows = axis[0].n / 2;
    facr->couple = m.couple;
    facr->kernels = kernels->facr;
    for (int end = 0; end < 2; ++end)
        facr->mirrored[end] = neumann(&axis[0], end);
    return make_row(facr, &axis[1], &m, &plan->bytes);
}

void SB_NAME(facr_free)(sb_facr *facr)
{
    free(facr->zero);
    free(facr->decay);
}

void SB_NAME(facr_lines)(const sb_facr *facr, double *lower, double *diagonal, double *upper)
{
    double c = facr->couple;
    int64_t rows = facr->rows;
    bool ends = facr->planes % 2 == 0; /* the axis ends with a row that is left */
    for (int64_t k = 0; k < rows; ++k) {
        double below = k == 0 && facr->mirrored[0] ? 2 : 1, above = 1;
        if (k == rows - 1 && ends)
            above = 0;
        if (k == rows - 1 && facr->mirrored[1])
            *(ends ? &below : &above) = 2;
        lower[k] = ends && k == rows - 1 ? -below * c : -c;
        upper[k] = -c;
        diagonal[k] = (4 - below - above) * c;
    }
}

/* Row i of the right-hand side as it was given, and in work if something is to be added. */
static const T *given_row(const sb_rhs *rhs, int64_t i, T *work)
{
    int64_t n = rhs->problem->axis[1].n;
    if (sb_rhs_plain(rhs))
        return (const T *)rhs->f + i * n;
    SB_NAME(rhs_load)(rhs, i, 0, n, work);
    return work;
}

/* Is there a row beside row i, or the one on the other side in its place? */
static int64_t beside(const sb_facr *facr, int64_t i, int end)
{
    int64_t at = i % facr->planes, step = end ? 1 : -1;
    if (at + step >= 0 && at + step < facr->planes)
        return i + step;
    return facr->mirrored[end] ? i - step : -1;
}

void SB_NAME(facr_gather)(const sb_facr *facr, const sb_rhs *rhs, int64_t i, const sb_facr_way *way, T *r)
{
    const T *near[2];
    for (int end = 0; end < 2; ++end) {
        int64_t row = beside(facr, i, end);
        near[end] = row < 0 ? facr->zero : given_row(rhs, row, way->work + (1 + end) * way->room);
    }
    facr->kernels->gather(&facr->row, near[0], given_row(rhs, i, way->work), near[1], way->ahead, r);
}

void SB_NAME(facr_solve)(const sb_facr *facr, const sb_rhs *rhs, int64_t i, const sb_facr_way *way, T *u)
{
    const T *near[2];
    for (int end = 0; end < 2; ++end) {
        int64_t row = beside(facr, i, end);
        near[end] = row < 0 ? facr->zero : u + row * facr->row.n;
    }
    facr->kernels->solve(&facr->row, near[0], given_row(rhs, i, way->work), near[1], way->ahead,
                         way->past_cache, way->work + way->room + SB_FACR_PAD, u + i * facr->row.n);
}
