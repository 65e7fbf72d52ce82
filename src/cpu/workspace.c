/* Sizes a plan's workspace and allocates all of it. */
#include "src/cpu/workspace.h"

#include <omp.h>
#include <string.h>

/* A tile of gathered lines should fill whole cache lines and stay in a core's own cache. */
enum { tile_lines_bytes = 256, tile_bytes_most = 4 << 20 };

/* Those that were asked for; where that is left open, all or one: libgomp ends the threads that a smaller team leaves over. */
static int thread_count(const slimband_plan *plan, const sb_cpu_method *method)
{
    int threads = plan->executor.threads > 0 ? plan->executor.threads : omp_get_max_threads();
    bool open = plan->executor.threads == 0 && threads > 1 && method->cost && !method->by_name_only;
    return open && sb_cost_is_for_one(method->cost, &plan->problem, threads) ? 1 : threads;
}

static bool contiguous(const slimband_problem *problem)
{
    return problem->solution.line == 1;
}

/* Are factors, or the matrix, to last from one call to the next? */
static bool needs_store(const slimband_plan *plan)
{
    return !plan->problem.one_pass || plan->matrices < plan->systems;
}

static void set_recipe(slimband_plan *plan, const sb_cpu_method *method)
{
    const slimband_problem *p = &plan->problem;
    sb_cpu *cpu = plan->state;
    cpu->recipe.engine = method->engine[p->scalar];
    cpu->recipe.pivoted = sb_pivoted_lu_method.engine[p->scalar];
    cpu->recipe.pivoting = p->pivoting;
    cpu->recipe.lower = p->lower;
    cpu->recipe.upper = p->upper;
    cpu->recipe.periodic = p->ends == SLIMBAND_PERIODIC;
    cpu->recipe.check_finite = p->check_finite;
    cpu->recipe.refinements = p->refinements;
    cpu->recipe.toeplitz = p->coefficients == SLIMBAND_TOEPLITZ;
    cpu->recipe.first = p->toeplitz_first;
    cpu->recipe.last = p->toeplitz_last;
    cpu->recipe.keeps_matrix = needs_store(plan) && (method->reads_matrix || p->refinements > 0);
}

/* Threads go to the batch while it has a system for each; else into the one system, if the method knows how. */
static void set_threads(slimband_plan *plan, const sb_cpu_method *method)
{
    sb_cpu *cpu = plan->state;
    int threads = thread_count(plan, method);
    bool inside = method->parallel_inside && plan->systems < threads;
    cpu->recipe.tuning.threads = inside ? threads : 1;
    cpu->threads = inside ? 1 : plan->systems < threads ? (int)plan->systems : threads;
    cpu->threads = cpu->threads < 1 ? 1 : cpu->threads;
}

static void set_tile(slimband_plan *plan, int64_t longest)
{
    sb_cpu *cpu = plan->state;
    const slimband_problem *p = &plan->problem;
    int64_t bytes = (int64_t)sb_scalar_bytes(p->scalar), most = p->batch_rank ? p->batch[p->batch_rank - 1] : 1;
    int64_t tile = tile_lines_bytes / bytes, fit = longest ? tile_bytes_most / bytes / longest : tile;
    tile = fit < tile ? fit : tile;
    tile = tile < most ? tile : most;
    cpu->tile = tile < 1 ? 1 : tile;
    cpu->tile_bytes = contiguous(p) ? 0 : sb_times(sb_times((size_t)cpu->tile, (size_t)longest), (size_t)bytes);
    cpu->tile_bytes = sb_plus(cpu->tile_bytes, 63) / 64 * 64;
}

/* The most that a system of this plan can ask for. Need does not grow with n where routes change, so every
   length of a ragged batch is asked. */
static size_t most(const slimband_plan *plan, size_t (*need)(const sb_recipe *recipe, int64_t n))
{
    const sb_cpu *cpu = plan->state;
    size_t bytes = 0;
    for (int64_t s = 0; s < (plan->problem.ragged ? plan->systems : 1); ++s) {
        size_t one = need(&cpu->recipe, sb_length(&plan->problem, s));
        bytes = one > bytes ? one : bytes;
    }
    return bytes;
}

