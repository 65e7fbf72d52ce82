/* The GPU as a backend: the core's calls become a fixed sequence of launches on the executor's stream. */
#include <math.h>
#include <stdint.h>

#include "src/cuda/plan.h"
#include "src/cuda/shifted/shifted.h"

static slimband_status describe(const sb_method *method, const slimband_problem *problem,
                                slimband_executor executor, const char *options, sb_cuda_plan *cuda)
{
    *cuda = (sb_cuda_plan){.stream = (cudaStream_t)executor.place_data};
    slimband_status status = sb_cuda_facts(executor.device, &cuda->device);
    return status ? status : sb_cuda_describe(method->data, problem, options, cuda);
}

static slimband_status fits(const sb_method *method, const slimband_problem *problem,
                            slimband_executor executor, const char *options)
{
    sb_cuda_plan cuda;
    return describe(method, problem, executor, options, &cuda);
}

static double cost(const sb_method *method, const slimband_problem *problem, slimband_executor executor)
{
    sb_cuda_plan cuda;
    if (describe(method, problem, executor, "", &cuda))
        return INFINITY;
    return cuda.method->cost(&cuda.setup);
}

static slimband_status workspace(const sb_method *method, const slimband_problem *problem,
                                 slimband_executor executor, const char *options, size_t *bytes)
{
    sb_cuda_plan cuda;
    slimband_status status = describe(method, problem, executor, options, &cuda);
    if (status)
        return status;
    *bytes = sb_cuda_measure(&cuda).at[SB_PARTS];
    return *bytes == SIZE_MAX ? SLIMBAND_OUT_OF_MEMORY : SLIMBAND_OK;
}

/* The device is current here. */
static slimband_status take_memory(slimband_plan *plan, size_t bytes)
{
    sb_cuda_plan *cuda = plan->state;
    if (plan->given) {
        if (plan->given_bytes < bytes || (uintptr_t)plan->given % 256 != 0)
            return SLIMBAND_BAD_WORKSPACE;
        cuda->memory = plan->given;
        return SLIMBAND_OK;
    }
    void *memory = NULL;
    cudaError_t error = cudaMalloc(&memory, bytes);
    if (error) {
        (void)cudaGetLastError();
        return sb_cuda_status(error);
    }
    cuda->memory = memory;
    cuda->owned = true;
    plan->bytes += bytes;
    return SLIMBAND_OK;
}

/* Records and the method's scratch begin as zeros; the offsets of a ragged batch go to the device. */
static slimband_status fill_memory(const slimband_plan *plan, const sb_cuda_map *map)
{
    const sb_cuda_plan *cuda = plan->state;
    const size_t *at = map->at;
    cudaError_t error = cudaMemsetAsync(cuda->memory + at[SB_PART_SCRATCH], 0,
                                        at[SB_PART_SCRATCH + 1] - at[SB_PART_SCRATCH], cuda->stream);
    if (!error)
        error = cudaMemsetAsync(cuda->memory + at[SB_PART_MATRICES], 0,
                                at[SB_PART_OFFSETS] - at[SB_PART_MATRICES], cuda->stream);
    if (!error && plan->problem.ragged)
        error = cudaMemcpyAsync(cuda->memory + at[SB_PART_OFFSETS], plan->ragged.offsets,
                                ((size_t)plan->systems + 1) * sizeof(int64_t), cudaMemcpyHostToDevice,
                                cuda->stream);
    if (!error)
        error = cudaStreamSynchronize(cuda->stream);
    if (error)
        (void)cudaGetLastError();
    return sb_cuda_status(error);
}

static slimband_status make_ready(sb_cuda_plan *cuda)
{
    if (cuda->method->prepare)
        cuda->method->prepare(&cuda->setup, cuda->state);
    cudaError_t error =
        cuda->launchers->ready ? cuda->launchers->ready(&cuda->setup, cuda->state) : cudaSuccess;
    if (error)
        (void)cudaGetLastError();
    return sb_cuda_status(error);
}

