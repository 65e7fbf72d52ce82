/* Systems that differ by a shift, on the CPU: at every shape that has an end, a group or a gap of its own, against the equations
 * and LAPACK. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "slimband/slimband.h"
#include "tests/shifted/family.h"

void dgtsv_(const int *n, const int *nrhs, double *dl, double *d, double *du, double *b, const int *ldb,
            int *info);

static void solve(const family *f, int threads, void *x)
{
    slimband_shifted *systems;
    slimband_status status = slimband_shifted_create(&systems, &f->problem, slimband_cpu(threads));
    if (!status)
        status = slimband_shifted_solve(systems, x);
    if (status)
        fail_msg("seed %llu: %s", (unsigned long long)f->seed, slimband_status_name(status));
    slimband_shifted_destroy(systems);
}

/* Once with one thread, once with three. */
static void try_family(family_kind kind, slimband_scalar scalar, const int64_t extents[4], bool singular,
                       uint64_t seed)
{
    family f = family_draw(kind, scalar, extents, singular, seed);
    void *x = family_copy(&f), *again = family_copy(&f);
    solve(&f, 1, x);
    solve(&f, 3, again);
    assert_memory_equal(x, again, family_bytes(&f));
    double error = family_error(&f, x);
    if (!(error < 8))
        fail_msg("kind %d, %s, %lld x %lld x %lld x %lld, singular %lld, seed %llu: %.1f roundings", (int)kind,
                 scalar == SLIMBAND_F32 ? "f32" : "f64", (long long)extents[0], (long long)extents[1],
                 (long long)extents[2], (long long)extents[3], (long long)f.problem.singular,
                 (unsigned long long)seed, error);
    if (f.problem.singular >= 0 && extents[0] > 0)
        assert_true(family_zeros(&f, x) >= 1);
    free(x);
    free(again);
    family_free(&f);
}

static void test_every_shape_and_any_number_of_threads(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 2, 3, 4, 17, 100},
                         shapes[][3] = {{1, 1, 1},   {2, 1, 7},  {1, 1, 63},  {1, 1, 64}, {3, 1, 65},
                                        {1, 1, 300}, {2, 3, 64}, {1, 2, 192}, {2, 5, 63}, {1, 3, 65},
                                        {1, 9, 40},  {2, 1, 1},  {1, 64, 1},  {2, 65, 1}, {1, 130, 1},
                                        {1, 70, 3},  {2, 0, 5},  {1, 4, 0},   {0, 2, 64}};
    uint64_t seed = 1;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
            for (int kind = 0; kind < FAMILY_KINDS; ++kind, ++seed) {
                const int64_t *shape = shapes[s], extents[] = {shape[0], shape[1], lengths[k], shape[2]};
                try_family((family_kind)kind, seed % 2 ? SLIMBAND_F32 : SLIMBAND_F64, extents, false, seed);
            }
}

static void test_one_singular_system_has_a_solution_with_a_zero(void **state)
{
    (void)state;
    static const int64_t shapes[][4] = {{1, 1, 1, 1},   {1, 1, 2, 65},  {2, 1, 3, 130}, {3, 2, 33, 64},
                                        {2, 70, 20, 1}, {1, 5, 48, 30}, {2, 3, 129, 7}};
    static const family_kind kinds[] = {FAMILY_EVEN, FAMILY_VARYING, FAMILY_NEGATIVE};
    uint64_t seed = 1001;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
        for (int k = 0; k < 12; ++k, ++seed)
            try_family(kinds[k % 3], k / 3 % 2 ? SLIMBAND_F32 : SLIMBAND_F64, shapes[s], true, seed);
}

/* Parts of several groups, and lines that do not fit a cache. */
static void test_wide_and_long_fields(void **state)
{
    (void)state;
    try_family(FAMILY_EVEN, SLIMBAND_F64, (const int64_t[]){1, 1, 24, 5000}, false, 2001);
    try_family(FAMILY_VARYING, SLIMBAND_F32, (const int64_t[]){2, 1, 31, 4100}, true, 2002);
    try_family(FAMILY_VARYING, SLIMBAND_F64, (const int64_t[]){1, 1, 3000, 66}, false, 2003);
    try_family(FAMILY_EVEN, SLIMBAND_F64, (const int64_t[]){1, 66, 3000, 1}, false, 2004);
}

