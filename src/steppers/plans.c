/* The plans of tiles, and their matrices. */
#include <stdlib.h>

#include "slimband/problem.h"
#include "src/apps/memory.h"
#include "src/steppers/cpu.h"
#include "src/steppers/matrix.h"

static slimband_status describe(const slimband_evolution *e, const sb_stepper_cpu *cpu, int axis,
                                slimband_problem *p)
{
    const sb_pass *pass = &cpu->pass[axis];
    int band = sb_stepper_bandwidth(e);
    bool ring = e->walls[axis] == SLIMBAND_WALLS_PP && !cpu->bordered;
    *p = slimband_banded(e->scalar, cpu->bordered ? pass->n - 2 : pass->n, band, band);
    p->ends = ring ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    /* Symmetric positive definite, or so after scaling rows and columns: elimination needs no pivots, and the spikes of
       the rings, which grow like the fourth root of the weight, stay small beside what rounding allows. */
    p->pivoting = SLIMBAND_PIVOT_NONE;
    bool one_each = cpu->own && cpu->rings;
    p->coefficients = one_each ? SLIMBAND_OWN : SLIMBAND_SHARED;
    slimband_status status =
        pass->line_stride == 1 ? slimband_interleaved(p, pass->width) : slimband_contiguous(p, pass->width);
    if (!one_each)
        p->matrix.line = 1;
    return status;
}

/* Room for one tile's diagonals, in double and in the evolution's type. */
typedef struct room {
    double *exact;
    char *rounded;
    int64_t systems; /* matrices in one plan */
} room;

static slimband_status factor(const slimband_evolution *e, const sb_stepper_cpu *cpu, int axis, int64_t matrix,
                              slimband_plan *plan, const room *r)
{
    int diagonals = 2 * sb_stepper_bandwidth(e) + 1;
    int64_t entries = cpu->pass[axis].n * r->systems;
    double *exact[SB_MOST_DIAGONALS];
    const void *rounded[SB_MOST_DIAGONALS];
    for (int64_t k = 0; k < diagonals * entries; ++k)
        r->exact[k] = 0;
    for (int64_t s = 0; s < r->systems; ++s) {
        int64_t member = matrix * r->systems + s;
        for (int k = 0; k < diagonals; ++k)
            exact[k] = r->exact + k * entries + s;
        sb_stepper_matrix(e, axis, member < e->members ? member : e->members - 1, exact, r->systems);
    }
    cpu->kernels->round(diagonals * entries, r->exact, r->rounded);
    for (int k = 0; k < diagonals; ++k)
        rounded[k] = r->rounded + (size_t)(k * entries) * cpu->size;
    return slimband_factor(plan, rounded);
}

/* W and S of a unit's members, with its plan. */
static slimband_status make_border(const sb_stepper_cpu *cpu, int64_t unit, slimband_plan *plan)
{
    sb_border b = sb_border_of(cpu, unit);
    const sb_pass *pass = &cpu->pass[0];
    cpu->kernels->couple(pass->n, pass->width, &b);
    slimband_status first = slimband_solve(plan, b.w[0], b.w[0]), second = slimband_solve(plan, b.w[1], b.w[1]);
    cpu->kernels->close(pass->n, pass->width, &b);
    return first ? first : second;
}

static slimband_status make_plans(const slimband_evolution *e, sb_stepper_cpu *cpu, int axis, const room *r,
                                  size_t *bytes)
{
    /* A line in each vector lane, whatever a cost model thinks of this width: widths follow the number of threads, and
       bits must not. */
    const char *method = cpu->pass[axis].width >= SB_GRANULE ? "lanes" : SLIMBAND_AUTO;
    slimband_problem problem;
    slimband_status status = describe(e, cpu, axis, &problem);
    for (int64_t k = 0; !status && k < cpu->copies * cpu->matrices; ++k) {
        slimband_plan **plan = &cpu->pass[axis].plans[k];
        slimband_report report = {0};
        status = slimband_plan_create(plan, &problem, slimband_cpu(1), method);
        if (!status)
            status = factor(e, cpu, axis, k % cpu->matrices, *plan, r);
        if (!status && cpu->bordered)
            status = make_border(cpu, k, *plan);
        if (!status)
            status = slimband_plan_report(*plan, &report);
        *bytes += report.workspace_bytes;
    }
    return status;
}

static slimband_status make_pass(const slimband_evolution *e, sb_stepper_cpu *cpu, int axis, size_t *bytes)
{
    sb_pass *pass = &cpu->pass[axis];
    size_t count = (size_t)(cpu->copies * cpu->matrices), unused = 0;
    room r = {.systems = cpu->own && cpu->rings ? pass->width : 1};
    size_t entries = SB_MOST_DIAGONALS * (size_t)(pass->n * r.systems);
    r.exact = sb_app_allocate(entries, sizeof *r.exact, &unused);
    r.rounded = sb_app_allocate(entries, cpu->size, &unused);
    pass->plans = sb_app_allocate(count, sizeof(slimband_plan *), bytes);
    slimband_status status = SLIMBAND_OUT_OF_MEMORY;
    if (r.exact && r.rounded && pass->plans)
        status = make_plans(e, cpu, axis, &r, bytes);
    free(r.exact);
    free(r.rounded);
    return status;
}

slimband_status sb_stepper_make_plans(const slimband_evolution *e, sb_stepper_cpu *cpu, size_t *bytes)
{
    slimband_status status = SLIMBAND_OK;
    for (int axis = 0; !status && cpu->units && axis < e->rank; ++axis)
        status = make_pass(e, cpu, axis, bytes);
    return status;
}
