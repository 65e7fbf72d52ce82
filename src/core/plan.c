/* Plans: arguments are checked here, work is done by the backend. */
#include <string.h>

#include "src/core/backend.h"

static bool copy_ragged(slimband_plan *plan)
{
    if (!plan->problem.ragged)
        return true;
    size_t bytes = sb_times((size_t)plan->problem.ragged->systems + 1, sizeof(int64_t));
    int64_t *offsets = sb_allocate(bytes, &plan->bytes);
    if (!offsets)
        return false;
    memcpy(offsets, plan->problem.ragged->offsets, bytes);
    plan->ragged = (slimband_ragged){.systems = plan->problem.ragged->systems, .offsets = offsets};
    plan->problem.ragged = &plan->ragged;
    return true;
}

slimband_status sb_plan_create(slimband_plan **plan, const slimband_problem *problem,
                               slimband_executor executor, const char *method, void *workspace,
                               size_t workspace_bytes)
{
    if (!plan)
        return SLIMBAND_NULL_ARGUMENT;
    *plan = NULL;
    sb_choice choice;
    slimband_status status = sb_find_method(problem, executor, method, &choice);
    if (status)
        return status;

    size_t bytes = 0;
    slimband_plan *made = sb_allocate(sizeof *made, &bytes);
    if (!made)
        return SLIMBAND_OUT_OF_MEMORY;
    made->problem = *problem;
    made->executor = executor;
    made->backend = choice.backend;
    made->method = choice.method;
    made->systems = slimband_systems(problem);
    made->matrices = sb_matrices(problem);
    made->bytes = bytes;
    made->given = workspace;
    made->given_bytes = workspace_bytes;
    status = copy_ragged(made) ? choice.backend->create(made, choice.options) : SLIMBAND_OUT_OF_MEMORY;
    if (status) {
        slimband_plan_destroy(made);
        return status;
    }
    *plan = made;
    return SLIMBAND_OK;
}

slimband_status slimband_plan_create(slimband_plan **plan, const slimband_problem *problem,
                                     slimband_executor executor, const char *method)
{
    return sb_plan_create(plan, problem, executor, method, NULL, 0);
}

void slimband_plan_destroy(slimband_plan *plan)
{
    if (!plan)
        return;
    plan->backend->destroy(plan);
    if (plan->problem.ragged == &plan->ragged)
        sb_release((void *)plan->ragged.offsets);
    sb_release(plan);
}

/* Pointers may be NULL only where there is nothing behind them. */
static bool empty(const slimband_plan *plan)
{
    return plan->systems == 0 || sb_longest(&plan->problem) == 0;
}

static slimband_status check_diagonals(const slimband_plan *plan, const void *const *diagonals)
{
    if (!plan)
        return SLIMBAND_NULL_ARGUMENT;
    if (empty(plan))
        return SLIMBAND_OK;
    if (!diagonals)
        return SLIMBAND_NULL_ARGUMENT;
    for (int d = 0; d <= plan->problem.lower + plan->problem.upper; ++d)
        if (!diagonals[d])
            return SLIMBAND_NULL_ARGUMENT;
    return SLIMBAND_OK;
}

static bool same_layout(const slimband_problem *p)
{
    bool same = p->rhs.line == p->solution.line;
    for (int d = 0; d < p->batch_rank; ++d)
        same &= p->rhs.batch[d] == p->solution.batch[d] || p->batch[d] <= 1;
    return same;
}

static slimband_status check_vectors(const slimband_plan *plan, const void *b, const void *x)
{
    if (!plan)
        return SLIMBAND_NULL_ARGUMENT;
    if (empty(plan))
        return SLIMBAND_OK;
    if (!b || !x)
        return SLIMBAND_NULL_ARGUMENT;
    return b == x && !same_layout(&plan->problem) ? SLIMBAND_IN_PLACE_LAYOUTS_DIFFER : SLIMBAND_OK;
}

slimband_status slimband_factor(slimband_plan *plan, const void *const *diagonals)
{
    slimband_status status = check_diagonals(plan, diagonals);
    if (status)
        return status;
    if (plan->problem.one_pass)
        return SLIMBAND_PLAN_STORES_NOTHING;
    plan->factored = true;
    return empty(plan) ? SLIMBAND_OK : plan->backend->factor(plan, diagonals);
}

static slimband_status solve(slimband_plan *plan, sb_solve op, const void *b, void *x)
{
    slimband_status status = check_vectors(plan, b, x);
    if (status)
        return status;
    if (plan->problem.one_pass)
        return SLIMBAND_PLAN_STORES_NOTHING;
    if (!plan->factored)
        return SLIMBAND_NOT_FACTORED;
    return empty(plan) ? SLIMBAND_OK : plan->backend->solve(plan, op, b, x);
}

slimband_status slimband_solve(slimband_plan *plan, const void *b, void *x)
{
    return solve(plan, SB_SOLVE, b, x);
}

slimband_status slimband_solve_transposed(slimband_plan *plan, const void *b, void *x)
{
    return solve(plan, SB_SOLVE_TRANSPOSED, b, x);
}

slimband_status slimband_solve_adjoint(slimband_plan *plan, const void *b, void *x)
{
    return solve(plan, SB_SOLVE_ADJOINT, b, x);
}

slimband_status slimband_factor_solve(slimband_plan *plan, const void *const *diagonals, const void *b, void *x)
{
    slimband_status status = check_diagonals(plan, diagonals);
    if (!status)
        status = check_vectors(plan, b, x);
    if (status)
        return status;
    plan->factored = false;
    return empty(plan) ? SLIMBAND_OK : plan->backend->factor_solve(plan, diagonals, b, x);
}

slimband_status slimband_plan_report(const slimband_plan *plan, slimband_report *report)
{
    if (!plan || !report)
        return SLIMBAND_NULL_ARGUMENT;
    *report = (slimband_report){.method = plan->method->info.name,
                                .systems = plan->systems,
                                .matrices = plan->matrices,
                                .workspace_bytes = plan->bytes};
    return plan->backend->report(plan, report);
}

slimband_status slimband_system_status(const slimband_plan *plan, int64_t system, slimband_system_info *info)
{
    if (!plan || !info)
        return SLIMBAND_NULL_ARGUMENT;
    if (system < 0 || system >= plan->systems)
        return SLIMBAND_BAD_SYSTEM;
    *info = (slimband_system_info){.row = -1};
    return plan->backend->system_info(plan, system, info);
}
