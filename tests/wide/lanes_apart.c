/* What goes wrong in one lane stays there: systems that are singular, that need pivoting or whose right-hand side
 * is no number, amid good ones. The good ones come out with the bits that they have among good ones only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/scalar.h"
#include "tests/wide/sets.h"

static set sets[MOST_SETS];
static int set_count;

enum { N = 37, MOST_DIAGONALS = 9 };

/* Own matrices, dominant; element i of system s at i * line + s * between. */
typedef struct batch {
    slimband_problem problem;
    int64_t systems, total;
    T *memory, *diagonal[MOST_DIAGONALS], *b, *x;
} batch;

static batch make(int band, int64_t systems, bool side_by_side)
{
    batch s = {.problem = slimband_banded(scalar, N, band, band), .systems = systems, .total = N * systems};
    assert_int_equal((side_by_side ? slimband_interleaved : slimband_contiguous)(&s.problem, systems),
                     SLIMBAND_OK);
    s.memory = malloc((size_t)(s.total * (2 * band + 3)) * sizeof(T));
    assert_non_null(s.memory);
    sb_random random = sb_random_seeded(99);
    for (int d = 0; d <= 2 * band; ++d) {
        s.diagonal[d] = s.memory + d * s.total;
        for (int64_t e = 0; e < s.total; ++e)
            s.diagonal[d][e] = (T)(d == band ? 4 * band + 1 : sb_random_signed(&random));
    }
    s.b = s.memory + (2 * band + 1) * s.total;
    s.x = s.b + s.total;
    for (int64_t e = 0; e < s.total; ++e)
        s.b[e] = (T)sb_random_signed(&random);
    return s;
}

static int64_t element(const batch *s, int64_t system, int64_t i)
{
    return i * s->problem.solution.line + system * s->problem.solution.batch[0];
}

static void make_singular(const batch *s, int64_t system)
{
    for (int d = 0; d <= 2 * s->problem.lower; ++d)
        s->diagonal[d][element(s, system, N / 2)] = 0;
}

/* A zero at the top left; regular all the same. */
static void make_pivoted(const batch *s, int64_t system)
{
    s->diagonal[s->problem.lower][element(s, system, 0)] = 0;
    s->diagonal[s->problem.lower + 1][element(s, system, 0)] = 1;
    s->diagonal[s->problem.lower - 1][element(s, system, 1)] = 1;
}

/* In place or not, with factors that are kept or not, and if they are, transposed or not; x holds the solutions. */
enum { IN_PLACE = 1, KEPT = 2, TRANSPOSED = 4, WAYS = 8 };

static bool is_a_way(int way)
{
    return !(way & TRANSPOSED) || way & KEPT;
}

static slimband_status solve_kept(const batch *s, int way, slimband_plan *plan)
{
    const T *b = way & IN_PLACE ? s->x : s->b;
    memcpy(s->x, s->b, (size_t)s->total * sizeof(T));
    return (way & TRANSPOSED ? slimband_solve_transposed : slimband_solve)(plan, b, s->x);
}

static slimband_status solve(const batch *s, const char *method, int way, slimband_plan **plan)
{
    const void *diagonals[MOST_DIAGONALS];
    for (int d = 0; d <= 2 * s->problem.lower; ++d)
        diagonals[d] = s->diagonal[d];
    memcpy(s->x, s->b, (size_t)s->total * sizeof(T));
    assert_int_equal(slimband_plan_create(plan, &s->problem, slimband_cpu(1), method), SLIMBAND_OK);
    if (!(way & KEPT))
        return slimband_factor_solve(*plan, diagonals, way & IN_PLACE ? s->x : s->b, s->x);
    slimband_factor(*plan, diagonals);
    return solve_kept(s, way, *plan);
}

static slimband_system_info info_of(const slimband_plan *plan, int64_t system)
{
    slimband_system_info info;
    assert_int_equal(slimband_system_status(plan, system, &info), SLIMBAND_OK);
    return info;
}

static void assert_same_bits(const batch *s, const batch *good, int64_t system)
{
    for (int64_t i = 0; i < N; ++i)
        assert_memory_equal(&s->x[element(s, system, i)], &good->x[element(s, system, i)], sizeof(T));
}

static void assert_is_nan(const batch *s, int64_t system)
{
    for (int64_t i = 0; i < N; ++i)
        assert_false(sb_finite(s->x[element(s, system, i)]));
}

