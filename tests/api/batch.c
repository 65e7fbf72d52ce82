/* The batch of batch.h. */
#include "tests/api/batch.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"

batch batch_make(int64_t n, int64_t systems, uint64_t seed)
{
    batch s = {.problem = slimband_tridiagonal(SLIMBAND_F64, n), .n = n, .systems = systems};
    assert_int_equal(slimband_contiguous(&s.problem, systems), SLIMBAND_OK);
    int64_t total = n * systems;
    double *memory = malloc((size_t)(5 * total + 1) * sizeof(double));
    assert_non_null(memory);
    double **arrays[] = {&s.lower, &s.diagonal, &s.upper, &s.b, &s.x};
    for (int k = 0; k < 5; ++k)
        *arrays[k] = memory + k * total;
    sb_random random = sb_random_seeded(seed);
    for (int64_t e = 0; e < total; ++e) {
        s.lower[e] = e % n == 0 ? NAN : sb_random_signed(&random);
        s.upper[e] = e % n == n - 1 ? NAN : sb_random_signed(&random);
        s.diagonal[e] = copysign(2.1 + sb_random_unit(&random), sb_random_signed(&random));
        s.b[e] = sb_random_signed(&random);
        s.x[e] = UNTOUCHED;
    }
    s.diagonals[0] = s.lower;
    s.diagonals[1] = s.diagonal;
    s.diagonals[2] = s.upper;
    return s;
}

void batch_free(batch *s)
{
    free(s->lower);
    *s = (batch){0};
}

const char *batch_method(int index)
{
    static const char *const forms[] = {"tpr:slice=4", "pcr_thomas:form=tasked,switch=3",
                                        "partition:isa=portable,chunk=5", "truncated:isa=portable,chunk=5",
                                        NULL};
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 1);
    slimband_method_info info;
    for (int i = 0; slimband_method(i, &info); ++i) {
        bool takes = !strcmp(info.name, SLIMBAND_AUTO) ||
                     (!strcmp(info.place, "cpu") && !slimband_method_fits(&p, slimband_cpu(1), info.name));
        if (takes && index-- == 0)
            return info.name;
    }
    return forms[index];
}

slimband_status batch_solve(batch *s, int threads, const char *method)
{
    slimband_plan *plan;
    slimband_status status = slimband_plan_create(&plan, &s->problem, slimband_cpu(threads), method);
    if (!status)
        status = slimband_factor(plan, s->diagonals);
    if (!status)
        status = slimband_solve(plan, s->b, s->x);
    slimband_plan_destroy(plan);
    return status;
}

double batch_error(const batch *s, int64_t system)
{
    int64_t start = system * s->n, end = start + s->n;
    long double residual = 0, entries = 0, unknowns = 0, rhs = 0;
    for (int64_t i = start; i < end; ++i) {
        long double below = i > start ? (long double)s->lower[i] : 0,
                    above = i < end - 1 ? (long double)s->upper[i] : 0;
        long double sum = (long double)s->diagonal[i] * s->x[i];
        sum += i > start ? below * s->x[i - 1] : 0;
        sum += i < end - 1 ? above * s->x[i + 1] : 0;
        long double error = fabsl(s->b[i] - sum);
        residual = error > residual || isnan(error) ? error : residual;
        entries = fmaxl(entries, fabsl(below) + fabsl((long double)s->diagonal[i]) + fabsl(above));
        unknowns = fmaxl(unknowns, fabsl((long double)s->x[i]));
        rhs = fmaxl(rhs, fabsl((long double)s->b[i]));
    }
    return (double)(residual / (entries * unknowns + rhs));
}

bool batch_untouched(const batch *s)
{
    for (int64_t e = 0; e < s->n * s->systems; ++e) {
        if (s->x[e] != UNTOUCHED)
            return false;
    }
    return true;
}

bool batch_is_nan(const batch *s, int64_t system)
{
    for (int64_t i = 0; i < s->n; ++i) {
        if (!isnan(s->x[system * s->n + i]))
            return false;
    }
    return true;
}
