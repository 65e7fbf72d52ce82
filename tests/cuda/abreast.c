/* partition with a lane for each system: at sizes around tiles, strips and levels of links; and systems among others that have to
 * pivot, or can't be solved. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "src/cuda/abreast/shape.h"
#include "tests/cuda/device.h"
#include "tests/cuda/setup.h"

static const char method[] = "partition:form=abreast";

static slimband_status solve(batch *s, bool in_place, int rounds, slimband_plan **plan)
{
    device_batch d = device_take(s);
    slimband_problem problem = s->problem;
    problem.one_pass = true;
    assert_int_equal(slimband_plan_create(plan, &problem, slimband_cuda(0, NULL), method), SLIMBAND_OK);
    slimband_status status = SLIMBAND_OK;
    for (int round = 0; round < rounds;
         ++round) { /* what a call leaves on the device is the next one's to find */
        device_put(s, &d);
        status = slimband_factor_solve(*plan, d.diagonals, d.b, in_place ? d.b : d.x);
        status = status ? status : slimband_cuda_wait(*plan);
    }
    device_batch moved = d;
    moved.x = in_place ? d.b : d.x;
    device_get(&moved, s);
    device_free(&d);
    return status;
}

/* Not dominant: elimination has to pivot. */
static void make_general(batch *s, int64_t system, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    for (int64_t i = 0; i < s->n; ++i)
        s->diagonal[system * s->n + i] = sb_random_signed(&random);
}

static void check_size(int64_t n, int64_t systems, bool general, bool in_place)
{
    batch s = batch_make(n, systems, (uint64_t)(n + systems));
    slimband_plan *plan;
    for (int64_t k = 0; general && k < systems; ++k)
        make_general(&s, k, (uint64_t)k);
    assert_int_equal(solve(&s, in_place, 1, &plan), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    for (int64_t k = 0; k < systems; ++k) {
        double error = batch_error(&s, k);
        if (!(error < 4e-15))
            fail_msg("n %lld, system %lld of %lld, %s: %g", (long long)n, (long long)k, (long long)systems,
                     general ? "general" : "dominant", error);
    }
    batch_free(&s);
}

static void test_every_size_is_solved_to_rounding(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 3, 13, 14, 15, 28, 29, 225, 3137, 60001}, batches[] = {1, 31, 33, 70};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (size_t k = 0; k < sizeof batches / sizeof *batches; ++k)
            for (int way = 0; way < 4; ++way)
                check_size(sizes[i], batches[k], way & 1, way & 2);
}

static void test_systems_that_pivot_and_singular_ones_leave_their_neighbours_alone(void **state)
{
    (void)state;
    enum { N = 5000, SYSTEMS = 40, PIVOTS = 17, SINGULAR = 18, ROW = 3001 };
    batch s = batch_make(N, SYSTEMS, 5);
    slimband_plan *plan;
    slimband_system_info info;
    make_general(&s, PIVOTS, 9);
    double *const row[] = {s.lower, s.diagonal, s.upper};
    for (int d = 0; d < 3; ++d)
        row[d][SINGULAR * N + ROW] = 0;
    assert_int_equal(solve(&s, false, 2, &plan), SLIMBAND_SINGULAR);
    for (int64_t k = 0; k < SYSTEMS; ++k) {
        assert_int_equal(slimband_system_status(plan, k, &info), SLIMBAND_OK);
        assert_int_equal(info.status, k == SINGULAR ? SLIMBAND_SINGULAR : SLIMBAND_OK);
        assert_int_equal(info.pivoted, k == PIVOTS || k == SINGULAR);
        if (k == SINGULAR) {
            assert_int_equal(info.row, ROW);
            assert_true(batch_is_nan(&s, k));
        } else
            assert_true(batch_error(&s, k) < 4e-15);
    }
    slimband_plan_destroy(plan);
    batch_free(&s);
}

static void test_strips_and_levels_cover_every_length(void **state)
{
    (void)state;
    static const int64_t batches[] = {1, 64, 5000, 1 << 20};
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int64_t n = 1; n < INT64_C(1) << 32; n += n < 300 ? 1 : n / 3)
            for (size_t k = 0; k < sizeof batches / sizeof *batches; ++k) {
                slimband_problem p = slimband_tridiagonal((slimband_scalar)scalar, n);
                assert_int_equal(slimband_interleaved(&p, batches[k]), SLIMBAND_OK);
                sb_cuda_setup setup = setup_of(&p, &devices[n % 3]);
                sb_abreast_shape a = sb_abreast_shape_of(&setup);
                int64_t rows = SB_ABREAST_ROWS((int64_t)setup.scalar_bytes);
                assert_true(a.tiles * rows >= n && (a.tiles - 1) * rows < n);
                assert_true(a.count[0] * a.strip >= a.tiles && (a.count[0] - 1) * a.strip < a.tiles);
                assert_true(a.groups * SB_LARGE_LANES == a.lanes && a.lanes >= setup.systems);
                assert_true(a.levels < SB_ABREAST_LEVELS && a.count[a.levels] <= SB_ABREAST_RUN);
                for (int64_t l = 0; l < a.levels; ++l)
                    assert_true(a.count[l + 1] == (a.count[l] + SB_ABREAST_RUN - 1) / SB_ABREAST_RUN);
            }
}

static const char *chosen(int64_t n, int64_t systems, bool interleaved)
{
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, n);
    assert_int_equal(interleaved ? slimband_interleaved(&p, systems) : slimband_contiguous(&p, systems),
                     SLIMBAND_OK);
    sb_cuda_setup setup = setup_of(&p, &devices[0]);
    return sb_cuda_partition_method.instead(&setup) == &sb_cuda_abreast_method ? "abreast" : "lines";
}

static void test_long_systems_side_by_side_go_abreast_and_lines_do_not(void **state)
{
    (void)state;
    assert_string_equal(chosen(8192, 8192, true), "abreast");
    assert_string_equal(chosen(65536, 256, true), "abreast");
    assert_string_equal(chosen(8192, 8192, false), "lines");
    assert_string_equal(chosen(1024, 4, true), "lines");
    assert_string_equal(chosen(1 << 20, 1, true), "lines");
}

int main(int count, char **arguments)
{
    if (count > 1)
        cmocka_set_test_filter(arguments[1]);
    const struct CMUnitTest on_paper[] = {
        cmocka_unit_test(test_strips_and_levels_cover_every_length),
        cmocka_unit_test(test_long_systems_side_by_side_go_abreast_and_lines_do_not),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size_is_solved_to_rounding),
        cmocka_unit_test(test_systems_that_pivot_and_singular_ones_leave_their_neighbours_alone),
    };
    int failed = cmocka_run_group_tests(on_paper, NULL, NULL);
    if (failed || device_missing())
        return failed ? failed : SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
