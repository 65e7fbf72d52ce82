/* Steppers on the CPU: memory, and the state in and out. */
#include "src/steppers/cpu.h"

#include <stdlib.h>
#include <string.h>

#include "slimband/method.h"
#include "src/apps/isa.h"
#include "src/apps/memory.h"
#include "src/steppers/steady.h"

#define DECLARE(type, isa, word) extern const sb_stepper_kernels sb_stepper_kernels_##type##_##isa;
#define CHOOSE(type, isa, word)                  \
    if (strstr(machine->instruction_sets, word)) \
        return &sb_stepper_kernels_##type##_##isa;
SB_APP_ISAS(DECLARE, f32)
SB_APP_ISAS(DECLARE, f64)

static const sb_stepper_kernels *choose_f32(const slimband_machine *machine)
{
    SB_APP_ISAS(CHOOSE, f32)
    return NULL;
}

static const sb_stepper_kernels *choose_f64(const slimband_machine *machine)
{
    SB_APP_ISAS(CHOOSE, f64)
    return NULL;
}

static char *strip_of(const sb_stepper_cpu *cpu, int64_t unit)
{
    return cpu->state + (size_t)(unit * cpu->unit_elements) * cpu->size;
}

static bool allocate(const slimband_evolution *e, sb_stepper_cpu *cpu, size_t *bytes)
{
    size_t tile = 0, width = 0;
    for (int a = 0; a < e->rank; ++a) {
        size_t elements = (size_t)(cpu->pass[a].n * cpu->pass[a].width);
        tile = elements > tile ? elements : tile;
        width = (size_t)cpu->pass[a].width > width ? (size_t)cpu->pass[a].width : width;
    }
    cpu->tile_bytes = (tile * cpu->size + 63) / 64 * 64;
    size_t tiles = sb_has_wall_values(e) ? 2 : 1;
    cpu->scratch_bytes = tiles * cpu->tile_bytes + (5 * width * cpu->size + 63) / 64 * 64;
    cpu->scratch = sb_app_allocate((size_t)cpu->threads, cpu->scratch_bytes, bytes);
    cpu->state = sb_app_allocate((size_t)(cpu->units * cpu->unit_elements), cpu->size, bytes);
    return cpu->scratch && cpu->state;
}

/* W, then S, in numbers. */
static size_t border_numbers(const sb_stepper_cpu *cpu)
{
    const sb_pass *pass = &cpu->pass[0];
    return (size_t)((2 * (pass->n - 2) + 3) * pass->width);
}

sb_border sb_border_of(const sb_stepper_cpu *cpu, int64_t unit)
{
    size_t width = (size_t)cpu->pass[0].width * cpu->size, w = (size_t)(cpu->pass[0].n - 2) * width;
    char *base = cpu->border + (size_t)unit * border_numbers(cpu) * cpu->size;
    return (sb_border){.weight = cpu->weight + (size_t)unit * width,
                       .w = {base, base + w},
                       .inverse = {base + 2 * w, base + 2 * w + width, base + 2 * w + 2 * width}};
}

static bool set_border(const slimband_evolution *e, sb_stepper_cpu *cpu, size_t *bytes)
{
    int64_t count = cpu->units * cpu->pass[0].width;
    cpu->weight = sb_app_allocate((size_t)count, cpu->size, bytes);
    cpu->border = sb_app_allocate((size_t)cpu->units * border_numbers(cpu), cpu->size, bytes);
    for (int64_t k = 0; cpu->weight && k < count; ++k) {
        double weight = sb_implicit_weight(e, 0, k < e->members ? k : e->members - 1);
        cpu->kernels->round(1, &weight, cpu->weight + (size_t)k * cpu->size);
    }
    return cpu->weight && cpu->border;
}