static void assert_solved(const batch *s, int way, int64_t system)
{
    int band = s->problem.lower;
    slimband_problem one = slimband_banded(scalar, N, band, band);
    slimband_backward_error error;
    T matrix[MOST_DIAGONALS][N];
    const void *diagonals[MOST_DIAGONALS];
    int64_t at = element(s, system, 0);
    one.ends = s->problem.ends;
    one.rhs.line = one.solution.line = s->problem.solution.line;
    for (int d = 0; d <= 2 * band; ++d) {
        for (int64_t i = 0; i < N; ++i)
            matrix[d][i] = way & TRANSPOSED
                               ? s->diagonal[2 * band - d][element(s, system, (i + d - band + N) % N)]
                               : s->diagonal[d][element(s, system, i)];
        diagonals[d] = matrix[d];
    }
    assert_int_equal(slimband_residual(&one, diagonals, s->b + at, s->x + at, &error), SLIMBAND_OK);
    assert_true(error.normwise < 1000 * (sizeof(R) == 4 ? (double)FLT_EPSILON : DBL_EPSILON));
}

/* `spoil` changes a batch; `judge` looks at what came of the systems that it changed and says whether it was
   this one. The others must be as in the batch that was not spoilt. */
static void compare(void (*spoil)(const batch *),
                    bool (*judge)(const batch *, const slimband_plan *, int, int64_t),
                    slimband_pivoting pivoting, slimband_ends ends, slimband_status expected)
{
    for (int choice = 0; choice < 4 * WAYS * set_count; ++choice) {
        const set *used = &sets[choice / (4 * WAYS)];
        int way = choice / 4 % WAYS, band = choice & 1 ? 2 : 1;
        int64_t systems = 3 * used->wide->group + 5;
        if (!is_a_way(way))
            continue;
        batch good = make(band, systems, choice & 2), spoilt = make(band, systems, choice & 2);
        slimband_plan *plan, *other;
        good.problem.pivoting = spoilt.problem.pivoting = pivoting;
        good.problem.ends = spoilt.problem.ends = ends;
        good.problem.one_pass = spoilt.problem.one_pass = !(way & KEPT);
        good.problem.check_finite = spoilt.problem.check_finite = expected == SLIMBAND_NOT_FINITE;
        spoil(&spoilt);
        assert_int_equal(solve(&good, used->method, way, &plan), SLIMBAND_OK);
        assert_int_equal(solve(&spoilt, used->method, way, &other), expected);
        for (int64_t s = 0; s < systems; ++s)
            if (!judge(&spoilt, other, way, s)) {
                assert_int_equal(info_of(other, s).status, SLIMBAND_OK);
                assert_same_bits(&spoilt, &good, s);
            }
        slimband_plan_destroy(plan);
        slimband_plan_destroy(other);
        free(good.memory);
        free(spoilt.memory);
    }
}

static void spoil_matrices(const batch *s)
{
    make_singular(s, 2);
    make_pivoted(s, 5);
    make_pivoted(s, s->systems - 1);
}

static bool judge_pivoted(const batch *s, const slimband_plan *plan, int way, int64_t system)
{
    if (system == 2) {
        assert_int_equal(info_of(plan, system).status, SLIMBAND_SINGULAR);
        assert_is_nan(s, system);
    } else if (system == 5 || system == s->systems - 1) {
        assert_int_equal(info_of(plan, system).status, SLIMBAND_OK);
        assert_true(info_of(plan, system).pivoted);
        assert_solved(s, way, system);
    } else
        return false;
    return true;
}

static void test_a_lane_that_needs_pivoting_gets_it_alone(void **state)
{
    (void)state;
    compare(spoil_matrices, judge_pivoted, SLIMBAND_PIVOT_AUTO, SLIMBAND_OPEN, SLIMBAND_SINGULAR);
    compare(spoil_matrices, judge_pivoted, SLIMBAND_PIVOT_AUTO, SLIMBAND_PERIODIC, SLIMBAND_SINGULAR);
}

static bool judge_broken(const batch *s, const slimband_plan *plan, int way, int64_t system)
{
    (void)way;
    if (system != 2 && system != 5 && system != s->systems - 1)
        return false;
    assert_int_equal(info_of(plan, system).status, SLIMBAND_BREAKDOWN);
    assert_int_equal(info_of(plan, system).row, system == 2 ? N / 2 : 0);
    assert_is_nan(s, system);
    return true;
}

static void test_without_pivoting_it_breaks_down_alone(void **state)
{
    (void)state;
    compare(spoil_matrices, judge_broken, SLIMBAND_PIVOT_NONE, SLIMBAND_OPEN, SLIMBAND_BREAKDOWN);
    compare(spoil_matrices, judge_broken, SLIMBAND_PIVOT_NONE, SLIMBAND_PERIODIC, SLIMBAND_BREAKDOWN);
}

static void spoil_rhs(const batch *s)
{
    s->b[element(s, 1, 3)] = (T)NAN;
    s->b[element(s, 6, N - 1)] = (T)INFINITY;
}

