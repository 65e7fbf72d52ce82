/* The steady state: corrections by a fast solver for second-order differences between walls of value 0.
 *
 * With h^2 / 12 times its square, the second difference makes the one of fourth order, so that these are 1 to 4/3 times
 * those: 6/7 of each correction leaves at most 1/7 of the error. */
#include "src/steppers/steady.h"

#include <stdlib.h>

#include "slimband/poisson.h"
#include "src/apps/memory.h"
#include "src/steppers/fold.h"

/* For second order one would do; the next takes off what rounding left. */
enum { CORRECTIONS_OF_ORDER_2 = 2, CORRECTIONS_OF_ORDER_4 = 20 };

typedef struct line {
    const slimband_evolution *e;
    int axis;
    int64_t n, stride;
    double h;
} line;

/* Point j, at most two beyond a wall, of a line that begins at w. */
static double point(const line *l, const double *w, int64_t j)
{
    const slimband_evolution *e = l->e;
    sb_image image = sb_fold(e->walls[l->axis], e->centring, l->n, j);
    double value = image.sign * w[image.row * l->stride];
    if ((j >= 0 && j < l->n) || e->walls[l->axis] == SLIMBAND_WALLS_PP)
        return value;
    int end = j >= l->n;
    int walls = (int)e->walls[l->axis];
    bool dirichlet = end ? walls == SLIMBAND_WALLS_DD || walls == SLIMBAND_WALLS_ND
                         : walls == SLIMBAND_WALLS_DD || walls == SLIMBAND_WALLS_DN;
    double given = e->wall_values[l->axis][end];
    if (dirichlet)
        return image.sign ? value + 2 * given : given;
    return value + given * l->h * (double)(j - image.row);
}

static double bend(double lo, double at, double hi)
{
    return (hi - at) - (at - lo);
}

static double second_difference(const line *l, const double *w, int64_t i)
{
    double at = w[i * l->stride], near = bend(point(l, w, i - 1), at, point(l, w, i + 1));
    if (l->e->order == 4)
        near = (16 * near - bend(point(l, w, i - 2), at, point(l, w, i + 2))) / 12;
    return near / (l->h * l->h);
}

/* r = the Laplacian of w - gain. */
static void misfit(const slimband_evolution *e, const double *w, double gain, double *r)
{
    int64_t points = sb_points_of_member(e), stride = 1;
    for (int64_t k = 0; k < points; ++k)
        r[k] = -gain;
    for (int axis = e->rank - 1; axis >= 0; --axis) {
        line l = {.e = e, .axis = axis, .n = e->points[axis], .stride = stride, .h = sb_spacing(e, axis)};
        for (int64_t k = 0; k < points; ++k) {
            int64_t i = k / stride % l.n;
            r[k] += second_difference(&l, w + k - i * stride, i);
        }
        stride *= l.n;
    }
}

/* What flows in over the box' volume; nothing that lasts where a wall holds u. */
static double gain_of(const slimband_evolution *e)
{
    double gain = 0;
    for (int a = 0; a < e->rank; ++a) {
        if (e->walls[a] != SLIMBAND_WALLS_NN && e->walls[a] != SLIMBAND_WALLS_PP)
            return 0;
        gain += (e->wall_values[a][1] - e->wall_values[a][0]) / e->length[a];
    }
    return gain;
}

static slimband_status make_plan(const slimband_evolution *e, slimband_poisson_plan **plan)
{
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, e->rank, e->points);
    for (int a = 0; a < e->rank; ++a) {
        p.axis[a].length = e->length[a];
        p.axis[a].walls = e->walls[a];
        p.axis[a].centring = e->centring;
    }
    return slimband_poisson_plan_create(plan, &p, slimband_cpu(0), SLIMBAND_AUTO);
}

slimband_status sb_steady_state(const slimband_evolution *e, double *w, double *gain)
{
    int64_t points = sb_points_of_member(e);
    int corrections = e->order == 2 ? CORRECTIONS_OF_ORDER_2 : CORRECTIONS_OF_ORDER_4;
    double part = e->order == 2 ? 1 : 6 / 7.;
    size_t unused = 0;
    slimband_poisson_plan *plan = NULL;
    double *r = sb_app_allocate((size_t)points, sizeof *r, &unused);
    slimband_status status = r ? make_plan(e, &plan) : SLIMBAND_OUT_OF_MEMORY;
    *gain = gain_of(e);
    for (int64_t k = 0; k < points; ++k)
        w[k] = 0;
    for (int c = 0; !status && c < corrections; ++c) {
        misfit(e, w, *gain, r);
        status = slimband_poisson_solve(plan, r, NULL, r);
        for (int64_t k = 0; !status && k < points; ++k)
            w[k] += part * r[k];
    }
    slimband_poisson_plan_destroy(plan);
    free(r);
    return status;
}