/* The numbers that each member of a strip brings, filled up with the last member's but without its forcing. */
static bool set_members(const slimband_evolution *e, sb_stepper_cpu *cpu, size_t *bytes)
{
    int64_t width = cpu->pass[0].width, count = cpu->units * width;
    cpu->stiffness = sb_app_allocate((size_t)count, cpu->size, bytes);
    cpu->rate = sb_app_allocate((size_t)count, cpu->size, bytes);
    cpu->force = sb_app_allocate((size_t)count, cpu->size, bytes);
    if (!cpu->stiffness || !cpu->rate || !cpu->force)
        return false;
    for (int64_t k = 0; k < count; ++k) {
        int64_t m = k < e->members ? k : e->members - 1;
        double stiffness = sb_stiffness(e, m), rate = sb_rate(e, 0, m);
        double force = k < e->members ? sb_of_member(e->forcing, m, 0) : 0;
        cpu->kernels->round(1, &stiffness, cpu->stiffness + (size_t)k * cpu->size);
        cpu->kernels->round(1, &rate, cpu->rate + (size_t)k * cpu->size);
        cpu->kernels->round(1, &force, cpu->force + (size_t)k * cpu->size);
    }
    return true;
}

static bool set_waves(const slimband_evolution *e, sb_stepper_cpu *cpu, size_t *bytes)
{
    int64_t n = e->points[0];
    cpu->cosine = sb_app_allocate((size_t)n, sizeof *cpu->cosine, bytes);
    cpu->sine = sb_app_allocate((size_t)n, sizeof *cpu->sine, bytes);
    if (!cpu->cosine || !cpu->sine)
        return false;
    sb_wave_points(e, cpu->cosine, cpu->sine);
    return true;
}

static slimband_status set_steady(const slimband_evolution *e, sb_stepper_cpu *cpu, size_t *bytes)
{
    size_t points = (size_t)sb_points_of_member(e), unused = 0;
    double *exact = sb_app_allocate(points, sizeof *exact, &unused);
    cpu->steady = sb_app_allocate(points, cpu->size, bytes);
    slimband_status status =
        exact && cpu->steady ? sb_steady_state(e, exact, &cpu->gain) : SLIMBAND_OUT_OF_MEMORY;
    if (!status)
        cpu->kernels->round((int64_t)points, exact, cpu->steady);
    free(exact);
    return status;
}

static slimband_status create(slimband_stepper *s)
{
    const slimband_evolution *e = &s->evolution;
    if (s->executor.threads < 0)
        return SLIMBAND_BAD_THREADS;
    sb_stepper_cpu *cpu = s->state = sb_app_allocate(1, sizeof *cpu, &s->bytes);
    if (!cpu)
        return SLIMBAND_OUT_OF_MEMORY;
    slimband_machine machine;
    slimband_machine_facts(&machine);
    bool single = e->scalar == SLIMBAND_F32;
    *cpu = (sb_stepper_cpu){.kernels = single ? choose_f32(&machine) : choose_f64(&machine),
                            .size = single ? sizeof(float) : sizeof(double),
                            .threads = s->executor.threads};
    sb_stepper_lay_out(e, cpu);
    bool room = allocate(e, cpu, &s->bytes) && (!cpu->rings || set_members(e, cpu, &s->bytes)) &&
                (!cpu->bordered || set_border(e, cpu, &s->bytes)) &&
                (!sb_is_forced(e) || set_waves(e, cpu, &s->bytes));
    slimband_status status = room ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
    if (!status && sb_has_wall_values(e))
        status = set_steady(e, cpu, &s->bytes);
    return status ? status : sb_stepper_make_plans(e, cpu, &s->bytes);
}

static void destroy(slimband_stepper *s)
{
    sb_stepper_cpu *cpu = s->state;
    if (!cpu)
        return;
    for (int a = 0; a < SLIMBAND_STEPPER_MAX_RANK; ++a) {
        slimband_plan **plans = cpu->pass[a].plans;
        for (int64_t k = 0; plans && k < cpu->copies * cpu->matrices; ++k)
            slimband_plan_destroy(plans[k]);
        free(plans);
    }
    void *const memory[] = {cpu->state,  cpu->scratch, cpu->stiffness, cpu->rate,   cpu->force, cpu->weight,
                            cpu->border, cpu->cosine,  cpu->sine,      cpu->steady, cpu};
    for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k)
        free(memory[k]);
}

/* Members of a strip that there really are. */
static int64_t present(const slimband_stepper *s, int64_t unit)
{
    const sb_stepper_cpu *cpu = s->state;
    int64_t width = cpu->pass[0].width, left = s->evolution.members - unit * width;
    return left < width ? left : width;
}

