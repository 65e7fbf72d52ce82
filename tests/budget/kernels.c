/* Runs every kernel under callgrind, which counts the instructions of a few calls of each. Says "NAME ROWS" for each
 * that was counted, "NAME skipped: WHY" for the others; the counts are callgrind's, dumped in the same order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <valgrind/callgrind.h>

#include "slimband/slimband.h"

typedef struct kernel {
    const char *name, *method;
    int64_t n, systems;
    int width;
    bool interleaved, shared;
    slimband_scalar scalar;
    bool ring;
} kernel;

#define LANES(set)                                                                                             \
    {"lanes " set ", contiguous, shared", "lanes:isa=" set, 512, 32, 1, false, true, SLIMBAND_F64, false},     \
        {"lanes " set ", contiguous, own", "lanes:isa=" set, 512, 32, 1, false, false, SLIMBAND_F64, false},   \
        {"lanes " set ", interleaved, shared", "lanes:isa=" set, 512, 32, 1, true, true, SLIMBAND_F64, false}, \
        {"lanes " set ", interleaved, own", "lanes:isa=" set, 512, 32, 1, true, false, SLIMBAND_F64, false},   \
        {"lanes " set ", penta, shared", "lanes:isa=" set, 512, 32, 2, false, true, SLIMBAND_F64, false},      \
        {"lanes " set ", penta, own", "lanes:isa=" set, 512, 32, 2, false, false, SLIMBAND_F64, false},        \
        {"lanes " set ", f32, shared", "lanes:isa=" set, 512, 32, 1, false, true, SLIMBAND_F32, false},        \
        {"lanes " set ", ring, own", "lanes:isa=" set, 512, 32, 1, false, false, SLIMBAND_F64, true},          \
        {"partition " set, "partition:isa=" set, 32768, 1, 1, false, false, SLIMBAND_F64, false},              \
        {"partition " set ", factored", "partition:isa=" set, 32768, 1, 1, false, true, SLIMBAND_F64, false},  \
        {"partition " set ", penta", "partition:isa=" set, 32768, 1, 2, false, false, SLIMBAND_F64, false},    \
        {"truncated " set, "truncated:isa=" set, 32768, 1, 1, false, false, SLIMBAND_F64, false},              \
    {                                                                                                          \
        "truncated " set ", penta", "truncated:isa=" set, 32768, 1, 2, false, false, SLIMBAND_F64, false       \
    }

static const kernel kernels[] = {
    {"thomas", "thomas", 4096, 1, 1, false, false, SLIMBAND_F64, false},
    {"thomas, factored", "thomas", 4096, 1, 1, false, true, SLIMBAND_F64, false},
    {"lu, penta", "lu", 4096, 1, 2, false, false, SLIMBAND_F64, false},
    {"lu, penta, factored", "lu", 4096, 1, 2, false, true, SLIMBAND_F64, false},
    {"pivoted_lu", "pivoted_lu", 4096, 1, 1, false, false, SLIMBAND_F64, false},
    {"pivoted_lu, factored", "pivoted_lu", 4096, 1, 1, false, true, SLIMBAND_F64, false},
    {"pivoted_lu, penta", "pivoted_lu", 4096, 1, 2, false, false, SLIMBAND_F64, false},
    {"cr", "cr", 4096, 1, 1, false, false, SLIMBAND_F64, false},
    {"pcr_thomas, 2 steps", "pcr_thomas:switch=2", 4096, 1, 1, false, false, SLIMBAND_F64, false},
    LANES("avx2"),
    LANES("portable"),
};

typedef struct arrays {
    void *diagonals[SLIMBAND_MAX_DIAGONALS], *b, *x;
} arrays;

static void put(slimband_scalar scalar, void *array, int64_t i, double value)
{
    if (scalar == SLIMBAND_F32)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

/* Off-diagonal entries are -1, dominance is 2: no couplings survive far, nothing pivots. */
static bool fill(const kernel *k, arrays *a)
{
    size_t rows = (size_t)(k->n * k->systems), bytes = rows * sizeof(double);
    bool got = (a->b = malloc(bytes)) && (a->x = malloc(bytes));
    for (int d = 0; d <= 2 * k->width; ++d)
        got = (a->diagonals[d] = malloc(bytes)) && got;
    for (size_t i = 0; got && i < rows; ++i) {
        put(k->scalar, a->b, (int64_t)i, (double)(i % 7) - 3);
        for (int d = 0; d <= 2 * k->width; ++d)
            put(k->scalar, a->diagonals[d], (int64_t)i, d == k->width ? 4 * k->width : -1);
    }
    return got;
}

static void release(const kernel *k, arrays *a)
{
    for (int d = 0; d <= 2 * k->width; ++d)
        free(a->diagonals[d]);
    free(a->b);
    free(a->x);
}

static slimband_problem problem_of(const kernel *k)
{
    slimband_problem p = slimband_banded(k->scalar, k->n, k->width, k->width);
    if (k->systems > 1)
        (k->interleaved ? slimband_interleaved : slimband_contiguous)(&p, k->systems);
    if (k->shared) {
        p.coefficients = SLIMBAND_SHARED;
        p.matrix = (slimband_layout){.line = 1};
    }
    p.one_pass = !k->shared;
    p.ends = k->ring ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    return p;
}

static slimband_status call(const kernel *k, slimband_plan *plan, const arrays *a)
{
    return k->shared ? slimband_solve(plan, a->b, a->x)
                     : slimband_factor_solve(plan, (const void *const *)a->diagonals, a->b, a->x);
}

static slimband_status count(const kernel *k, slimband_plan *plan, const arrays *a)
{
    enum { CALLS = 2 };
    slimband_status status = k->shared ? slimband_factor(plan, (const void *const *)a->diagonals) : SLIMBAND_OK;
    status = status ? status : call(k, plan, a);
    CALLGRIND_ZERO_STATS;
    for (int i = 0; i < CALLS && !status; ++i)
        status = call(k, plan, a);
    CALLGRIND_DUMP_STATS_AT(k->name);
    if (!status)
        printf("%s: %lld\n", k->name, (long long)(CALLS * k->n * k->systems));
    return status;
}

int main(void)
{
    int failed = 0;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; ++i) {
        const kernel *k = &kernels[i];
        slimband_problem p = problem_of(k);
        slimband_plan *plan;
        arrays a;
        slimband_status status = slimband_plan_create(&plan, &p, slimband_cpu(1), k->method);
        if (status) {
            printf("%s skipped: %s\n", k->name, slimband_status_string(status));
            continue;
        }
        status = fill(k, &a) ? count(k, plan, &a) : SLIMBAND_OUT_OF_MEMORY;
        if (status) {
            fprintf(stderr, "%s: %s\n", k->name, slimband_status_string(status));
            ++failed;
        }
        release(k, &a);
        slimband_plan_destroy(plan);
    }
    return failed > 0;
}
