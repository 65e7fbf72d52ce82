/* The difference equations by ghost points. */
#include "tests/poisson/oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gallery/random.h"

static const char *const walls_names[] = {"", "dd", "dn", "nd", "nn", "pp"};

slimband_poisson_axis oracle_axis(int kind, int64_t n, double length)
{
    slimband_poisson_axis axis = {.n = n, .length = length};
    axis.walls = (slimband_walls)(SLIMBAND_WALLS_DD + kind % WALLS);
    axis.centring = kind / WALLS ? SLIMBAND_AT_CELLS : SLIMBAND_AT_NODES;
    if (kind == SLIMBAND_WALLS_NN - SLIMBAND_WALLS_DD && n == 1)
        axis.n = 2;
    return axis;
}

static bool is(const slimband_poisson_axis *axis, int side, char letter)
{
    return walls_names[axis->walls][side] == letter;
}

double oracle_h(const slimband_poisson_axis *axis)
{
    double n = (double)axis->n;
    if (axis->centring == SLIMBAND_AT_CELLS)
        return axis->length / n;
    return axis->length / (is(axis, 0, 'd') && is(axis, 1, 'd')   ? n + 1
                           : is(axis, 0, 'n') && is(axis, 1, 'n') ? n - 1
                                                                  : n);
}

const char *oracle_name(const slimband_poisson_problem *p)
{
    static char text[200];
    int used =
        snprintf(text, sizeof text, "%s lambda %g:", p->scalar == SLIMBAND_F32 ? "f32" : "f64", p->lambda);
    for (int a = 0; a < p->rank; ++a)
        used += snprintf(text + used, sizeof text - (size_t)used, " %s-%s %lld", walls_names[p->axis[a].walls],
                         p->axis[a].centring == SLIMBAND_AT_CELLS ? "cell" : "node", (long long)p->axis[a].n);
    return text;
}

static double *draw(const slimband_poisson_problem *p, int64_t count, sb_random *random, float **single)
{
    double *x = malloc((size_t)(count + 1) * sizeof *x);
    *single = malloc((size_t)(count + 1) * sizeof **single);
    for (int64_t i = 0; i < count; ++i) {
        (*single)[i] = (float)(sb_random_signed(random));
        x[i] = p->scalar == SLIMBAND_F32 ? (double)(*single)[i] : sb_random_signed(random);
    }
    return x;
}

sample oracle_draw(const slimband_poisson_problem *problem, uint64_t seed)
{
    sample s = {.problem = *problem, .points = 1};
    sb_random random = sb_random_seeded(seed);
    for (int a = 0; a < problem->rank; ++a)
        s.points *= problem->axis[a].n;
    s.f = draw(problem, problem->fields * s.points, &random, &s.single);
    for (int a = 0; a < problem->rank; ++a)
        for (int side = 0; side < 2; ++side) {
            int64_t count = problem->fields * s.points / problem->axis[a].n;
            s.side[a][side] = draw(problem, count, &random, &s.single_side[a][side]);
            s.boundary.side[a][side] = problem->scalar == SLIMBAND_F32 ? (const void *)s.single_side[a][side]
                                                                       : (const void *)s.side[a][side];
        }
    return s;
}

sample oracle_level(const slimband_poisson_problem *problem, double level, double spread, uint64_t seed)
{
    sample s = oracle_draw(problem, seed);
    for (int64_t i = 0; i < problem->fields * s.points; ++i) {
        s.single[i] = (float)(level + spread * s.f[i]);
        s.f[i] = problem->scalar == SLIMBAND_F32 ? (double)s.single[i] : level + spread * s.f[i];
    }
    for (int a = 0; a < problem->rank; ++a)
        for (int side = 0; side < 2; ++side) {
            size_t count = (size_t)(problem->fields * s.points / problem->axis[a].n);
            memset(s.side[a][side], 0, count * sizeof *s.side[a][side]);
            memset(s.single_side[a][side], 0, count * sizeof *s.single_side[a][side]);
        }
    return s;
}

void oracle_free(sample *s)
{
    free(s->f);
    free(s->single);
    for (int a = 0; a < s->problem.rank; ++a)
        for (int side = 0; side < 2; ++side) {
            free(s->side[a][side]);
            free(s->single_side[a][side]);
        }
}

