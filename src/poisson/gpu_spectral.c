/* spectral on a GPU: our own transforms along all axes but one, then the lines of that one, systems that differ by a shift
 * (slimband/shifted.h). Where lines would need pivoting or close into rings, all axes are transformed, or if that axis varies its
 * lines have a plan; a single axis is a plan too. Everything lies in u: 2 words a point for each transform, 2 to 4 for the lines,
 * 2 for the walls' values if there are any. */
#include <stdlib.h>
#include <string.h>

#include "slimband/cuda.h"
#include "slimband/shifted.h"
#include "src/apps/device.h"
#include "src/apps/memory.h"
#include "src/poisson/gpu_room.h"
#include "src/poisson/gpu_walls.h"
#include "src/poisson/transform_run.h"

typedef struct gpu {
    sb_gpu_room room;
    int passes; /* the last axis first */
    sb_gpu_pass pass[SLIMBAND_POISSON_MAX_RANK];
    bool quotients; /* all axes are transformed */
    sb_gpu_quotient quotient;
    sb_gpu_mean mean;
    sb_gpu_rhs rhs;
    slimband_shifted *lines; /* NULL: they have a plan, or are transformed */
    slimband_plan *plan;
} gpu;

/* While a plan is made. */
typedef struct maker {
    slimband_poisson_plan *plan;
    gpu *g;
    sb_transform_plan transform[SLIMBAND_POISSON_MAX_RANK]; /* of each axis */
} maker;

static slimband_status take(maker *m, size_t bytes, void **memory)
{
    return sb_gpu_take(&m->g->room, m->plan, bytes, memory);
}

static slimband_status put(maker *m, const void *from, size_t bytes, const void **copy)
{
    return sb_gpu_put(&m->g->room, m->plan, from, bytes, copy);
}

static slimband_status put_numbers(maker *m, const double *from, int64_t count, const T **copy)
{
    size_t bytes = 0;
    const void *there = NULL;
    T *numbers = sb_app_allocate((size_t)count, sizeof *numbers, &bytes);
    if (!numbers)
        return SLIMBAND_OUT_OF_MEMORY;
    for (int64_t i = 0; i < count; ++i)
        numbers[i] = (T)from[i];
    slimband_status status = put(m, numbers, (size_t)count * sizeof *numbers, &there);
    *copy = there;
    free(numbers);
    return status;
}

static uint32_t power_below(uint32_t x)
{
    uint32_t power = 1;
    while (2 * power <= x)
        power *= 2;
    return power;
}

/* Pairs of lines that a block takes: as many as make three blocks fit a multiprocessor, or where lines are strided at least
   a segment of memory's. */
static uint32_t choose_pairs(const maker *m, const sb_gpu_pass *pass)
{
    enum { comfortable = 75 << 10, crowded = 112 << 10, segment = 64, most = 32 };
    size_t each = pass->stride * sizeof(sb_pair);
    uint32_t wanted = pass->after == 1 ? power_below(2048 / (pass->program.slots + 1) + 1) : 16;
    wanted = wanted < most ? wanted : most;
    while (wanted > 1 && (wanted * each > m->g->room.shared_most || 2 * (int64_t)(wanted - 1) >= pass->lines))
        wanted /= 2;
    while (wanted > 1 && wanted * each > comfortable &&
           (pass->after == 1 || wanted * sizeof(sb_pair) > segment || wanted * each > crowded))
        wanted /= 2;
    return wanted;
}

static slimband_status shape_pass(maker *m, sb_gpu_pass *pass)
{
    enum { most_scratch = 1 << 30, most_threads = 1024, least_threads = 128, slots_a_thread = 8 };
    uint32_t padded = SB_NAME(transform_room)(&pass->program);
    pass->stride = padded | 1; /* odd: the pairs' slots lie in other banks */
    size_t each = pass->stride * sizeof(sb_pair);
    pass->pairs = choose_pairs(m, pass);
    uint32_t threads = power_below(pass->pairs * pass->program.slots / slots_a_thread + 1);
    threads = threads < least_threads ? least_threads : threads > most_threads ? most_threads : threads;
    pass->lanes = threads / pass->pairs;
    int64_t groups = (pass->lines + 2 * pass->pairs - 1) / (2 * pass->pairs), most = INT32_MAX;
    if (pass->pairs * each > m->g->room.shared_most) {
        most = (int64_t)(most_scratch / each);
        most = most < 1 ? 1 : most > m->g->room.processors ? m->g->room.processors : most;
    } else {
        pass->shared = pass->pairs * each;
    }
    pass->blocks = (uint32_t)(groups < most ? groups : most);
    void *scratch = NULL;
    slimband_status status = pass->shared ? SLIMBAND_OK : take(m, pass->blocks * each, &scratch);
    pass->scratch = scratch;
    return status;
}