static bool judge_rhs(const batch *s, const slimband_plan *plan, int way, int64_t system)
{
    (void)way;
    if (system != 1 && system != 6)
        return false;
    assert_int_equal(info_of(plan, system).status, SLIMBAND_SOLUTION_NOT_FINITE);
    assert_in_range(info_of(plan, system).row, 0, N - 1);
    assert_is_nan(s, system);
    return true;
}

static void test_a_solution_that_is_no_number_fails_alone(void **state)
{
    (void)state;
    compare(spoil_rhs, judge_rhs, SLIMBAND_PIVOT_AUTO, SLIMBAND_OPEN, SLIMBAND_SOLUTION_NOT_FINITE);
    compare(spoil_rhs, judge_rhs, SLIMBAND_PIVOT_AUTO, SLIMBAND_PERIODIC, SLIMBAND_SOLUTION_NOT_FINITE);
}

/* In a periodic system's first row also around the ring. */
static void spoil_numbers(const batch *s)
{
    int first = s->problem.ends == SLIMBAND_PERIODIC ? 0 : s->problem.lower;
    s->diagonal[first][element(s, 1, 0)] = (T)INFINITY;
    s->diagonal[2 * s->problem.lower][element(s, 4, N / 2)] = (T)NAN;
    s->b[element(s, 6, N - 1)] = (T)INFINITY;
}

static bool judge_numbers(const batch *s, const slimband_plan *plan, int way, int64_t system)
{
    (void)way;
    if (system != 1 && system != 4 && system != 6)
        return false;
    assert_int_equal(info_of(plan, system).status, SLIMBAND_NOT_FINITE);
    assert_int_equal(info_of(plan, system).row, system == 1 ? 0 : system == 4 ? N / 2 : N - 1);
    assert_is_nan(s, system);
    return true;
}

static void test_what_is_no_number_is_found_in_its_lane(void **state)
{
    (void)state;
    compare(spoil_numbers, judge_numbers, SLIMBAND_PIVOT_AUTO, SLIMBAND_OPEN, SLIMBAND_NOT_FINITE);
    compare(spoil_numbers, judge_numbers, SLIMBAND_PIVOT_NONE, SLIMBAND_PERIODIC, SLIMBAND_NOT_FINITE);
}

/* Of rows `row` and the next one of a ring's border, the entries along the diagonal are those beside it. */
static void exchange_in_border(const batch *s, int64_t system, int row)
{
    int band = s->problem.lower;
    for (int r = 0; r < 2; ++r)
        for (int k = -band; k <= band; ++k)
            s->diagonal[band + k][element(s, system, N - band + row + r)] =
                k == (r ? -1 : 1) ? (T)(4 * band + 1) : 0;
}

static void test_borders_of_rings_exchange_rows_in_each_lane(void **state)
{
    (void)state;
    for (int choice = 0; choice < 4 * WAYS * set_count; ++choice) {
        const set *used = &sets[choice / (4 * WAYS)];
        int way = choice / 4 % WAYS, band = choice & 1 ? 3 : 2;
        if (!is_a_way(way))
            continue;
        batch s = make(band, 3 * used->wide->group + 5, choice & 2);
        slimband_plan *plan;
        s.problem.ends = SLIMBAND_PERIODIC;
        for (int64_t system = 0; system < s.systems; ++system)
            if (system % 3)
                exchange_in_border(&s, system, band == 3 && system % 3 == 2);
        assert_int_equal(solve(&s, used->method, way, &plan), SLIMBAND_OK);
        for (int64_t system = 0; system < s.systems; ++system) {
            assert_false(info_of(plan, system).pivoted);
            assert_solved(&s, way, system);
        }
        slimband_plan_destroy(plan);
        free(s.memory);
    }
}

/* Also where a tile's matrices are kept in another order for the sake of one of them. */
static void test_factors_are_replaced_by_those_of_other_matrices(void **state)
{
    (void)state;
    for (int choice = 0; choice < 8 * set_count; ++choice) {
        const set *used = &sets[choice / 8];
        int64_t systems = 3 * used->wide->group + 5;
        int way = choice & 4 ? KEPT | TRANSPOSED : KEPT;
        batch good = make(1, systems, choice & 1), spoilt = make(1, systems, choice & 1),
              again = make(1, systems, choice & 1);
        slimband_plan *plan, *other;
        good.problem.ends = spoilt.problem.ends = choice & 2 ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
        make_pivoted(&spoilt, 1);
        assert_int_equal(solve(&good, used->method, way, &plan), SLIMBAND_OK);
        assert_int_equal(solve(&spoilt, used->method, way, &other), SLIMBAND_OK);
        for (int turn = 0; turn < 2; ++turn) {
            const batch *now = turn ? &spoilt : &good;
            assert_int_equal(slimband_factor(other, (const void *const *)now->diagonal), SLIMBAND_OK);
            assert_int_equal(solve_kept(&again, way, other), SLIMBAND_OK);
            assert_memory_equal(again.x, now->x, (size_t)now->total * sizeof(T));
        }
        slimband_plan_destroy(plan);
        slimband_plan_destroy(other);
        free(good.memory);
        free(spoilt.memory);
        free(again.memory);
    }
}