const void *oracle_f(const sample *s)
{
    return s->problem.scalar == SLIMBAND_F32 ? (const void *)s->single : (const void *)s->f;
}

static int64_t index_of(const slimband_poisson_problem *p, int64_t field, const int64_t at[3])
{
    int64_t index = field;
    for (int a = 0; a < p->rank; ++a)
        index = index * p->axis[a].n + at[a];
    return index;
}

static double wall(const sample *s, int axis, int side, int64_t field, const int64_t at[3])
{
    const slimband_poisson_problem *p = &s->problem;
    int64_t index = field;
    for (int a = 0; a < p->rank; ++a)
        if (a != axis)
            index = index * p->axis[a].n + at[a];
    return s->side[axis][side][index];
}

/* The value one step beyond `at` along an axis, on this side. */
static long double neighbour(const sample *s, const double *u, int axis, int side, int64_t field,
                             const int64_t at[3])
{
    const slimband_poisson_axis *x = &s->problem.axis[axis];
    int64_t next[3] = {at[0], at[1], at[2]}, step = side ? 1 : -1;
    next[axis] += step;
    if (is(x, 0, 'p'))
        next[axis] = (next[axis] + x->n) % x->n;
    if (next[axis] >= 0 && next[axis] < x->n)
        return u[index_of(&s->problem, field, next)];
    long double g = wall(s, axis, side, field, at), h = oracle_h(x), here = u[index_of(&s->problem, field, at)];
    if (x->centring == SLIMBAND_AT_CELLS)
        return is(x, side, 'd') ? 2 * g - here : here + (long double)step * h * g;
    return is(x, side, 'd') ? g : neighbour(s, u, axis, !side, field, at) + (long double)step * 2 * h * g;
}

long double oracle_apply(const sample *s, const double *u, int64_t field, const int64_t at[3])
{
    long double here = u[index_of(&s->problem, field, at)], sum = (long double)s->problem.lambda * here;
    for (int a = 0; a < s->problem.rank; ++a) {
        long double h = oracle_h(&s->problem.axis[a]);
        sum += (2 * here - neighbour(s, u, a, 0, field, at) - neighbour(s, u, a, 1, field, at)) / (h * h);
    }
    return sum;
}

double oracle_norm(const slimband_poisson_problem *p)
{
    double norm = fabs(p->lambda);
    for (int a = 0; a < p->rank; ++a)
        norm += 4 / (oracle_h(&p->axis[a]) * oracle_h(&p->axis[a]));
    return norm;
}

bool oracle_singular(const slimband_poisson_problem *p)
{
    bool singular = p->lambda == 0;
    for (int a = 0; a < p->rank; ++a)
        singular &= !is(&p->axis[a], 0, 'd') && !is(&p->axis[a], 1, 'd');
    return singular;
}

static bool advance(const slimband_poisson_problem *p, int64_t at[3])
{
    for (int a = p->rank - 1; a >= 0; --a) {
        if (++at[a] < p->axis[a].n)
            return true;
        at[a] = 0;
    }
    return false;
}

static double weight(const slimband_poisson_problem *p, const int64_t at[3])
{
    double w = 1;
    for (int a = 0; a < p->rank; ++a) {
        const slimband_poisson_axis *x = &p->axis[a];
        bool node = x->centring == SLIMBAND_AT_NODES;
        if (node && ((at[a] == 0 && is(x, 0, 'n')) || (at[a] == x->n - 1 && is(x, 1, 'n'))))
            w /= 2;
    }
    return w;
}

long double oracle_projection(const sample *s, int64_t field)
{
    if (!oracle_singular(&s->problem))
        return 0;
    double *zero = calloc((size_t)((field + 1) * s->points), sizeof *zero);
    int64_t at[3] = {0, 0, 0};
    long double sum = 0, total = 0;
    do {
        long double w = weight(&s->problem, at);
        sum += w * (s->f[index_of(&s->problem, field, at)] - oracle_apply(s, zero, field, at));
        total += w;
    } while (advance(&s->problem, at));
    free(zero);
    return sum / total;
}

static double largest_at_walls(const sample *s)
{
    const slimband_poisson_problem *p = &s->problem;
    double largest = 0;
    for (int a = 0; a < p->rank; ++a)
        for (int64_t k = 0; !is(&p->axis[a], 0, 'p') && k < p->fields * s->points / p->axis[a].n; ++k)
            largest = fmax(largest, fmax(fabs(s->side[a][0][k]), fabs(s->side[a][1][k])));
    return largest;
}

