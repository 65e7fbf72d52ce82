/* tile with a lane for each short system: every length and band it takes, and systems that pivot or can't be solved among others;
 * and which batches auto gives to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/cuda/short/shape.h"
#include "tests/cuda/device.h"
#include "tests/cuda/setup.h"

static const char method[] = "tile:form=alone";

static slimband_status solve(batch *s, bool in_place, slimband_plan **plan)
{
    device_batch d = device_take(s);
    slimband_problem problem = s->problem;
    problem.one_pass = true;
    assert_int_equal(slimband_plan_create(plan, &problem, slimband_cuda(0, NULL), method), SLIMBAND_OK);
    device_put(s, &d);
    slimband_status status = slimband_factor_solve(*plan, d.diagonals, d.b, in_place ? d.b : d.x);
    status = status ? status : slimband_cuda_wait(*plan);
    device_batch moved = d;
    moved.x = in_place ? d.b : d.x;
    device_get(&moved, s);
    device_free(&d);
    return status;
}

static void test_every_length_is_solved_to_rounding(void **state)
{
    (void)state;
    static const int64_t batches[] = {1, 31, 32, 33, 1000};
    for (int64_t n = 1; n <= SB_SHORT_ROWS; ++n) {
        batch s = batch_make(n, batches[n % 5], (uint64_t)n);
        slimband_plan *plan;
        for (int64_t k = 0; k < s.systems; k += 3) /* has to pivot */
            s.diagonal[k * n] = n > 1 ? 0 : 1;
        assert_int_equal(solve(&s, n % 2, &plan), SLIMBAND_OK);
        slimband_plan_destroy(plan);
        for (int64_t k = 0; k < s.systems; ++k)
            assert_true(batch_error(&s, k) < 2e-15);
        batch_free(&s);
    }
}

static void test_a_singular_system_leaves_its_neighbours_alone(void **state)
{
    (void)state;
    enum { N = 20, SYSTEMS = 70, SINGULAR = 33, ROW = 7 };
    batch s = batch_make(N, SYSTEMS, 5);
    slimband_plan *plan;
    slimband_system_info info;
    double *const row[] = {s.lower, s.diagonal, s.upper};
    for (int d = 0; d < 3; ++d)
        row[d][SINGULAR * N + ROW] = 0;
    assert_int_equal(solve(&s, false, &plan), SLIMBAND_SINGULAR);
    for (int64_t k = 0; k < SYSTEMS; ++k) {
        assert_int_equal(slimband_system_status(plan, k, &info), SLIMBAND_OK);
        assert_int_equal(info.status, k == SINGULAR ? SLIMBAND_SINGULAR : SLIMBAND_OK);
        assert_true(k != SINGULAR || (info.row >= ROW && info.row < N)); /* of the pivot that is missing */
        assert_true(k == SINGULAR ? batch_is_nan(&s, k) : batch_error(&s, k) < 2e-15);
    }
    slimband_plan_destroy(plan);
    batch_free(&s);
}

static bool goes_alone(slimband_problem p, int64_t systems, const sb_cuda_device *device)
{
    assert_int_equal(slimband_interleaved(&p, systems), SLIMBAND_OK);
    sb_cuda_setup setup = setup_of(&p, device);
    return sb_cuda_tile_method.instead(&setup) == &sb_cuda_short_method;
}

static void test_many_short_systems_go_alone_and_large_batches_of_longer_ones_do_not(void **state)
{
    (void)state;
    assert_true(goes_alone(slimband_tridiagonal(SLIMBAND_F64, 16), 4096, &devices[0]));
    assert_true(goes_alone(slimband_tridiagonal(SLIMBAND_F64, 8), 1 << 16, &devices[0]));
    assert_true(goes_alone(slimband_banded(SLIMBAND_F64, 16, 2, 2), 4096, &devices[0]));
    assert_true(
        goes_alone(slimband_banded(SLIMBAND_F64, 30, 4, 3), 4096, &devices[0])); /* nobody else takes them */
    assert_false(goes_alone(slimband_tridiagonal(SLIMBAND_F64, 64), 1 << 20, &devices[0]));
    assert_false(goes_alone(slimband_tridiagonal(SLIMBAND_F64, SB_SHORT_ROWS + 1), 4096, &devices[0]));
}

static void test_what_pivots_is_taken_and_blocks_fit_every_device(void **state)
{
    (void)state;
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int band = 0; band <= 4; ++band)
            for (int64_t n = 1; n <= SB_SHORT_ROWS; ++n)
                for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d) {
                    slimband_problem p = slimband_banded((slimband_scalar)scalar, n, band, band);
                    p.pivoting = SLIMBAND_PIVOT_PARTIAL;
                    assert_int_equal(slimband_contiguous(&p, 100), SLIMBAND_OK);
                    sb_cuda_setup setup = setup_of(&p, &devices[d]);
                    bool takes = !sb_cuda_short_method.fits(&setup);
                    int64_t bytes =
                        sb_short_shared(sb_short_half(band, band), n, false, (int64_t)setup.scalar_bytes);
                    assert_true(!takes || bytes + SB_SHORT_STATIC <= devices[d].shared_block);
                    assert_true(takes || n > 32 || (scalar == SLIMBAND_C128 && band > 2));
                    assert_ptr_equal(sb_cuda_tile_method.instead(&setup),
                                     takes ? &sb_cuda_short_method : &sb_cuda_tile_method);
                }
}

int main(void)
{
    const struct CMUnitTest on_paper[] = {
        cmocka_unit_test(test_many_short_systems_go_alone_and_large_batches_of_longer_ones_do_not),
        cmocka_unit_test(test_what_pivots_is_taken_and_blocks_fit_every_device),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length_is_solved_to_rounding),
        cmocka_unit_test(test_a_singular_system_leaves_its_neighbours_alone),
    };
    int failed = cmocka_run_group_tests(on_paper, NULL, NULL);
    if (failed || device_missing())
        return failed ? failed : SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
