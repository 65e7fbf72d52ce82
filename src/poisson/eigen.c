/* Is the operator singular to working precision? Only indefinite problems (lambda < 0) and floating ones with a tiny
 * lambda can be. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "src/apps/memory.h"
#include "src/poisson/internal.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Does ascending x hold a number within `close` of y? */
static bool holds(const double *x, int64_t n, double y, double close)
{
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (x[middle] < y - close)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && x[low] <= y + close;
}

/* Eigenvalues of the stencil below `shift`: negative pivots of the symmetrised matrix, whose last unknown is bordered so
   that rings are open too. */
static int64_t count_below(const sb_stencil *s, double shift)
{
    int64_t n = s->n, negative = 0;
    if (n == 1)
        return s->diagonal[0] + (s->ring ? s->lower[0] + s->upper[0] : 0) < shift;
    double last = (s->diagonal[n - 1] - shift) * s->weight[n - 1];
    double pivot = (s->diagonal[0] - shift) * s->weight[0], border = s->ring ? s->lower[0] * s->weight[0] : 0;
    for (int64_t i = 0; i < n - 1; ++i) {
        double coupling = s->upper[i] * s->weight[i];
        if (i == n - 2)
            border += coupling;
        if (fabs(pivot) < DBL_MIN / DBL_EPSILON)
            pivot = -DBL_MIN / DBL_EPSILON;
        negative += pivot < 0;
        last -= border * border / pivot;
        border *= -coupling / pivot;
        if (i + 1 < n - 1)
            pivot = (s->diagonal[i + 1] - shift) * s->weight[i + 1] - coupling * coupling / pivot;
    }
    return negative + (last < 0);
}

/* The line axis, in which eigenvalues are looked for. */
typedef struct search {
    const sb_stencil *line;
    const double *sorted; /* its eigenvalues where it is uniform; else NULL, and pivots are counted */
    double close;
} search;

/* Is `sum` plus an eigenvalue of the line axis zero? */
static bool vanishes(const search *s, double sum)
{
    if (s->sorted)
        return holds(s->sorted, s->line->n, -sum, s->close);
    return count_below(s->line, -sum + s->close) != count_below(s->line, -sum - s->close);
}

/* lambda plus one eigenvalue of each other axis, in all combinations. */
static bool any_vanishes(const slimband_poisson_plan *plan, const search *s)
{
    const slimband_poisson_problem *p = &plan->problem;
    int other[2] = {-1, -1};
    for (int a = 0, k = 0; a < p->rank; ++a)
        if (a != plan->line_axis)
            other[k++] = a;
    int64_t rows = other[0] < 0 ? 1 : p->axis[other[0]].n, columns = other[1] < 0 ? 1 : p->axis[other[1]].n;
    for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) {
            double sum = p->lambda + (other[0] < 0 ? 0 : sb_eigenvalue(&p->axis[other[0]], i));
            if (vanishes(s, sum + (other[1] < 0 ? 0 : sb_eigenvalue(&p->axis[other[1]], j))))
                return true;
        }
    return false;
}

slimband_status sb_check_eigenvalues(const slimband_poisson_plan *plan)
{
    const slimband_poisson_problem *p = &plan->problem;
    double norm = fabs(p->lambda);
    bool floating = true;
    for (int a = 0; a < p->rank; ++a) {
        norm += sb_stencil_norm(&plan->stencil[a]);
        floating &= plan->stencil[a].floating;
    }
    search s = {.line = &plan->stencil[plan->line_axis],
                .close = 4 * norm * (p->scalar == SLIMBAND_F32 ? (double)FLT_EPSILON : DBL_EPSILON)};
    if (p->lambda >= 0)
        return floating && p->lambda > 0 && p->lambda <= s.close ? SLIMBAND_NEAR_EIGENVALUE : SLIMBAND_OK;
    double *sorted = NULL;
    if (!plan->varying) {
        const slimband_poisson_axis *axis = &p->axis[plan->line_axis];
        size_t bytes = 0;
        sorted = sb_app_allocate((size_t)axis->n, sizeof *sorted, &bytes);
        if (!sorted)
            return SLIMBAND_OUT_OF_MEMORY;
        for (int64_t k = 0; k < axis->n; ++k)
            sorted[k] = sb_eigenvalue(axis, k);
        qsort(sorted, (size_t)axis->n, sizeof *sorted, ascending);
    }
    s.sorted = sorted;
    bool found = any_vanishes(plan, &s);
    free(sorted);
    return found ? SLIMBAND_NEAR_EIGENVALUE : SLIMBAND_OK;
}
