/* Heat: every kind of walls, centring, order and rank, on fields made of eigenvectors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/steppers/run.h"

static const double PI = 3.14159265358979323846;
static const slimband_walls all_walls[] = {SLIMBAND_WALLS_DD, SLIMBAND_WALLS_DN, SLIMBAND_WALLS_ND,
                                           SLIMBAND_WALLS_NN, SLIMBAND_WALLS_PP};

/* Half waves that eigenvector number k of an axis has between the walls. */
static double half_waves(slimband_walls walls, int k)
{
    switch (walls) {
    case SLIMBAND_WALLS_DD:
        return k + 1;
    case SLIMBAND_WALLS_NN:
        return k;
    case SLIMBAND_WALLS_PP:
        return 2 * k;
    default:
        return k + 0.5;
    }
}

/* The eigenvector at a point, 0 <= x <= length: a sine from a Dirichlet wall, a cosine from a Neumann wall. */
static double shape(slimband_walls walls, int k, double x, double length)
{
    double angle = PI * half_waves(walls, k) * x / length;
    bool sine = walls == SLIMBAND_WALLS_DD || walls == SLIMBAND_WALLS_DN;
    return sine ? sin(angle) : cos(angle);
}

/* Of minus the difference operator, by the angle from point to point. */
static double eigenvalue(int order, double angle, double h)
{
    double second = 2 - 2 * cos(angle);
    return (order == 2 ? second : (30 - 32 * cos(angle) + 2 * cos(2 * angle)) / 12) / (h * h);
}

typedef struct mode {
    int number[3];
} mode;

/* Add a mode to a field of one member, and return the operator's eigenvalue along each axis. */
static void add_mode(const slimband_evolution *e, mode m, double height, double *u, double lambda[3])
{
    double *x[3] = {NULL, NULL, NULL};
    int64_t points[3] = {1, 1, 1};
    for (int a = 0; a < e->rank; ++a) {
        points[a] = e->points[a];
        x[a] = malloc((size_t)points[a] * sizeof *x[a]);
        assert_int_equal(slimband_evolution_points(e, a, x[a]), SLIMBAND_OK);
        double h = x[a][1] - x[a][0];
        lambda[a] = eigenvalue(e->order, PI * half_waves(e->walls[a], m.number[a]) * h / e->length[a], h);
    }
    for (int64_t i = 0; i < points[0] * points[1] * points[2]; ++i) {
        int64_t at[3] = {i / (points[1] * points[2]), i / points[2] % points[1], i % points[2]};
        if (e->rank < 3)
            at[1] = i % points[1], at[0] = i / points[1];
        double product = height;
        for (int a = 0; a < e->rank; ++a)
            product *= shape(e->walls[a], m.number[a], x[a][at[a]], e->length[a]);
        u[i] += product;
    }
    for (int a = 0; a < 3; ++a)
        free(x[a]);
}

/* Six modes at random, stepped by the stepper and by the scheme's factor for each. */
static double distance_from_scheme(const slimband_evolution *e, int steps, sb_random *random)
{
    int64_t elements = run_elements(e);
    double *u = calloc((size_t)elements, sizeof *u), *expected = calloc((size_t)elements, sizeof *u);
    for (int k = 0; k < 6; ++k) {
        double height = sb_random_signed(random), factor = 1, lambda[3];
        mode m;
        for (int a = 0; a < 3; ++a)
            m.number[a] = (int)(fabs(sb_random_signed(random)) * 3);
        add_mode(e, m, height, u, lambda);
        for (int a = 0; a < e->rank; ++a)
            factor *= (1 - e->dt / 2 * lambda[a]) / (1 + e->dt / 2 * lambda[a]);
        add_mode(e, m, height * pow(factor, steps), expected, lambda);
    }
    run_steps(e, 1, 0, 1, steps, u);
    double distance = run_largest_difference(elements, u, expected);
    free(u);
    free(expected);
    return distance;
}

static void check_all_walls(int rank, int order, slimband_scalar scalar)
{
    sb_random random = sb_random_seeded(77);
    const int64_t sizes[] = {7, 10, 16, 33, 5};
    int combinations = rank == 1 ? 5 : rank == 2 ? 25 : 125;
    for (int c = 0; c < 2 * combinations; ++c) {
        int64_t points[3] = {sizes[c % 5], sizes[(c / 2 + 1) % 5], sizes[(c / 3 + 2) % 5]};
        slimband_evolution e = slimband_heat(scalar, rank, points, 1e-3);
        e.order = order;
        e.centring = c < combinations ? SLIMBAND_AT_NODES : SLIMBAND_AT_CELLS;
        for (int a = 0, left = c; a < rank; ++a, left /= 5) {
            e.walls[a] = all_walls[left % 5];
            e.length[a] = 1 + 0.3 * a;
        }
        assert_true(distance_from_scheme(&e, 4, &random) < (scalar == SLIMBAND_F64 ? 1e-13 : 1e-5));
    }
}

