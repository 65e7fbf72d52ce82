/* Problems: made, checked, and their points. */
#include <math.h>

#include "src/poisson/internal.h"

slimband_poisson_problem slimband_poisson(slimband_scalar scalar, int rank, const int64_t *extents)
{
    slimband_poisson_problem p = {.scalar = scalar, .rank = rank, .fields = 1, .line_axis = -1};
    for (int a = 0; a < rank && a < SLIMBAND_POISSON_MAX_RANK; ++a)
        p.axis[a] = (slimband_poisson_axis){.n = extents ? extents[a] : 0,
                                            .length = 1,
                                            .walls = SLIMBAND_WALLS_DD,
                                            .centring = SLIMBAND_AT_NODES};
    return p;
}

static bool positive(double x)
{
    return isfinite(x) && x > 0;
}

static slimband_status check_axis(const slimband_poisson_problem *p, int a)
{
    const slimband_poisson_axis *axis = &p->axis[a];
    if ((unsigned)axis->walls - SLIMBAND_WALLS_DD > SLIMBAND_WALLS_PP - SLIMBAND_WALLS_DD)
        return SLIMBAND_BAD_WALLS;
    if ((unsigned)axis->centring > SLIMBAND_AT_CELLS)
        return SLIMBAND_BAD_CENTRING;
    bool both_neumann_nodes = axis->walls == SLIMBAND_WALLS_NN && axis->centring == SLIMBAND_AT_NODES;
    if (axis->n < (both_neumann_nodes ? 2 : 1))
        return SLIMBAND_BAD_POISSON_SIZE;
    if (!(p->spacing && a == p->line_axis) && !positive(axis->length))
        return SLIMBAND_BAD_LENGTH;
    return SLIMBAND_OK;
}

/* How many distances between points there are at nodes. */
static int64_t intervals(const slimband_poisson_axis *axis)
{
    return axis->n + (axis->walls == SLIMBAND_WALLS_DD) - (axis->walls == SLIMBAND_WALLS_NN);
}

static bool all_positive(const double *x, int64_t count)
{
    for (int64_t i = 0; x && i < count; ++i)
        if (!positive(x[i]))
            return false;
    return true;
}

static slimband_status check_line(const slimband_poisson_problem *p)
{
    if (p->line_axis < -1 || p->line_axis >= p->rank || (sb_varying(p) && p->line_axis < 0))
        return SLIMBAND_BAD_LINE_AXIS;
    if (!sb_varying(p))
        return SLIMBAND_OK;
    const slimband_poisson_axis *axis = &p->axis[p->line_axis];
    bool cells = axis->centring == SLIMBAND_AT_CELLS, ring = axis->walls == SLIMBAND_WALLS_PP;
    int64_t steps = cells ? axis->n : intervals(axis), faces = cells ? axis->n + !ring : intervals(axis);
    bool good = all_positive(p->spacing, steps) && all_positive(p->coefficient, faces);
    return good ? SLIMBAND_OK : SLIMBAND_BAD_GRID;
}

slimband_status slimband_poisson_validate(const slimband_poisson_problem *p)
{
    if (!p)
        return SLIMBAND_NULL_ARGUMENT;
    if (p->scalar != SLIMBAND_F32 && p->scalar != SLIMBAND_F64)
        return SLIMBAND_BAD_POISSON_SCALAR;
    if (p->rank < 1 || p->rank > SLIMBAND_POISSON_MAX_RANK)
        return SLIMBAND_BAD_POISSON_RANK;
    if (p->fields < 0)
        return SLIMBAND_BAD_POISSON_SIZE;
    int64_t bytes = p->fields > 0 ? p->fields : 1;
    bool large = __builtin_mul_overflow(bytes, (int64_t)sizeof(double), &bytes);
    slimband_status status = SLIMBAND_OK;
    for (int a = 0; a < p->rank && !status; ++a) {
        status = check_axis(p, a);
        large |= !status && __builtin_mul_overflow(bytes, p->axis[a].n, &bytes);
    }
    if (!status && large)
        status = SLIMBAND_TOO_LARGE;
    if (!status && (!isfinite(p->lambda) || !isfinite(p->mean)))
        status = SLIMBAND_BAD_LAMBDA;
    return status ? status : check_line(p);
}

slimband_status slimband_poisson_points(const slimband_poisson_problem *p, int a, double *x)
{
    slimband_status status = slimband_poisson_validate(p);
    if (status)
        return status;
    if (a < 0 || a >= p->rank)
        return SLIMBAND_BAD_AXIS;
    if (!x)
        return SLIMBAND_NULL_ARGUMENT;
    const slimband_poisson_axis *axis = &p->axis[a];
    const double *spacing = a == p->line_axis ? p->spacing : NULL;
    bool cells = axis->centring == SLIMBAND_AT_CELLS;
    bool wall_first = axis->walls == SLIMBAND_WALLS_DD || axis->walls == SLIMBAND_WALLS_DN;
    double h = spacing ? 0 : sb_axis_spacing(axis), at = 0;
    for (int64_t i = 0; i < axis->n; ++i) {
        double offset = cells ? 0.5 : wall_first;
        if (!spacing) {
            x[i] = ((double)i + offset) * h;
        } else if (cells) {
            x[i] = at + spacing[i] / 2;
            at += spacing[i];
        } else {
            at += wall_first ? spacing[i] : i ? spacing[i - 1] : 0;
            x[i] = at;
        }
    }
    return SLIMBAND_OK;
}