/* Room for the factors of every matrix. */
static bool allocate_factors(slimband_plan *plan, int64_t longest)
{
    sb_cpu *cpu = plan->state;
    const slimband_problem *p = &plan->problem;
    cpu->factor_bytes = cpu->drivers->stored(&cpu->recipe, longest);
    size_t total = sb_times((size_t)plan->matrices, cpu->factor_bytes);
    if (p->ragged) {
        cpu->factor_offsets = sb_allocate(sb_times((size_t)plan->matrices, sizeof(size_t)), &plan->bytes);
        if (!cpu->factor_offsets)
            return false;
        total = 0;
        for (int64_t m = 0; m < plan->matrices; ++m) {
            cpu->factor_offsets[m] = total;
            total = sb_plus(total, cpu->drivers->stored(&cpu->recipe, sb_length(p, m)));
        }
    }
    cpu->factors = sb_allocate(total, &plan->bytes);
    return cpu->factors != NULL;
}

static bool allocate(slimband_plan *plan)
{
    sb_cpu *cpu = plan->state;
    int64_t longest = sb_longest(&plan->problem);
    set_tile(plan, longest);
    if (needs_store(plan)) {
        if (!allocate_factors(plan, longest))
            return false;
    } else
        cpu->store_bytes = most(plan, cpu->drivers->stored);
    cpu->scratch_bytes = sb_plus(sb_plus(cpu->tile_bytes, cpu->store_bytes), most(plan, cpu->drivers->scratch));
    cpu->scratch_bytes = sb_plus(cpu->scratch_bytes, sb_plus(cpu->wide.bytes, cpu->chunked.bytes));
    cpu->scratch = sb_allocate(sb_times((size_t)cpu->threads, cpu->scratch_bytes), &plan->bytes);
    cpu->matrices = sb_allocate(sb_times((size_t)plan->matrices, sizeof *cpu->matrices), &plan->bytes);
    cpu->systems = sb_allocate(sb_times((size_t)plan->systems, sizeof *cpu->systems), &plan->bytes);
    if (!cpu->scratch || !cpu->matrices || !cpu->systems)
        return false;
    for (int64_t m = 0; m < plan->matrices; ++m)
        cpu->matrices[m].row = -1;
    for (int64_t s = 0; s < plan->systems; ++s)
        cpu->systems[s].row = -1;
    return true;
}

/* Sizes inside one system are formed without overflow checks: refuse what could make them wrap around. */
static bool too_long(int64_t n)
{
    return n > INT64_MAX / 4096;
}

slimband_status sb_cpu_create(slimband_plan *plan, const char *options)
{
    const sb_cpu_method *method = plan->method->data;
    if (too_long(sb_longest(&plan->problem)))
        return SLIMBAND_TOO_LARGE;
    sb_cpu *cpu = plan->state = sb_allocate(sizeof *cpu, &plan->bytes);
    if (!cpu)
        return SLIMBAND_OUT_OF_MEMORY;
    const sb_drivers *own = method->drivers[plan->problem.scalar];
    cpu->drivers = own ? own : sb_drivers_of[plan->problem.scalar];
    set_recipe(plan, method);
    set_threads(plan, method);
    slimband_status status = method->configure(options, &cpu->recipe.tuning);
    if (status)
        return status;
    if (cpu->drivers->prepare)
        cpu->drivers->prepare(plan);
    return allocate(plan) ? SLIMBAND_OK : SLIMBAND_OUT_OF_MEMORY;
}

void sb_cpu_destroy(slimband_plan *plan)
{
    sb_cpu *cpu = plan->state;
    if (!cpu)
        return;
    sb_release(cpu->factors);
    sb_release(cpu->factor_offsets);
    sb_release(cpu->scratch);
    sb_release(cpu->matrices);
    sb_release(cpu->systems);
    sb_release(cpu);
}
