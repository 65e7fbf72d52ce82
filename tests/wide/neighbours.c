/* Rows of any number of neighbours, in a field that has gaps behind its rows: systems have the bits that they have in rows of whole vectors,
 * in place too, and gaps are neither read nor written; and of neighbours, one that needs pivots or has none leaves the others theirs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "src/cpu/workspace.h"
#include "tests/scalar.h"
#include "tests/wide/sets.h"

static set sets[MOST_SETS];
static int set_count;

enum { N = 13, PLANES = 3, GAP = 5, MOST_WIDTH = 2 * SB_USUAL_MOST + 1 };

/* A field of PLANES x N x row, rows `step` apart; system s of plane p is the same one in each field. */
typedef struct field {
    slimband_problem problem;
    int64_t row, step, total;
    T *memory, *diagonal[MOST_WIDTH], *b, *x;
} field;

static int64_t element(const field *f, int64_t plane, int64_t i, int64_t s)
{
    return (plane * N + i) * f->step + s;
}

static T entry(int array, int64_t plane, int64_t i, int64_t s)
{
    sb_random random = sb_random_seeded((uint64_t)(((array * PLANES + plane) * N + i) * 4096 + s));
    return (T)sb_random_signed(&random);
}

static field make(int band, slimband_coefficients coefficients, int64_t row, int64_t gap)
{
    field f = {.problem = slimband_banded(scalar, N, band, band), .row = row, .step = row + gap};
    const bool shared = coefficients == SLIMBAND_SHARED;
    slimband_problem *p = &f.problem;
    p->coefficients = coefficients;
    p->batch_rank = 2;
    p->batch[0] = PLANES;
    p->batch[1] = row;
    p->rhs = p->solution = (slimband_layout){.line = f.step, .batch = {N * f.step, 1}};
    p->matrix = shared ? (slimband_layout){.line = 1} : p->rhs;
    f.total = PLANES * N * f.step;
    f.memory = malloc((size_t)f.total * (MOST_WIDTH + 2) * sizeof(T));
    assert_non_null(f.memory);
    for (int64_t e = 0; e < f.total * (MOST_WIDTH + 2); ++e)
        f.memory[e] = (T)NAN;
    for (int d = 0; d <= 2 * band; ++d) {
        f.diagonal[d] = f.memory + d * f.total;
        for (int64_t i = 0; i < N; ++i) {
            const T own = d == band ? (T)(3 * band) : (T)0;
            if (shared)
                f.diagonal[d][i] = own + entry(d, 0, i, 0);
            for (int64_t e = 0; !shared && e < PLANES * row; ++e)
                f.diagonal[d][element(&f, e / row, i, e % row)] = own + entry(d, e / row, i, e % row);
        }
    }
    f.b = f.memory + MOST_WIDTH * f.total;
    f.x = f.b + f.total;
    for (int64_t i = 0; i < N; ++i)
        for (int64_t e = 0; e < PLANES * row; ++e)
            f.b[element(&f, e / row, i, e % row)] = entry(MOST_WIDTH, e / row, i, e % row);
    return f;
}

static slimband_status solve(field *f, const char *method, bool in_place)
{
    slimband_plan *plan = NULL;
    const void *diagonals[MOST_WIDTH];
    for (int d = 0; d < MOST_WIDTH; ++d)
        diagonals[d] = f->diagonal[d];
    f->problem.one_pass = f->problem.coefficients == SLIMBAND_OWN;
    if (in_place)
        memcpy(f->x, f->b, (size_t)f->total * sizeof(T));
    assert_int_equal(slimband_plan_create(&plan, &f->problem, slimband_cpu(1), method), SLIMBAND_OK);
    slimband_status status = slimband_factor_solve(plan, diagonals, in_place ? f->x : f->b, f->x);
    slimband_plan_destroy(plan);
    return status;
}

static void assert_same(const field *f, const field *whole, int64_t plane, int64_t s)
{
    for (int64_t i = 0; i < N; ++i)
        assert_memory_equal(&f->x[element(f, plane, i, s)], &whole->x[element(whole, plane, i, s)], sizeof(T));
}

static void assert_gaps_are_as_before(const field *f)
{
    for (int64_t r = 0; r < PLANES * N; ++r)
        for (int64_t s = f->row; s < f->step; ++s)
            assert_false(sb_finite(f->x[r * f->step + s]));
}

/* Around whole vectors, few and many. */
static const int vectors[] = {1, 2, 3, 4, 6, 17}, beside[] = {-1, 0, 1, 3};

enum { ABOUT = sizeof vectors / sizeof *vectors, BESIDE = sizeof beside / sizeof *beside };

static int64_t neighbours(const set *with, int number)
{
    const int64_t count = vectors[number / BESIDE] * with->wide->width + beside[number % BESIDE];
    return count < 1 ? 1 : count;
}

