/* A plan on paper: what the kernels will be told, and how its device memory is cut. Needs no device. */
#include <stdint.h>

#include "src/cuda/plan.h"

static int widest(const slimband_problem *p)
{
    return p->lower > p->upper ? p->lower : p->upper;
}

bool sb_cuda_lies_across(const slimband_problem *p)
{
    int64_t line = p->rhs.line < 0 ? -p->rhs.line : p->rhs.line;
    bool across = false;
    for (int d = 0; d < p->batch_rank; ++d) {
        int64_t between = p->rhs.batch[d] < 0 ? -p->rhs.batch[d] : p->rhs.batch[d];
        across = across || (between > 0 && between < line);
    }
    return across;
}

int sb_cuda_nearest(const slimband_problem *p)
{
    int best = p->batch_rank > 0 ? p->batch_rank - 1 : 0;
    int64_t least = INT64_MAX;
    for (int d = 0; d < p->batch_rank; ++d) {
        int64_t between = p->rhs.batch[d] < 0 ? -p->rhs.batch[d] : p->rhs.batch[d];
        if (p->batch[d] > 1 && between < least) {
            least = between;
            best = d;
        }
    }
    return best;
}

static bool small_ring(const slimband_problem *p, int64_t n)
{
    return p->ends == SLIMBAND_PERIODIC && n < sb_cuda_smallest_ring(p->lower, p->upper);
}

static bool any_small_ring(const slimband_problem *p, int64_t systems)
{
    bool any = false;
    for (int64_t s = 0; s < (p->ragged ? systems : 1) && !any; ++s)
        any = small_ring(p, sb_length(p, s));
    return any;
}

static void describe_job(sb_cuda_plan *cuda)
{
    const slimband_problem *p = cuda->setup.problem;
    bool toeplitz = p->coefficients == SLIMBAND_TOEPLITZ;
    cuda->job = (sb_cuda_job){.n = cuda->setup.longest,
                              .systems = cuda->setup.systems,
                              .matrices = cuda->setup.matrices,
                              .lower = p->lower,
                              .upper = p->upper,
                              .diagonals = p->lower + 1 + p->upper,
                              .periodic = p->ends == SLIMBAND_PERIODIC && widest(p) > 0,
                              .rank = p->ragged ? 0 : p->batch_rank,
                              .b_at = p->rhs,
                              .x_at = p->solution,
                              .matrix_at = p->matrix,
                              .toeplitz = toeplitz,
                              .first = toeplitz ? p->toeplitz_first : INT64_MAX,
                              .last = toeplitz ? p->toeplitz_last : 0};
    for (int d = 0; d < SLIMBAND_MAX_BATCH_RANK; ++d) {
        cuda->job.extent[d] = d < cuda->job.rank ? p->batch[d] : 1;
        if (p->coefficients != SLIMBAND_OWN || d >= cuda->job.rank)
            cuda->job.matrix_at.batch[d] = 0;
    }
    if (toeplitz)
        cuda->job.matrix_at.line = 1;
}

static int64_t rounded_to_warps(int64_t count)
{
    return (count + 31) / 32 * 32;
}

/* A sixteenth of a large batch may need rescue at once without waiting; where all pivot, all do. */
static int64_t rescue_threads(const sb_cuda_plan *cuda)
{
    enum { few = 1024, many = 1 << 16 };
    int64_t systems = cuda->setup.systems, part = cuda->rescue.all ? systems : systems / 16;
    int64_t threads = part < few ? few : part > many ? many : part;
    return rounded_to_warps(systems < threads ? systems : threads);
}

static void describe_rescue(sb_cuda_plan *cuda)
{
    sb_cuda_rescue *r = &cuda->rescue;
    int64_t most = cuda->setup.longest > 1 ? cuda->setup.longest - 1 : 0,
            fold = 2 * widest(cuda->setup.problem);
    bool folded = cuda->job.periodic;
    int folded_width = (int)(most < fold ? most : fold);
    r->all = cuda->launchers == NULL;
    r->in_passing =
        cuda->setup.problem->one_pass && cuda->setup.matrices == cuda->setup.systems && (cuda->fused || r->all);
    r->folded = folded;
    r->lower = folded ? folded_width : cuda->job.lower;
    r->upper = folded ? folded_width : cuda->job.upper;
    r->width = 2 * r->lower + r->upper + 1;
    r->threads = rescue_threads(cuda);
    r->pitch = r->in_passing               ? r->threads
               : cuda->setup.matrices == 1 ? 1
                                           : rounded_to_warps(cuda->setup.matrices);
}

