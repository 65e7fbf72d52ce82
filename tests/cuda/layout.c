/* A plan on paper: what the kernels are told and how memory is cut, on a device that is made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/cuda/methods/methods.h"
#include "src/cuda/plan.h"

static sb_cuda_plan described(const slimband_problem *p, const sb_cuda_method *method, slimband_status expected)
{
    sb_cuda_plan cuda = {.device = {.processors = 132, .shared_block = 232448, .threads = 2048}};
    cuda.setup.device = &cuda.device;
    assert_int_equal(slimband_validate(p), SLIMBAND_OK);
    assert_int_equal(sb_cuda_describe(method, p, "", &cuda), expected);
    return cuda;
}

static size_t part_bytes(const sb_cuda_map *map, sb_cuda_part part)
{
    return map->at[part + 1] - map->at[part];
}

/* setup.device points into the plan: measured where it lies. */
static sb_cuda_map measured(sb_cuda_plan *cuda)
{
    cuda->setup.device = &cuda->device;
    return sb_cuda_measure(cuda);
}

static void test_parts_follow_one_another_aligned_and_hold_what_is_asked_for(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 100);
    assert_int_equal(slimband_interleaved(&p, 1000), SLIMBAND_OK);
    sb_cuda_plan cuda = described(&p, &sb_cuda_thomas_method, SLIMBAND_OK);
    sb_cuda_map map = measured(&cuda);
    for (int part = 0; part <= SB_PARTS; ++part)
        assert_int_equal(map.at[part] % 256, 0);
    for (sb_cuda_part part = 0; part < SB_PARTS; ++part)
        assert_true(map.at[part] <= map.at[part + 1]);
    assert_true(part_bytes(&map, SB_PART_STORED) >= 3 * 100 * 1000 * sizeof(double));
    assert_true(part_bytes(&map, SB_PART_ROWS) >= 4 * 100 * 1000 * sizeof(double));
    assert_true(part_bytes(&map, SB_PART_MATRICES) >= 1000 * sizeof(sb_cuda_matrix));
    assert_int_equal(part_bytes(&map, SB_PART_FINITE), 0);
    assert_int_equal(part_bytes(&map, SB_PART_OFFSETS), 0);
}

static void test_pivoting_none_needs_no_memory_for_pivoting(void **state)
{
    (void)state;
    slimband_problem p = slimband_pentadiagonal(SLIMBAND_C64, 50);
    assert_int_equal(slimband_contiguous(&p, 64), SLIMBAND_OK);
    sb_cuda_plan wary = described(&p, &sb_cuda_lu_method, SLIMBAND_OK);
    p.pivoting = SLIMBAND_PIVOT_NONE;
    sb_cuda_plan bold = described(&p, &sb_cuda_lu_method, SLIMBAND_OK);
    sb_cuda_map with = measured(&wary), without = measured(&bold);
    assert_true(wary.rescues && !bold.rescues);
    assert_true(part_bytes(&with, SB_PART_ROWS) > 0 && part_bytes(&with, SB_PART_PIVOTS) > 0);
    assert_true(part_bytes(&without, SB_PART_ROWS) == 0 && part_bytes(&without, SB_PART_PIVOTS) == 0);
}

/* A large batch that is solved once: memory for the threads, not for the batch. */
static void test_one_pass_stores_nothing_a_system(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 64);
    assert_int_equal(slimband_interleaved(&p, 10000000), SLIMBAND_OK);
    sb_cuda_plan keeps = described(&p, &sb_cuda_thomas_method, SLIMBAND_OK);
    p.one_pass = true;
    sb_cuda_plan passes = described(&p, &sb_cuda_thomas_method, SLIMBAND_OK);
    size_t kept = measured(&keeps).at[SB_PARTS], passed = measured(&passes).at[SB_PARTS];
    assert_true(passes.rescue.in_passing && !keeps.rescue.in_passing);
    assert_true(passed < kept / 20);
}

static void test_shared_and_toeplitz_matrices_do_not_move_with_the_batch(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F32, 30);
    assert_int_equal(slimband_along_axis(&p, 3, (const int64_t[]){4, 30, 5}, 1), SLIMBAND_OK);
    sb_cuda_plan own = described(&p, &sb_cuda_thomas_method, SLIMBAND_OK);
    assert_true(own.job.matrix_at.batch[0] == 150 && own.job.matrix_at.batch[1] == 1);
    assert_true(own.job.systems == 20 && own.job.matrices == 20 && own.job.first == INT64_MAX);
    p.coefficients = SLIMBAND_SHARED;
    sb_cuda_plan shared = described(&p, &sb_cuda_thomas_method, SLIMBAND_OK);
    assert_true(shared.job.matrix_at.batch[0] == 0 && shared.job.matrix_at.batch[1] == 0);
    assert_true(shared.job.matrices == 1 && shared.rescue.pitch == 1 && !shared.fused);
    p.coefficients = SLIMBAND_TOEPLITZ;
    p.toeplitz_first = p.toeplitz_last = 2;
    sb_cuda_plan toeplitz = described(&p, &sb_cuda_thomas_method, SLIMBAND_OK);
    assert_true(toeplitz.job.first == 2 && toeplitz.job.last == 2 && toeplitz.job.matrix_at.line == 1);
}