/* As many pairs as have 128 threads; where lines are strided, at least segments of 64 bytes, up to 512 threads. An odd stride
   for pairs side by side, or one for which few of them and their neighbours lie in all banks. */
static void shape_orbits(sb_gpu_pass *pass, size_t most_shared)
{
    enum { usual_threads = 128, most_threads = 512, segment = 64 / sizeof(T), banks = 128 / sizeof(sb_pair) };
    uint32_t padded = SB_NAME(transform_room)(&pass->program), each = pass->program.orbit.part / 2,
             pairs = each < usual_threads ? usual_threads / each : 1;
    while (pass->after > 1 && pairs < segment && 2 * pairs * each <= most_threads)
        pairs *= 2;
    size_t each_shared = (padded + 2 * banks) * sizeof(sb_pair);
    while (pairs > 1 && (2 * (int64_t)(pairs - 1) >= pass->lines || pairs * each_shared > most_shared))
        pairs /= 2;
    uint32_t rest = pairs < banks ? banks / pairs : 1;
    pass->pairs = pairs;
    pass->stride = (padded + banks - 1) / banks * banks + rest;
    pass->lanes = each;
    pass->shared = pairs * pass->stride * sizeof(sb_pair);
    pass->blocks = (uint32_t)((pass->lines + 2 * pairs - 1) / (2 * pairs));
    pass->by_after = SB_NAME(divisor)((uint32_t)pass->after);
}

static slimband_status make_pass(maker *m, int axis)
{
    enum { padding = 256 }; /* bytes that shape_orbits may add to a pair */
    const slimband_poisson_problem *p = &m->plan->problem;
    sb_gpu_pass *pass = &m->g->pass[m->g->passes++];
    sb_transform_plan *made = &m->transform[axis];
    pass->lines = p->fields * m->plan->points / p->axis[axis].n;
    pass->after = sb_points_after(p, axis);
    bool numbered = pass->lines <= INT32_MAX && pass->after <= INT32_MAX;
    size_t room = numbered ? (m->g->room.shared_most - padding) / sizeof(sb_pair) : 0;
    slimband_status status = SB_NAME(transform_make)(made, &p->axis[axis], room);
    if (status)
        return status;
    pass->program = made->program;
    const void *pairs = NULL, *ints = NULL;
    status = put(m, made->pairs, made->pair_count * sizeof *made->pairs, &pairs);
    if (!status && made->int_count)
        status = put(m, made->ints, made->int_count * sizeof *made->ints, &ints);
    pass->program.pairs = pairs;
    pass->program.ints = ints;
    if (status)
        return status;
    if (!pass->program.orbit.part)
        return shape_pass(m, pass);
    shape_orbits(pass, m->g->room.shared_most);
    return sb_app_cuda_status(SB_NAME(gpu_allow_orbits)(pass, m->g->room.shared_most, m->g->room.processors));
}

static slimband_status make_quotients(maker *m)
{
    const slimband_poisson_problem *p = &m->plan->problem;
    sb_gpu_quotient *q = &m->g->quotient;
    slimband_status status = SLIMBAND_OK;
    for (int a = 0; a < p->rank && !status; ++a) {
        int64_t n = p->axis[a].n;
        size_t bytes = 0;
        double *eigen = sb_app_allocate((size_t)n, sizeof *eigen, &bytes);
        if (!eigen)
            return SLIMBAND_OUT_OF_MEMORY;
        for (int64_t k = 0; k < n; ++k)
            eigen[k] = sb_eigenvalue(&p->axis[a], m->transform[a].order[k]);
        const void *copy = NULL;
        status = put(m, eigen, (size_t)n * sizeof *eigen, &copy);
        q->eigen[a] = copy;
        free(eigen);
    }
    q->field = m->g->rhs.field;
    q->lambda = p->lambda;
    q->singular = m->plan->singular;
    return status;
}

