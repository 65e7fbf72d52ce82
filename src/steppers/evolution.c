/* What an evolution is made of, and when it makes sense. */
#include <float.h>
#include <math.h>

#include "src/steppers/stepper.h"

static slimband_evolution evolution_of(slimband_equation equation, slimband_scalar scalar, int rank,
                                       const int64_t *points, int64_t members, double dt)
{
    slimband_evolution e = {.equation = equation,
                            .scalar = scalar,
                            .rank = rank,
                            .order = 2,
                            .dt = dt,
                            .members = members,
                            .forcing_waves = 1};
    for (int a = 0; a < SLIMBAND_STEPPER_MAX_RANK; ++a) {
        e.points[a] = points && a < rank ? points[a] : 0;
        e.length[a] = 1;
        e.walls[a] = SLIMBAND_WALLS_PP;
    }
    return e;
}

slimband_evolution slimband_hyperdiffusion(slimband_scalar scalar, int64_t n, int64_t members, double dt)
{
    return evolution_of(SLIMBAND_HYPERDIFFUSION, scalar, 1, &n, members, dt);
}

slimband_evolution slimband_cahn_hilliard(slimband_scalar scalar, int64_t n, int64_t members, double dt)
{
    return evolution_of(SLIMBAND_CAHN_HILLIARD, scalar, 1, &n, members, dt);
}

slimband_evolution slimband_heat(slimband_scalar scalar, int rank, const int64_t *points, double dt)
{
    return evolution_of(SLIMBAND_HEAT, scalar, rank, points, 1, dt);
}

static bool differ(const double *values, int64_t members)
{
    for (int64_t m = 1; values && m < members; ++m)
        if (values[m] != values[0])
            return true;
    return false;
}

bool sb_members_share(const slimband_evolution *e)
{
    return !differ(e->gamma, e->members) && !differ(e->diffusivity, e->members);
}

int64_t sb_points_of_member(const slimband_evolution *e)
{
    int64_t points = 1;
    for (int a = 0; a < e->rank; ++a)
        points *= e->points[a];
    return points;
}

double sb_spacing(const slimband_evolution *e, int axis)
{
    bool nodes = e->centring == SLIMBAND_AT_NODES;
    int walls = (int)e->walls[axis];
    int64_t intervals =
        e->points[axis] + (nodes && walls == SLIMBAND_WALLS_DD) - (nodes && walls == SLIMBAND_WALLS_NN);
    return e->length[axis] / (double)intervals;
}

double sb_implicit_weight(const slimband_evolution *e, int axis, int64_t member)
{
    double h = sb_spacing(e, axis), D = sb_of_member(e->diffusivity, member, 1),
           gamma = sb_of_member(e->gamma, member, 1);
    switch (e->equation) {
    case SLIMBAND_HYPERDIFFUSION:
        return e->dt * gamma * D / (2 * h * h * h * h);
    case SLIMBAND_CAHN_HILLIARD:
        return e->dt * gamma * D / (h * h * h * h);
    default:
        return e->dt * D / (2 * h * h);
    }
}

double sb_rate(const slimband_evolution *e, int axis, int64_t member)
{
    double h = sb_spacing(e, axis);
    return e->dt * sb_of_member(e->diffusivity, member, 1) / (h * h);
}

double sb_stiffness(const slimband_evolution *e, int64_t member)
{
    double h = sb_spacing(e, 0);
    return sb_of_member(e->gamma, member, 1) / (h * h);
}

bool sb_has_wall_values(const slimband_evolution *e)
{
    for (int k = 0; k < 2 * e->rank; ++k)
        if (e->wall_values[k / 2][k % 2] != 0)
            return true;
    return false;
}

bool sb_is_forced(const slimband_evolution *e)
{
    for (int64_t m = 0; e->forcing && m < e->members; ++m)
        if (e->forcing[m] != 0)
            return true;
    return false;
}

static double angle_of(double turns)
{
    return 2 * 3.14159265358979323846 * (turns - floor(turns));
}

void sb_wave_points(const slimband_evolution *e, double *cosine, double *sine)
{
    int64_t n = e->points[0];
    for (int64_t i = 0; i < n; ++i) {
        double angle = angle_of((double)e->forcing_waves * (double)i / (double)n);
        cosine[i] = cos(angle);
        sine[i] = sin(angle);
    }
}

void sb_wave_time(const slimband_evolution *e, int64_t step, double *along, double *across)
{
    double middle = e->equation == SLIMBAND_HYPERDIFFUSION ? 0.5 : 0;
    double angle =
        angle_of((double)e->forcing_waves * e->forcing_speed * e->dt / e->length[0] * ((double)step + middle));
    *along = e->dt * cos(angle);
    *across = e->dt * sin(angle);
}

static slimband_status check_axis(const slimband_evolution *e, int axis)
{
    bool heat = e->equation == SLIMBAND_HEAT;
    if (e->points[axis] < (heat && e->order == 2 ? 3 : 5))
        return SLIMBAND_TOO_FEW_POINTS;
    if (!(e->length[axis] > 0) || !isfinite(e->length[axis]))
        return SLIMBAND_BAD_LENGTH;
    if (e->walls[axis] < SLIMBAND_WALLS_DD || e->walls[axis] > SLIMBAND_WALLS_PP)
        return SLIMBAND_BAD_WALLS;
    bool ring = e->walls[axis] == SLIMBAND_WALLS_PP;
    for (int end = 0; end < 2; ++end)
        if (!isfinite(e->wall_values[axis][end]) || (ring && e->wall_values[axis][end] != 0))
            return SLIMBAND_BAD_WALL_VALUES;
    return heat || ring ? SLIMBAND_OK : SLIMBAND_STEPPER_NEEDS_RING;
}