static void test_the_number_of_threads_does_not_change_the_bits(void **state)
{
    (void)state;
    for (int choice = 0; choice < 4 * set_count; ++choice) {
        batch one = make(1, 333, choice & 1), two = make(1, 333, choice & 1);
        one.problem.coefficients = two.problem.coefficients = choice & 2 ? SLIMBAND_SHARED : SLIMBAND_OWN;
        const void *diagonals[] = {one.diagonal[0], one.diagonal[1], one.diagonal[2]};
        for (int threads = 1; threads <= 2; ++threads) {
            slimband_plan *plan;
            assert_int_equal(
                slimband_plan_create(&plan, &one.problem, slimband_cpu(threads), sets[choice / 4].method),
                SLIMBAND_OK);
            assert_int_equal(slimband_factor_solve(plan, diagonals, one.b, threads == 1 ? one.x : two.x),
                             SLIMBAND_OK);
            slimband_plan_destroy(plan);
        }
        assert_memory_equal(one.x, two.x, (size_t)one.total * sizeof(T));
        free(one.memory);
        free(two.memory);
    }
}

/* By one thread and by two, and in a batch in which every system stands elsewhere. */
static void test_any_solve_gives_the_same_bits_anywhere(void **state)
{
    (void)state;
    enum { BANDS = 4, CALLS = 4, ONE_CALL = CALLS - 1, CHOICES = CALLS * BANDS * 8 };
    slimband_status (*const kept[])(slimband_plan *, const void *, void *) = {
        slimband_solve, slimband_solve_transposed, slimband_solve_adjoint};
    for (int choice = 0; choice < CHOICES * set_count; ++choice) {
        const set *used = &sets[choice / CHOICES];
        int call = choice % CALLS, band = 1 + choice / CALLS % BANDS, way = choice / (CALLS * BANDS);
        bool own = way & 2;
        int64_t systems = 3 * used->wide->group + 5;
        batch one = make(band, systems, way & 1), two = make(band, systems, way & 1);
        one.problem.coefficients = two.problem.coefficients = own ? SLIMBAND_OWN : SLIMBAND_SHARED;
        one.problem.ends = two.problem.ends = way & 4 ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
        for (int64_t s = 0; s < systems; ++s)
            for (int64_t i = 0; i < N; ++i) {
                int64_t to = element(&two, systems - 1 - s, i), from = element(&one, s, i);
                two.b[to] = one.b[from];
                for (int d = 0; d <= 2 * band && own; ++d)
                    two.diagonal[d][to] = one.diagonal[d][from];
            }
        for (int threads = 1; threads <= 2; ++threads) {
            const batch *solved = threads == 1 ? &one : &two;
            const void *const *diagonals = (const void *const *)solved->diagonal;
            slimband_plan *plan;
            assert_int_equal(slimband_plan_create(&plan, &one.problem, slimband_cpu(threads), used->method),
                             SLIMBAND_OK);
            if (call == ONE_CALL)
                assert_int_equal(slimband_factor_solve(plan, diagonals, solved->b, solved->x), SLIMBAND_OK);
            else {
                assert_int_equal(slimband_factor(plan, diagonals), SLIMBAND_OK);
                assert_int_equal(kept[call](plan, solved->b, solved->x), SLIMBAND_OK);
            }
            slimband_plan_destroy(plan);
        }
        for (int64_t s = 0; s < systems; ++s)
            for (int64_t i = 0; i < N; ++i)
                assert_memory_equal(&one.x[element(&one, s, i)], &two.x[element(&two, systems - 1 - s, i)],
                                    sizeof(T));
        free(one.memory);
        free(two.memory);
    }
}

int main(void)
{
    set_count = sets_here(sets);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_lane_that_needs_pivoting_gets_it_alone),
        cmocka_unit_test(test_without_pivoting_it_breaks_down_alone),
        cmocka_unit_test(test_a_solution_that_is_no_number_fails_alone),
        cmocka_unit_test(test_what_is_no_number_is_found_in_its_lane),
        cmocka_unit_test(test_the_number_of_threads_does_not_change_the_bits),
        cmocka_unit_test(test_borders_of_rings_exchange_rows_in_each_lane),
        cmocka_unit_test(test_factors_are_replaced_by_those_of_other_matrices),
        cmocka_unit_test(test_any_solve_gives_the_same_bits_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