/* A line of constants beside a tiny shift is singular to working precision. */
static slimband_status make_lines(maker *m)
{
    slimband_poisson_plan *plan = m->plan;
    const slimband_poisson_problem *p = &plan->problem;
    const sb_stencil *s = &plan->stencil[plan->line_axis];
    const int64_t *order[SLIMBAND_POISSON_MAX_RANK];
    for (int a = 0; a < p->rank; ++a)
        order[a] = m->transform[a].order;
    size_t bytes = 0;
    double *shift = sb_app_allocate((size_t)(plan->points / s->n), sizeof *shift, &bytes);
    if (!shift)
        return SLIMBAND_OUT_OF_MEMORY;
    sb_fill_shifts(plan, order, shift);
    const slimband_shifted_problem systems = {.scalar = p->scalar,
                                              .fields = p->fields,
                                              .before = sb_points_before(p, plan->line_axis),
                                              .n = s->n,
                                              .after = sb_points_after(p, plan->line_axis),
                                              .lower = s->lower,
                                              .diagonal = s->diagonal,
                                              .upper = s->upper,
                                              .shift = shift,
                                              .singular = plan->singular ? 0 : SLIMBAND_NONE_SINGULAR};
    slimband_status status = slimband_shifted_create(&m->g->lines, &systems, plan->executor);
    free(shift);
    slimband_shifted_report report = {0};
    if (!status)
        status = slimband_shifted_describe(m->g->lines, &report);
    plan->bytes += report.bytes;
    return status == SLIMBAND_BREAKDOWN ? SLIMBAND_NEAR_EIGENVALUE : status;
}

static slimband_status make_mean(maker *m)
{
    slimband_poisson_plan *plan = m->plan;
    const sb_stencil *s = &plan->stencil[plan->line_axis];
    sb_gpu_mean *mean = &m->g->mean;
    *mean = (sb_gpu_mean){.n = s->n,
                          .after = sb_points_after(&plan->problem, plan->line_axis),
                          .points = plan->points,
                          .fields = plan->problem.fields,
                          .total = s->total * s->share,
                          .mean = plan->problem.mean,
                          .norm = 1,
                          .last = m->g->plan || plan->problem.rank == 1};
    for (int a = 0; a < plan->problem.rank; ++a)
        mean->norm *= m->transform[a].order ? m->transform[a].norm : 1;
    void *away = NULL;
    const void *weight = NULL;
    size_t bytes = 0, each = (size_t)s->n * sizeof *s->weight;
    double *share = sb_app_allocate((size_t)s->n, sizeof *share, &bytes);
    if (!share)
        return SLIMBAND_OUT_OF_MEMORY;
    for (int64_t i = 0; i < s->n; ++i)
        share[i] = s->weight[i] * s->share;
    slimband_status status = take(m, (size_t)mean->fields * sizeof *mean->away, &away);
    if (!status)
        status = put(m, share, each, &weight);
    free(share);
    mean->away = m->g->quotient.away = away;
    mean->weight = weight;
    m->g->quotient.mean = mean->mean;
    m->g->quotient.norm = mean->norm;
    return status;
}

/* One axis: fields are right-hand sides of one matrix. Where it is singular, of its first n - 1 rows and columns. */
static slimband_status make_plan(maker *m)
{
    slimband_poisson_plan *plan = m->plan;
    const sb_stencil *s = &plan->stencil[0];
    int64_t n = plan->singular ? s->n - 1 : s->n;
    if (n == 0)
        return SLIMBAND_OK;
    slimband_problem p = slimband_tridiagonal(plan->problem.scalar, n);
    p.ends = s->ring && !plan->singular ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    p.coefficients = SLIMBAND_SHARED;
    p.batch_rank = 1;
    p.batch[0] = plan->problem.fields;
    p.rhs.batch[0] = p.solution.batch[0] = s->n;
    slimband_status status = slimband_plan_create(&m->g->plan, &p, plan->executor, SLIMBAND_AUTO);
    const T *diagonals[3];
    const double *from[] = {s->lower, s->diagonal, s->upper};
    size_t bytes = 0;
    double *shifted = sb_app_allocate((size_t)s->n, sizeof *shifted, &bytes);
    if (!shifted)
        return SLIMBAND_OUT_OF_MEMORY;
    for (int64_t i = 0; i < s->n; ++i)
        shifted[i] = s->diagonal[i] + plan->problem.lambda;
    for (int k = 0; k < 3 && !status; ++k)
        status = put_numbers(m, k == 1 ? shifted : from[k], s->n, &diagonals[k]);
    free(shifted);
    if (!status)
        status = slimband_factor(m->g->plan, (const void *const *)diagonals);
    slimband_report report = {0};
    if (!status)
        status = slimband_plan_report(m->g->plan, &report);
    plan->bytes += report.workspace_bytes;
    return status ? status : slimband_cuda_wait(m->g->plan);
}

