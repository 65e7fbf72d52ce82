/* Heat between walls with values, against the fast solver's own boundary terms, straight lines, and budgets of fluxes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "slimband/poisson.h"
#include "tests/steppers/run.h"

/* Values that no symmetry hides. */
static void give_values(slimband_evolution *e)
{
    for (int a = 0; a < e->rank; ++a)
        for (int end = 0; end < 2; ++end)
            e->wall_values[a][end] = e->walls[a] == SLIMBAND_WALLS_PP ? 0 : 1 + 0.5 * a - 0.8 * end;
}

/* The steady state, by slimband_poisson with boundary values; walls must hold u somewhere. From malloc. */
static double *steady_state(const slimband_evolution *e)
{
    int64_t points = run_elements(e) / e->members;
    slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, e->rank, e->points);
    slimband_poisson_boundary boundary = {0};
    slimband_poisson_plan *plan;
    double *u = calloc((size_t)points, sizeof *u), *sides[6];
    for (int a = 0; a < e->rank; ++a) {
        p.axis[a].length = e->length[a];
        p.axis[a].walls = e->walls[a];
        p.axis[a].centring = e->centring;
        for (int end = 0; end < 2; ++end) {
            boundary.side[a][end] = sides[2 * a + end] = malloc((size_t)points * sizeof **sides);
            for (int64_t k = 0; k < points; ++k)
                sides[2 * a + end][k] = e->wall_values[a][end];
        }
    }
    assert_int_equal(slimband_poisson_plan_create(&plan, &p, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    assert_int_equal(slimband_poisson_solve(plan, u, &boundary, u), SLIMBAND_OK);
    slimband_poisson_plan_destroy(plan);
    for (int k = 0; k < 2 * e->rank; ++k)
        free(sides[k]);
    return u;
}

/* From w + v, walls with values: w plus what walls of value 0 make of v. For every kind of wall and splitting. */
static void test_what_walls_add_is_the_steady_state(void **state)
{
    (void)state;
    static const int64_t points[] = {13, 8, 9};
    for (int k = 0; k < 3 * 2 * 4 * 2; ++k) {
        slimband_evolution e = slimband_heat(SLIMBAND_F64, 1 + k % 3, points, 1e-2);
        e.centring = k / 3 % 2 ? SLIMBAND_AT_CELLS : SLIMBAND_AT_NODES;
        for (int a = 0; a < e.rank; ++a)
            e.walls[a] = (slimband_walls)(1 + (k / 6 % 4 + 2 * a) % 5);
        if (e.walls[0] == SLIMBAND_WALLS_NN)
            e.walls[0] = SLIMBAND_WALLS_ND;
        e.length[0] = 1.7;
        e.members = k / 24 ? 3 : 1;
        slimband_evolution plain = e;
        give_values(&e);
        int64_t elements = run_elements(&e), each = elements / e.members;
        double *v = run_random(&e, 31), *u = run_random(&e, 31), *w = steady_state(&e);
        for (int64_t i = 0; i < elements; ++i)
            u[i] += w[i % each];
        run_steps(&e, 2, 0, 2, 7, u);
        run_steps(&plain, 2, 0, 2, 7, v);
        for (int64_t i = 0; i < elements; ++i)
            assert_true(fabs(u[i] - v[i] - w[i % each]) < 2e-13);
        free(u);
        free(v);
        free(w);
    }
}

/* A straight line is steady for both orders, and every bit of it stays but for rounding. */
static void test_straight_lines_stay(void **state)
{
    (void)state;
    for (int k = 0; k < 4 * 2 * 2 * 2; ++k) {
        double x[24], start[3] = {2, -1, 0};
        slimband_evolution e = slimband_heat(SLIMBAND_F64, 2, (int64_t[]){24, 6}, 0.1);
        e.walls[0] = (slimband_walls)(1 + k % 4);
        e.walls[1] = k / 4 % 2 ? SLIMBAND_WALLS_NN : SLIMBAND_WALLS_PP;
        e.order = k / 8 % 2 ? 4 : 2;
        e.centring = k / 16 ? SLIMBAND_AT_CELLS : SLIMBAND_AT_NODES;
        bool below = e.walls[0] == SLIMBAND_WALLS_DD || e.walls[0] == SLIMBAND_WALLS_DN,
             above = e.walls[0] == SLIMBAND_WALLS_DD || e.walls[0] == SLIMBAND_WALLS_ND;
        e.wall_values[0][0] = below ? start[0] : start[1];
        e.wall_values[0][1] = above ? start[0] + start[1] : start[1];
        assert_int_equal(slimband_evolution_points(&e, 0, x), SLIMBAND_OK);
        double u[24 * 6];
        for (int i = 0; i < 24 * 6; ++i)
            u[i] = start[0] + start[1] * x[i / 6];
        run_steps(&e, 1, 0, 1, 200, u);
        for (int i = 0; i < 24 * 6; ++i)
            assert_true(fabs(u[i] - start[0] - start[1] * x[i / 6]) < 1e-12);
    }
}

/* What flows in stays in: the mean rises by D (flux out of the upper end - flux into the lower one) / length. */
static void test_fluxes_fill_the_box(void **state)
{
    (void)state;
    const double diffusivity[] = {1, 3};
    for (int order = 2; order <= 4; order += 2)
        for (int type = 0; type < 2; ++type) {
            slimband_evolution e =
                slimband_heat(type ? SLIMBAND_F64 : SLIMBAND_F32, 3, (int64_t[]){6, 9, 7}, 1e-2);
            e.walls[0] = e.walls[2] = SLIMBAND_WALLS_NN;
            e.centring = SLIMBAND_AT_CELLS;
            e.order = order;
            e.members = 2;
            e.diffusivity = diffusivity;
            e.length[2] = 2;
            e.wall_values[0][0] = 0.5;
            e.wall_values[0][1] = 2;
            e.wall_values[2][1] = 3;
            double *u = run_random(&e, 77), before[2] = {0}, after[2] = {0};
            int64_t each = run_elements(&e) / 2;
            for (int64_t i = 0; i < 2 * each; ++i)
                before[i / each] += u[i] / (double)each;
            run_steps(&e, 1, 0, 1, 50, u);
            for (int64_t i = 0; i < 2 * each; ++i)
                after[i / each] += u[i] / (double)each;
            for (int m = 0; m < 2; ++m)
                assert_true(fabs(after[m] - before[m] - diffusivity[m] * 0.5 * (1.5 + 1.5)) <
                            (type ? 1e-12 : 1e-5));
            free(u);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_walls_add_is_the_steady_state),
        cmocka_unit_test(test_straight_lines_stay),
        cmocka_unit_test(test_fluxes_fill_the_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
