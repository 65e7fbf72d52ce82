/* Links of runs solve what partial pivoting solves, as exactly, however the rows are cut into runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/gallery.h"
#include "slimband/slimband.h"
#include "tests/chunk/draw.h"
#include "tests/chunk/links.h"

enum { MOST_ROWS = 600, ROUNDS = 4000 };

/* RINGS: of constant rows, which may be well conditioned while the chains that they are opened grow from end to end. */
typedef enum kind { DOMINANT, GENERAL, GAPS, BADLY_SCALED, RINGS, KINDS } kind;

static T memory[5][MOST_ROWS];

static tridiagonal system_of(int64_t n, bool periodic, int64_t run)
{
    return (tridiagonal){n, memory[0], memory[1], memory[2], memory[3], memory[4], periodic, run};
}

static T draw_diagonal(kind kind, sb_random *random)
{
    if (kind == DOMINANT)
        return draw(random) + 4;
    return kind == GAPS && sb_random_unit(random) < 0.6 ? 0 : draw(random);
}

static void draw_system(const tridiagonal *s, kind kind, sb_random *random)
{
    for (int64_t i = 0; i < s->n; ++i) {
        R scale = kind == BADLY_SCALED ? (R)ldexp(1, (int)sb_random_between(random, -20, 20)) : 1;
        s->lower[i] = scale * draw(random);
        s->diagonal[i] = scale * draw_diagonal(kind, random);
        s->upper[i] = scale * draw(random);
        s->b[i] = scale * draw(random);
        if (kind == RINGS && i > 0) {
            s->lower[i] = s->lower[0];
            s->diagonal[i] = s->diagonal[0];
            s->upper[i] = s->upper[0];
        }
    }
}

static slimband_backward_error error_of(const tridiagonal *s)
{
    slimband_problem p = slimband_tridiagonal(scalar, s->n);
    p.ends = s->periodic ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    slimband_backward_error error;
    assert_int_equal(
        slimband_residual(&p, (const void *[]){s->lower, s->diagonal, s->upper}, s->b, s->x, &error),
        SLIMBAND_OK);
    return error;
}

static void test_random_systems_cut_anywhere_have_small_backward_errors(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        sb_random random = sb_random_seeded(seed);
        kind kind = (enum kind)(seed % KINDS);
        int64_t n = 1 + sb_random_between(&random, 0, seed % 10 ? 60 : MOST_ROWS - 1);
        tridiagonal s = system_of(n, kind == RINGS || seed / KINDS % 2, 1 + sb_random_between(&random, 0, 33));
        draw_system(&s, kind, &random);
        if (!solve_by_links(&s))
            continue; /* by chance: the tests of singular systems say when that is right */
        double error = error_of(&s).normwise;
        if (!(error < 16 * epsilon))
            fail_msg("seed %llu, n %lld, runs of %lld: %g", (unsigned long long)seed, (long long)n,
                     (long long)s.run, error);
    }
}

static void test_alternating_zeros_that_no_run_can_solve_alone_are_solved(void **state)
{
    (void)state;
    for (int64_t n = 2; n < 100; n += 2)
        for (int64_t run = 1; run < 20; ++run) {
            tridiagonal s = system_of(n, false, run);
            for (int64_t i = 0; i < n; ++i) {
                s.lower[i] = s.upper[i] = 1;
                s.diagonal[i] = 0;
                s.b[i] = (R)(i % 5);
            }
            assert_true(solve_by_links(&s));
            assert_true(error_of(&s).componentwise == 0);
        }
}

static void test_singular_systems_are_found(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 100; n += 2)
        for (int64_t run = 1; run < 20; ++run) {
            tridiagonal s = system_of(n, false, run);
            for (int64_t i = 0; i < n; ++i) {
                s.lower[i] = s.upper[i] = 1;
                s.diagonal[i] = 0;
                s.b[i] = 1;
            }
            assert_false(solve_by_links(&s));
        }
}

/* Doubles only: the gallery's numbers are doubles. */
static void test_the_gallery_is_solved_as_exactly_as_by_pivoted_lu(void **state)
{
    (void)state;
    for (int k = 0; k < SB_GALLERY_COUNT && SB_IS(SB_TYPE) == SB_IS_f64; ++k) {
        const sb_gallery_matrix *matrix = sb_gallery_at(k);
        tridiagonal s = system_of(MOST_ROWS < matrix->largest ? MOST_ROWS : matrix->largest, false, 16);
        sb_tridiagonal A = {(double *)s.lower, (double *)s.diagonal, (double *)s.upper};
        assert_null(sb_gallery_fill(matrix, s.n, 5, A));
        sb_random random = sb_random_seeded((uint64_t)k);
        for (int64_t i = 0; i < s.n; ++i)
            s.b[i] = draw(&random);
        assert_true(solve_by_links(&s));
        double ours = error_of(&s).normwise;
        slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, s.n);
        slimband_plan *plan;
        assert_int_equal(slimband_plan_create(&plan, &p, slimband_cpu(1), "pivoted_lu"), SLIMBAND_OK);
        assert_int_equal(slimband_factor_solve(plan, (const void *[]){s.lower, s.diagonal, s.upper}, s.b, s.x),
                         SLIMBAND_OK);
        slimband_plan_destroy(plan);
        double theirs = error_of(&s).normwise;
        if (!(ours <= 4 * theirs + 4 * epsilon))
            fail_msg("%s: %g, pivoted_lu %g", matrix->name, ours, theirs);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_systems_cut_anywhere_have_small_backward_errors),
        cmocka_unit_test(test_alternating_zeros_that_no_run_can_solve_alone_are_solved),
        cmocka_unit_test(test_singular_systems_are_found),
        cmocka_unit_test(test_the_gallery_is_solved_as_exactly_as_by_pivoted_lu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