static void test_modes_decay_as_the_scheme_says_on_one_axis(void **state)
{
    (void)state;
    check_all_walls(1, 2, SLIMBAND_F64);
    check_all_walls(1, 4, SLIMBAND_F64);
}

static void test_modes_decay_as_the_scheme_says_on_two_axes(void **state)
{
    (void)state;
    check_all_walls(2, 2, SLIMBAND_F64);
    check_all_walls(2, 4, SLIMBAND_F64);
    check_all_walls(2, 4, SLIMBAND_F32);
}

static void test_modes_decay_as_the_scheme_says_on_three_axes(void **state)
{
    (void)state;
    check_all_walls(3, 2, SLIMBAND_F64);
    check_all_walls(3, 4, SLIMBAND_F64);
    check_all_walls(3, 2, SLIMBAND_F32);
}

/* Error of exp(-lambda t) with the given eigenvalues taken for exact: the differences' (time alone) or the equation's. */
static double error(int rank, int64_t n, int order, slimband_walls walls, int steps, bool of_equation)
{
    const double t = 0.03;
    slimband_evolution e = slimband_heat(SLIMBAND_F64, rank, (int64_t[]){n, n, n}, t / steps);
    e.order = order;
    double total = 0, lambda[3];
    for (int a = 0; a < rank; ++a)
        e.walls[a] = walls;
    int64_t elements = run_elements(&e);
    double *u = calloc((size_t)elements, sizeof *u), *exact = calloc((size_t)elements, sizeof *u);
    add_mode(&e, (mode){{1, 1, 1}}, 1, u, lambda);
    for (int a = 0; a < rank; ++a)
        total += of_equation ? pow(PI * half_waves(walls, 1), 2) : lambda[a];
    add_mode(&e, (mode){{1, 1, 1}}, exp(-total * t), exact, lambda);
    run_steps(&e, 1, 0, 1, steps, u);
    double largest = run_largest_difference(elements, u, exact);
    free(u);
    free(exact);
    return largest;
}

static void test_second_order_in_time(void **state)
{
    (void)state;
    for (int rank = 2; rank <= 3; ++rank)
        for (int order = 2; order <= 4; order += 2)
            for (int w = 0; w < 5; ++w) {
                double coarse = error(rank, 12, order, all_walls[w], 16, false);
                double fine = error(rank, 12, order, all_walls[w], 32, false);
                assert_true(coarse / fine > 3.8 && coarse / fine < 4.2);
            }
}

/* Walls cost no order: twice the points, 2^order less error. */
static void test_order_in_space(void **state)
{
    (void)state;
    for (int order = 2; order <= 4; order += 2)
        for (int w = 0; w < 5; ++w) {
            int64_t n = all_walls[w] == SLIMBAND_WALLS_DD ? 15 : all_walls[w] == SLIMBAND_WALLS_NN ? 17 : 16;
            int64_t twice = n == 15 ? 31 : n == 17 ? 33 : 32;
            double ratio =
                error(2, n, order, all_walls[w], 3000, true) / error(2, twice, order, all_walls[w], 3000, true);
            assert_true(ratio > 0.9 * (1 << order) && ratio < 1.1 * (1 << order));
        }
}

/* A step far beyond the explicit limit only smooths. */
static void test_any_step_is_stable(void **state)
{
    (void)state;
    for (int rank = 1; rank <= 3; ++rank) {
        slimband_evolution e = slimband_heat(SLIMBAND_F64, rank, (int64_t[]){20, 18, 22}, 10);
        e.order = 4;
        e.walls[0] = SLIMBAND_WALLS_NN;
        e.walls[1] = SLIMBAND_WALLS_DD;
        double *u = run_random(&e, 3), before = 0, after = 0;
        int64_t elements = run_elements(&e);
        for (int64_t i = 0; i < elements; ++i)
            before = fmax(before, fabs(u[i]));
        run_steps(&e, 1, 0, 1, 200, u);
        for (int64_t i = 0; i < elements; ++i)
            after = fmax(after, fabs(u[i]));
        assert_true(after < 4 * before);
        free(u);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes_decay_as_the_scheme_says_on_one_axis),
        cmocka_unit_test(test_modes_decay_as_the_scheme_says_on_two_axes),
        cmocka_unit_test(test_modes_decay_as_the_scheme_says_on_three_axes),
        cmocka_unit_test(test_second_order_in_time),
        cmocka_unit_test(test_order_in_space),
        cmocka_unit_test(test_any_step_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
