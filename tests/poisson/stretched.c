/* Axes of very different lengths, and lengths far from one: solutions, not residuals, beside eigenvectors in long double. What a
 * thin axis adds to the operator's norm hides any error of what varies along the others from a backward error. */
#include "tests/poisson/support.h"

enum { TIMES = 2000 };         /* roundings that a solution's condition here may make of one */
enum { FEW_DIGITS = 1 << 18 }; /* what may be paid for the fastest axis in f64 */
enum { MODES = 3, MOST = 65, KIND_DD = 0, KIND_NN = 3, KIND_PP = 4, KIND_NN_CELLS = 8, KIND_PP_CELLS = 9 };

/* Mode number m of an axis: the two smoothest and one in the midst. */
static int64_t mode_of(const slimband_poisson_axis *axis, int m)
{
    return (m < 2 ? m : axis->n / 2) % axis->n;
}

typedef struct modes {
    long double value[3][MODES], vector[3][MODES][MOST];
} modes;

static void fill_modes(modes *all, const slimband_poisson_problem *p)
{
    for (int a = 0; a < p->rank; ++a)
        for (int m = 0; m < MODES; ++m) {
            int64_t k = mode_of(&p->axis[a], m);
            all->value[a][m] = oracle_eigenvalue(&p->axis[a], k);
            for (int64_t i = 0; i < p->axis[a].n; ++i)
                all->vector[a][m][i] = oracle_eigenvector(&p->axis[a], k, i);
        }
}

/* One eigenvector at a point, and its eigenvalue, which is 0 for constants of a singular problem. */
static long double eigenpair(const modes *all, const slimband_poisson_problem *p, int number, int64_t point,
                             long double *value)
{
    long double x = 1;
    *value = (long double)p->lambda;
    for (int a = p->rank - 1; a >= 0; --a, number /= MODES) {
        x *= all->vector[a][number % MODES][point % p->axis[a].n];
        *value += all->value[a][number % MODES];
        point /= p->axis[a].n;
    }
    return x;
}

/* A sample whose f is a sum of eigenvectors, and its solution. */
static sample sample_of_modes(const slimband_poisson_problem *p, double *solution)
{
    static modes all;
    fill_modes(&all, p);
    sample s = oracle_level(p, 0, 0, 1);
    int count = 1;
    for (int a = 0; a < p->rank; ++a)
        count *= MODES;
    for (int64_t i = 0; i < s.points; ++i) {
        long double f = 0, u = 0, value;
        for (int m = 0; m < count; ++m) {
            long double x = eigenpair(&all, p, m, i, &value);
            f += value > 0 ? x : 0;
            u += value > 0 ? x / value : 0;
        }
        s.f[i] = (double)f;
        s.single[i] = (float)f;
        solution[i] = (double)u;
    }
    return s;
}

/* The largest error over the largest unknown; *line: the axis of its lines. */
static double error_of(const slimband_poisson_problem *p, const char *method, int *line)
{
    int64_t points = p->axis[0].n * (p->rank > 1 ? p->axis[1].n : 1) * (p->rank > 2 ? p->axis[2].n : 1);
    double *exact = malloc((size_t)points * sizeof *exact), worst = 0, size = 0;
    sample s = sample_of_modes(p, exact);
    slimband_status status;
    slimband_poisson_report report;
    double *u = oracle_solve(&s, slimband_cpu(1), method, &status, &report);
    if (status)
        fail_msg("%s, %s: %s", oracle_name(p), method, slimband_status_name(status));
    for (int64_t i = 0; i < s.points; ++i) {
        double e = fabs(u[i] - exact[i]);
        worst = e <= worst ? worst : e; /* NaN stays */
        size = fmax(size, fabs(exact[i]));
    }
    *line = report.line_axis;
    free(u);
    free(exact);
    oracle_free(&s);
    return worst / size;
}

static void hold_error(const slimband_poisson_problem *p, const char *method, double times)
{
    int line;
    double eps = rounding(p) / 40, error = error_of(p, method, &line);
    if (!(error <= times * eps))
        fail_msg("%s by %s, lengths %g %g %g, lines along axis %d: error %.1e", oracle_name(p), method,
                 p->axis[0].length, p->axis[1].length, p->axis[2].length, line, error);
}

static slimband_poisson_problem box(slimband_scalar scalar, int rank, const int kinds[], double thin)
{
    static const int64_t sizes[2][3] = {{65, 48, 1}, {17, 12, 15}};
    slimband_poisson_problem p = slimband_poisson(scalar, rank, sizes[rank - 2]);
    for (int a = 0; a < rank; ++a)
        p.axis[a] = oracle_axis(kinds[a], p.axis[a].n, a == rank - 1 ? 1 : thin);
    return p;
}

