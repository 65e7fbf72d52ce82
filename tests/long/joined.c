/* Lines of a batch that `truncated` takes for one system: where they meet nothing passes, wherever that is in chunks, blocks and groups;
 * and a line that can't be solved so spoils no other. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/cpu/long/chunks.h"
#include "src/cpu/workspace.h"
#include "tests/chunk/draw.h"
#include "tests/long/sets.h"
#include "tests/sparing.h"

enum { WIDEST = 4, DIAGONALS = 2 * WIDEST + 1, SYSTEMS = 71, LONGEST = 2600 };

typedef struct batch {
    slimband_problem problem;
    int lower, upper;
    int64_t n, systems;
    T *diagonal[DIAGONALS], *b, *x;
} batch;

static T *array(int64_t entries)
{
    T *a = malloc((size_t)entries * sizeof *a);
    assert_non_null(a);
    return a;
}

/* Dominant rows; what lies outside of the matrices is no number. */
static batch make_many(int64_t systems, int64_t n, int lower, int upper)
{
    sb_random random = sb_random_seeded((uint64_t)(n + lower + 10 * upper));
    batch s = {slimband_banded(scalar, n, lower, upper),
               lower,
               upper,
               n,
               systems,
               {NULL},
               array(n * systems),
               array(n * systems)};
    assert_int_equal(slimband_contiguous(&s.problem, systems), SLIMBAND_OK);
    s.problem.one_pass = true;
    assert_true(sb_lines_joined(&s.problem) == (n < 2048 ? 1 : systems / 32));
    for (int d = 0; d <= lower + upper; ++d) {
        s.diagonal[d] = array(n * systems);
        for (int64_t i = 0; i < n * systems; ++i) {
            const int64_t column = i % n + d - lower;
            s.diagonal[d][i] = draw(&random) + (T)(d == lower ? 3 * (lower + upper) : 0);
            if (column < 0 || column >= n)
                s.diagonal[d][i] = (T)NAN;
        }
    }
    for (int64_t i = 0; i < n * systems; ++i)
        s.b[i] = draw(&random);
    return s;
}

static batch make(int64_t n, int lower, int upper)
{
    return make_many(SYSTEMS, n, lower, upper);
}

static void drop(batch *s)
{
    for (int d = 0; d < DIAGONALS; ++d)
        free(s->diagonal[d]);
    free(s->b);
    free(s->x);
}

static slimband_plan *solve(batch *s, const char *method, int threads, bool in_place, slimband_status expected)
{
    slimband_plan *plan;
    if (in_place)
        memcpy(s->x, s->b, (size_t)(s->n * s->systems) * sizeof *s->b);
    assert_int_equal(slimband_plan_create(&plan, &s->problem, slimband_cpu(threads), method), SLIMBAND_OK);
    assert_int_equal(
        slimband_factor_solve(plan, (const void *const *)s->diagonal, in_place ? s->x : s->b, s->x), expected);
    return plan;
}

static void check_residual(const batch *s)
{
    slimband_backward_error error;
    assert_int_equal(slimband_residual(&s->problem, (const void *const *)s->diagonal, s->b, s->x, &error),
                     SLIMBAND_OK);
    if (!(error.normwise <= 10 * epsilon))
        fail_msg("%d + %d, %d unknowns: %g", s->lower, s->upper, (int)s->n, error.normwise);
}

static double bound_of(const slimband_plan *plan)
{
    slimband_report report;
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK);
    return report.truncation_bound;
}

static void test_nothing_passes_from_line_to_line(void **state)
{
    (void)state;
    static const int bands[][2] = {{1, 1}, {1, 2}, {2, 2}, {3, 1}, {4, 4}};
    static const int64_t lengths[] = {2048, 2049, 2111, LONGEST};
    set sets[MOST_SETS];
    const int count = sets_here(sets);
    for (int set = 0; set < count; ++set)
        for (size_t k = 0; k < sizeof bands / sizeof *bands; ++k)
            for (size_t l = k % 2; l < sizeof lengths / sizeof *lengths; l += ONE_IN + 1) {
                char method[48];
                batch s = make(lengths[l], bands[k][0], bands[k][1]);
                snprintf(method, sizeof method, "truncated:isa=%s", sets[set].name);
                slimband_plan *plan = solve(&s, method, 2, false, SLIMBAND_OK);
                assert_true(bound_of(plan) > 0 && bound_of(plan) <= epsilon);
                slimband_plan_destroy(plan);
                check_residual(&s);
                drop(&s);
            }
}

