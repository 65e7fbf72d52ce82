/* Block cyclic reduction on a GPU: the steps of steps.h along the first axis, and for three axes again along the second, each step for
 * all fields and matrices at once. Where the next axis is the last one, one launch forms right-hand sides and solves them as lines;
 * else they are formed, and are the next axis' fields. Another launch sums. In place in u. */
#include "src/poisson/gpu_bcr.h"

#include <stdlib.h>

#include "src/apps/device.h"
#include "src/apps/memory.h"
#include "src/poisson/gpu_room.h"
#include "src/poisson/gpu_walls.h"

enum { most_levels = SLIMBAND_POISSON_MAX_RANK - 1 };

/* An axis that is reduced. */
typedef struct level {
    sb_steps steps;
    int64_t n, points; /* of a block */
    int64_t fields;    /* the most there are at a time */
    int64_t matrices;  /* of all steps, one behind the other */
    sb_gpu_fraction *fraction;
    double *shift; /* of each matrix */
    const sb_gpu_fraction *fraction_there;
    T *solutions; /* of a step's sub-problems */
} level;

typedef struct bcr {
    sb_gpu_room room;
    sb_gpu_rhs rhs;
    int levels;
    level level[most_levels];
    sb_gpu_cr lines;
    const sb_gpu_weights *weights; /* of the axes' matrices in C order */
    int64_t outer_subproblems, subproblems;
} bcr;

static int64_t subproblems_of(const sb_step *s)
{
    return s->intervals * s->matrices;
}

/* The steps' tables in one piece. */
static slimband_status make_tables(level *l, size_t *bytes)
{
    for (int k = 0; k < l->steps.count; ++k)
        l->matrices += l->steps.step[k].matrices;
    l->fraction = sb_app_allocate((size_t)l->matrices, sizeof *l->fraction, bytes);
    l->shift = sb_app_allocate((size_t)l->matrices, sizeof *l->shift, bytes);
    if (!l->fraction || !l->shift)
        return SLIMBAND_OUT_OF_MEMORY;
    int64_t at = 0;
    for (int k = 0; k < l->steps.count; ++k)
        for (int64_t j = 0; j < l->steps.step[k].matrices; ++j, ++at) {
            const sb_fraction *f = &l->steps.step[k].fraction[j];
            l->shift[at] = f->shift;
            for (int s = 0; s < SB_STEP_SOURCES; ++s)
                l->fraction[at].in[s] = (T)f->in[s];
            for (int t = 0; t < SB_STEP_TARGETS; ++t)
                l->fraction[at].out[t] = (T)f->out[t];
        }
    return SLIMBAND_OK;
}

/* Returns the most sub-problems that a step of all its fields has. */
static int64_t most_subproblems(const level *l)
{
    int64_t most = 0;
    for (int k = 0; k < l->steps.count; ++k)
        most = subproblems_of(&l->steps.step[k]) > most ? subproblems_of(&l->steps.step[k]) : most;
    return most * l->fields;
}

static slimband_status make_level(bcr *b, slimband_poisson_plan *plan, int depth, int radix)
{
    const slimband_poisson_axis *axis = &plan->problem.axis[depth];
    level *l = &b->level[depth];
    l->n = axis->n;
    l->points = sb_points_after(&plan->problem, depth);
    l->fields = depth == 0 ? plan->problem.fields : most_subproblems(l - 1);
    slimband_status status = sb_steps_make(&l->steps, radix, l->n, sb_axis_spacing(axis), &plan->bytes);
    if (!status)
        status = make_tables(l, &plan->bytes);
    const void *fraction = NULL;
    void *solutions = NULL;
    if (!status)
        status = sb_gpu_put(&b->room, plan, l->fraction, (size_t)l->matrices * sizeof *l->fraction, &fraction);
    if (!status)
        status = sb_gpu_take(&b->room, plan, (size_t)(most_subproblems(l) * l->points) * sizeof(T), &solutions);
    l->fraction_there = fraction;
    l->solutions = solutions;
    return status;
}

static sb_gpu_end end_of(const slimband_poisson_axis *axis, int side)
{
    slimband_walls one = side ? SLIMBAND_WALLS_ND : SLIMBAND_WALLS_DN;
    bool ring = axis->walls == SLIMBAND_WALLS_PP,
         even = !ring && axis->walls != SLIMBAND_WALLS_DD && axis->walls != one,
         cells = !ring && axis->centring == SLIMBAND_AT_CELLS;
    return (sb_gpu_end){.offset = cells ? 0.5 : even ? 1 : 0, .factor = even && !cells ? 0.5 : 1, .even = even};
}

