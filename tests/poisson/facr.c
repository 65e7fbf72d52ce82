/* One step of cyclic reduction before the transforms: which problems take it, and that nothing else shows it. */
#include "gallery/random.h"
#include "tests/poisson/support.h"

enum { NODES = 4, CELLS = WALLS }; /* kinds 0 .. 3: dd, dn, nd, nn at nodes; from CELLS on at cells */

static slimband_poisson_problem box(slimband_scalar scalar, int kind0, int64_t n0, int kind1, int64_t n1)
{
    slimband_poisson_problem p = slimband_poisson(scalar, 2, (int64_t[]){1, 1});
    p.axis[0] = oracle_axis(kind0, n0, (double)n0 / (double)n1);
    p.axis[1] = oracle_axis(kind1, n1, 1);
    return p;
}

static int64_t systems(const slimband_poisson_problem *p)
{
    slimband_poisson_plan *plan;
    slimband_poisson_report report;
    size_t points = (size_t)(p->axis[0].n * p->axis[1].n * (p->rank == 3 ? p->axis[2].n : 1) * p->fields);
    double *u = calloc(points, sizeof *u);
    assert_int_equal(slimband_poisson_plan_create(&plan, p, slimband_cpu(1), "spectral"), SLIMBAND_OK);
    assert_int_equal(slimband_poisson_solve(plan, u, NULL, u), SLIMBAND_OK);
    slimband_poisson_plan_report(plan, &report);
    slimband_poisson_plan_destroy(plan);
    free(u);
    return report.subproblems;
}

/* Every mode is a line; rows that were eliminated are systems too. */
static void expect(slimband_poisson_problem p, bool reduced)
{
    for (p.fields = 1; p.fields < 4; p.fields += 2) {
        int64_t each = p.axis[1].n * (p.rank == 3 ? p.axis[2].n : 1) + (reduced ? (p.axis[0].n + 1) / 2 : 0);
        if (systems(&p) != each * p.fields)
            fail_msg("%s: expected%s", oracle_name(&p), reduced ? "" : " not");
    }
}

static void test_which_problems_are_reduced(void **state)
{
    (void)state;
    for (int kind0 = 0; kind0 < KINDS; ++kind0)
        for (int kind1 = 0; kind1 < KINDS; ++kind1) {
            slimband_poisson_problem p = box(SLIMBAND_F64, kind0, 9, kind1, 64);
            p.line_axis = 0;
            expect(p, kind0 < NODES && !oracle_singular(&p));
            p.lambda = 3;
            expect(p, kind0 < NODES);
            p.lambda = -0.25;
            expect(p, false);
        }
    expect(box(SLIMBAND_F32, 0, 3, 0, 40), true);
    expect(box(SLIMBAND_F64, 0, 2, 0, 40), false);
    expect(box(SLIMBAND_F64, 0, 3, 0, 39), false);
}

static void test_others_are_not(void **state)
{
    (void)state;
    static const double spacing[8] = {.1, .1, .1, .1, .1, .1, .1, .3};
    slimband_poisson_problem p = box(SLIMBAND_F64, 0, 7, 0, 64);
    expect(p, true);
    p.line_axis = 1;
    assert_int_equal(systems(&p), 7);
    p.line_axis = 0;
    p.spacing = spacing;
    expect(p, false);
    expect(slimband_poisson(SLIMBAND_F64, 3, (int64_t[]){7, 9, 64}), false);
}

static double error_of(const sample *s, int threads, slimband_poisson_report *report)
{
    slimband_status status;
    double *u = oracle_solve(s, slimband_cpu(threads), "spectral", &status, report);
    assert_int_equal(status, SLIMBAND_OK);
    double error = oracle_backward_error(s, u);
    free(u);
    return error;
}

/* From rows that hardly see each other's neighbours to such where they see nothing else: errors are those of rounding, and
   the step is not taken where it would make them worse. */