/* One line's matrix. That of a singular line holds the last unknown at zero. */
static void fill_matrix(const sb_stencil *s, double shift, bool singular, int64_t after, T *const diagonals[3])
{
    int64_t n = s->n;
    for (int64_t i = 0; i < n; ++i) {
        bool held = singular && i == n - 1;
        bool first = singular && i == 0, before = singular && i == n - 2;
        diagonals[0][i * after] = held || first ? 0 : (T)s->lower[i];
        diagonals[1][i * after] = held ? 1 : (T)(s->diagonal[i] + shift);
        diagonals[2][i * after] = held || before ? 0 : (T)s->upper[i];
    }
}

/* Own matrices in the order of a field's points, from `shift` of each mode. */
static slimband_status factor_lines(maker *m, const double *shift)
{
    const slimband_poisson_plan *plan = m->plan;
    const sb_stencil *s = &plan->stencil[plan->line_axis];
    int64_t n = s->n, after = sb_points_after(&plan->problem, plan->line_axis);
    size_t bytes = 0, each = (size_t)plan->points * sizeof(T);
    T *matrix = sb_app_allocate(3, each, &bytes);
    if (!matrix)
        return SLIMBAND_OUT_OF_MEMORY;
    for (int64_t mode = 0; mode < plan->points / n; ++mode) {
        T *first = matrix + mode / after * after * n + mode % after;
        fill_matrix(s, shift[mode], plan->singular && mode == 0, after,
                    (T *const[]){first, first + plan->points, first + 2 * plan->points});
    }
    const void *copy[3] = {NULL, NULL, NULL};
    slimband_status status = SLIMBAND_OK;
    for (int k = 0; k < 3 && !status; ++k)
        status = put(m, matrix + k * plan->points, each, &copy[k]);
    free(matrix);
    if (!status)
        status = slimband_factor(m->g->plan, copy);
    return status ? status : slimband_cuda_wait(m->g->plan);
}

/* Lines that need pivoting or close into rings. */
static slimband_status make_plans_of_lines(maker *m)
{
    slimband_poisson_plan *plan = m->plan;
    const slimband_poisson_problem *p = &plan->problem;
    int64_t n = p->axis[plan->line_axis].n, after = sb_points_after(p, plan->line_axis),
            modes = plan->points / n;
    slimband_problem own = slimband_tridiagonal(p->scalar, n);
    own.ends = plan->stencil[plan->line_axis].ring ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    own.batch_rank = 3;
    own.batch[0] = p->fields;
    own.batch[1] = modes / after;
    own.batch[2] = after;
    own.matrix = (slimband_layout){.line = after, .batch = {0, n * after, 1}};
    own.rhs = own.solution = (slimband_layout){.line = after, .batch = {plan->points, n * after, 1}};
    slimband_status status = slimband_plan_create(&m->g->plan, &own, plan->executor, SLIMBAND_AUTO);
    const int64_t *order[SLIMBAND_POISSON_MAX_RANK];
    for (int a = 0; a < p->rank; ++a)
        order[a] = m->transform[a].order;
    size_t bytes = 0;
    double *shift = sb_app_allocate((size_t)modes, sizeof *shift, &bytes);
    if (!shift)
        return SLIMBAND_OUT_OF_MEMORY;
    sb_fill_shifts(plan, order, shift);
    slimband_report report = {0};
    if (!status)
        status = factor_lines(m, shift);
    free(shift);
    if (!status)
        status = slimband_plan_report(m->g->plan, &report);
    plan->bytes += report.workspace_bytes;
    return status == SLIMBAND_SINGULAR ? SLIMBAND_NEAR_EIGENVALUE : status;
}

static slimband_status make_all(maker *m)
{
    slimband_poisson_plan *plan = m->plan;
    gpu *g = m->g;
    const slimband_poisson_problem *p = &plan->problem;
    bool alone = p->rank == 1;
    bool plain = p->lambda >= 0 && !plan->stencil[plan->line_axis].ring;
    g->quotients = !alone && !plain && !plan->varying;
    SB_NAME(gpu_rhs_describe)(&g->rhs, plan);
    slimband_status status = alone ? make_plan(m) : SLIMBAND_OK;
    for (int a = p->rank - 1; a >= 0 && !alone && !status; --a)
        if (g->quotients || a != plan->line_axis)
            status = make_pass(m, a);
    if (!status && g->passes)
        status = sb_app_cuda_status(SB_NAME(gpu_allow_shared)(m->g->room.shared_most));
    if (!status && g->quotients)
        status = make_quotients(m);
    else if (!status && !alone)
        status = plain ? make_lines(m) : make_plans_of_lines(m);
    if (!status && plan->singular)
        status = make_mean(m);
    return status ? status : sb_app_cuda_status(cudaStreamSynchronize(g->room.stream));
}

