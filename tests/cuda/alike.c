/* Long lines of one Toeplitz matrix, pentadiagonal or wider, by partition's lines: where rows begin to be alike and cease to, around tiles
 * of them; matrices whose rows couple across all of them, that have to pivot, or can't be solved. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "slimband/residual.h"
#include "tests/cuda/device.h"

static const char method[] = "partition:form=lines";

enum { MOST_DIAGONALS = 9, TILE = 544 /* rows of one in f64 */, APPLIED_PLAIN = 0, TRANSPOSED, ADJOINT };

typedef enum kind { DOMINANT, SMOOTH, PIVOTED } kind; /* SMOOTH: as -1 2 -1, nothing fades */

typedef struct trial {
    slimband_scalar scalar;
    int64_t n, systems, first, last;
    int lower, upper, applied;
    kind kind;
    bool periodic, in_place, one_pass;
} trial;

static bool is_complex(const trial *t)
{
    return t->scalar == SLIMBAND_C64 || t->scalar == SLIMBAND_C128;
}

static bool is_single(const trial *t)
{
    return t->scalar == SLIMBAND_F32 || t->scalar == SLIMBAND_C64;
}

static int64_t parts(const trial *t)
{
    return is_complex(t) ? 2 : 1;
}

static int64_t bytes(const trial *t)
{
    return parts(t) * (is_single(t) ? 4 : 8);
}

/* Scalars whose real and imaginary parts stand one after another, of the trial's type. */
typedef struct line {
    char *memory;
    int64_t count;
} line;

static line line_of(const trial *t, int64_t count)
{
    line l = {malloc((size_t)(count * bytes(t))), count};
    assert_non_null(l.memory);
    return l;
}

static void set(const trial *t, line *l, int64_t part, double value)
{
    if (is_single(t))
        ((float *)(void *)l->memory)[part] = (float)value;
    else
        ((double *)(void *)l->memory)[part] = value;
}

static double get(const trial *t, const line *l, int64_t part)
{
    return is_single(t) ? ((const float *)(const void *)l->memory)[part]
                        : ((const double *)(const void *)l->memory)[part];
}

typedef struct arrays {
    line diagonal[MOST_DIAGONALS], b, x;
} arrays;

/* PIVOTED: main and nearest diagonals like 0.1 +- e^(i theta) - e^(-i theta), which is never 0. */
static double entry_of(const trial *t, int k, double random)
{
    switch (t->kind) {
    case DOMINANT:
        return k ? random : t->lower + t->upper + 1 + random;
    case SMOOTH:
        return k ? -1 : t->lower + t->upper;
    default:
        return k == 0 ? 0.1 : k == 1 ? 1 : k == -1 ? -1 : 0.01 * random;
    }
}

static arrays draw(const trial *t, uint64_t seed)
{
    arrays a;
    sb_random random = sb_random_seeded(seed);
    const int64_t rows = t->first + 1 + t->last, all = t->n * t->systems;
    for (int d = 0; d <= t->lower + t->upper; ++d) {
        a.diagonal[d] = line_of(t, rows);
        for (int64_t e = 0; e < rows * parts(t); ++e)
            set(t, &a.diagonal[d], e,
                e % parts(t) ? 0.3 * sb_random_signed(&random) * (t->kind == DOMINANT)
                             : entry_of(t, d - t->lower, sb_random_signed(&random)));
    }
    a.b = line_of(t, all);
    a.x = line_of(t, all);
    for (int64_t e = 0; e < all * parts(t); ++e)
        set(t, &a.b, e, sb_random_signed(&random));
    return a;
}

static void release(const trial *t, arrays *a)
{
    for (int d = 0; d <= t->lower + t->upper; ++d)
        free(a->diagonal[d].memory);
    free(a->b.memory);
    free(a->x.memory);
}

static slimband_problem problem_of(const trial *t, int lower, int upper)
{
    slimband_problem p = slimband_banded(t->scalar, t->n, lower, upper);
    p.ends = t->periodic ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    assert_int_equal(slimband_contiguous(&p, t->systems), SLIMBAND_OK);
    return p;
}

static void *put(const trial *t, const line *from)
{
    void *memory;
    const size_t size = (size_t)(from->count * bytes(t));
    assert_int_equal(cudaMalloc(&memory, size), cudaSuccess);
    assert_int_equal(cudaMemcpy(memory, from->memory, size, cudaMemcpyHostToDevice), cudaSuccess);
    return memory;
}