static void over_rows(void (*check)(const set *with, int band, slimband_coefficients of, int64_t row,
                                    bool in_place))
{
    for (int k = 0; k < set_count; ++k)
        for (int number = 0; number < ABOUT * BESIDE; ++number)
            for (int band = 1; band <= SB_USUAL_MOST; ++band)
                for (int way = 0; way < 4; ++way)
                    check(&sets[k], band, way & 1 ? SLIMBAND_SHARED : SLIMBAND_OWN,
                          neighbours(&sets[k], number), way & 2);
}

static void check_bits(const set *with, int band, slimband_coefficients of, int64_t row, bool in_place)
{
    const int64_t width = with->wide->width;
    field f = make(band, of, row, GAP), whole = make(band, of, (row + width - 1) / width * width, 0);
    assert_int_equal(solve(&f, with->method, in_place), SLIMBAND_OK);
    assert_int_equal(solve(&whole, with->method, false), SLIMBAND_OK);
    for (int64_t e = 0; e < PLANES * row; ++e)
        assert_same(&f, &whole, e / row, e % row);
    assert_gaps_are_as_before(&f);
    free(f.memory);
    free(whole.memory);
}

static void test_rows_of_any_number_of_neighbours(void **state)
{
    (void)state;
    over_rows(check_bits);
}

/* Of plane 1: a system at the end of its row that needs pivots, one in front of it that is singular. */
static void check_neighbours(const set *with, int band, slimband_coefficients of, int64_t row, bool in_place)
{
    if (of == SLIMBAND_SHARED || row < 3)
        return;
    field good = make(band, of, row, GAP), f = make(band, of, row, GAP);
    f.diagonal[band][element(&f, 1, 0, row - 1)] = 0;
    for (int d = 0; d <= 2 * band; ++d)
        f.diagonal[d][element(&f, 1, N / 2, row - 2)] = 0;
    assert_int_equal(solve(&good, with->method, in_place), SLIMBAND_OK);
    assert_int_equal(solve(&f, with->method, in_place), SLIMBAND_SINGULAR);
    for (int64_t e = 0; e < PLANES * row; ++e) {
        const int64_t plane = e / row, s = e % row;
        if (plane != 1 || s < row - 2)
            assert_same(&f, &good, plane, s);
        for (int64_t i = 0; i < N; ++i)
            assert_int_equal(sb_finite(f.x[element(&f, plane, i, s)]), plane != 1 || s != row - 2);
    }
    assert_gaps_are_as_before(&f);
    free(good.memory);
    free(f.memory);
}

static void test_neighbours_of_systems_that_are_left_out(void **state)
{
    (void)state;
    over_rows(check_neighbours);
}

static const sb_wide *kernels_of(const slimband_problem *p, const char *method)
{
    slimband_plan *plan;
    assert_int_equal(slimband_plan_create(&plan, p, slimband_cpu(1), method), SLIMBAND_OK);
    const sb_wide *kernels = ((const sb_cpu *)plan->state)->wide.kernels;
    slimband_plan_destroy(plan);
    return kernels;
}

/* Of the widest vectors that so many systems fill, the last set's apart, or narrower ones that their rows fill. */
static const set *for_rows(int64_t row, int64_t systems)
{
    const int gathers = set_count == 3 && systems < sets[0].wide->width;
    const int least = systems < sets[gathers].wide->width ? 2 : 4;
    for (int k = gathers; k < set_count; ++k)
        if (sets[k].wide->width <= row && (k == gathers || sets[k].wide->width >= least))
            return &sets[k];
    return &sets[gathers];
}

static void test_rows_that_fill_narrower_vectors_only_go_by_those(void **state)
{
    (void)state;
    for (int64_t row = 1; row <= sets[0].wide->width; ++row) {
        const set *with = for_rows(row, PLANES * row);
        field f = make(1, SLIMBAND_OWN, row, GAP), named = make(1, SLIMBAND_OWN, row, GAP);
        assert_ptr_equal(kernels_of(&f.problem, "lanes"), with->wide);
        assert_ptr_equal(kernels_of(&f.problem, sets[0].method), sets[0].wide);
        assert_int_equal(solve(&f, "lanes", false), SLIMBAND_OK);
        assert_int_equal(solve(&named, with->method, false), SLIMBAND_OK);
        for (int64_t e = 0; e < PLANES * row; ++e)
            assert_same(&f, &named, e / row, e % row);
        free(f.memory);
        free(named.memory);
    }
}

/* No more systems could be gathered. */
static void test_two_are_enough_where_there_are_no_other_rows(void **state)
{
    (void)state;
    for (int64_t row = 2; row < sets[0].wide->width; ++row) {
        slimband_problem p = slimband_tridiagonal(scalar, 1000);
        assert_int_equal(slimband_interleaved(&p, row), SLIMBAND_OK);
        assert_ptr_equal(kernels_of(&p, "lanes"), for_rows(row, row)->wide);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_are_enough_where_there_are_no_other_rows),
        cmocka_unit_test(test_rows_that_fill_narrower_vectors_only_go_by_those),
        cmocka_unit_test(test_rows_of_any_number_of_neighbours),
        cmocka_unit_test(test_neighbours_of_systems_that_are_left_out),
    };
    set_count = sets_here(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