static slimband_status create(slimband_poisson_plan *plan, const char *options)
{
    if (*options)
        return SLIMBAND_UNKNOWN_OPTION;
    gpu *g = plan->state = sb_app_allocate(1, sizeof *g, &plan->bytes);
    if (!g)
        return SLIMBAND_OUT_OF_MEMORY;
    int previous, device = plan->executor.device;
    maker m = {.plan = plan, .g = g};
    slimband_status status = sb_app_cuda_present(device);
    if (!status)
        status = sb_app_cuda_enter(device, &previous);
    if (status)
        return status;
    status = sb_gpu_room_open(&g->room, plan);
    if (!status && plan->problem.fields > 0)
        status = make_all(&m);
    for (int a = 0; a < plan->problem.rank; ++a)
        SB_NAME(transform_free)(&m.transform[a]);
    sb_app_cuda_leave(previous);
    return status;
}

static void destroy(slimband_poisson_plan *plan)
{
    gpu *g = plan->state;
    sb_gpu_room_close(&g->room, plan);
    slimband_shifted_destroy(g->lines);
    slimband_plan_destroy(g->plan);
    free(g);
}

/* From `from` to u, which are the same where there were transforms or a projection. */
static slimband_status solve_lines(const gpu *g, const slimband_poisson_plan *plan, const T *from, T *u)
{
    if (g->quotients)
        return sb_app_cuda_status(SB_NAME(gpu_divide)(&g->quotient, u, g->room.stream));
    cudaError_t error = plan->singular ? SB_NAME(gpu_project)(&g->mean, u, g->room.stream) : cudaSuccess;
    slimband_status status = sb_app_cuda_status(error);
    if (!status && g->plan)
        status = slimband_solve(g->plan, from, u);
    else if (!status && g->lines)
        status = slimband_shifted_solve(g->lines, u);
    if (!status && plan->singular)
        status = sb_app_cuda_status(SB_NAME(gpu_recentre)(&g->mean, u, g->room.stream));
    return status;
}

static cudaError_t launch(const sb_gpu_pass *pass, bool back, const T *from, T *to, cudaStream_t stream)
{
    return pass->program.orbit.part ? SB_NAME(gpu_orbits)(pass, back, from, to, stream)
                                    : SB_NAME(gpu_transform)(pass, back, from, to, stream);
}

static slimband_status solve_all(const gpu *g, const slimband_poisson_plan *plan, const T *from, T *u)
{
    cudaError_t error = cudaSuccess;
    for (int k = 0; k < g->passes && !error; ++k, from = u)
        error = launch(&g->pass[k], false, from, u, g->room.stream);
    slimband_status status = error ? sb_app_cuda_status(error) : solve_lines(g, plan, from, u);
    for (int k = g->passes - 1; k >= 0 && !status; --k)
        status = sb_app_cuda_status(launch(&g->pass[k], true, u, u, g->room.stream));
    return status;
}

static slimband_status solve(slimband_poisson_plan *plan, const void *f,
                             const slimband_poisson_boundary *boundary, void *u)
{
    gpu *g = plan->state;
    int previous;
    slimband_status status = sb_app_cuda_enter(plan->executor.device, &previous);
    if (status)
        return status;
    bool load = SB_NAME(gpu_rhs_note)(&g->rhs, plan, boundary) || (plan->problem.rank == 1 && plan->singular);
    const T *from = load ? u : f;
    plan->subproblems =
        g->quotients ? 0 : plan->points / plan->stencil[plan->line_axis].n * plan->problem.fields;
    if (load)
        status = sb_app_cuda_status(SB_NAME(gpu_load)(&g->rhs, f, u, g->room.stream));
    if (!status)
        status = solve_all(g, plan, from, u);
    sb_app_cuda_leave(previous);
    return status;
}

static slimband_status settle(const slimband_poisson_plan *plan, double *projected)
{
    const gpu *g = plan->state;
    int previous;
    slimband_status status = sb_app_cuda_enter(plan->executor.device, &previous);
    if (status)
        return status;
    cudaError_t error = cudaStreamSynchronize(g->room.stream);
    *projected = 0;
    for (int64_t field = 0; plan->singular && field < plan->problem.fields && !error; ++field) {
        double away;
        error = cudaMemcpy(&away, g->mean.away + field, sizeof away, cudaMemcpyDeviceToHost);
        if (!error && fabs(away) > fabs(*projected))
            *projected = away;
    }
    sb_app_cuda_leave(previous);
    if (!error && g->plan)
        status = slimband_cuda_wait(g->plan);
    return error ? sb_app_cuda_status(error) : status;
}

const sb_poisson_engine SB_NAME(gpu_spectral) = {create, destroy, solve, settle};
