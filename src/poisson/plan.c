/* Plans: arguments are checked here, work is done by the method's engine. */
#include <float.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "src/apps/memory.h"
#include "src/poisson/internal.h"

static slimband_status spectral_fits(const slimband_poisson_problem *p)
{
#ifdef SB_HAVE_FFTW
    (void)p;
    return SLIMBAND_OK;
#else
    return p->rank == 1 ? SLIMBAND_OK : SLIMBAND_NEEDS_FFTW;
#endif
}

#ifdef SB_HAS_CUDA
static slimband_status gpu_fits(const slimband_poisson_problem *p)
{
    (void)p;
    return SLIMBAND_OK;
}
#endif

static slimband_status bcr_fits(const slimband_poisson_problem *p)
{
    bool fits = p->rank > 1 && (!sb_varying(p) || p->line_axis == p->rank - 1);
    for (int a = 0; a < p->rank - 1; ++a) {
        const slimband_poisson_axis *axis = &p->axis[a];
        fits &= axis->walls == SLIMBAND_WALLS_DD && axis->centring == SLIMBAND_AT_NODES &&
                !(axis->n & (axis->n + 1));
    }
    if (!fits)
        return SLIMBAND_METHOD_NEEDS_BCR_SIZE;
    return p->lambda >= 0 ? SLIMBAND_OK : SLIMBAND_METHOD_NEEDS_LAMBDA;
}

#ifdef SB_HAS_CUDA
static slimband_status gpu_bcr_fits(const slimband_poisson_problem *p)
{
    slimband_status status = bcr_fits(p);
    return !status && sb_varying(p) ? SLIMBAND_METHOD_NEEDS_UNIFORM : status;
}
#endif

/* The fastest first: auto takes the first that fits. */
static const sb_poisson_method methods[] = {
    {"spectral", SLIMBAND_ON_CPU, spectral_fits, {&sb_spectral_f32, &sb_spectral_f64}},
    {"bcr4", SLIMBAND_ON_CPU, bcr_fits, {&sb_bcr4_f32, &sb_bcr4_f64}},
    {"bcr2", SLIMBAND_ON_CPU, bcr_fits, {&sb_bcr2_f32, &sb_bcr2_f64}},
#ifdef SB_HAS_CUDA
    {"spectral", SLIMBAND_ON_CUDA, gpu_fits, {&sb_gpu_spectral_f32, &sb_gpu_spectral_f64}},
    {"bcr4", SLIMBAND_ON_CUDA, gpu_bcr_fits, {&sb_gpu_bcr4_f32, &sb_gpu_bcr4_f64}},
    {"bcr2", SLIMBAND_ON_CUDA, gpu_bcr_fits, {&sb_gpu_bcr2_f32, &sb_gpu_bcr2_f64}},
#endif
};

static slimband_status find(const slimband_poisson_problem *p, slimband_executor executor, const char *name,
                            const sb_poisson_method **found, const char **options)
{
    if ((unsigned)executor.place > SLIMBAND_ON_MPI || executor.place == 0)
        return SLIMBAND_BAD_EXECUTOR;
    if (executor.threads < 0)
        return SLIMBAND_BAD_THREADS;
#ifndef SB_HAS_CUDA
    if (executor.place == SLIMBAND_ON_CUDA)
        return SLIMBAND_NOT_BUILT_IN;
#endif
    size_t length = strcspn(name, ":");
    bool any = length == strlen(SLIMBAND_AUTO) && !strncmp(name, SLIMBAND_AUTO, length);
    *options = name[length] ? name + length + 1 : "";
    if (any && **options)
        return SLIMBAND_UNKNOWN_OPTION;
    slimband_status why = SLIMBAND_UNKNOWN_METHOD;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
        bool named = strlen(methods[m].name) == length && !strncmp(methods[m].name, name, length);
        if (!any && !named)
            continue;
        bool here = methods[m].place == executor.place;
        slimband_status status = here ? methods[m].fits(p) : SLIMBAND_METHOD_NOT_HERE;
        *found = &methods[m];
        if (!status)
            return SLIMBAND_OK;
        if (why == SLIMBAND_UNKNOWN_METHOD || (here && why == SLIMBAND_METHOD_NOT_HERE))
            why = status;
    }
    return why;
}

/* Are the axis' coefficients normal numbers of the problem's type? Their norm is four times the smallest of a uniform axis; a single
   point between Neumann walls has none. */