/* A warp or a block for a line. What a block has no room for stays in device memory, level by level. */
static slimband_status shape_lines(bcr *b, const slimband_poisson_axis *axis)
{
    enum { warp = 32, most_lanes = 256, long_lanes = 1024, least_threads = 128, rows_a_lane = 8 };
    if (axis->n > INT32_MAX)
        return SLIMBAND_TOO_LARGE;
    sb_gpu_cr *l = &b->lines;
    *l = (sb_gpu_cr){.n = (uint32_t)axis->n, .rows = (uint32_t)(axis->n - (axis->walls == SLIMBAND_WALLS_PP))};
    l->end[0] = end_of(axis, 0);
    l->end[1] = end_of(axis, 1);
    l->h = sb_axis_spacing(axis);
    while (l->rows >> l->levels)
        ++l->levels;
    size_t weights = (size_t)(l->levels + 1) * sizeof(sb_gpu_weights);
    for (int r = 0; (l->n - l->split) * sizeof(T) + weights > b->room.shared_most; ++r)
        l->split = l->rows - (l->rows >> (r + 1));
    l->lanes = warp;
    while (l->lanes < most_lanes && l->lanes * rows_a_lane < l->n)
        l->lanes *= 2;
    l->lanes = l->split ? long_lanes : l->lanes;
    l->teams = l->lanes == warp ? least_threads / warp : 1;
    l->shared = l->teams * ((l->n - l->split) * sizeof(T) + weights);
    return SLIMBAND_OK;
}

static slimband_status make_lines(bcr *b, slimband_poisson_plan *plan)
{
    const slimband_poisson_axis *axis = &plan->problem.axis[plan->problem.rank - 1];
    const level *inner = &b->level[b->levels - 1], *outer = b->levels > 1 ? &b->level[0] : NULL;
    const double none = 0;
    sb_gpu_shifts shifts = {
        .outers = outer ? outer->matrices : 1, .inners = inner->matrices, .lambda = plan->problem.lambda};
    slimband_status status = shape_lines(b, axis);
    const void *outers = NULL, *inners = NULL;
    void *weights = NULL;
    if (!status)
        status = sb_gpu_put(&b->room, plan, outer ? outer->shift : &none, (size_t)shifts.outers * sizeof none,
                            &outers);
    if (!status)
        status = sb_gpu_put(&b->room, plan, inner->shift, (size_t)shifts.inners * sizeof none, &inners);
    shifts.outer = outers;
    shifts.inner = inners;
    size_t count = (size_t)(shifts.outers * shifts.inners * (b->lines.levels + 1));
    if (!status)
        status = sb_gpu_take(&b->room, plan, count * sizeof *b->weights, &weights);
    b->weights = weights;
    if (!status)
        status = sb_app_cuda_status(SB_NAME(gpu_cr_weights)(&b->lines, &shifts, weights, b->room.stream));
    return status ? status : sb_app_cuda_status(SB_NAME(gpu_cr_allow_shared)(b->room.shared_most));
}

static slimband_status make_all(bcr *b, slimband_poisson_plan *plan, int radix)
{
    slimband_status status = SLIMBAND_OK;
    SB_NAME(gpu_rhs_describe)(&b->rhs, plan);
    b->subproblems = plan->problem.fields;
    for (int depth = 0; depth < plan->problem.rank - 1 && !status; ++depth) {
        int64_t count = 0;
        ++b->levels;
        status = make_level(b, plan, depth, radix);
        for (int k = 0; k < b->level[depth].steps.count; ++k)
            count += subproblems_of(&b->level[depth].steps.step[k]);
        b->subproblems *= count;
        b->outer_subproblems = depth == 0 ? b->subproblems : b->outer_subproblems;
    }
    if (!status)
        status = make_lines(b, plan);
    return status ? status : sb_app_cuda_status(cudaStreamSynchronize(b->room.stream));
}

static slimband_status create(slimband_poisson_plan *plan, const char *options, int radix)
{
    if (*options)
        return SLIMBAND_UNKNOWN_OPTION;
    bcr *b = plan->state = sb_app_allocate(1, sizeof *b, &plan->bytes);
    if (!b)
        return SLIMBAND_OUT_OF_MEMORY;
    plan->line_axis = plan->problem.rank - 1;
    int previous, device = plan->executor.device;
    slimband_status status = sb_app_cuda_present(device);
    if (!status)
        status = sb_app_cuda_enter(device, &previous);
    if (status)
        return status;
    status = sb_gpu_room_open(&b->room, plan);
    if (!status && plan->problem.fields > 0)
        status = make_all(b, plan, radix);
    sb_app_cuda_leave(previous);
    return status;
}

