/* The right-hand side as the solvers read it: f and the boundary's terms. */
#include "src/poisson/rhs.h"

#include <string.h>

/* row += factor * wall */
static void add(T *restrict row, const T *restrict wall, double factor, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        row[k] += (T)factor * wall[k];
}

/* Both walls of an axis other than the last; `at` is the row's index along it, `other` its number when that axis is left
   out. */
static void add_across(const sb_rhs *rhs, int axis, int64_t at, int64_t other, int64_t column, int64_t count,
                       T *row)
{
    const slimband_poisson_problem *p = rhs->problem;
    const sb_stencil *s = &rhs->stencil[axis];
    for (int side = 0; side < 2; ++side) {
        const T *wall = rhs->boundary->side[axis][side];
        if (wall && !s->ring && at == (side ? s->n - 1 : 0))
            add(row, wall + other * p->axis[p->rank - 1].n + column, s->inflow[side], count);
    }
}

/* The last axis' walls: one value for each row. */
static void add_ends(const sb_rhs *rhs, int64_t number, int64_t column, int64_t count, T *row)
{
    int axis = rhs->problem->rank - 1;
    const sb_stencil *s = &rhs->stencil[axis];
    const T *low = rhs->boundary->side[axis][0], *high = rhs->boundary->side[axis][1];
    if (s->ring)
        return;
    if (low && column == 0)
        row[0] += (T)s->inflow[0] * low[number];
    if (high && column + count == s->n)
        row[count - 1] += (T)s->inflow[1] * high[number];
}

void SB_NAME(rhs_load)(const sb_rhs *rhs, int64_t number, int64_t column, int64_t count, T *row)
{
    const slimband_poisson_problem *p = rhs->problem;
    const T *f = rhs->f;
    f += number * p->axis[p->rank - 1].n + column;
    if (f != row)
        memcpy(row, f, (size_t)count * sizeof *row);
    if (p->rank == 2)
        add_across(rhs, 0, number % p->axis[0].n, number / p->axis[0].n, column, count, row);
    if (p->rank == 3) {
        int64_t n0 = p->axis[0].n, n1 = p->axis[1].n, field = number / (n0 * n1);
        int64_t i0 = number / n1 % n0, i1 = number % n1;
        add_across(rhs, 0, i0, field * n1 + i1, column, count, row);
        add_across(rhs, 1, i1, field * n0 + i0, column, count, row);
    }
    add_ends(rhs, number, column, count, row);
}
