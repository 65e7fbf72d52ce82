/* The CPU as a backend: the core's calls, handed to the drivers of the plan's scalar type. */
#include <math.h>

#include "src/cpu/shifted.h"
#include "src/cpu/workspace.h"

const sb_drivers *const sb_drivers_of[SB_SCALARS] = {
    [SLIMBAND_F32] = &sb_drivers_f32,
    [SLIMBAND_F64] = &sb_drivers_f64,
    [SLIMBAND_C64] = &sb_drivers_c64,
    [SLIMBAND_C128] = &sb_drivers_c128,
};

static slimband_status fits(const sb_method *method, const slimband_problem *problem,
                            slimband_executor executor, const char *options)
{
    (void)executor;
    const sb_cpu_method *m = method->data;
    sb_tuning unused;
    slimband_status status = m->configure(options, &unused);
    return status ? status : m->fits(problem);
}

/* On all cores, or on one if that has done it before so many have. */
static double seconds_of(const sb_cost_facts *facts, const slimband_problem *problem,
                         const sb_cost_machine *machine)
{
    sb_cost_machine one = *machine;
    one.cores = 1;
    return fmin(sb_cost_seconds(facts, problem, machine), sb_cost_seconds(facts, problem, &one));
}

double sb_cpu_cost(const sb_cpu_method *m, const slimband_problem *problem, const sb_cost_machine *machine)
{
    if (!m->cost || m->by_name_only || (m->worth && !m->worth(problem)))
        return INFINITY;
    bool checked = m->cost->refuge || problem->pivoting != SLIMBAND_PIVOT_NONE;
    const sb_cost_facts *refuge = m->cost->refuge ? m->cost->refuge : &sb_pivoted_lu_cost;
    double doubt = checked ? m->cost->doubt : 0;
    return seconds_of(m->cost, problem, machine) +
           (doubt > 0 ? doubt * seconds_of(refuge, problem, machine) : 0);
}

static double cost(const sb_method *method, const slimband_problem *problem, slimband_executor executor)
{
    (void)executor;
    sb_cost_machine machine = sb_cost_machine_here();
    return sb_cpu_cost(method->data, problem, &machine);
}

static slimband_status factor(slimband_plan *plan, const void *const *diagonals)
{
    const sb_cpu *cpu = plan->state;
    cpu->drivers->factor(plan, diagonals);
    for (int64_t s = 0; s < plan->systems; ++s) {
        const sb_matrix_record *matrix = &cpu->matrices[sb_matrix_of(&plan->problem, s)];
        cpu->systems[s] = (sb_system_record){.row = matrix->row, .status = matrix->status};
    }
    for (int64_t m = 0; m < plan->matrices; ++m)
        if (cpu->matrices[m].status)
            return cpu->matrices[m].status;
    return SLIMBAND_OK;
}

static slimband_status status_of(const slimband_plan *plan, int64_t failed)
{
    return failed < 0 ? SLIMBAND_OK : ((const sb_cpu *)plan->state)->systems[failed].status;
}

static slimband_status solve(slimband_plan *plan, sb_solve op, const void *b, void *x)
{
    return status_of(plan, ((const sb_cpu *)plan->state)->drivers->solve(plan, op, b, x));
}

static slimband_status factor_solve(slimband_plan *plan, const void *const *diagonals, const void *b, void *x)
{
    return status_of(plan, ((const sb_cpu *)plan->state)->drivers->factor_solve(plan, diagonals, b, x));
}

/* Words that a solve moves a row: right-hand side and solution, and the factors unless they stay in cache. */
static double words_per_row(const slimband_plan *plan)
{
    const sb_cpu *cpu = plan->state;
    const slimband_problem *p = &plan->problem;
    int64_t longest = sb_longest(p);
    double scalar = (double)sb_scalar_bytes(p->scalar), rows = longest ? (double)longest : 1;
    slimband_machine machine;
    slimband_machine_facts(&machine);
    if (cpu->words_per_row > 0)
        return cpu->words_per_row;
    if (p->one_pass && plan->matrices == plan->systems)
        return p->lower + 1 + p->upper + 2;
    bool stays = plan->matrices < plan->systems && (int64_t)cpu->factor_bytes <= machine.cache_bytes[1];
    return 2 + (stays ? 0 : (double)cpu->factor_bytes / scalar / rows);
}

/* A ring is a level of its own: interiors, then borders. */
static bool closes_rings(const sb_recipe *recipe, const sb_cpu_method *method, int64_t n)
{
    bool couples = recipe->lower > 0 || recipe->upper > 0;
    return recipe->periodic && couples && !method->pivots && sb_ring_fits(n, recipe->lower, recipe->upper);
}

static slimband_status report(const slimband_plan *plan, slimband_report *r)
{
    const sb_cpu *cpu = plan->state;
    const sb_cpu_method *method = plan->method->data;
    r->threads = cpu->threads * cpu->recipe.tuning.threads;
    int64_t longest = sb_longest(&plan->problem);
    r->levels = method->levels(longest, &cpu->recipe.tuning) + closes_rings(&cpu->recipe, method, longest);
    r->words_per_row = words_per_row(plan);
    for (int64_t m = 0; m < plan->matrices; ++m) {
        r->pivoted += cpu->matrices[m].pivoted;
        r->truncation_bound = fmax(r->truncation_bound, cpu->matrices[m].bound);
        r->largest_growth = fmax(r->largest_growth, cpu->matrices[m].growth);
    }
    for (int64_t s = 0; s < plan->systems; ++s)
        r->failed += cpu->systems[s].status != SLIMBAND_OK;
    return SLIMBAND_OK;
}

static slimband_status system_info(const slimband_plan *plan, int64_t system, slimband_system_info *info)
{
    const sb_cpu *cpu = plan->state;
    const sb_matrix_record *matrix = &cpu->matrices[sb_matrix_of(&plan->problem, system)];
    *info = (slimband_system_info){.status = cpu->systems[system].status,
                                   .row = cpu->systems[system].row,
                                   .growth = matrix->growth,
                                   .pivoted = matrix->pivoted};
    return SLIMBAND_OK;
}

const sb_backend sb_cpu_backend = {.place = SLIMBAND_ON_CPU,
                                   .name = "cpu",
                                   .methods = sb_cpu_methods,
                                   .method_count = &sb_cpu_method_count,
                                   .fits = fits,
                                   .cost = cost,
                                   .create = sb_cpu_create,
                                   .destroy = sb_cpu_destroy,
                                   .factor = factor,
                                   .solve = solve,
                                   .factor_solve = factor_solve,
                                   .report = report,
                                   .system_info = system_info,
                                   .shifted = {&sb_cpu_shifted_f32, &sb_cpu_shifted_f64}};