static slimband_status set(slimband_stepper *s, const void *state)
{
    const sb_stepper_cpu *cpu = s->state;
    int64_t n = cpu->pass[0].n, width = cpu->pass[0].width;
    if (!cpu->rings && cpu->units)
        memcpy(cpu->state, state, (size_t)(cpu->units * cpu->unit_elements) * cpu->size);
    for (int64_t unit = 0; cpu->rings && unit < cpu->units; ++unit)
        cpu->kernels->pack(n, width, present(s, unit),
                           (const char *)state + (size_t)(unit * cpu->unit_elements) * cpu->size,
                           strip_of(cpu, unit));
    return SLIMBAND_OK;
}

static slimband_status get(const slimband_stepper *s, void *state)
{
    const sb_stepper_cpu *cpu = s->state;
    int64_t n = cpu->pass[0].n, width = cpu->pass[0].width;
    if (!cpu->rings && cpu->units)
        memcpy(state, cpu->state, (size_t)(cpu->units * cpu->unit_elements) * cpu->size);
    for (int64_t unit = 0; cpu->rings && unit < cpu->units; ++unit)
        cpu->kernels->unpack(n, width, present(s, unit), strip_of(cpu, unit),
                             (char *)state + (size_t)(unit * cpu->unit_elements) * cpu->size);
    return SLIMBAND_OK;
}

/* Where a member's points begin; *stride apart. */
static const void *member_of(const slimband_stepper *s, int64_t m, int64_t *stride)
{
    const sb_stepper_cpu *cpu = s->state;
    int64_t width = cpu->rings ? cpu->pass[0].width : 1;
    *stride = width;
    return strip_of(cpu, m / width) + (size_t)(m % width) * cpu->size;
}

static slimband_status means(const slimband_stepper *s, double *values)
{
    const sb_stepper_cpu *cpu = s->state;
    for (int64_t m = 0, stride; m < s->evolution.members; ++m) {
        const void *u = member_of(s, m, &stride);
        values[m] = cpu->kernels->mean(sb_points_of_member(&s->evolution), stride, u);
    }
    return SLIMBAND_OK;
}

static slimband_status energies(const slimband_stepper *s, double *values)
{
    const sb_stepper_cpu *cpu = s->state;
    const slimband_evolution *e = &s->evolution;
    for (int64_t m = 0, stride; m < e->members; ++m) {
        const void *c = member_of(s, m, &stride);
        values[m] =
            cpu->kernels->energy(e->points[0], stride, sb_spacing(e, 0), sb_of_member(e->gamma, m, 1), c);
    }
    return SLIMBAND_OK;
}

/* A tile that no cache holds moves u and d once more for each thing that is done to them. */
static double words(const sb_stepper_cpu *cpu, const sb_pass *pass)
{
    int64_t bytes = 3 * pass->n * pass->width * (int64_t)cpu->size;
    if (cpu->bordered)
        return 2 + 6 + 2; /* the plan's factors and W */
    double steady = cpu->steady ? 1 : 0;
    return steady + (bytes <= cpu->cache_bytes || bytes * cpu->threads <= cpu->last_cache_bytes ? 2 : 7);
}

static void report(const slimband_stepper *s, slimband_stepper_facts *facts)
{
    const sb_stepper_cpu *cpu = s->state;
    facts->method = "none";
    facts->threads = cpu->threads;
    facts->matrices = cpu->units ? cpu->own ? s->evolution.members : 1 : 0;
    for (int a = 0; cpu->units && a < s->evolution.rank; ++a) {
        facts->words_per_point += words(cpu, &cpu->pass[a]);
        for (int64_t k = 0; k < cpu->copies * cpu->matrices; ++k) {
            slimband_report plan;
            slimband_plan_report(cpu->pass[a].plans[k], &plan);
            facts->method = plan.method;
            facts->pivoted += plan.pivoted;
        }
    }
}

const sb_stepper_place sb_stepper_on_cpu = {.place = SLIMBAND_ON_CPU,
                                            .create = create,
                                            .destroy = destroy,
                                            .set = set,
                                            .get = get,
                                            .step = sb_stepper_run,
                                            .means = means,
                                            .energies = energies,
                                            .report = report};