static void test_solutions_are_lapacks(void **state)
{
    (void)state;
    const int64_t extents[] = {1, 1, 50, 70};
    family f = family_draw(FAMILY_VARYING, SLIMBAND_F64, extents, false, 3001);
    double *x = family_copy(&f), lower[50], diagonal[50], upper[50], b[50];
    solve(&f, 2, x);
    for (int64_t s = 0; s < 70; ++s) {
        for (int64_t i = 0; i < 50; ++i) {
            lower[i] = i < 49 ? f.lower[i + 1] : 0;
            diagonal[i] = f.diagonal[i] + f.shift[s];
            upper[i] = f.upper[i];
            b[i] = ((const double *)f.b)[i * 70 + s];
        }
        int n = 50, one = 1, info;
        dgtsv_(&n, &one, lower, diagonal, upper, b, &n, &info);
        assert_int_equal(info, 0);
        double largest = 0;
        for (int64_t i = 0; i < 50; ++i)
            largest = fmax(largest, fabs(b[i]));
        for (int64_t i = 0; i < 50; ++i)
            assert_true(fabs(x[i * 70 + s] - b[i]) <= 1e-10 * largest);
    }
    free(x);
    family_free(&f);
}

/* What a report says is what rows.h says: few words, and tables that end where pivots have converged. */
static void test_reports(void **state)
{
    (void)state;
    family f = family_draw(FAMILY_EVEN, SLIMBAND_F64, (const int64_t[]){1, 1, 100, 64}, false, 4001),
           g = family_draw(FAMILY_VARYING, SLIMBAND_F64, (const int64_t[]){1, 1, 5000, 64}, false, 4002);
    slimband_shifted *systems;
    slimband_shifted_report report;
    assert_int_equal(slimband_shifted_create(&systems, &f.problem, slimband_cpu(1)), SLIMBAND_OK);
    assert_int_equal(slimband_shifted_describe(systems, &report), SLIMBAND_OK);
    assert_string_equal(report.method, "pivots");
    assert_true(report.words_per_row == 2);
    assert_true(report.bytes > 3 * 100 * sizeof(double) && report.bytes < 100 * 70 * sizeof(double));
    slimband_shifted_destroy(systems);
    assert_int_equal(slimband_shifted_create(&systems, &g.problem, slimband_cpu(1)), SLIMBAND_OK);
    assert_int_equal(slimband_shifted_describe(systems, &report), SLIMBAND_OK);
    assert_true(report.words_per_row == 4);
    assert_true(report.bytes > 5000 * 64 * sizeof(double)); /* rows differ: all pivots are kept */
    slimband_shifted_destroy(systems);
    assert_int_equal(slimband_shifted_describe(NULL, &report), SLIMBAND_NULL_ARGUMENT);
    family_free(&f);
    family_free(&g);
}

static void refuse(const slimband_shifted_problem *p, slimband_executor executor, slimband_status expected)
{
    slimband_shifted *systems = (slimband_shifted *)(uintptr_t)p;
    assert_int_equal(slimband_shifted_create(&systems, p, executor), expected);
    assert_null(systems);
}

static void test_what_cannot_be_is_refused(void **state)
{
    (void)state;
    family f = family_draw(FAMILY_VARYING, SLIMBAND_F64, (const int64_t[]){2, 3, 9, 5}, false, 5001);
    const slimband_shifted_problem good = f.problem;
    slimband_executor cpu = slimband_cpu(1);
    assert_int_equal(slimband_shifted_create(NULL, &good, cpu), SLIMBAND_NULL_ARGUMENT);
    refuse(NULL, cpu, SLIMBAND_NULL_ARGUMENT);
    refuse(&good, slimband_cpu(-1), SLIMBAND_BAD_THREADS);
    refuse(&good, (slimband_executor){.threads = 1}, SLIMBAND_BAD_EXECUTOR);
    refuse(&good, (slimband_executor){.place = SLIMBAND_ON_MPI}, SLIMBAND_NOT_BUILT_IN);
#define REFUSE(field, value, status)         \
    do {                                     \
        slimband_shifted_problem bad = good; \
        bad.field = value;                   \
        refuse(&bad, cpu, status);           \
    } while (0)
    REFUSE(scalar, SLIMBAND_C64, SLIMBAND_BAD_SCALAR);
    REFUSE(n, 0, SLIMBAND_BAD_N);
    REFUSE(fields, -1, SLIMBAND_BAD_BATCH);
    REFUSE(before, -1, SLIMBAND_BAD_BATCH);
    REFUSE(after, -1, SLIMBAND_BAD_BATCH);
    REFUSE(after, INT64_MAX / 16, SLIMBAND_TOO_LARGE);
    REFUSE(singular, 15, SLIMBAND_BAD_SYSTEM);
    REFUSE(singular, -2, SLIMBAND_BAD_SYSTEM);
    REFUSE(lower, NULL, SLIMBAND_NULL_ARGUMENT);
    REFUSE(diagonal, NULL, SLIMBAND_NULL_ARGUMENT);
    REFUSE(upper, NULL, SLIMBAND_NULL_ARGUMENT);
    REFUSE(shift, NULL, SLIMBAND_NULL_ARGUMENT);
    f.shift[7] = -3;
    refuse(&good, cpu, SLIMBAND_BREAKDOWN);
    f.shift[7] = NAN;
    refuse(&good, cpu, SLIMBAND_BREAKDOWN);
    family_free(&f);
}