static void test_thin_axes_without_walls_cost_few_digits(void **state)
{
    (void)state;
    static const int kinds[][3] = {{KIND_NN, KIND_DD},          {KIND_PP, KIND_DD},
                                   {KIND_NN_CELLS, KIND_DD},    {KIND_PP_CELLS, KIND_DD},
                                   {KIND_NN, KIND_NN},          {KIND_PP, KIND_NN_CELLS},
                                   {KIND_PP, KIND_PP, KIND_DD}, {KIND_NN, KIND_PP, KIND_DD},
                                   {KIND_NN, KIND_NN, KIND_PP}, {KIND_NN, KIND_DD, KIND_DD}};
    for (int k = 0; k < 10; ++k)
        for (int e = 0; e <= 9; ++e) {
            int rank = k < 6 ? 2 : 3;
            slimband_poisson_problem p = box(SLIMBAND_F64, rank, kinds[k], pow(10, -e));
            hold_error(&p, SLIMBAND_AUTO, e < 3 ? FEW_DIGITS : TIMES);
            p = box(SLIMBAND_F32, rank, kinds[k], pow(10, -0.5 * e));
            hold_error(&p, SLIMBAND_AUTO, TIMES);
        }
}

/* Random numbers, and the same ones with the axes turned round, where lines run along the other axis. */
static void test_a_thin_box_turned_round_has_the_same_solution(void **state)
{
    (void)state;
    static const int thin[] = {KIND_NN, KIND_PP, KIND_NN_CELLS, KIND_PP_CELLS};
    for (int k = 0; k < 4; ++k) {
        slimband_poisson_problem p = box(SLIMBAND_F64, 2, (int[]){thin[k], KIND_DD}, 1e-6), turned = p;
        turned.axis[0] = p.axis[1];
        turned.axis[1] = p.axis[0];
        sample s = oracle_level(&p, 0, 1, 3), t = oracle_level(&turned, 0, 1, 3);
        int64_t rows = p.axis[0].n, columns = p.axis[1].n;
        for (int64_t i = 0; i < s.points; ++i)
            t.f[i % columns * rows + i / columns] = s.f[i];
        slimband_status status;
        slimband_poisson_report report;
        double *u = oracle_solve(&s, slimband_cpu(1), SLIMBAND_AUTO, &status, &report);
        assert_int_equal(status, SLIMBAND_OK);
        double *v = oracle_solve(&t, slimband_cpu(1), SLIMBAND_AUTO, &status, &report);
        assert_int_equal(status, SLIMBAND_OK);
        double worst = 0, size = 0;
        for (int64_t i = 0; i < s.points; ++i) {
            worst = fmax(worst, fabs(u[i] - v[i % columns * rows + i / columns]));
            size = fmax(size, fabs(u[i]));
        }
        if (!(worst <= TIMES * DBL_EPSILON * size))
            fail_msg("%s: %.1e of the largest unknown", oracle_name(&p), worst / size);
        free(u);
        free(v);
        oracle_free(&s);
        oracle_free(&t);
    }
}

static void hold_line_axis(const slimband_poisson_problem *p, int expected)
{
    slimband_poisson_plan *plan;
    slimband_poisson_report report;
    assert_int_equal(slimband_poisson_plan_create(&plan, p, slimband_cpu(1), SLIMBAND_AUTO), SLIMBAND_OK);
    assert_int_equal(slimband_poisson_plan_report(plan, &report), SLIMBAND_OK);
    slimband_poisson_plan_destroy(plan);
    if (report.line_axis != expected)
        fail_msg("%s, lengths %g %g: lines along axis %d", oracle_name(p), p->axis[0].length, p->axis[1].length,
                 report.line_axis);
}

static void test_lines_keep_to_the_fastest_axis_where_digits_allow(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int other = 0; other < KINDS; ++other)
            for (double length = 0.1; length < 20; length *= 10) {
                slimband_poisson_problem p = box(SLIMBAND_F64, 2, (int[]){kind, other}, length);
                hold_line_axis(&p, kind % WALLS == KIND_PP && other % WALLS != KIND_PP);
                p.scalar = SLIMBAND_F32;
                p.axis[0].length = 1;
                hold_line_axis(&p, kind % WALLS == KIND_PP && other % WALLS != KIND_PP);
            }
    slimband_poisson_problem thin = box(SLIMBAND_F64, 2, (int[]){KIND_DD, KIND_NN}, 1e-6);
    hold_line_axis(&thin, 0);
}

