/* Every kernel of `lanes` with NEON, judged by backward errors in wider precision; the same bits twice. A program by itself,
 * since tools/check-aarch64 has nothing but a C library there. Usage: lanes [METHOD...] */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slimband/slimband.h"

enum { MOST = 5, WAYS = 3, CALLS = 3 };

typedef struct batch {
    slimband_problem problem;
    size_t entries, bytes; /* of each array */
    void *diagonals[MOST], *b, *x, *again;
} batch;

static const char *const type_names[] = {"f32", "f64", "c64", "c128"};

static bool single(slimband_scalar scalar)
{
    return scalar == SLIMBAND_F32 || scalar == SLIMBAND_C64;
}

static int reals(slimband_scalar scalar)
{
    return scalar == SLIMBAND_C64 || scalar == SLIMBAND_C128 ? 2 : 1;
}

static void *must(void *memory)
{
    if (!memory)
        exit(2);
    return memory;
}

static void fill(const batch *s, void *array, double centre)
{
    int parts = reals(s->problem.scalar);
    for (size_t i = 0; i < s->entries * (size_t)parts; ++i) {
        double value = 2.0 * rand() / RAND_MAX - 1 + (i % (size_t)parts ? 0 : centre);
        if (single(s->problem.scalar))
            ((float *)array)[i] = (float)value;
        else
            ((double *)array)[i] = value;
    }
}

/* way: lines one after another, side by side, and apart. */
static batch make(slimband_scalar scalar, int band, int way, slimband_coefficients kind, int64_t n,
                  int64_t systems)
{
    batch s = {.problem = slimband_banded(scalar, n, band, band)};
    s.entries = (size_t)(n * systems * 2);
    s.bytes = s.entries * (single(scalar) ? 4 : 8) * (size_t)reals(scalar);
    if (way == 1)
        slimband_interleaved(&s.problem, systems);
    else {
        slimband_contiguous(&s.problem, systems);
        if (way == 2) {
            s.problem.rhs = s.problem.solution = s.problem.matrix =
                (slimband_layout){.line = 2, .batch = {2 * n}};
        }
    }
    s.problem.coefficients = kind;
    if (kind == SLIMBAND_SHARED)
        s.problem.matrix = (slimband_layout){.line = 1};
    for (int d = 0; d <= 2 * band; ++d)
        fill(&s, s.diagonals[d] = must(malloc(s.bytes)), d == band ? 5 * band : 0);
    fill(&s, s.b = must(malloc(s.bytes)), 0);
    s.x = must(calloc(1, s.bytes));
    s.again = must(calloc(1, s.bytes));
    return s;
}

static void discard(batch *s)
{
    for (int d = 0; d < MOST; ++d)
        free(s->diagonals[d]);
    free(s->b);
    free(s->x);
    free(s->again);
}

/* call: factored and solved out of place, in place, and both in one. */
static slimband_status solve(const batch *s, const char *method, int call, void *x)
{
    slimband_plan *plan;
    const void *const *diagonals = (const void *const *)s->diagonals;
    slimband_status status = slimband_plan_create(&plan, &s->problem, slimband_cpu(1), method);
    if (status)
        return status;
    if (call == 1)
        memcpy(x, s->b, s->bytes);
    if (call == 2)
        status = slimband_factor_solve(plan, diagonals, s->b, x);
    else if (!(status = slimband_factor(plan, diagonals)))
        status = slimband_solve(plan, call == 1 ? x : s->b, x);
    slimband_plan_destroy(plan);
    return status;
}

/* True if it is as it should be. */
static bool check(batch *s, const char *method, int call)
{
    slimband_backward_error error;
    memset(s->x, 0, s->bytes);
    memset(s->again, 0, s->bytes);
    slimband_status status = solve(s, method, call, s->x);
    status = status ? status : solve(s, method, call, s->again);
    status =
        status ? status : slimband_residual(&s->problem, (const void *const *)s->diagonals, s->b, s->x, &error);
    if (status) {
        printf("%s: %s\n", method, slimband_status_string(status));
        return false;
    }
    double limit = 20 * (single(s->problem.scalar) ? (double)FLT_EPSILON : DBL_EPSILON);
    if (error.normwise <= limit && !memcmp(s->x, s->again, s->bytes))
        return true;
    printf("%s: backward error %g, limit %g; the same bits twice: %s\n", method, error.normwise, limit,
           memcmp(s->x, s->again, s->bytes) ? "no" : "yes");
    return false;
}

static int check_method(const char *method, int *checked)
{
    static const int64_t lengths[] = {1, 2, 5, 16, 67}, counts[] = {2, 7, 16, 29};
    int failed = 0;
    for (int choice = 0; choice < 4 * 2 * WAYS * 2 * CALLS * 5 * 4; ++choice) {
        int rest = choice, type = rest % 4, band = 1 + (rest /= 4) % 2, way = (rest /= 2) % WAYS;
        bool own = (rest /= WAYS) % 2;
        int call = (rest /= 2) % CALLS, length = (rest /= CALLS) % 5, count = rest / 5;
        batch s = make((slimband_scalar)type, band, way, own ? SLIMBAND_OWN : SLIMBAND_SHARED, lengths[length],
                       counts[count]);
        if (!check(&s, method, call)) {
            printf("  %s, band %d, way %d, own %d, call %d, n %d, %d systems\n", type_names[type], band, way,
                   own, call, (int)lengths[length], (int)counts[count]);
            ++failed;
        }
        ++*checked;
        discard(&s);
    }
    return failed;
}

int main(int argc, char **argv)
{
    static const char *const usual[] = {"lanes:isa=neon", "lanes:isa=portable"};
    int failed = 0, checked = 0, methods = argc > 1 ? argc - 1 : 2;
    for (int m = 0; m < methods; ++m)
        failed += check_method(argc > 1 ? argv[1 + m] : usual[m], &checked);
    printf("%d of %d problems solved\n", checked - failed, checked);
    return failed > 0;
}