/* Where what stands outside of the matrices is a number nothing tells that it was taken but the unknowns: no line is solved again. */
static void test_numbers_outside_of_lines_are_not_taken(void **state)
{
    (void)state;
    set sets[MOST_SETS];
    const int count = sets_here(sets);
    for (int set = 0; set < count; ++set)
        for (int k = 1; k <= WIDEST; ++k) {
            char method[48];
            batch s = make(2111, k, k);
            for (int d = 0; d <= 2 * k; ++d)
                for (int64_t i = 0; i < s.n * SYSTEMS; ++i)
                    if (!sb_finite(s.diagonal[d][i]))
                        s.diagonal[d][i] = 1;
            snprintf(method, sizeof method, "truncated:isa=%s", sets[set].name);
            slimband_plan_destroy(solve(&s, method, 2, false, SLIMBAND_OK));
            check_residual(&s);
            drop(&s);
        }
}

/* Chunks shorter than a line, joints in many places of them, in rows too that are only looked at. */
static void test_wherever_lines_meet(void **state)
{
    (void)state;
    for (int64_t rows = 64; rows < 700; rows += 101) {
        char method[48];
        batch s = make(2048 + rows % 7, 1, 1);
        snprintf(method, sizeof method, "truncated:chunk=%d", (int)rows);
        slimband_plan_destroy(solve(&s, method, 1, false, SLIMBAND_OK));
        check_residual(&s);
        drop(&s);
    }
}

static void test_threads_change_no_bits(void **state)
{
    (void)state;
    batch one = make(2111, 1, 1), three = make(2111, 1, 1);
    slimband_plan_destroy(solve(&one, "truncated", 1, false, SLIMBAND_OK));
    slimband_plan_destroy(solve(&three, "truncated", 3, false, SLIMBAND_OK));
    assert_memory_equal(one.x, three.x, (size_t)(one.n * SYSTEMS) * sizeof(T));
    drop(&one);
    drop(&three);
}

static void test_in_place_each_line_is_for_itself(void **state)
{
    (void)state;
    batch s = make(2049, 2, 2);
    slimband_plan_destroy(solve(&s, "truncated", 2, true, SLIMBAND_OK));
    check_residual(&s);
    drop(&s);
}

/* As -1 2 -1. */
static void test_a_line_whose_couplings_do_not_decay_is_solved_too(void **state)
{
    (void)state;
    enum { LINE = 37 };
    batch s = make(LONGEST, 1, 1);
    for (int64_t i = LINE * s.n; i < (LINE + 1) * s.n; ++i) {
        s.diagonal[0][i] = s.diagonal[2][i] = -1;
        s.diagonal[1][i] = 2;
    }
    slimband_plan_destroy(solve(&s, "truncated", 2, false, SLIMBAND_OK));
    check_residual(&s);
    drop(&s);
}

/* So many that some fill a vector of every instruction set that there are kernels of. */
#ifdef SB_WITHOUT_AVX512
enum { LANES = 32 / sizeof(R) };
#else
enum { LANES = 64 / sizeof(R) };
#endif
enum { MANY = 32 * LANES + 5, TOGETHER = MANY / 32, ODD = 3 * TOGETHER + 1 };

/* Whether lanes takes what can't be joined depends on this machine's caches. */
static bool has_lanes(const slimband_plan *plan)
{
    return ((const sb_cpu *)plan->state)->wide.kernels;
}

/* -1 2 -1; or pivots that let elements grow without bound. */
static void spoil_line(batch *s, int64_t line, bool grows)
{
    for (int64_t i = line * s->n; i < (line + 1) * s->n; ++i) {
        s->diagonal[s->lower - 1][i] = s->diagonal[s->lower + 1][i] = -1;
        s->diagonal[s->lower][i] = (T)(grows ? 1e-3 : 2);
    }
}

static bool same_lines(const batch *s, const batch *t, int64_t first, int64_t end)
{
    return !memcmp(s->x + first * s->n, t->x + first * s->n, (size_t)((end - first) * s->n) * sizeof(T));
}

