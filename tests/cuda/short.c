/* tile with a lane for each short system: every length and band it takes, and systems that pivot or can't be solved among others;
 * and which batches auto gives to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/cuda/short/shape.h"
#include "tests/cuda/device.h"
#include "tests/cuda/setup.h"

static const char method[] = "tile:form=alone";

/* The rows of all systems one behind another, or back to system by system. */
static void turn(batch *s, bool abreast)
{
    double *const all[] = {s->lower, s->diagonal, s->upper, s->b, s->x};
    double *old = malloc((size_t)(s->n * s->systems) * sizeof *old);
    assert_non_null(old);
    for (int a = 0; a < 5; ++a) {
        memcpy(old, all[a], (size_t)(s->n * s->systems) * sizeof *old);
        for (int64_t k = 0; k < s->systems; ++k)
            for (int64_t i = 0; i < s->n; ++i)
                all[a][abreast ? i * s->systems + k : k * s->n + i] =
                    old[abreast ? k * s->n + i : i * s->systems + k];
    }
    free(old);
}

static slimband_status solve(batch *s, bool abreast, bool in_place, slimband_plan **plan)
{
    slimband_problem problem = s->problem;
    problem.one_pass = true;
    if (abreast) {
        assert_int_equal(slimband_interleaved(&problem, s->systems), SLIMBAND_OK);
        turn(s, true);
    }
    device_batch d = device_take(s);
    assert_int_equal(slimband_plan_create(plan, &problem, slimband_cuda(0, NULL), method), SLIMBAND_OK);
    device_put(s, &d);
    slimband_status status = slimband_factor_solve(*plan, d.diagonals, d.b, in_place ? d.b : d.x);
    status = status ? status : slimband_cuda_wait(*plan);
    device_batch moved = d;
    moved.x = in_place ? d.b : d.x;
    device_get(&moved, s);
    device_free(&d);
    if (abreast)
        turn(s, false);
    return status;
}

static void check_length(int64_t n, int64_t systems, bool abreast)
{
    batch s = batch_make(n, systems, (uint64_t)n);
    slimband_plan *plan;
    for (int64_t k = 0; k < s.systems; k += 3) /* has to pivot */
        s.diagonal[k * n] = n > 1 ? 0 : 1;
    assert_int_equal(solve(&s, abreast, n % 2, &plan), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    for (int64_t k = 0; k < s.systems; ++k)
        assert_true(batch_error(&s, k) < 2e-15);
    batch_free(&s);
}

static void test_every_length_is_solved_to_rounding(void **state)
{
    (void)state;
    static const int64_t batches[] = {1, 31, 32, 33, 1000};
    for (int64_t n = 1; n <= SB_SHORT_ROWS; ++n)
        for (int abreast = 0; abreast < 2; ++abreast)
            check_length(n, batches[n % 5], abreast);
}

/* Enough of them for lanes to take their rows straight from memory: see goes_straight. */
enum { MANY = 30011 };

static void test_every_length_is_solved_straight_from_memory(void **state)
{
    (void)state;
    static const int64_t lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 31, 32};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
        check_length(lengths[k], MANY, true);
}

static void check_singular(int64_t systems, bool abreast)
{
    enum { N = 20, SINGULAR = 33, ROW = 7 };
    batch s = batch_make(N, systems, 5);
    slimband_plan *plan;
    slimband_system_info info;
    double *const row[] = {s.lower, s.diagonal, s.upper};
    for (int d = 0; d < 3; ++d)
        row[d][SINGULAR * N + ROW] = 0;
    assert_int_equal(solve(&s, abreast, false, &plan), SLIMBAND_SINGULAR);
    for (int64_t k = 0; k < systems; ++k) {
        assert_int_equal(slimband_system_status(plan, k, &info), SLIMBAND_OK);
        assert_int_equal(info.status, k == SINGULAR ? SLIMBAND_SINGULAR : SLIMBAND_OK);
        assert_true(k != SINGULAR || (info.row >= ROW && info.row < N)); /* of the pivot that is missing */
        assert_true(k == SINGULAR ? batch_is_nan(&s, k) : batch_error(&s, k) < 2e-15);
    }
    slimband_plan_destroy(plan);
    batch_free(&s);
}

static void test_a_singular_system_leaves_its_neighbours_alone(void **state)
{
    (void)state;
    check_singular(70, false);
    check_singular(MANY, true);
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

static bool goes_straight(slimband_problem p, int64_t systems, bool abreast)
{
    assert_int_equal(abreast ? slimband_interleaved(&p, systems) : slimband_contiguous(&p, systems),
                     SLIMBAND_OK);
    p.one_pass = true;
    sb_cuda_setup setup = setup_of(&p, &devices[0]);
    return sb_short_shape_of(&setup).straight;
}

static void test_many_systems_side_by_side_go_straight_from_memory_and_few_do_not(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 32; ++n)
        assert_true(goes_straight(slimband_tridiagonal(SLIMBAND_F64, n), MANY, true));
    assert_true(goes_straight(slimband_banded(SLIMBAND_F64, 8, 2, 2), 65536, true));
    assert_false(goes_straight(slimband_banded(SLIMBAND_F64, 64, 2, 2), 65536, true));
    assert_true(goes_straight(slimband_banded(SLIMBAND_F64, 16, 3, 3), 16384, true));
    assert_false(goes_straight(slimband_banded(SLIMBAND_C128, 8, 2, 2), 4096, true));
    assert_false(goes_straight(slimband_tridiagonal(SLIMBAND_F64, 16), MANY, false));
    assert_false(goes_straight(slimband_banded(SLIMBAND_F64, 16, 2, 2), 4096, true));
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 16);
    p.coefficients = SLIMBAND_TOEPLITZ;
    assert_int_equal(slimband_interleaved(&p, MANY), SLIMBAND_OK);
    sb_cuda_setup setup = setup_of(&p, &devices[0]);
    setup.matrices = 1;
    sb_short_shape s = sb_short_shape_of(&setup);
    assert_false(s.straight);
    assert_true(sb_short_kept(s).straight);
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
                    int64_t bytes = sb_short_shared(sb_short_half(band, band), n, false, false,
                                                    (int64_t)setup.scalar_bytes);
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
        cmocka_unit_test(test_many_systems_side_by_side_go_straight_from_memory_and_few_do_not),
        cmocka_unit_test(test_what_pivots_is_taken_and_blocks_fit_every_device),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length_is_solved_to_rounding),
        cmocka_unit_test(test_every_length_is_solved_straight_from_memory),
        cmocka_unit_test(test_a_singular_system_leaves_its_neighbours_alone),
    };
    int failed = cmocka_run_group_tests(on_paper, NULL, NULL);
    if (failed || device_missing())
        return failed ? failed : SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
