/* What is told of each system is the last call's, whichever calls were before it: records that would say the same again are not
 * written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/scalar.h"
#include "tests/wide/sets.h"

static set sets[MOST_SETS];
static int set_count;

enum { N = 6, SYSTEMS = 41, ROW = 2 };

/* What one system is; all others are well. */
typedef enum trouble { NONE, GROWS, PIVOTS, SINGULAR, NAN_IN_RHS, TROUBLES } trouble;

typedef struct batch {
    T diagonal[3][SYSTEMS * N], b[SYSTEMS * N], x[SYSTEMS * N];
    const void *matrix[3];
    slimband_problem p;
    slimband_plan *plan;
} batch;

static void fill(batch *c, trouble what, int64_t system)
{
    for (int64_t s = 0; s < SYSTEMS; ++s)
        for (int64_t i = 0; i < N; ++i) {
            const int64_t at = i * c->p.solution.line + s * c->p.solution.batch[0];
            const bool here = s == system && i == ROW;
            c->diagonal[0][at] = here && what > NONE && what < NAN_IN_RHS ? (T)0 : (T)1;
            c->diagonal[1][at] = here && what == GROWS ? (T)0.125 : here && what == PIVOTS ? (T)0x1p-6 : (T)4;
            c->diagonal[2][at] = 1;
            if (here && what == SINGULAR)
                c->diagonal[1][at] = c->diagonal[2][at] = 0;
            c->b[at] = here && what == NAN_IN_RHS ? (T)NAN : (T)(1 + i % 3);
        }
}

static void make(batch *c, const char *method, bool side_by_side, bool one_pass, bool shared, int threads)
{
    c->p = slimband_tridiagonal(scalar, N);
    assert_int_equal((side_by_side ? slimband_interleaved : slimband_contiguous)(&c->p, SYSTEMS), SLIMBAND_OK);
    if (shared) {
        c->p.coefficients = SLIMBAND_SHARED;
        c->p.matrix = (slimband_layout){.line = c->p.matrix.line};
    }
    c->p.one_pass = one_pass;
    for (int d = 0; d < 3; ++d)
        c->matrix[d] = c->diagonal[d];
    assert_int_equal(slimband_plan_create(&c->plan, &c->p, slimband_cpu(threads), method), SLIMBAND_OK);
}

static slimband_status expected(trouble what)
{
    return what == SINGULAR     ? SLIMBAND_SINGULAR
           : what == NAN_IN_RHS ? SLIMBAND_SOLUTION_NOT_FINITE
                                : SLIMBAND_OK;
}

static void check(const batch *c, trouble what, int64_t system)
{
    slimband_report report;
    assert_int_equal(slimband_plan_report(c->plan, &report), SLIMBAND_OK);
    assert_int_equal(report.failed, expected(what) != SLIMBAND_OK);
    assert_int_equal(report.pivoted, what == PIVOTS || what == SINGULAR);
    for (int64_t s = 0; s < SYSTEMS; ++s) {
        slimband_system_info info;
        const bool troubled = s == system;
        assert_int_equal(slimband_system_status(c->plan, s, &info), SLIMBAND_OK);
        assert_int_equal(info.status, troubled ? expected(what) : SLIMBAND_OK);
        assert_int_equal(info.row >= 0, troubled && expected(what) != SLIMBAND_OK);
        assert_int_equal(info.pivoted, troubled && (what == PIVOTS || what == SINGULAR));
        if (troubled && what == GROWS)
            assert_true(info.growth > 1.5 && info.growth < 4);
        else if (!info.pivoted)
            assert_true(info.growth <= 1);
    }
}

/* How a plan is used: all in one pass; factored first; either, in turns. */
typedef enum use { AT_ONCE, FACTORED, IN_TURNS, USES } use;

static void call(batch *c, use how, int number, trouble what, int64_t system)
{
    const bool factored = how == FACTORED || (how == IN_TURNS && number % 3);
    fill(c, what, system);
    if (factored) {
        const slimband_status status = slimband_factor(c->plan, c->matrix);
        assert_int_equal(status, what == SINGULAR ? SLIMBAND_SINGULAR : SLIMBAND_OK);
    }
    const slimband_status status =
        factored ? slimband_solve(c->plan, c->b, c->x) : slimband_factor_solve(c->plan, c->matrix, c->b, c->x);
    assert_int_equal(status, expected(what));
    check(c, what, system);
}

/* Each trouble after two calls without any and after each other one; in the first system, in the last one and between. */
static void run(batch *c, use how)
{
    static const int64_t where[] = {0, 17, SYSTEMS - 1};
    int number = 0;
    for (int first = 0; first < TROUBLES; ++first)
        for (int second = 0; second < TROUBLES; ++second) {
            const trouble calls[] = {NONE, NONE, (trouble)first, (trouble)second};
            for (size_t k = 0; k < sizeof calls / sizeof *calls; ++k, ++number)
                call(c, how, number, calls[k], where[number % 3]);
        }
}

static void test_own_matrices(void **state)
{
    static batch c;
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int side_by_side = 0; side_by_side < 2; ++side_by_side)
            for (int how = 0; how < USES; ++how) {
                make(&c, sets[k].method, side_by_side, how == AT_ONCE, false, 1 + k % 2);
                run(&c, (use)how);
                slimband_plan_destroy(c.plan);
            }
}

/* Right-hand sides alone: the matrix is factored once. */
static void test_one_matrix(void **state)
{
    static const trouble calls[] = {NONE, NONE, NAN_IN_RHS, NONE, NAN_IN_RHS, NAN_IN_RHS, NONE, NONE};
    static batch c;
    (void)state;
    for (int k = 0; k < set_count; ++k)
        for (int side_by_side = 0; side_by_side < 2; ++side_by_side) {
            make(&c, sets[k].method, side_by_side, false, true, 1 + k % 2);
            fill(&c, NONE, 0);
            assert_int_equal(slimband_factor(c.plan, c.matrix), SLIMBAND_OK);
            for (int i = 0; i < (int)(sizeof calls / sizeof *calls); ++i) {
                fill(&c, calls[i], 7 * i % SYSTEMS);
                assert_int_equal(slimband_solve(c.plan, c.b, c.x), expected(calls[i]));
                check(&c, calls[i], 7 * i % SYSTEMS);
            }
            slimband_plan_destroy(c.plan);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_matrices),
        cmocka_unit_test(test_one_matrix),
    };
    set_count = sets_here(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