/* Twice, from the same right-hand sides: what a call leaves on the device is the next one's to find. */
static slimband_status solve_on_device(const trial *t, arrays *a, slimband_system_info *info)
{
    slimband_problem p = problem_of(t, t->lower, t->upper);
    p.coefficients = SLIMBAND_TOEPLITZ;
    p.toeplitz_first = t->first;
    p.toeplitz_last = t->last;
    p.one_pass = t->one_pass;
    const size_t size = (size_t)(a->b.count * bytes(t));
    const void *diagonals[MOST_DIAGONALS];
    void *memory[MOST_DIAGONALS], *b = put(t, &a->b), *x = t->in_place ? b : put(t, &a->b);
    for (int d = 0; d <= t->lower + t->upper; ++d)
        diagonals[d] = memory[d] = put(t, &a->diagonal[d]);
    slimband_plan *plan;
    slimband_status status = SLIMBAND_OK;
    assert_int_equal(slimband_plan_create(&plan, &p, slimband_cuda(0, NULL), method), SLIMBAND_OK);
    for (int round = 0; round < 2; ++round) {
        assert_int_equal(cudaMemcpy(b, a->b.memory, size, cudaMemcpyHostToDevice), cudaSuccess);
        if (t->one_pass)
            status = slimband_factor_solve(plan, diagonals, b, x);
        else {
            assert_int_equal(slimband_factor(plan, diagonals), SLIMBAND_OK);
            status = t->applied == ADJOINT      ? slimband_solve_adjoint(plan, b, x)
                     : t->applied == TRANSPOSED ? slimband_solve_transposed(plan, b, x)
                                                : slimband_solve(plan, b, x);
        }
        status = status ? status : slimband_cuda_wait(plan);
    }
    assert_int_equal(slimband_system_status(plan, t->systems - 1, info), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    assert_int_equal(cudaMemcpy(a->x.memory, x, size, cudaMemcpyDeviceToHost), cudaSuccess);
    for (int d = 0; d <= t->lower + t->upper; ++d)
        assert_int_equal(cudaFree(memory[d]), cudaSuccess);
    assert_int_equal(cudaFree(b), cudaSuccess);
    if (!t->in_place)
        assert_int_equal(cudaFree(x), cudaSuccess);
    return status;
}

/* Of what was solved, all of whose rows are written out as one shared matrix, transposed where that was asked for. */
static double error_of(const trial *t, const arrays *a)
{
    const bool turned = t->applied != APPLIED_PLAIN;
    slimband_problem p = problem_of(t, turned ? t->upper : t->lower, turned ? t->lower : t->upper);
    p.coefficients = SLIMBAND_SHARED;
    line full[MOST_DIAGONALS];
    const void *diagonals[MOST_DIAGONALS];
    for (int k = -p.lower; k <= p.upper; ++k) {
        line *to = &full[p.lower + k];
        const line *from = &a->diagonal[t->lower + (turned ? -k : k)];
        *to = line_of(t, t->n);
        diagonals[p.lower + k] = to->memory;
        for (int64_t i = 0; i < t->n; ++i) {
            int64_t row = (turned ? i + k + t->n : i) % t->n;
            row = row < t->first         ? row
                  : row < t->n - t->last ? t->first
                                         : t->first + 1 + row - (t->n - t->last);
            for (int64_t part = 0; part < parts(t); ++part)
                set(t, to, i * parts(t) + part,
                    get(t, from, row * parts(t) + part) * (part && t->applied == ADJOINT ? -1 : 1));
        }
    }
    slimband_backward_error error;
    assert_int_equal(slimband_residual(&p, diagonals, a->b.memory, a->x.memory, &error), SLIMBAND_OK);
    for (int d = 0; d <= p.lower + p.upper; ++d)
        free(full[d].memory);
    return error.normwise;
}

static void check(const trial *t, uint64_t seed)
{
    arrays a = draw(t, seed);
    slimband_system_info info;
    slimband_status status = solve_on_device(t, &a, &info);
    double error = error_of(t, &a), most = is_single(t) ? 3e-6 : 1e-14;
    if (status || !(error < most))
        fail_msg("%s: type %d, n %lld, %lld systems, %d + %d, rows of their own %lld and %lld, kind %d, "
                 "applied %d%s%s%s: "
                 "%g",
                 slimband_status_name(status), (int)t->scalar, (long long)t->n, (long long)t->systems, t->lower,
                 t->upper, (long long)t->first, (long long)t->last, (int)t->kind, t->applied,
                 t->periodic ? ", periodic" : "", t->in_place ? ", in place" : "",
                 t->one_pass ? ", one pass" : "", error);
    release(t, &a);
}

static void test_every_length_is_solved_to_rounding(void **state)
{
    (void)state;
    static const int64_t lengths[] = {8,
                                      17,
                                      TILE - 1,
                                      TILE,
                                      TILE + 1,
                                      2 * TILE,
                                      2 * TILE + 1,
                                      3 * TILE - 1,
                                      3 * TILE,
                                      3 * TILE + 1,
                                      3 * TILE + 2,
                                      3 * TILE + 3,
                                      4 * TILE + 2,
                                      7 * TILE + 1,
                                      20000,
                                      65537,
                                      262147};
    static const int bands[][2] = {{2, 2}, {2, 1}, {0, 2}, {1, 1}, {4, 4}, {1, 3}};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
        for (size_t w = 0; w < sizeof bands / sizeof *bands; ++w)
            for (int form = 0; form < 8; ++form) {
                trial t = {.scalar = (slimband_scalar)((k + w + (size_t)form) % 4),
                           .n = lengths[k],
                           .systems = form % 3 + 1,
                           .first = form & 1,
                           .last = form >> 1 & 1,
                           .lower = bands[w][0],
                           .upper = bands[w][1],
                           .applied = form & 4 ? (int)w % 3 : APPLIED_PLAIN,
                           .periodic = form & 2,
                           .in_place = w & 1,
                           .one_pass = !(form & 4)};
                check(&t, 100 * k + 10 * w + (uint64_t)form);
            }
}

/* Entries of its own up to a tile's rows and two more, and none. */
static void test_rows_of_their_own_may_reach_anywhere(void **state)
{
    (void)state;
    static const int64_t reach[] = {0,        1,    2,        3,        TILE - 3, TILE - 2,
                                    TILE - 1, TILE, TILE + 1, 3 * TILE, 6 * TILE};
    enum { REACHES = sizeof reach / sizeof *reach };
    for (int f = 0; f < REACHES; ++f)
        for (int l = 0; l < REACHES; ++l) {
            trial t = {.scalar = SLIMBAND_F64,
                       .n = 7 * TILE + (f + l) % 3,
                       .systems = 2,
                       .first = reach[f],
                       .last = reach[l],
                       .lower = f % 3 ? 2 : 4,
                       .upper = l % 3 ? 2 : 4,
                       .applied = (f + l) % 2,
                       .periodic = f % 2};
            if (t.first + t.last <= t.n)
                check(&t, (uint64_t)(50 * f + l));
        }
}

static void test_residuals_are_roundings_where_nothing_fades(void **state)
{
    (void)state;
    static const int64_t lengths[] = {TILE, 3000, 10000, 60000};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
        for (int form = 0; form < 16; ++form) {
            trial t = {.scalar = (slimband_scalar)(form % 4),
                       .n = lengths[k],
                       .systems = 2,
                       .lower = form & 4   ? 1
                                : form & 8 ? 3
                                           : 2,
                       .upper = form & 4 ? 1 : 2,
                       .kind = SMOOTH,
                       .one_pass = form % 3};
            check(&t, 99 + (uint64_t)form);
        }
}

/* The last ones have more strips than teams are launched at once for. */
static void test_matrices_that_have_to_pivot_are_solved_too(void **state)
{
    (void)state;
    for (int form = 0; form < 10; ++form) {
        trial t = {.scalar = (slimband_scalar)(form % 4),
                   .n = form < 8 ? 5000 + form : 3000001,
                   .systems = form < 8 ? 3 : 1,
                   .first = form & 1,
                   .lower = form % 3 ? 2 : 4,
                   .upper = 2,
                   .kind = PIVOTED,
                   .in_place = form & 4,
                   .one_pass = form & 4};
        check(&t, 7 + (uint64_t)form);
    }
}

static void test_a_matrix_of_zeros_is_told(void **state)
{
    (void)state;
    for (int form = 0; form < 4; ++form) {
        trial t = {.scalar = SLIMBAND_F64,
                   .n = 4096,
                   .systems = 2,
                   .lower = form & 2 ? 4 : 2,
                   .upper = 2,
                   .periodic = form & 1,
                   .one_pass = form & 1};
        arrays a = draw(&t, 3);
        for (int d = 0; d <= t.lower + t.upper; ++d)
            set(&t, &a.diagonal[d], 0, 0);
        slimband_system_info info;
        const slimband_status status = solve_on_device(&t, &a, &info);
        assert_int_equal(status, SLIMBAND_SINGULAR);
        assert_int_equal(info.status, SLIMBAND_SINGULAR);
        assert_true(isnan(get(&t, &a.x, 0)) && isnan(get(&t, &a.x, a.x.count - 1)));
        release(&t, &a);
    }
}

static void test_an_empty_batch_is_solved(void **state)
{
    (void)state;
    for (int form = 0; form < 4; ++form) {
        const int half = form & 2 ? 4 : 2;
        slimband_problem p = slimband_banded(SLIMBAND_F64, 5000, half, half);
        const void *diagonals[MOST_DIAGONALS];
        slimband_plan *plan;
        p.coefficients = SLIMBAND_TOEPLITZ;
        p.one_pass = form & 1;
        assert_int_equal(slimband_contiguous(&p, 0), SLIMBAND_OK);
        trial t = {.scalar = SLIMBAND_F64};
        for (int d = 0; d <= 2 * half; ++d) {
            line entry = line_of(&t, 1);
            set(&t, &entry, 0, d == half ? 9 : -1);
            diagonals[d] = put(&t, &entry);
            free(entry.memory);
        }
        assert_int_equal(slimband_plan_create(&plan, &p, slimband_cuda(0, NULL), method), SLIMBAND_OK);
        if (form & 1)
            assert_int_equal(slimband_factor_solve(plan, diagonals, NULL, NULL), SLIMBAND_OK);
        else {
            assert_int_equal(slimband_factor(plan, diagonals), SLIMBAND_OK);
            assert_int_equal(slimband_solve(plan, NULL, NULL), SLIMBAND_OK);
        }
        assert_int_equal(slimband_cuda_wait(plan), SLIMBAND_OK);
        slimband_plan_destroy(plan);
        for (int d = 0; d <= 2 * half; ++d)
            assert_int_equal(cudaFree((void *)(uintptr_t)diagonals[d]), cudaSuccess);
    }
}

/* NaN in a right-hand side is its own system's alone. */
static void test_a_right_hand_side_that_is_not_finite_spoils_its_own_system(void **state)
{
    (void)state;
    for (int half = 2; half <= 4; half += 2) {
        trial t = {
            .scalar = SLIMBAND_F64, .n = 9000, .systems = 3, .lower = half, .upper = half, .one_pass = true};
        arrays a = draw(&t, 3);
        set(&t, &a.b, t.n + 4321, NAN);
        slimband_system_info info;
        assert_int_equal(solve_on_device(&t, &a, &info), SLIMBAND_SOLUTION_NOT_FINITE);
        assert_int_equal(info.status, SLIMBAND_OK);
        assert_true(isfinite(get(&t, &a.x, 5)) && isnan(get(&t, &a.x, t.n + 5)) &&
                    isfinite(get(&t, &a.x, 2 * t.n + 5)));
        release(&t, &a);
    }
}

/* alike [FILTER]: only some of the tests, for tools that take their time. */
int main(int count, char **arguments)
{
    if (count > 1)
        cmocka_set_test_filter(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length_is_solved_to_rounding),
        cmocka_unit_test(test_rows_of_their_own_may_reach_anywhere),
        cmocka_unit_test(test_residuals_are_roundings_where_nothing_fades),
        cmocka_unit_test(test_matrices_that_have_to_pivot_are_solved_too),
        cmocka_unit_test(test_a_matrix_of_zeros_is_told),
        cmocka_unit_test(test_an_empty_batch_is_solved),
        cmocka_unit_test(test_a_right_hand_side_that_is_not_finite_spoils_its_own_system),
    };
    return device_missing() ? SKIPPED : cmocka_run_group_tests(tests, NULL, NULL);
}