static bool in_range(const sb_stencil *s, slimband_scalar scalar)
{
    bool single = scalar == SLIMBAND_F32;
    double norm = sb_stencil_norm(s), least = 4 * (single ? (double)FLT_MIN : DBL_MIN),
           largest = single ? (double)FLT_MAX : DBL_MAX;
    return (s->n == 1 && s->floating && norm == 0) || (norm >= least && norm <= largest);
}

static slimband_status prepare(slimband_poisson_plan *plan, const slimband_poisson_problem *problem)
{
    slimband_poisson_problem *p = &plan->problem;
    *p = *problem;
    plan->varying = sb_varying(p);
    plan->threads = plan->executor.threads ? plan->executor.threads : omp_get_max_threads();
    if (plan->executor.place == SLIMBAND_ON_CUDA)
        plan->threads = 1;
    plan->points = sb_points_before(p, p->rank);
    plan->singular = p->lambda == 0;
    slimband_status status = SLIMBAND_OK;
    for (int a = 0; a < p->rank && !status; ++a) {
        status = sb_stencil_make(&plan->stencil[a], p, a, &plan->bytes);
        if (!status && !in_range(&plan->stencil[a], p->scalar))
            status = SLIMBAND_POISSON_OUT_OF_RANGE;
        plan->singular &= plan->stencil[a].floating;
    }
    p->spacing = p->coefficient = NULL;
    if (status)
        return status;
    plan->line_axis = sb_choose_line_axis(plan);
    return sb_check_eigenvalues(plan);
}

slimband_status slimband_poisson_plan_create(slimband_poisson_plan **plan,
                                             const slimband_poisson_problem *problem,
                                             slimband_executor executor, const char *method)
{
    if (!plan)
        return SLIMBAND_NULL_ARGUMENT;
    *plan = NULL;
    if (!method)
        return SLIMBAND_NULL_ARGUMENT;
    const sb_poisson_method *found = NULL;
    const char *options;
    slimband_status status = slimband_poisson_validate(problem);
    if (!status)
        status = find(problem, executor, method, &found, &options);
    if (status)
        return status;
    size_t bytes = 0;
    slimband_poisson_plan *made = sb_app_allocate(1, sizeof *made, &bytes);
    if (!made)
        return SLIMBAND_OUT_OF_MEMORY;
    made->bytes = bytes;
    made->executor = executor;
    made->method = found;
    status = prepare(made, problem);
    if (!status)
        status = found->engine[problem->scalar]->create(made, options);
    if (status) {
        slimband_poisson_plan_destroy(made);
        return status;
    }
    *plan = made;
    return SLIMBAND_OK;
}

void slimband_poisson_plan_destroy(slimband_poisson_plan *plan)
{
    if (!plan)
        return;
    if (plan->state)
        plan->method->engine[plan->problem.scalar]->destroy(plan);
    for (int a = 0; a < plan->problem.rank; ++a)
        sb_stencil_free(&plan->stencil[a]);
    free(plan);
}

slimband_status slimband_poisson_solve(slimband_poisson_plan *plan, const void *f,
                                       const slimband_poisson_boundary *boundary, void *u)
{
    if (!plan)
        return SLIMBAND_NULL_ARGUMENT;
    plan->projected = 0;
    plan->subproblems = plan->outer_subproblems = 0;
    if (plan->problem.fields == 0)
        return SLIMBAND_OK;
    if (!f || !u)
        return SLIMBAND_NULL_ARGUMENT;
    static const slimband_poisson_boundary zero;
    return plan->method->engine[plan->problem.scalar]->solve(plan, f, boundary ? boundary : &zero, u);
}

slimband_status slimband_poisson_plan_report(const slimband_poisson_plan *plan, slimband_poisson_report *report)
{
    if (!plan || !report)
        return SLIMBAND_NULL_ARGUMENT;
    *report = (slimband_poisson_report){.method = plan->method->name,
                                        .threads = plan->threads,
                                        .line_axis = plan->line_axis,
                                        .workspace_bytes = plan->bytes,
                                        .singular = plan->singular,
                                        .projected = plan->projected,
                                        .subproblems = plan->subproblems,
                                        .outer_subproblems = plan->outer_subproblems};
    const sb_poisson_engine *engine = plan->method->engine[plan->problem.scalar];
    return engine->settle ? engine->settle(plan, &report->projected) : SLIMBAND_OK;
}