/* The copy of the matrix, which lies as the matrix does, without gaps. */
static void describe_kept(sb_cuda_plan *cuda)
{
    sb_cuda_refine *r = &cuda->refine;
    const sb_cuda_job *job = &cuda->job;
    const slimband_problem *p = cuda->setup.problem;
    bool along = job->matrix_at.line == 1;
    int64_t rows = job->toeplitz              ? job->first + 1 + job->last
                   : job->matrix_at.line == 0 ? 1
                                              : cuda->setup.longest;
    r->kept_at.line = job->matrix_at.line == 0 ? 0 : along || p->ragged ? 1 : cuda->setup.matrices;
    r->kept_piece =
        p->ragged && !job->toeplitz ? p->ragged->offsets[cuda->setup.systems] : rows * cuda->setup.matrices;
    int64_t before = along ? rows : 1;
    for (int d = job->rank - 1; d >= 0; --d) {
        r->kept_at.batch[d] = job->matrix_at.batch[d] == 0 ? 0 : before;
        before *= job->matrix_at.batch[d] == 0 ? 1 : job->extent[d];
    }
}

/* The method solves for what lies as x does: first for a copy of b, then for residuals. */
static void describe_refine(sb_cuda_plan *cuda, const slimband_problem *problem)
{
    static const sb_cuda_refiners *const refiners[SB_CUDA_SCALARS] = {
        &sb_cuda_refiners_f32, &sb_cuda_refiners_f64, &sb_cuda_refiners_c64, &sb_cuda_refiners_c128};
    cuda->refiners = refiners[problem->scalar];
    cuda->refinements = problem->refinements;
    if (problem->refinements == 0)
        return;
    cuda->refine.b_at = problem->rhs;
    describe_kept(cuda);
}

static slimband_status fits(const sb_cuda_plan *cuda)
{
    const int64_t most_rows = INT64_MAX >> 16;
    const slimband_problem *p = cuda->setup.problem;
    if (cuda->setup.longest > most_rows || cuda->setup.systems > most_rows)
        return SLIMBAND_TOO_LARGE;
    if (p->pivoting == SLIMBAND_PIVOT_PARTIAL && !cuda->method->pivots)
        return SLIMBAND_METHOD_DOES_NOT_PIVOT;
    return cuda->method->fits(&cuda->setup);
}

slimband_status sb_cuda_describe(const sb_cuda_method *method, const slimband_problem *problem,
                                 const char *options, sb_cuda_plan *cuda)
{
    static const sb_cuda_rescuers *const rescuers[SB_CUDA_SCALARS] = {
        &sb_cuda_rescuers_f32, &sb_cuda_rescuers_f64, &sb_cuda_rescuers_c64, &sb_cuda_rescuers_c128};
    cuda->rescuers = rescuers[problem->scalar];
    cuda->refined = *problem;
    cuda->refined.rhs = problem->solution;
    cuda->setup = (sb_cuda_setup){.problem = problem->refinements ? &cuda->refined : problem,
                                  .device = &cuda->device,
                                  .systems = slimband_systems(problem),
                                  .matrices = sb_matrices(problem),
                                  .longest = sb_longest(problem),
                                  .scalar_bytes = sb_scalar_bytes(problem->scalar)};
    if (!method->configure && *options)
        return SLIMBAND_UNKNOWN_OPTION;
    slimband_status status = method->configure ? method->configure(options, &cuda->setup.options) : SLIMBAND_OK;
    if (status)
        return status;
    if (method->instead)
        method = method->instead(&cuda->setup);
    cuda->method = method;
    status = fits(cuda);
    if (status)
        return status;
    bool tiny = small_ring(problem, cuda->setup.longest);
    cuda->launchers = tiny ? NULL : method->launchers[problem->scalar];
    cuda->fused =
        cuda->launchers && cuda->launchers->factor_solve && cuda->setup.matrices == cuda->setup.systems;
    cuda->settles = cuda->launchers && method->settles && !problem->check_finite;
    describe_job(cuda);
    cuda->job.wary = problem->pivoting == SLIMBAND_PIVOT_AUTO && !method->pivots;
    cuda->rescues = !cuda->launchers || cuda->job.wary || any_small_ring(problem, cuda->setup.systems);
    describe_rescue(cuda);
    describe_refine(cuda, problem);
    return SLIMBAND_OK;
}

static size_t product(int64_t a, int64_t b, size_t bytes)
{
    return sb_times(sb_times((size_t)a, (size_t)b), bytes);
}

