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
    bool interleaved, shared, single, ring;
    bool keep, transposed, checked; /* own matrices are factored before, not with every call */
    int refinements;
    slimband_pivoting pivoting;
} kernel;

/* What follows `width` are the members that are not 0. */
#define KERNEL(name_, method_, n_, systems_, width_, ...)                                                      \
    {                                                                                                          \
        .name = (name_), .method = (method_), .n = (n_), .systems = (systems_), .width = (width_), __VA_ARGS__ \
    }
/* Systems so short and few that how many go together does not depend on the caches that there are; as many as do not fill vectors; and so long that one vector does. */
#define BATCH(set, what, width, ...) KERNEL("lanes " set what, "lanes:isa=" set, 256, 32, width, __VA_ARGS__)
#define UNEVEN(set, what, ...) \
    KERNEL("lanes " set what, "lanes:isa=" set, 256, 37, 1, .interleaved = true, __VA_ARGS__)
#define LINES(set, what, width, ...) KERNEL("lanes " set what, "lanes:isa=" set, 16384, 8, width, __VA_ARGS__)
#define LONG_BY(vectors, method, set, what, width, ...) \
    KERNEL(method " " set what, method ":isa=" set ",vectors=" vectors, 32768, 1, width, __VA_ARGS__)
#define LONG(method, set, what, width, ...) LONG_BY("2", method, set, what, width, __VA_ARGS__)
#define NARROW(method, set, what, width, ...) LONG_BY("1", method, set, ", one vector" what, width, __VA_ARGS__)
#define PLAIN(name, method, width, ...) KERNEL(name, method, 4096, 1, width, __VA_ARGS__)

#define KEPT_LANES(set)                                                                                  \
    BATCH(set, ", own, factored", 1, .keep = true),                                                      \
        BATCH(set, ", ring, own, factored", 1, .ring = true, .keep = true),                              \
        BATCH(set, ", penta, ring, own, factored", 2, .ring = true, .keep = true),                       \
        BATCH(set, ", penta, ring, interleaved, own, factored", 2, .interleaved = true, .ring = true,    \
              .keep = true),                                                                             \
        BATCH(set, ", own, transposed", 1, .keep = true, .transposed = true),                            \
        BATCH(set, ", penta, ring, own, transposed", 2, .ring = true, .keep = true, .transposed = true), \
        BATCH(set, ", ring, shared, transposed", 1, .ring = true, .shared = true, .transposed = true),   \
        BATCH(set, ", own, checked", 1, .checked = true),                                                \
        BATCH(set, ", own, factored, checked", 1, .keep = true, .checked = true),                        \
        BATCH(set, ", own, factored, refined", 1, .keep = true, .refinements = 1)

#define LANES(set)                                                                                        \
    BATCH(set, ", contiguous, shared", 1, .shared = true),                                                \
        BATCH(set, ", contiguous, own", 1, .shared = false),                                              \
        BATCH(set, ", interleaved, shared", 1, .interleaved = true, .shared = true),                      \
        BATCH(set, ", interleaved, own", 1, .interleaved = true),                                         \
        UNEVEN(set, ", interleaved, 37, shared", .shared = true),                                         \
        UNEVEN(set, ", interleaved, 37, own", .shared = false),                                           \
        BATCH(set, ", penta, shared", 2, .shared = true), BATCH(set, ", penta, own", 2, .shared = false), \
        BATCH(set, ", 4 + 4, shared", 4, .shared = true), BATCH(set, ", 4 + 4, own", 4, .shared = false), \
        BATCH(set, ", f32, shared", 1, .shared = true, .single = true),                                   \
        LINES(set, ", one vector, own", 1, .shared = false),                                              \
        LINES(set, ", one vector, penta, own", 2, .shared = false),                                       \
        BATCH(set, ", ring, own", 1, .ring = true), KEPT_LANES(set),                                      \
        LONG("partition", set, "", 1, .shared = false),                                                   \
        LONG("partition", set, ", factored", 1, .shared = true),                                          \
        LONG("partition", set, ", penta", 2, .shared = false),                                            \
        LONG("partition", set, ", pivoting", 1, .pivoting = SLIMBAND_PIVOT_PARTIAL),                      \
        LONG("truncated", set, "", 1, .shared = false), LONG("truncated", set, ", penta", 2, .shared = false)