static slimband_status create2(slimband_poisson_plan *plan, const char *options)
{
    return create(plan, options, 2);
}

static slimband_status create4(slimband_poisson_plan *plan, const char *options)
{
    return create(plan, options, 4);
}

static void destroy(slimband_poisson_plan *plan)
{
    bcr *b = plan->state;
    sb_gpu_room_close(&b->room, plan);
    for (int k = 0; k < b->levels; ++k) {
        sb_steps_free(&b->level[k].steps);
        free(b->level[k].fraction);
        free(b->level[k].shift);
    }
    free(b);
}

/* The fields that an axis solves: sub-problems of the axis before, whose `outers` matrices begin with number `first`. */
typedef struct fields {
    int64_t count, outers, first;
    T *x;
} fields;

static cudaError_t solve_axis(const bcr *b, int depth, const fields *f);

static cudaError_t run_step(const bcr *b, int depth, const fields *f, const sb_gpu_step *step, int64_t first)
{
    const level *l = &b->level[depth];
    const sb_step *s = &step->step;
    cudaStream_t stream = b->room.stream;
    if (depth == b->levels - 1) {
        int64_t each = b->lines.levels + 1, row = l->matrices * each;
        const sb_gpu_matrices matrices = {b->weights + f->first * row + first * each, f->outers, row, f->count};
        return SB_NAME(gpu_cr)(&b->lines, step, &matrices, f->x, l->solutions, stream);
    }
    cudaError_t error = SB_NAME(gpu_gather)(step, f->count, f->x, l->solutions, stream);
    const fields next = {f->count * subproblems_of(s), s->matrices, first, l->solutions};
    return error ? error : solve_axis(b, depth + 1, &next);
}

static cudaError_t solve_axis(const bcr *b, int depth, const fields *f)
{
    const level *l = &b->level[depth];
    uint32_t rows = depth == b->levels - 1 ? b->lines.rows : 0;
    cudaError_t error = cudaSuccess;
    int64_t first = 0;
    for (int k = 0; k < l->steps.count && !error; first += l->steps.step[k++].matrices) {
        const sb_gpu_step step = {l->steps.step[k], l->fraction_there + first, l->n, l->points};
        error = run_step(b, depth, f, &step, first);
        if (!error)
            error = SB_NAME(gpu_sum)(&step, f->count, rows, l->solutions, f->x, b->room.stream);
    }
    return error;
}

static slimband_status solve(slimband_poisson_plan *plan, const void *f,
                             const slimband_poisson_boundary *boundary, void *u)
{
    bcr *b = plan->state;
    int previous;
    slimband_status status = sb_app_cuda_enter(plan->executor.device, &previous);
    if (status)
        return status;
    plan->outer_subproblems = b->outer_subproblems;
    plan->subproblems = b->subproblems;
    cudaError_t error = cudaSuccess;
    if (SB_NAME(gpu_rhs_note)(&b->rhs, plan, boundary))
        error = SB_NAME(gpu_load)(&b->rhs, f, u, b->room.stream);
    else if (f != u)
        error = cudaMemcpyAsync(u, f, (size_t)(plan->points * plan->problem.fields) * sizeof(T),
                                cudaMemcpyDeviceToDevice, b->room.stream);
    const fields all = {plan->problem.fields, 1, 0, u};
    if (!error)
        error = solve_axis(b, 0, &all);
    sb_app_cuda_leave(previous);
    return sb_app_cuda_status(error);
}

static slimband_status settle(const slimband_poisson_plan *plan, double *projected)
{
    const bcr *b = plan->state;
    int previous;
    *projected = 0;
    slimband_status status = sb_app_cuda_enter(plan->executor.device, &previous);
    if (status)
        return status;
    status = sb_app_cuda_status(cudaStreamSynchronize(b->room.stream));
    sb_app_cuda_leave(previous);
    return status;
}

const sb_poisson_engine SB_NAME(gpu_bcr2) = {create2, destroy, solve, settle};
const sb_poisson_engine SB_NAME(gpu_bcr4) = {create4, destroy, solve, settle};