static void test_small_rings_are_pivoted_whatever_the_method(void **state)
{
    (void)state;
    slimband_problem p = slimband_pentadiagonal(SLIMBAND_F64, 5);
    p.ends = SLIMBAND_PERIODIC;
    p.pivoting = SLIMBAND_PIVOT_NONE;
    sb_cuda_plan small = described(&p, &sb_cuda_lu_method, SLIMBAND_OK);
    assert_true(!small.launchers && small.rescue.all && small.rescues && small.rescue.folded);
    assert_true(small.rescue.lower == 4 && small.rescue.upper == 4 && small.rescue.width == 13);
    p.n = 6;
    sb_cuda_plan large = described(&p, &sb_cuda_lu_method, SLIMBAND_OK);
    assert_true(large.launchers && !large.rescues && large.job.periodic);
    p.lower = p.upper = 0;
    sb_cuda_plan diagonal = described(&p, &sb_cuda_lu_method, SLIMBAND_OK);
    assert_true(diagonal.launchers && !diagonal.job.periodic);
}

static void test_a_ragged_batch_with_one_small_ring_can_pivot(void **state)
{
    (void)state;
    const int64_t offsets[] = {0, 20, 22, 50};
    slimband_ragged ragged = {.systems = 3, .offsets = offsets};
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 0);
    p.ends = SLIMBAND_PERIODIC;
    p.pivoting = SLIMBAND_PIVOT_NONE;
    p.ragged = &ragged;
    sb_cuda_plan cuda = described(&p, &sb_cuda_thomas_method, SLIMBAND_OK);
    sb_cuda_map map = measured(&cuda);
    assert_true(cuda.launchers && cuda.rescues && !cuda.rescue.all && cuda.job.n == 28);
    assert_true(part_bytes(&map, SB_PART_OFFSETS) >= sizeof offsets);
}

static void test_sizes_that_overflow_are_told_apart(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, INT64_C(1) << 46);
    p.coefficients = SLIMBAND_SHARED;
    p.batch_rank = 1;
    p.batch[0] = INT64_C(1) << 13;
    p.rhs = p.solution = (slimband_layout){INT64_C(1) << 13, {1}};
    sb_cuda_plan huge = described(&p, &sb_cuda_pivoted_lu_method, SLIMBAND_OK);
    assert_true(measured(&huge).at[SB_PARTS] > (size_t)1 << 46);
    p.coefficients = SLIMBAND_OWN;
    p.matrix = p.rhs;
    huge = described(&p, &sb_cuda_pivoted_lu_method, SLIMBAND_OK);
    assert_true(measured(&huge).at[SB_PARTS] == SIZE_MAX);
    p = slimband_tridiagonal(SLIMBAND_F64, INT64_MAX / 64);
    described(&p, &sb_cuda_thomas_method, SLIMBAND_TOO_LARGE);
}

static void test_a_record_holds_status_and_row(void **state)
{
    (void)state;
    const int64_t rows[] = {-1, 0, 1, 4711, INT64_C(1) << 46};
    for (int k = 0; k < 5; ++k) {
        sb_cuda_outcome o = sb_cuda_failure(SLIMBAND_SINGULAR, rows[k]);
        assert_int_equal(sb_cuda_status_of(o), SLIMBAND_SINGULAR);
        assert_int_equal(sb_cuda_row_of(o), rows[k]);
    }
    assert_int_equal(sb_cuda_status_of(SB_CUDA_GOOD), SLIMBAND_OK);
    assert_int_equal(sb_cuda_row_of(SB_CUDA_GOOD), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_follow_one_another_aligned_and_hold_what_is_asked_for),
        cmocka_unit_test(test_pivoting_none_needs_no_memory_for_pivoting),
        cmocka_unit_test(test_one_pass_stores_nothing_a_system),
        cmocka_unit_test(test_shared_and_toeplitz_matrices_do_not_move_with_the_batch),
        cmocka_unit_test(test_small_rings_are_pivoted_whatever_the_method),
        cmocka_unit_test(test_a_ragged_batch_with_one_small_ring_can_pivot),
        cmocka_unit_test(test_sizes_that_overflow_are_told_apart),
        cmocka_unit_test(test_a_record_holds_status_and_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