static slimband_status check_axes(const slimband_evolution *e)
{
    if (e->rank < 1 || e->rank > (e->equation == SLIMBAND_HEAT ? SLIMBAND_STEPPER_MAX_RANK : 1))
        return SLIMBAND_BAD_STEPPER_RANK;
    if (e->centring != SLIMBAND_AT_NODES && e->centring != SLIMBAND_AT_CELLS)
        return SLIMBAND_BAD_CENTRING;
    if (e->order != 2 && (e->order != 4 || e->equation != SLIMBAND_HEAT))
        return SLIMBAND_BAD_ORDER;
    int64_t elements = e->members;
    for (int a = 0; a < e->rank; ++a) {
        slimband_status status = check_axis(e, a);
        if (status)
            return status;
        if (__builtin_mul_overflow(elements, e->points[a], &elements))
            return SLIMBAND_TOO_LARGE;
    }
    return elements > INT64_MAX / 64 ? SLIMBAND_TOO_LARGE : SLIMBAND_OK;
}

/* On a mode of the difference operator with eigenvalue -k a step multiplies small deviations from |C| = 1 with
   (1 - 2 dt D k) / (1 + dt gamma D k^2); that is at least -1 for every k if dt D <= 2 gamma, and else for k up to the
   smaller root of dt gamma D k^2 - 2 dt D k + 2. The grid has k up to 4 / h^2. */
static bool stable(const slimband_evolution *e, int64_t m)
{
    double tau = e->dt * sb_of_member(e->diffusivity, m, 1), gamma = sb_of_member(e->gamma, m, 1);
    double h = sb_spacing(e, 0), largest = 4 / (h * h);
    return tau <= 2 * gamma || largest * gamma <= 1 - sqrt(1 - 2 * gamma / tau);
}

/* Rounding the diagonal perturbs the identity by this much: a hundredth is too much. */
static bool drowns(const slimband_evolution *e, int64_t m)
{
    double epsilon = e->scalar == SLIMBAND_F32 ? FLT_EPSILON : DBL_EPSILON, largest = 0;
    for (int a = 0; a < e->rank; ++a)
        largest = fmax(largest, sb_implicit_weight(e, a, m));
    return !(16 * largest * epsilon < 0.01);
}

static slimband_status check_member(const slimband_evolution *e, int64_t m)
{
    double gamma = sb_of_member(e->gamma, m, 1), D = sb_of_member(e->diffusivity, m, 1);
    if (!(gamma > 0) || !(D > 0) || !isfinite(gamma) || !isfinite(D))
        return SLIMBAND_BAD_DIFFUSIVITY;
    if (!isfinite(sb_of_member(e->forcing, m, 0)))
        return SLIMBAND_BAD_FORCING;
    if (e->equation == SLIMBAND_CAHN_HILLIARD && !stable(e, m))
        return SLIMBAND_UNSTABLE_STEP;
    return drowns(e, m) ? SLIMBAND_STEP_BEYOND_PRECISION : SLIMBAND_OK;
}

/* Members without numbers of their own are alike, so that the first stands for however many there are. */
static int64_t members_to_check(const slimband_evolution *e)
{
    bool own = e->gamma || e->diffusivity || e->forcing;
    return own || e->members == 0 ? e->members : 1;
}

slimband_status slimband_evolution_validate(const slimband_evolution *e)
{
    if (!e)
        return SLIMBAND_NULL_ARGUMENT;
    if (e->equation < SLIMBAND_HYPERDIFFUSION || e->equation > SLIMBAND_HEAT)
        return SLIMBAND_BAD_EQUATION;
    if (e->scalar != SLIMBAND_F32 && e->scalar != SLIMBAND_F64)
        return SLIMBAND_BAD_STEPPER_SCALAR;
    if (e->members < 0)
        return SLIMBAND_BAD_MEMBERS;
    slimband_status status = check_axes(e);
    if (status)
        return status;
    if (!(e->dt > 0) || !isfinite(e->dt))
        return SLIMBAND_BAD_TIME_STEP;
    if (e->equation == SLIMBAND_HEAT && (e->gamma || e->forcing))
        return SLIMBAND_HEAT_HAS_NO_FORCING;
    if (e->forcing_waves < 0 || !isfinite(e->forcing_speed))
        return SLIMBAND_BAD_FORCING;
    for (int64_t m = 0, count = members_to_check(e); !status && m < count; ++m)
        status = check_member(e, m);
    return status;
}

slimband_status slimband_evolution_points(const slimband_evolution *e, int axis, double *x)
{
    slimband_status status = slimband_evolution_validate(e);
    if (status || !x)
        return status ? status : SLIMBAND_NULL_ARGUMENT;
    if (axis < 0 || axis >= e->rank)
        return SLIMBAND_BAD_AXIS;
    bool wall_is_point = e->walls[axis] != SLIMBAND_WALLS_DD && e->walls[axis] != SLIMBAND_WALLS_DN;
    double h = sb_spacing(e, axis), first = e->centring == SLIMBAND_AT_CELLS ? 0.5 : wall_is_point ? 0 : 1;
    if (e->walls[axis] == SLIMBAND_WALLS_PP)
        first = 0;
    for (int64_t i = 0; i < e->points[axis]; ++i)
        x[i] = h * (first + (double)i);
    return SLIMBAND_OK;
}