/* Those that it was joined to go by lanes, to the bit; others as ever; and it by itself where lanes can't. Residuals take most of the time. */
static void check_lanes_take_them(bool grows, const char *isa, bool residual)
{
    char truncated[48], lanes[48];
    batch s = make_many(MANY, 2050, 1, 1), t = make_many(MANY, 2050, 1, 1), good = make_many(MANY, 2050, 1, 1);
    spoil_line(&s, ODD, grows);
    spoil_line(&t, ODD, grows);
    snprintf(truncated, sizeof truncated, "truncated:isa=%s", isa);
    snprintf(lanes, sizeof lanes, "lanes:isa=%.*s", (int)strcspn(isa, ","), isa);
    slimband_plan_destroy(solve(&good, truncated, 2, false, SLIMBAND_OK));
    slimband_plan_destroy(solve(&t, lanes, 2, false, SLIMBAND_OK));
    slimband_plan *plan = solve(&s, truncated, 2, false, SLIMBAND_OK);
    slimband_system_info info;
    assert_int_equal(slimband_system_status(plan, ODD, &info), SLIMBAND_OK);
    assert_true(info.pivoted == grows);
    const bool by_lanes = has_lanes(plan);
    slimband_plan_destroy(plan);
    if (residual)
        check_residual(&s);
    const int64_t first = ODD / TOGETHER * TOGETHER;
    if (by_lanes) {
        assert_true(same_lines(&s, &t, first, ODD));
        assert_true(same_lines(&s, &t, ODD + 1, first + TOGETHER));
        assert_true(grows || same_lines(&s, &t, ODD, ODD + 1));
    }
    assert_true(same_lines(&s, &good, 0, first));
    assert_true(same_lines(&s, &good, first + TOGETHER, MANY));
    drop(&s);
    drop(&t);
    drop(&good);
}

static void test_lines_that_were_joined_to_one_that_can_not_be_go_by_lanes(void **state)
{
    (void)state;
    set sets[MOST_SETS];
    const int count = sets_here(sets);
    for (int set = 0; set < count; ++set) {
        check_lanes_take_them(false, sets[set].name, false);
        check_lanes_take_them(true, sets[set].name, set == 0);
    }
}

static slimband_system_info info_of(const slimband_plan *plan, int64_t line)
{
    slimband_system_info info;
    assert_int_equal(slimband_system_status(plan, line, &info), SLIMBAND_OK);
    return info;
}

/* Nothing of what lanes knows of a line is lost while another, which it can't take, is solved by itself. */
static void check_neighbours(int reach, bool in_place)
{
    batch s = make_many(MANY, 2050, reach, reach), t = make_many(MANY, 2050, reach, reach);
    for (int64_t line = 0; line < MANY; line += line % 3 ? 2 : 1) {
        spoil_line(&s, line, true);
        spoil_line(&t, line, true);
    }
    slimband_plan *truncated = solve(&s, "truncated", 2, in_place, SLIMBAND_OK),
                  *lanes = solve(&t, "lanes", 2, in_place, SLIMBAND_OK);
    for (int64_t line = 0; has_lanes(truncated) && line < MANY / TOGETHER * TOGETHER; ++line) {
        const slimband_system_info info = info_of(truncated, line), expected = info_of(lanes, line);
        assert_true(info.pivoted == expected.pivoted);
        assert_true(info.pivoted || info.growth == expected.growth);
        assert_true(info.pivoted || same_lines(&s, &t, line, line + 1));
    }
    if (reach == 1 && in_place)
        check_residual(&s);
    slimband_plan_destroy(truncated);
    slimband_plan_destroy(lanes);
    drop(&s);
    drop(&t);
}

static void test_lines_beside_those_that_lanes_can_not_take_are_as_by_lanes(void **state)
{
    (void)state;
    for (int reach = 1; reach <= WIDEST; reach += ONE_IN > 1 ? WIDEST - 1 : 1) {
        check_neighbours(reach, false);
        check_neighbours(reach, true);
    }
}

