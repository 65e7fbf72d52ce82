/* slimband poisson: a problem whose solution is known: u = the product over the axes of exp(sin(2 pi x / length + 0.3)),
 * smooth, periodic, and with neither values nor slopes that vanish at the walls. */
#include <math.h>
#include <stdlib.h>

#include "cli/poisson.h"

static const double two_pi = 6.28318530717958647693;

/* The factor of an axis, its slope and its second derivative. */
typedef struct factor {
    double value, slope, bend;
} factor;

static factor factor_at(double x, double length)
{
    double k = two_pi / length, s = sin(k * x + 0.3), c = cos(k * x + 0.3), value = exp(s);
    return (factor){value, k * c * value, k * k * (c * c - s) * value};
}

/* The factors at an axis' points, and at its two ends. */
typedef struct axis_factors {
    factor *at;
    factor end[2];
} axis_factors;

static void put(sb_poisson_job *job, void *data, int64_t index, double value)
{
    if (job->problem.scalar == SLIMBAND_F32)
        ((float *)data)[index] = (float)value;
    else
        ((double *)data)[index] = value;
}

static bool tabulate(sb_poisson_job *job, axis_factors factors[SLIMBAND_POISSON_MAX_RANK])
{
    const slimband_poisson_problem *p = &job->problem;
    for (int a = 0; a < p->rank && a < SLIMBAND_POISSON_MAX_RANK; ++a) {
        int64_t n = p->axis[a].n;
        double *x = malloc((size_t)n * sizeof *x), length = p->axis[a].length;
        factors[a].at = malloc((size_t)n * sizeof *factors[a].at);
        bool good = x && factors[a].at && !slimband_poisson_points(p, a, x);
        for (int64_t i = 0; good && i < n; ++i)
            factors[a].at[i] = factor_at(x[i], length);
        factors[a].end[0] = factors[a].end[1] = factor_at(0, length);
        free(x);
        if (!good)
            return sb_fail(&job->settings->failure, "not enough memory for %lld points", (long long)n);
    }
    return true;
}

static void release(axis_factors factors[SLIMBAND_POISSON_MAX_RANK])
{
    for (int a = 0; a < SLIMBAND_POISSON_MAX_RANK; ++a)
        free(factors[a].at);
}

/* The factors of point `index`, axis `left_out` not counted (-1: all are). */
static void factors_of(const slimband_poisson_problem *p, const axis_factors *factors, int64_t index,
                       int left_out, factor of[SLIMBAND_POISSON_MAX_RANK])
{
    for (int a = p->rank - 1; a >= 0; --a) {
        of[a] = (factor){1, 0, 0};
        if (a == left_out || !factors[a].at)
            continue;
        of[a] = factors[a].at[index % p->axis[a].n];
        index /= p->axis[a].n;
    }
}

static double product(const slimband_poisson_problem *p, const factor *of)
{
    double u = 1;
    for (int a = 0; a < p->rank; ++a)
        u *= of[a].value;
    return u;
}

static void fill_rhs(sb_poisson_job *job, const axis_factors *factors)
{
    const slimband_poisson_problem *p = &job->problem;
    for (int64_t index = 0; index < job->points; ++index) {
        factor of[SLIMBAND_POISSON_MAX_RANK];
        factors_of(p, factors, index, -1, of);
        double u = product(p, of), f = p->lambda * u;
        for (int a = 0; a < p->rank; ++a)
            f -= u * of[a].bend / of[a].value;
        put(job, job->f.data, index, f);
    }
}

static bool slope_given(slimband_walls walls, int side)
{
    return walls == SLIMBAND_WALLS_NN || walls == (side ? SLIMBAND_WALLS_DN : SLIMBAND_WALLS_ND);
}

static bool fill_walls(sb_poisson_job *job, const axis_factors *factors)
{
    const slimband_poisson_problem *p = &job->problem;
    for (int k = 0; k < 2 * p->rank; ++k) {
        int a = k / 2, side = k % 2;
        int64_t points = job->points / p->axis[a].n;
        if (!sb_poisson_allocate(job, &job->side[a][side], points))
            return false;
        job->boundary.side[a][side] = job->side[a][side];
        const factor *end = &factors[a].end[side];
        double of_end = slope_given(p->axis[a].walls, side) ? end->slope : end->value;
        for (int64_t index = 0; index < points; ++index) {
            factor of[SLIMBAND_POISSON_MAX_RANK];
            factors_of(p, factors, index, a, of);
            put(job, job->side[a][side], index, of_end * product(p, of));
        }
    }
    return true;
}

bool sb_poisson_pose(sb_poisson_job *job)
{
    axis_factors factors[SLIMBAND_POISSON_MAX_RANK] = {{0}};
    job->f = (sb_npy){.scalar = job->problem.scalar, .rank = job->problem.rank};
    for (int a = 0; a < job->problem.rank; ++a)
        job->f.shape[a] = job->problem.axis[a].n;
    bool good = tabulate(job, factors) && sb_poisson_allocate(job, &job->f.data, job->points);
    if (good)
        fill_rhs(job, factors);
    good = good && fill_walls(job, factors);
    release(factors);
    return good;
}

bool sb_poisson_compare(sb_poisson_job *job)
{
    const slimband_poisson_problem *p = &job->problem;
    axis_factors factors[SLIMBAND_POISSON_MAX_RANK] = {{0}};
    bool good = tabulate(job, factors);
    double offset = 0;
    for (int pass = job->report.singular ? 0 : 1; good && pass < 2; ++pass) {
        double sum = 0;
        job->known_error = job->known_size = 0;
        for (int64_t index = 0; index < job->points; ++index) {
            factor of[SLIMBAND_POISSON_MAX_RANK];
            factors_of(p, factors, index, -1, of);
            bool narrow = p->scalar == SLIMBAND_F32;
            double exact = product(p, of),
                   u = narrow ? (double)((float *)job->u.data)[index] : ((double *)job->u.data)[index];
            sum += exact - u;
            job->known_error = fmax(job->known_error, fabs(u + offset - exact));
            job->known_size = fmax(job->known_size, fabs(exact));
        }
        offset = sum / (double)job->points; /* where u is known but for a constant, that does not count */
    }
    release(factors);
    return good;
}