static slimband_status create(slimband_plan *plan, const char *options)
{
    sb_cuda_plan *cuda = plan->state = sb_allocate(sizeof *cuda, &plan->bytes);
    if (!cuda)
        return SLIMBAND_OUT_OF_MEMORY;
    slimband_status status = describe(plan->method, &plan->problem, plan->executor, options, cuda);
    if (status)
        return status;
    sb_cuda_map map = sb_cuda_measure(cuda);
    if (map.at[SB_PARTS] == SIZE_MAX)
        return SLIMBAND_OUT_OF_MEMORY;
    int previous;
    status = sb_cuda_enter(cuda->device.number, &previous);
    if (status)
        return status;
    status = sb_cuda_check_stream(cuda->stream);
    if (!status)
        status = take_memory(plan, map.at[SB_PARTS]);
    if (!status) {
        sb_cuda_place(cuda, &map);
        status = fill_memory(plan, &map);
    }
    if (!status && cuda->launchers)
        status = make_ready(cuda);
    sb_cuda_leave(previous);
    return status;
}

static void destroy(slimband_plan *plan)
{
    sb_cuda_plan *cuda = plan->state;
    if (!cuda)
        return;
    int previous;
    if (cuda->owned && !sb_cuda_enter(cuda->device.number, &previous)) {
        (void)cudaFree(cuda->memory); /* waits for what still uses it */
        sb_cuda_leave(previous);
    }
    sb_release(cuda);
}

static sb_cuda_call call_of(const sb_cuda_plan *cuda, const void *const *diagonals, sb_solve op, const void *b,
                            void *x)
{
    sb_cuda_call call = {.job = cuda->job, .setup = &cuda->setup, .state = cuda->state, .stream = cuda->stream};
    call.job.transposed = op != SB_SOLVE;
    call.job.conjugate = op == SB_SOLVE_ADJOINT;
    call.job.b = b;
    call.job.x = x;
    for (int d = 0; diagonals && d < cuda->job.diagonals; ++d)
        call.job.diagonal[d] = diagonals[d];
    return call;
}

/* What a call's refinement reads and writes. */
static sb_cuda_refine refine_of(const sb_cuda_plan *cuda, const sb_cuda_call *call)
{
    sb_cuda_refine refine = cuda->refine;
    bool brought = call->job.diagonal[0] != NULL;
    size_t piece = (size_t)refine.kept_piece * cuda->setup.scalar_bytes;
    refine.given = call->job.b;
    refine.x = call->job.x;
    refine.matrix_at = brought ? call->job.matrix_at : refine.kept_at;
    for (int d = 0; d < call->job.diagonals; ++d)
        refine.diagonal[d] = brought ? call->job.diagonal[d] : (const char *)refine.kept + (size_t)d * piece;
    return refine;
}

typedef struct sequence {
    const sb_cuda_plan *cuda;
    sb_cuda_call call;
    sb_cuda_rescue rescue;
    sb_cuda_refine refine;
    bool refining;     /* what is solved for are residuals */
    cudaError_t error; /* the first; nothing is launched after it */
} sequence;

static void launch(sequence *s, sb_cuda_launch *method)
{
    if (!s->error)
        s->error = method(&s->call);
}

static void rescue(sequence *s, sb_cuda_rescue_launch *step)
{
    if (!s->error)
        s->error = step(&s->call, &s->rescue);
}

static void refine(sequence *s, sb_cuda_refine_launch *step)
{
    if (!s->error)
        s->error = step(&s->call, &s->refine);
}

static void queue_factor(sequence *s)
{
    if (s->cuda->launchers)
        launch(s, s->cuda->launchers->factor);
    if (s->cuda->rescues)
        rescue(s, s->cuda->rescuers->factor);
    if (s->cuda->setup.problem->check_finite)
        rescue(s, s->cuda->rescuers->search_matrix);
}

/* Residuals that are not finite tell no more of b. */
static void queue_search_rhs(sequence *s)
{
    if (s->cuda->setup.problem->check_finite && !s->refining)
        rescue(s, s->cuda->rescuers->search_rhs);
}

static void queue_solve(sequence *s)
{
    queue_search_rhs(s);
    if (s->cuda->launchers)
        launch(s, s->cuda->launchers->solve);
    if (!s->cuda->settles)
        rescue(s, s->cuda->rescuers->settle);
}