static const kernel kernels[] = {
    PLAIN("thomas", "thomas", 1, .shared = false),
    PLAIN("thomas, factored", "thomas", 1, .shared = true),
    PLAIN("twisted", "twisted", 1, .shared = false),
    PLAIN("twisted, factored", "twisted", 1, .shared = true),
    PLAIN("twisted, penta", "twisted", 2, .shared = false),
    PLAIN("twisted, penta, factored", "twisted", 2, .shared = true),
    PLAIN("lu, penta", "lu", 2, .shared = false),
    PLAIN("lu, penta, factored", "lu", 2, .shared = true),
    PLAIN("pivoted_lu", "pivoted_lu", 1, .shared = false),
    PLAIN("pivoted_lu, factored", "pivoted_lu", 1, .shared = true),
    PLAIN("pivoted_lu, penta", "pivoted_lu", 2, .shared = false),
    PLAIN("cr", "cr", 1, .shared = false),
    PLAIN("pcr_thomas, 2 steps", "pcr_thomas:switch=2", 1, .shared = false),
    LANES("avx2"),
    NARROW("partition", "avx2", "", 1, .shared = false),
    NARROW("partition", "avx2", ", factored", 1, .shared = true),
    NARROW("partition", "avx2", ", penta", 2, .shared = false),
    NARROW("truncated", "avx2", "", 1, .shared = false),
    NARROW("truncated", "avx2", ", penta", 2, .shared = false),
    LANES("portable"),
};

static slimband_scalar scalar_of(const kernel *k)
{
    return k->single ? SLIMBAND_F32 : SLIMBAND_F64;
}

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
    slimband_scalar scalar = scalar_of(k);
    size_t rows = (size_t)(k->n * k->systems), bytes = rows * sizeof(double);
    bool got = (a->b = malloc(bytes)) && (a->x = malloc(bytes));
    for (int d = 0; d <= 2 * k->width; ++d)
        got = (a->diagonals[d] = malloc(bytes)) && got;
    for (size_t i = 0; got && i < rows; ++i) {
        put(scalar, a->b, (int64_t)i, (double)(i % 7) - 3);
        for (int d = 0; d <= 2 * k->width; ++d)
            put(scalar, a->diagonals[d], (int64_t)i, d == k->width ? 4 * k->width : -1);
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

static bool keeps(const kernel *k)
{
    return k->shared || k->keep;
}

static slimband_problem problem_of(const kernel *k)
{
    slimband_problem p = slimband_banded(scalar_of(k), k->n, k->width, k->width);
    if (k->systems > 1)
        (k->interleaved ? slimband_interleaved : slimband_contiguous)(&p, k->systems);
    if (k->shared) {
        p.coefficients = SLIMBAND_SHARED;
        p.matrix = (slimband_layout){.line = 1};
    }
    p.one_pass = !keeps(k);
    p.check_finite = k->checked;
    p.refinements = k->refinements;
    p.pivoting = k->pivoting;
    p.ends = k->ring ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    return p;
}

static slimband_status call(const kernel *k, slimband_plan *plan, const arrays *a)
{
    if (k->transposed)
        return slimband_solve_transposed(plan, a->b, a->x);
    return keeps(k) ? slimband_solve(plan, a->b, a->x)
                    : slimband_factor_solve(plan, (const void *const *)a->diagonals, a->b, a->x);
}

static slimband_status count(const kernel *k, slimband_plan *plan, const arrays *a)
{
    enum { CALLS = 2 };
    slimband_status status = keeps(k) ? slimband_factor(plan, (const void *const *)a->diagonals) : SLIMBAND_OK;
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
