/* How the papers' methods are spread over launches: every row has a place, rooms do not overlap, blocks fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/cuda/reduction/plan.h"
#include "tests/cuda/setup.h"

static void check_halves(const sb_cuda_setup *setup, const sb_reduction *r, int64_t rows, bool values)
{
    int64_t last = r->trunk >> r->levels, item = (values ? 1 : 4) * (int64_t)setup->scalar_bytes;
    assert_true(sb_spots(last / 2, item) <= r->shared);
    assert_true(r->levels == 0 || r->trunk >> (r->levels - 1) > 2);
    int64_t each = values ? 1 : 5, end = rows + each * sb_level_start(r->trunk, r->levels + 1);
    assert_true(end <= r->room);
}

static void check_tpr(const sb_cuda_setup *setup, const sb_reduction *r)
{
    int64_t slices = sb_slices(r->n, r->tile);
    assert_true((r->tile & (r->tile - 1)) == 0 && r->trunk == r->n / r->tile);
    assert_int_equal(sb_tpr_tops(r), slices * r->tile / 2 * 4);
    assert_true(sb_tpr_unknowns(r) + r->trunk <= sb_tpr_trunk(r));
    assert_true(2 * sb_spots(r->tile / 2, 4 * (int64_t)setup->scalar_bytes) + SB_REDUCTION_STATIC <=
                setup->device->shared_block);
    check_halves(setup, r, sb_tpr_trunk(r), false);
}

static void check_wang_mou(const sb_cuda_setup *setup, const sb_reduction *r)
{
    int64_t last = sb_tiled_rows(r->n, r->tile, r->levels), row = 4 * (int64_t)setup->scalar_bytes;
    assert_true(r->tile % 2 == 0 && last * row <= r->shared);
    assert_true(r->levels == 0 || r->tile * row <= r->shared);
    assert_true(r->levels == 0 || sb_tiled_unknowns(r, r->levels + 1) <= r->room);
}

static void check_pcr(const sb_cuda_setup *setup, const sb_reduction *r)
{
    int64_t row = 4 * (int64_t)setup->scalar_bytes;
    assert_true(r->n >> r->levels > 0);
    if (r->thomas_alone)
        assert_true(r->room >= 4 * r->n);
    else
        assert_true(2 * sb_system_rows(r->n, r->levels, 0) * row <= r->shared);
    assert_true(r->levels < 2 || r->room >= 8 * r->n);
}

static void check(const sb_cuda_setup *setup)
{
    for (sb_reduction_method method = SB_CR; method <= SB_CR_TOEPLITZ; ++method) {
        sb_reduction r;
        assert_true(sb_reduction_of(method, setup, &r));
        assert_true(r.shared + SB_REDUCTION_STATIC <= setup->device->shared_block);
        assert_true(r.together >= 1 && r.together <= setup->systems);
        assert_in_range(r.threads, r.thomas_alone ? 0 : 32, 1024);
        if (method == SB_TPR)
            check_tpr(setup, &r);
        else if (method == SB_WANG_MOU)
            check_wang_mou(setup, &r);
        else if (method == SB_CR || method == SB_CR_TOEPLITZ)
            check_halves(setup, &r, 0, method == SB_CR_TOEPLITZ);
        else
            check_pcr(setup, &r);
    }
}

static void test_every_shape_has_room_for_its_rows_and_fits_its_device(void **state)
{
    (void)state;
    const int64_t systems[] = {1, 64, 5000};
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int64_t n = 1; n < INT64_C(1) << 24; n += n < 40 ? 1 : n / 3)
            for (int k = 0; k < 9; ++k) {
                slimband_problem p = slimband_tridiagonal((slimband_scalar)scalar, n);
                assert_int_equal(slimband_contiguous(&p, systems[k % 3]), SLIMBAND_OK);
                sb_cuda_setup setup = setup_of(&p, &devices[k / 3]);
                check(&setup);
            }
}

static slimband_status answer(const sb_cuda_method *method, slimband_problem *p, const char *options)
{
    sb_cuda_setup setup = setup_of(p, &devices[1]);
    slimband_status status = method->configure ? method->configure(options, &setup.options) : SLIMBAND_OK;
    return status ? status : method->fits(&setup);
}

static void test_what_does_not_fit_is_refused_with_a_reason(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 1 << 20);
    assert_int_equal(answer(&sb_cuda_cr_method, &p, ""), SLIMBAND_OK);
    assert_int_equal(answer(&sb_cuda_cr_toeplitz_method, &p, ""), SLIMBAND_METHOD_NEEDS_TOEPLITZ);
    p.coefficients = SLIMBAND_TOEPLITZ;
    assert_int_equal(answer(&sb_cuda_cr_toeplitz_method, &p, "form=global"), SLIMBAND_OK);
    assert_int_equal(answer(&sb_cuda_cr_toeplitz_method, &p, "form=shared"),
                     SLIMBAND_METHOD_NEEDS_SHORTER_LINES);
    assert_int_equal(answer(&sb_cuda_cr_toeplitz_method, &p, "form=other"), SLIMBAND_UNKNOWN_OPTION);
    p.ends = SLIMBAND_PERIODIC;
    assert_int_equal(answer(&sb_cuda_cr_toeplitz_method, &p, ""), SLIMBAND_METHOD_NEEDS_OPEN_ENDS);
    p = slimband_pentadiagonal(SLIMBAND_F64, 100);
    assert_int_equal(answer(&sb_cuda_pcr_method, &p, ""), SLIMBAND_METHOD_NEEDS_TRIDIAGONAL);
}

static void test_options_are_the_cpu_s_where_they_mean_anything(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 1 << 20);
    static const struct {
        const sb_cuda_method *method;
        const char *options;
        slimband_status status;
    } cases[] = {
        {&sb_cuda_tpr_method, "fast", SLIMBAND_OK},
        {&sb_cuda_tpr_method, "stable", SLIMBAND_OK},
        {&sb_cuda_tpr_method, "slice=2", SLIMBAND_OK},
        {&sb_cuda_tpr_method, "slice=2048", SLIMBAND_OK},
        {&sb_cuda_tpr_method, "slice=100", SLIMBAND_UNKNOWN_OPTION},
        {&sb_cuda_tpr_method, "slice=65536", SLIMBAND_UNKNOWN_OPTION},
        {&sb_cuda_pcr_thomas_method, "switch=0", SLIMBAND_OK},
        {&sb_cuda_pcr_thomas_method, "form=plain", SLIMBAND_OK},
        {&sb_cuda_pcr_thomas_method, "form=plain,switch=30", SLIMBAND_OK},
        {&sb_cuda_pcr_thomas_method, "form=plain,", SLIMBAND_UNKNOWN_OPTION},
        {&sb_cuda_pcr_thomas_method, "form=plainswitch=3", SLIMBAND_UNKNOWN_OPTION},
        {&sb_cuda_pcr_thomas_method, "form=shuffled", SLIMBAND_UNKNOWN_OPTION},
        {&sb_cuda_pcr_thomas_method, "switch=31", SLIMBAND_UNKNOWN_OPTION},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        assert_int_equal(answer(cases[k].method, &p, cases[k].options), cases[k].status);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_shape_has_room_for_its_rows_and_fits_its_device),
        cmocka_unit_test(test_what_does_not_fit_is_refused_with_a_reason),
        cmocka_unit_test(test_options_are_the_cpu_s_where_they_mean_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
