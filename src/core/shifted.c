/* Systems that differ by a shift: arguments are checked here, numbers and work are the executor's. */
#include "src/core/backend.h"

/* Elements of all fields and of the shifts; SIZE_MAX if they overflow. */
static size_t elements(const slimband_shifted_problem *p)
{
    size_t line = sb_times((size_t)p->n, sb_times((size_t)p->before, (size_t)p->after));
    return sb_times(sizeof(double), sb_times(line, p->fields ? (size_t)p->fields : 1));
}

static slimband_status validate(const slimband_shifted_problem *p)
{
    if (!p)
        return SLIMBAND_NULL_ARGUMENT;
    if (p->scalar != SLIMBAND_F32 && p->scalar != SLIMBAND_F64)
        return SLIMBAND_BAD_SCALAR;
    if (p->n < 1)
        return SLIMBAND_BAD_N;
    if (p->fields < 0 || p->before < 0 || p->after < 0)
        return SLIMBAND_BAD_BATCH;
    if (elements(p) > PTRDIFF_MAX)
        return SLIMBAND_TOO_LARGE;
    if (p->singular < SLIMBAND_NONE_SINGULAR || p->singular >= p->before * p->after)
        return SLIMBAND_BAD_SYSTEM;
    bool matrix = p->lower && p->diagonal && p->upper;
    return matrix && (p->shift || p->before * p->after == 0) ? SLIMBAND_OK : SLIMBAND_NULL_ARGUMENT;
}

slimband_status slimband_shifted_create(slimband_shifted **shifted, const slimband_shifted_problem *problem,
                                        slimband_executor executor)
{
    if (!shifted)
        return SLIMBAND_NULL_ARGUMENT;
    *shifted = NULL;
    const sb_backend *backend = NULL;
    slimband_status status = validate(problem);
    if (!status)
        status = sb_find_backend(executor, &backend);
    if (status)
        return status;
    size_t bytes = 0;
    slimband_shifted *made = sb_allocate(sizeof *made, &bytes);
    if (!made)
        return SLIMBAND_OUT_OF_MEMORY;
    *made = (slimband_shifted){.problem = *problem,
                               .executor = executor,
                               .systems = problem->before * problem->after,
                               .place = backend->shifted[problem->scalar]};
    made->report.bytes = bytes;
    status = made->place->create(made);
    made->problem.lower = made->problem.diagonal = made->problem.upper = made->problem.shift = NULL;
    if (status)
        slimband_shifted_destroy(made);
    else
        *shifted = made;
    return status;
}

void slimband_shifted_destroy(slimband_shifted *shifted)
{
    if (!shifted)
        return;
    if (shifted->state)
        shifted->place->destroy(shifted);
    sb_release(shifted);
}

slimband_status slimband_shifted_solve(slimband_shifted *shifted, void *u)
{
    if (!shifted)
        return SLIMBAND_NULL_ARGUMENT;
    if (shifted->systems == 0 || shifted->problem.fields == 0)
        return SLIMBAND_OK;
    return u ? shifted->place->solve(shifted, u) : SLIMBAND_NULL_ARGUMENT;
}

slimband_status slimband_shifted_describe(const slimband_shifted *shifted, slimband_shifted_report *report)
{
    if (!shifted || !report)
        return SLIMBAND_NULL_ARGUMENT;
    *report = shifted->report;
    return SLIMBAND_OK;
}
