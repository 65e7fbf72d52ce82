/* Steps on the CPU: threads over units, or over the tiles of one unit after the other. */
#include <omp.h>

#include "src/steppers/cpu.h"

typedef struct worker {
    const slimband_stepper *stepper;
    int number, count; /* of the threads that run */
    slimband_status status;
} worker;

static slimband_plan *plan_of(const sb_stepper_cpu *cpu, const sb_pass *pass, int number, int64_t unit)
{
    int64_t copy = cpu->copies > 1 ? number : 0, matrix = cpu->own ? unit : 0;
    return pass->plans[copy * cpu->matrices + matrix];
}

static void keep_failure(worker *w, slimband_status status)
{
    w->status = w->status ? w->status : status;
}

/* One step of a strip: memory sees C read and written, 2 words a point for all steps that follow one another. */
static void step_rings(worker *w, int64_t unit, int64_t step)
{
    const slimband_stepper *s = w->stepper;
    const slimband_evolution *e = &s->evolution;
    const sb_stepper_cpu *cpu = s->state;
    const sb_pass *pass = &cpu->pass[0];
    size_t members = (size_t)(unit * pass->width) * cpu->size;
    char *c = cpu->state + (size_t)(unit * cpu->unit_elements) * cpu->size;
    char *d = cpu->scratch + (size_t)w->number * cpu->scratch_bytes;
    double along, across;
    sb_wave_time(e, step, &along, &across);
    const sb_rings rings = {.n = pass->n,
                            .width = pass->width,
                            .stiffness = cpu->stiffness + members,
                            .rate = cpu->rate + members,
                            .force = cpu->force + members,
                            .cubic = e->equation == SLIMBAND_CAHN_HILLIARD,
                            .cosine = cpu->cosine,
                            .sine = cpu->sine,
                            .along = along,
                            .across = across,
                            .rows = d + cpu->tile_bytes};
    cpu->kernels->ring_increments(&rings, c, d);
    keep_failure(w, slimband_solve(plan_of(cpu, pass, w->number, unit), d, d));
    if (cpu->bordered) {
        sb_border border = sb_border_of(cpu, unit);
        cpu->kernels->add_bordered(&rings, &border, d, c);
    } else {
        cpu->kernels->add_rings(&rings, d, c);
    }
}

/* One tile along one axis: 2 words a point. */
static void step_tile(worker *w, int axis, int64_t unit, int64_t tile)
{
    const slimband_stepper *s = w->stepper;
    const slimband_evolution *e = &s->evolution;
    const sb_stepper_cpu *cpu = s->state;
    const sb_pass *pass = &cpu->pass[axis];
    int64_t first = tile % pass->across * pass->width, left = pass->lines - first;
    int64_t offset =
        unit * cpu->unit_elements + tile / pass->across * pass->outer_stride + first * pass->line_stride;
    char *u = cpu->state + (size_t)offset * cpu->size;
    char *d = cpu->scratch + (size_t)w->number * cpu->scratch_bytes;
    const sb_bundle bundle = {.n = pass->n,
                              .stride = pass->stride,
                              .lines = left < pass->width ? left : pass->width,
                              .line_stride = pass->line_stride,
                              .width = pass->width,
                              .walls = e->walls[axis],
                              .centring = e->centring,
                              .order = e->order,
                              .rate = sb_rate(e, axis, unit),
                              .ghosts = d + cpu->tile_bytes};
    sb_bundle apart = bundle;
    const char *from = u;
    if (cpu->steady) {
        char *e_tile = d + cpu->scratch_bytes - cpu->tile_bytes;
        cpu->kernels->subtract(&bundle, u,
                               cpu->steady + (size_t)(offset - unit * cpu->unit_elements) * cpu->size, e_tile);
        apart.stride = pass->line_stride == 1 ? pass->width : 1;
        from = e_tile;
    }
    cpu->kernels->heat_increments(&apart, from, d);
    if (axis == 0 && cpu->gain != 0)
        cpu->kernels->raise(pass->n * pass->width, e->dt * sb_of_member(e->diffusivity, unit, 1) * cpu->gain,
                            d);
    keep_failure(w, slimband_solve(plan_of(cpu, pass, w->number, unit), d, d));
    cpu->kernels->add_lines(&bundle, d, u);
}

static void step_unit(worker *w, int64_t unit, int64_t step)
{
    const sb_stepper_cpu *cpu = w->stepper->state;
    if (cpu->rings) {
        step_rings(w, unit, step);
        return;
    }
    for (int axis = 0; axis < w->stepper->evolution.rank; ++axis)
        for (int64_t tile = 0; tile < sb_tiles_of(&cpu->pass[axis]); ++tile)
            step_tile(w, axis, unit, tile);
}

/* All threads together: each axis must be done before the next begins. */
static void step_in_team(worker *w, int64_t unit)
{
    const sb_stepper_cpu *cpu = w->stepper->state;
    for (int axis = 0; axis < w->stepper->evolution.rank; ++axis) {
        int64_t tiles = sb_tiles_of(&cpu->pass[axis]);
        for (int64_t tile = tiles * w->number / w->count; tile < tiles * (w->number + 1) / w->count; ++tile)
            step_tile(w, axis, unit, tile);
#pragma omp barrier
    }
}

/* Units are independent: each goes through all steps at once, and so does a strip in its thread's cache. */
slimband_status sb_stepper_run(slimband_stepper *s, int64_t count)
{
    const sb_stepper_cpu *cpu = s->state;
    slimband_status failure = SLIMBAND_OK;
#pragma omp parallel num_threads(cpu->threads) if (cpu->threads > 1)
    {
        worker w = {.stepper = s, .number = omp_get_thread_num(), .count = omp_get_num_threads()};
        if (cpu->teams) {
            for (int64_t unit = 0; unit < cpu->units; ++unit)
                for (int64_t k = 0; k < count; ++k)
                    step_in_team(&w, unit);
        } else {
#pragma omp for schedule(dynamic, 1)
            for (int64_t unit = 0; unit < cpu->units; ++unit)
                for (int64_t k = 0; k < count; ++k)
                    step_unit(&w, unit, s->steps + k);
        }
        if (w.status) {
#pragma omp critical(sb_stepper_failure)
            failure = w.status;
        }
    }
    return failure;
}