/* What a point's couplings to itself leave of its diagonal would be added to the small eigenvalues of the other axes. */
static void test_a_ring_of_one_point_adds_nothing(void **state)
{
    (void)state;
    static const char *const methods[] = {SLIMBAND_AUTO, "spectral", "bcr2", "bcr4"};
    for (int m = 0; m < 4; ++m)
        for (int cells = 0; cells < 2; ++cells)
            for (double length = 1e-9; length < 10; length *= 7) {
                slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){15, 1});
                p.axis[1] = oracle_axis(cells ? KIND_PP_CELLS : KIND_PP, 1, length);
                hold_error(&p, methods[m], TIMES);
                p.line_axis = 1;
                hold_error(&p, methods[m], TIMES);
                p = slimband_poisson(SLIMBAND_F64, 1, (int64_t[]){1});
                p.axis[0] = oracle_axis(cells ? KIND_PP_CELLS : KIND_PP, 1, length);
                p.lambda = 1e-12;
                if (m < 2)
                    hold_error(&p, methods[m], TIMES);
            }
}

/* 1/h^2, h times f and h times u go up to the type's range and beyond. */
static void test_lengths_far_from_one_are_as_good_as_any(void **state)
{
    (void)state;
    static const int kinds[] = {KIND_DD, KIND_NN, KIND_PP, KIND_NN_CELLS, KIND_PP_CELLS};
    for (int k = 0; k < 5; ++k)
        for (int power = -140; power <= 140; power += 7) {
            slimband_poisson_problem p = box(SLIMBAND_F64, 2, (int[]){kinds[k], KIND_NN}, 1);
            p.axis[0].length = p.axis[1].length = pow(10, power);
            hold_error(&p, SLIMBAND_AUTO, TIMES);
            p.scalar = SLIMBAND_F32;
            p.axis[0].length = p.axis[1].length = pow(10, power / 8.5);
            hold_error(&p, SLIMBAND_AUTO, TIMES);
        }
}

/* Cyclic reduction multiplies entries by one another, which leaves f32 beyond 1e-19 and 1e19. */
static void test_block_cyclic_reduction_of_tiny_huge_and_stretched_boxes(void **state)
{
    (void)state;
    static const char *const methods[] = {"bcr2", "bcr4"};
    for (int m = 0; m < 2; ++m)
        for (int rank = 2; rank <= 3; ++rank)
            for (int power = -16; power <= 16; ++power)
                for (int stretched = -1; stretched < rank; ++stretched) {
                    slimband_poisson_problem p =
                        slimband_poisson(SLIMBAND_F32, rank, (int64_t[]){15, rank == 2 ? 10 : 7, 10});
                    for (int a = 0; a < rank; ++a)
                        p.axis[a].length = stretched < 0 || stretched == a ? pow(10, power) : 1;
                    hold_error(&p, methods[m], TIMES);
                    p.scalar = SLIMBAND_F64;
                    for (int a = 0; a < rank; ++a)
                        p.axis[a].length = pow(p.axis[a].length, 9);
                    hold_error(&p, methods[m], TIMES);
                }
}

/* The walls' terms are scaled with the rest. */
static void test_walls_of_a_tiny_box_are_kept(void **state)
{
    (void)state;
    static const char *const methods[] = {SLIMBAND_AUTO, "bcr2", "bcr4"};
    for (int m = 0; m < 3; ++m)
        for (int kind = 0; kind < KINDS; ++kind) {
            slimband_poisson_problem p = slimband_poisson(SLIMBAND_F32, 2, (int64_t[]){15, 10});
            p.axis[1] = oracle_axis(kind, 10, 1e-16);
            p.axis[0].length = 1e-16;
            sample s = oracle_draw(&p, 5);
            slimband_status status;
            slimband_poisson_report report;
            double *u = oracle_solve(&s, slimband_cpu(1), methods[m], &status, &report);
            assert_int_equal(status, SLIMBAND_OK);
            hold(&s, u, &report, 5);
            free(u);
            oracle_free(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thin_axes_without_walls_cost_few_digits),
        cmocka_unit_test(test_a_thin_box_turned_round_has_the_same_solution),
        cmocka_unit_test(test_lines_keep_to_the_fastest_axis_where_digits_allow),
        cmocka_unit_test(test_a_ring_of_one_point_adds_nothing),
        cmocka_unit_test(test_lengths_far_from_one_are_as_good_as_any),
        cmocka_unit_test(test_block_cyclic_reduction_of_tiny_huge_and_stretched_boxes),
        cmocka_unit_test(test_walls_of_a_tiny_box_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
