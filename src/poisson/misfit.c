/* f - A u, in wider precision. */
#include "src/poisson/misfit.h"

#include "src/chunk/wider.h"
#include "src/poisson/rhs.h"

static double modulus(WT x)
{
    double size = (double)(x < 0 ? -x : x);
    return size <= DBL_MAX ? size : INFINITY;
}

/* Row `at` of the axis' operator, at u[0] in the midst of its line. */
static WT apply(const sb_stencil *s, int64_t at, int64_t stride, const T *u)
{
    WT sum = (WT)s->diagonal[at] * u[0];
    if (at > 0 || s->ring)
        sum += (WT)s->lower[at] * u[(at > 0 ? -1 : s->n - 1) * stride];
    if (at < s->n - 1 || s->ring)
        sum += (WT)s->upper[at] * u[(at < s->n - 1 ? 1 : 1 - s->n) * stride];
    return sum;
}

void SB_NAME(misfit)(const sb_rhs *rhs, int64_t field, double offset, const void *solution, void *memory,
                     sb_misfit *m)
{
    const slimband_poisson_problem *p = rhs->problem;
    int last = p->rank - 1;
    int64_t n = p->axis[last].n, rows = sb_points_before(p, last);
    T *b = memory;
    for (int64_t row = 0; row < rows; ++row) {
        SB_NAME(rhs_load)(rhs, field * rows + row, 0, n, b);
        const T *u = (const T *)solution + (field * rows + row) * n;
        for (int64_t j = 0; j < n; ++j) {
            WT sum = (WT)b[j] - (WT)offset - (WT)p->lambda * u[j] - apply(&rhs->stencil[last], j, 1, u + j);
            int64_t stride = 1;
            for (int a = last - 1; a >= 0; stride *= p->axis[a--].n)
                sum -= apply(&rhs->stencil[a], row / stride % p->axis[a].n, stride * n, u + j);
            m->residual = fmax(m->residual, modulus(sum));
            m->solution = fmax(m->solution, modulus(u[j]));
            m->rhs = fmax(m->rhs, modulus(b[j]));
        }
    }
}

double SB_NAME(mean)(const sb_rhs *rhs, int64_t field, void *memory)
{
    const slimband_poisson_problem *p = rhs->problem;
    int last = p->rank - 1;
    int64_t n = p->axis[last].n, rows = sb_points_before(p, last);
    WT sum = 0, total = 0;
    T *b = memory;
    for (int64_t row = 0; row < rows; ++row) {
        SB_NAME(rhs_load)(rhs, field * rows + row, 0, n, b);
        WT weight = 1;
        int64_t left = row;
        for (int a = last - 1; a >= 0; left /= p->axis[a--].n)
            weight *= rhs->stencil[a].weight[left % p->axis[a].n];
        for (int64_t j = 0; j < n; ++j) {
            sum += weight * (WT)rhs->stencil[last].weight[j] * b[j];
            total += weight * (WT)rhs->stencil[last].weight[j];
        }
    }
    return (double)(sum / total);
}