/* Factors go nowhere: settle factors what has to be rescued. What it has said of the last call's matrices is not to hold for these. */
static void queue_fused(sequence *s)
{
    queue_search_rhs(s);
    if (s->cuda->launchers)
        launch(s, s->cuda->launchers->factor_solve);
    else if (!s->error)
        s->error = cudaMemsetAsync(s->call.job.matrix, 0,
                                   (size_t)s->call.job.matrices * sizeof *s->call.job.matrix, s->call.stream);
    if (s->cuda->setup.problem->check_finite)
        rescue(s, s->cuda->rescuers->search_matrix);
    s->rescue.factors = true;
    if (!s->cuda->settles)
        rescue(s, s->cuda->rescuers->settle);
}

/* Solves, and refines the answer as often as the plan says. */
static void queue_refined(sequence *s, void (*queue)(sequence *))
{
    const sb_cuda_refiners *refiners = s->cuda->refiners;
    if (s->cuda->refinements == 0) {
        queue(s);
        return;
    }
    refine(s, refiners->take);
    s->call.job.b = s->refine.b;
    queue(s);
    s->refining = true;
    s->call.job.b = s->call.job.x = s->refine.residual;
    for (int step = 0; step < s->cuda->refinements; ++step) {
        refine(s, refiners->residual);
        queue(s);
        refine(s, refiners->add);
    }
}

static void queue_refined_solve(sequence *s)
{
    queue_refined(s, queue_solve);
}

static void queue_refined_fused(sequence *s)
{
    queue_refined(s, queue_fused);
}

static slimband_status run(const slimband_plan *plan, sb_cuda_call call, void (*queue)(sequence *))
{
    const sb_cuda_plan *cuda = plan->state;
    sequence s = {.cuda = cuda, .call = call, .rescue = cuda->rescue, .refine = refine_of(cuda, &call)};
    int previous;
    slimband_status status = sb_cuda_enter(cuda->device.number, &previous);
    if (status)
        return status;
    queue(&s);
    if (s.error)
        (void)cudaGetLastError();
    sb_cuda_leave(previous);
    return sb_cuda_status(s.error);
}

/* Ends with records of systems that tell how their matrices fared. */
static void queue_factor_alone(sequence *s)
{
    queue_factor(s);
    if (s->cuda->refinements && !s->cuda->setup.problem->one_pass)
        refine(s, s->cuda->refiners->keep);
    if (!s->cuda->settles)
        rescue(s, s->cuda->rescuers->settle);
}

static void queue_factor_and_solve(sequence *s)
{
    queue_factor(s);
    for (int d = 0; d < s->call.job.diagonals; ++d)
        s->call.job.diagonal[d] = NULL;
    queue_refined_solve(s);
}

static slimband_status factor(slimband_plan *plan, const void *const *diagonals)
{
    return run(plan, call_of(plan->state, diagonals, SB_SOLVE, NULL, NULL), queue_factor_alone);
}

static slimband_status solve(slimband_plan *plan, sb_solve op, const void *b, void *x)
{
    return run(plan, call_of(plan->state, NULL, op, b, x), queue_refined_solve);
}

static slimband_status factor_solve(slimband_plan *plan, const void *const *diagonals, const void *b, void *x)
{
    const sb_cuda_plan *cuda = plan->state;
    bool fused = cuda->fused || cuda->rescue.in_passing;
    return run(plan, call_of(cuda, diagonals, SB_SOLVE, b, x),
               fused ? queue_refined_fused : queue_factor_and_solve);
}

const sb_backend sb_cuda_backend = {.place = SLIMBAND_ON_CUDA,
                                    .name = "cuda",
                                    .methods = sb_cuda_methods,
                                    .method_count = &sb_cuda_method_count,
                                    .fits = fits,
                                    .cost = cost,
                                    .create = create,
                                    .destroy = destroy,
                                    .factor = factor,
                                    .solve = solve,
                                    .factor_solve = factor_solve,
                                    .report = sb_cuda_report,
                                    .system_info = sb_cuda_system_info,
                                    .wait = sb_cuda_wait,
                                    .workspace = workspace,
                                    .shifted = {&sb_cuda_shifted_f32, &sb_cuda_shifted_f64}};