/* Elements from the first unknown to the last. */
static int64_t reach(const slimband_problem *p)
{
    if (p->ragged)
        return p->ragged->offsets[p->ragged->systems] * p->solution.line;
    int64_t last = (p->n > 0 ? p->n - 1 : 0) * p->solution.line;
    for (int d = 0; d < p->batch_rank; ++d)
        last += (p->batch[d] > 0 ? p->batch[d] - 1 : 0) * p->solution.batch[d];
    return last + 1;
}

static void measure_refine(const sb_cuda_plan *cuda, size_t size[SB_PARTS])
{
    const sb_cuda_setup *setup = &cuda->setup;
    if (!setup->problem->one_pass)
        size[SB_PART_MATRIX] =
            sb_times(product(cuda->refine.kept_piece, 1, setup->scalar_bytes), (size_t)cuda->job.diagonals);
    size[SB_PART_B] = size[SB_PART_RESIDUAL] = product(reach(setup->problem), 1, setup->scalar_bytes);
}

sb_cuda_map sb_cuda_measure(const sb_cuda_plan *cuda)
{
    const sb_cuda_setup *setup = &cuda->setup;
    const sb_cuda_rescue *r = &cuda->rescue;
    size_t size[SB_PARTS] = {0};
    if (cuda->launchers) {
        sb_cuda_sizes own = cuda->method->sizes(setup);
        size[SB_PART_STORED] = own.stored;
        size[SB_PART_SCRATCH] = own.scratch;
    }
    if (cuda->rescues) {
        size[SB_PART_ROWS] = sb_times(product(setup->longest, r->pitch, setup->scalar_bytes), (size_t)r->width);
        size[SB_PART_PIVOTS] = product(setup->longest, r->pitch, sizeof(int32_t));
        size[SB_PART_LINES] = r->folded ? product(setup->longest, r->threads, setup->scalar_bytes) : 0;
    }
    if (setup->problem->check_finite)
        size[SB_PART_FINITE] = product(setup->systems, 1, sizeof(sb_cuda_outcome));
    if (cuda->refinements)
        measure_refine(cuda, size);
    size[SB_PART_MATRICES] = product(setup->matrices, 1, sizeof(sb_cuda_matrix));
    size[SB_PART_SYSTEMS] = product(setup->systems, 1, sizeof(sb_cuda_outcome));
    if (setup->problem->ragged)
        size[SB_PART_OFFSETS] = product(setup->systems + 1, 1, sizeof(int64_t));
    sb_cuda_map map = {{0}};
    for (int part = 0; part < SB_PARTS; ++part) {
        size_t end = sb_plus(sb_plus(map.at[part], size[part]), 255);
        map.at[part + 1] = end == SIZE_MAX ? end : end / 256 * 256;
    }
    return map;
}

void sb_cuda_place(sb_cuda_plan *cuda, const sb_cuda_map *map)
{
    char *memory = cuda->memory;
    cuda->job.stored = memory + map->at[SB_PART_STORED];
    cuda->job.scratch = memory + map->at[SB_PART_SCRATCH];
    cuda->job.matrix = (sb_cuda_matrix *)(memory + map->at[SB_PART_MATRICES]);
    cuda->job.system = (sb_cuda_outcome *)(memory + map->at[SB_PART_SYSTEMS]);
    if (cuda->setup.problem->ragged)
        cuda->job.offsets = (const int64_t *)(memory + map->at[SB_PART_OFFSETS]);
    cuda->rescue.rows = memory + map->at[SB_PART_ROWS];
    cuda->rescue.pivots = (int32_t *)(memory + map->at[SB_PART_PIVOTS]);
    cuda->rescue.lines = memory + map->at[SB_PART_LINES];
    if (cuda->setup.problem->check_finite)
        cuda->rescue.finite = (sb_cuda_outcome *)(memory + map->at[SB_PART_FINITE]);
    cuda->refine.kept = memory + map->at[SB_PART_MATRIX];
    cuda->refine.b = memory + map->at[SB_PART_B];
    cuda->refine.residual = memory + map->at[SB_PART_RESIDUAL];
}

double sb_cuda_rescue_words(const sb_cuda_plan *cuda)
{
    const sb_cuda_setup *setup = &cuda->setup;
    bool stays = setup->matrices < setup->systems; /* shared factors stay in cache */
    double factors = cuda->rescue.width + 4.0 / (double)setup->scalar_bytes;
    double line = setup->problem->one_pass && !stays ? cuda->job.diagonals + 2 * factors : 0;
    return line + 4 + (stays ? 0 : factors);
}