double oracle_backward_error(const sample *s, const double *u)
{
    const slimband_poisson_problem *p = &s->problem;
    double worst = 0, walls = 2 * largest_at_walls(s);
    for (int64_t field = 0; field < p->fields; ++field) {
        int64_t at[3] = {0, 0, 0};
        long double away = oracle_projection(s, field), residual = 0, size = 0, rhs = 0;
        do {
            int64_t index = index_of(p, field, at);
            long double r = fabsl(s->f[index] - away - oracle_apply(s, u, field, at));
            residual = r <= residual ? residual : r; /* NaN stays */
            size = fmaxl(size, fabsl((long double)u[index]));
            rhs = fmaxl(rhs, fabsl((long double)s->f[index]));
        } while (advance(p, at));
        double error = (double)(residual / (oracle_norm(p) * (size + walls) + rhs));
        worst = error <= worst ? worst : error;
    }
    return worst;
}

double oracle_mean(const slimband_poisson_problem *p, const double *u)
{
    int64_t at[3] = {0, 0, 0};
    double sum = 0, total = 0;
    do {
        sum += weight(p, at) * u[index_of(p, 0, at)];
        total += weight(p, at);
    } while (advance(p, at));
    return sum / total;
}

double *oracle_solve(const sample *s, slimband_executor executor, const char *method, slimband_status *status,
                     slimband_poisson_report *report)
{
    slimband_poisson_plan *plan;
    *status = slimband_poisson_plan_create(&plan, &s->problem, executor, method);
    if (*status)
        return NULL;
    int64_t count = s->problem.fields * s->points;
    bool single = s->problem.scalar == SLIMBAND_F32;
    double *u = malloc((size_t)(count + 1) * sizeof *u);
    float *narrow = malloc((size_t)(count + 1) * sizeof *narrow);
    *status = slimband_poisson_solve(plan, oracle_f(s), &s->boundary, single ? (void *)narrow : (void *)u);
    for (int64_t i = 0; single && i < count; ++i)
        u[i] = (double)narrow[i];
    slimband_poisson_plan_report(plan, report);
    slimband_poisson_plan_destroy(plan);
    free(narrow);
    if (*status) {
        free(u);
        return NULL;
    }
    return u;
}

long double oracle_eigenvector(const slimband_poisson_axis *axis, int64_t k, int64_t j)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    bool cells = axis->centring == SLIMBAND_AT_CELLS;
    long double n = (long double)axis->n, at = (long double)j + (cells ? 0.5L : 0);
    switch (axis->walls) {
    case SLIMBAND_WALLS_DD:
        return cells ? sinl(pi * at * (long double)(k + 1) / n)
                     : sinl(pi * (at + 1) * (long double)(k + 1) / (n + 1));
    case SLIMBAND_WALLS_NN:
        return cosl(pi * at * (long double)k / (cells ? n : n - 1));
    case SLIMBAND_WALLS_DN:
        return sinl(pi * (at + (cells ? 0 : 1)) * ((long double)k + 0.5L) / n);
    case SLIMBAND_WALLS_ND:
        return cosl(pi * at * ((long double)k + 0.5L) / n);
    default:
        return k <= axis->n / 2 ? cosl(2 * pi * (long double)(j * k % axis->n) / n)
                                : sinl(2 * pi * (long double)(j * k % axis->n) / n);
    }
}

long double oracle_eigenvalue(const slimband_poisson_axis *axis, int64_t k)
{
    const long double pi = 3.14159265358979323846264338327950288L;
    bool cells = axis->centring == SLIMBAND_AT_CELLS, both = is(axis, 0, 'd') && is(axis, 1, 'd');
    long double n = (long double)axis->n, turn = (long double)k, steps = n;
    if (both)
        turn += 1;
    else if (is(axis, 0, 'd') || is(axis, 1, 'd'))
        turn += 0.5L;
    else if (is(axis, 0, 'p'))
        turn *= 2;
    if (!cells && (both || axis->walls == SLIMBAND_WALLS_NN))
        steps += both ? 1 : -1;
    long double root = 2 * sinl(pi * turn / steps / 2) / ((long double)axis->length / steps);
    return root * root;
}