static void test_spacings(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int k = -20; k <= 20; k += k < -4 || k > 4 ? 4 : 1)
            for (int waves = 0; waves < 3; ++waves) {
                slimband_poisson_problem p = box(kind % 2 ? SLIMBAND_F32 : SLIMBAND_F64, 0, 33, kind, 128);
                double beside = exp2(k);
                p.axis[0].length = 34 * oracle_h(&p.axis[1]) * sqrt(beside);
                sample s = oracle_draw(&p, (uint64_t)(k + 100));
                for (int64_t i = 0; waves && i < s.points; ++i) {
                    s.f[i] = (i + (waves == 1 ? i / 128 : 0)) % 2 ? 1 : -1;
                    s.single[i] = (float)s.f[i];
                }
                slimband_poisson_report report;
                double error = error_of(&s, 1, &report);
                if (!(error <= rounding(&p) / 4) || (report.subproblems == 128 + 17) != (beside <= 4))
                    fail_msg("%s: beside %g, waves %d, backward error %.1e, %lld systems", oracle_name(&p),
                             beside, waves, error, (long long)report.subproblems);
                oracle_free(&s);
            }
}

/* In place and from one array to another, with one thread, two, and more. */
static void same_bits(const sample *s)
{
    const slimband_poisson_problem *p = &s->problem;
    size_t size = p->scalar == SLIMBAND_F32 ? sizeof(float) : sizeof(double);
    size_t bytes = (size_t)(s->points * p->fields) * size;
    char *u = malloc(bytes), *first = malloc(bytes);
    for (int threads = 1; threads < 5; ++threads) {
        slimband_poisson_plan *plan;
        assert_int_equal(slimband_poisson_plan_create(&plan, p, slimband_cpu(threads), "spectral"),
                         SLIMBAND_OK);
        slimband_poisson_solve(plan, oracle_f(s), &s->boundary, u);
        if (threads == 1)
            memcpy(first, u, bytes);
        assert_memory_equal(u, first, bytes);
        memcpy(u, oracle_f(s), bytes);
        slimband_poisson_solve(plan, u, &s->boundary, u);
        assert_memory_equal(u, first, bytes);
        slimband_poisson_plan_destroy(plan);
    }
    free(u);
    free(first);
}

static void without_walls(sample *s)
{
    const slimband_poisson_boundary zero = {0};
    s->boundary = zero;
    for (int a = 0; a < 2; ++a)
        for (int side = 0; side < 2; ++side)
            for (int64_t i = 0; i < s->points / s->problem.axis[a].n * s->problem.fields; ++i)
                s->side[a][side][i] = 0;
}

static void test_every_wall(void **state)
{
    (void)state;
    sb_random random = sb_random_seeded(77);
    for (int kind0 = 0; kind0 < NODES; ++kind0)
        for (int kind1 = 0; kind1 < KINDS; ++kind1)
            for (int64_t n0 = 3; n0 < 12; ++n0) {
                int64_t n1 = sb_random_between(&random, 40, 140);
                slimband_poisson_problem p = box(n0 % 4 ? SLIMBAND_F64 : SLIMBAND_F32, kind0, n0, kind1, n1);
                p.lambda = n0 % 2 && !oracle_singular(&p) ? 0 : 100 * sb_random_unit(&random);
                p.fields = n0 % 3 + 1;
                sample s = oracle_draw(&p, sb_random_bits(&random));
                if (n0 % 2)
                    without_walls(&s);
                slimband_poisson_report report;
                double error = error_of(&s, 1, &report);
                if (!(error <= rounding(&p) / 4) || report.subproblems != p.fields * (n1 + (n0 + 1) / 2))
                    fail_msg("%s: backward error %.1e, %lld systems", oracle_name(&p), error,
                             (long long)report.subproblems);
                same_bits(&s);
                oracle_free(&s);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_problems_are_reduced),
        cmocka_unit_test(test_others_are_not),
        cmocka_unit_test(test_spacings),
        cmocka_unit_test(test_every_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