static void test_in_place_they_all_go_by_lanes(void **state)
{
    (void)state;
    batch s = make_many(MANY, 2048, 2, 2), t = make_many(MANY, 2048, 2, 2);
    slimband_plan *plan = solve(&s, "truncated", 2, true, SLIMBAND_OK);
    slimband_plan_destroy(solve(&t, "lanes", 1, true, SLIMBAND_OK));
    assert_true(!has_lanes(plan) || same_lines(&s, &t, 0, MANY / TOGETHER * TOGETHER));
    slimband_plan_destroy(plan);
    drop(&s);
    drop(&t);
}

/* Right-hand side, coupling or pivots: what becomes of each system is told, and the others have their unknowns. */
static void check_fails_alone(int64_t systems, int64_t step)
{
    enum { KINDS = 3 };
    for (int kind = 0; kind < KINDS; ++kind)
        for (int64_t line = 0; line < systems; line += step) {
            batch s = make_many(systems, 2048, 1, 1);
            T *const arrays[KINDS] = {s.b, s.diagonal[0], s.diagonal[1]};
            arrays[kind][line * s.n + s.n - 1] = (T)NAN;
            slimband_plan *plan;
            assert_int_equal(slimband_plan_create(&plan, &s.problem, slimband_cpu(2), "truncated"),
                             SLIMBAND_OK);
            const slimband_status status =
                slimband_factor_solve(plan, (const void *const *)s.diagonal, s.b, s.x);
            assert_int_not_equal(status, SLIMBAND_OK);
            for (int64_t i = 0; i < systems; ++i) {
                slimband_system_info info;
                assert_int_equal(slimband_system_status(plan, i, &info), SLIMBAND_OK);
                assert_int_equal(info.status, i == line ? status : SLIMBAND_OK);
                assert_true((i == line) == !sb_finite(s.x[i * s.n]));
                assert_true((i == line) == !sb_finite(s.x[i * s.n + s.n - 1]));
            }
            slimband_plan_destroy(plan);
            drop(&s);
        }
}

static void test_a_line_that_fails_fails_alone(void **state)
{
    (void)state;
    check_fails_alone(SYSTEMS, 14);
    check_fails_alone(MANY, MANY / 2);
}

static int64_t joined(slimband_problem p, int64_t systems)
{
    assert_int_equal(slimband_contiguous(&p, systems), SLIMBAND_OK);
    return sb_lines_joined(&p);
}

static void test_which_lines_are_joined(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(scalar, 4096);
    assert_int_equal(joined(p, 64), 1);
    p.one_pass = true;
    assert_int_equal(joined(p, 63), 1);
    assert_int_equal(joined(p, 64), 2);
    assert_int_equal(joined(p, 1000), 31);
    assert_int_equal(joined(p, 100000), 64);
    p.n = 1 << 18;
    assert_int_equal(joined(p, 1000), 1);
    p.n = 4096;
    const int64_t extents[] = {10, 20, p.n};
    assert_int_equal(slimband_along_axis(&p, 3, extents, 2), SLIMBAND_OK);
    assert_int_equal(sb_lines_joined(&p), 6);
    slimband_problem q = p;
    q.ends = SLIMBAND_PERIODIC;
    assert_int_equal(sb_lines_joined(&q), 1);
    q = p;
    q.check_finite = true;
    assert_int_equal(sb_lines_joined(&q), 1);
    q = p;
    q.solution.batch[0] += 1;
    assert_int_equal(sb_lines_joined(&q), 1);
    q = p;
    q.matrix.batch[1] = 0;
    assert_int_equal(sb_lines_joined(&q), 1);
    q = p;
    q.coefficients = SLIMBAND_SHARED;
    assert_int_equal(sb_lines_joined(&q), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_passes_from_line_to_line),
        cmocka_unit_test(test_numbers_outside_of_lines_are_not_taken),
        cmocka_unit_test(test_wherever_lines_meet),
        cmocka_unit_test(test_threads_change_no_bits),
        cmocka_unit_test(test_in_place_each_line_is_for_itself),
        cmocka_unit_test(test_a_line_whose_couplings_do_not_decay_is_solved_too),
        cmocka_unit_test(test_lines_that_were_joined_to_one_that_can_not_be_go_by_lanes),
        cmocka_unit_test(test_lines_beside_those_that_lanes_can_not_take_are_as_by_lanes),
        cmocka_unit_test(test_in_place_they_all_go_by_lanes),
        cmocka_unit_test(test_a_line_that_fails_fails_alone),
        cmocka_unit_test(test_which_lines_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