/* Poisson's Neumann walls; Dirichlet's at one end; couplings whose signs leave no null vector; rows that nothing leaves. */
static void test_singular_systems_are_found_where_they_are_not_named(void **state)
{
    (void)state;
    double lower[] = {NAN, -1, -1, -2}, diagonal[] = {2, 2, 2, 2}, upper[] = {-2, -1, -1, NAN},
           shift[] = {1, 0};
    slimband_shifted_problem p = {SLIMBAND_F64, 1,        1,     4,     2,
                                  lower,        diagonal, upper, shift, SLIMBAND_NONE_SINGULAR};
    slimband_executor cpu = slimband_cpu(1);
    slimband_shifted *systems;
    refuse(&p, cpu, SLIMBAND_BREAKDOWN);
    p.singular = 0; /* not that one */
    refuse(&p, cpu, SLIMBAND_BREAKDOWN);
    p.singular = 1;
    assert_int_equal(slimband_shifted_create(&systems, &p, cpu), SLIMBAND_OK);
    slimband_shifted_destroy(systems);
    upper[1] = 1; /* rows 1 and 2 contradict each other: regular, and solved as such */
    assert_int_equal(slimband_shifted_create(&systems, &p, cpu), SLIMBAND_OK);
    double x[8] = {0, 1, 0, 2, 0, 3, 0, 4}; /* system 1: A x = (1, 2, 3, 4) */
    assert_int_equal(slimband_shifted_solve(systems, x), SLIMBAND_OK);
    for (int i = 0; i < 4; ++i) {
        double r = 2 * x[2 * i + 1] + (i ? lower[i] * x[2 * i - 1] : 0) + (i < 3 ? upper[i] * x[2 * i + 3] : 0);
        assert_true(fabs(r - (i + 1)) < 1e-14 * 100);
    }
    slimband_shifted_destroy(systems);
    upper[1] = 0;
    diagonal[1] = 1; /* nothing leaves rows 0 and 1 */
    refuse(&p, cpu, SLIMBAND_BREAKDOWN);
    p.singular = SLIMBAND_NONE_SINGULAR;
    diagonal[1] = 1.5;
    assert_int_equal(slimband_shifted_create(&systems, &p, cpu), SLIMBAND_OK);
    slimband_shifted_destroy(systems);
}

static void test_nothing_to_solve_needs_no_fields(void **state)
{
    (void)state;
    const double one[] = {1};
    slimband_shifted_problem p = {SLIMBAND_F32, 1, 0, 1, 3, one, one, one, NULL, SLIMBAND_NONE_SINGULAR};
    slimband_shifted *systems;
    assert_int_equal(slimband_shifted_create(&systems, &p, slimband_cpu(0)), SLIMBAND_OK);
    assert_int_equal(slimband_shifted_solve(systems, NULL), SLIMBAND_OK);
    assert_int_equal(slimband_shifted_solve(NULL, NULL), SLIMBAND_NULL_ARGUMENT);
    slimband_shifted_destroy(systems);
    p.before = 1;
    p.after = 1;
    p.shift = one;
    assert_int_equal(slimband_shifted_create(&systems, &p, slimband_cpu(0)), SLIMBAND_OK);
    assert_int_equal(slimband_shifted_solve(systems, NULL), SLIMBAND_NULL_ARGUMENT);
    float u = 3;
    assert_int_equal(slimband_shifted_solve(systems, &u), SLIMBAND_OK);
    assert_true(u == 1.5F);
    slimband_shifted_destroy(systems);
    slimband_shifted_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape_and_any_number_of_threads),
        cmocka_unit_test(test_one_singular_system_has_a_solution_with_a_zero),
        cmocka_unit_test(test_wide_and_long_fields),
        cmocka_unit_test(test_solutions_are_lapacks),
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_singular_systems_are_found_where_they_are_not_named),
        cmocka_unit_test(test_nothing_to_solve_needs_no_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
