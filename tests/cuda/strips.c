/* How partition cuts systems that are wider than tridiagonal: strips cover them, levels join all links, scratch stays small, blocks
 * fit their device; and which batches auto gives to it. Needs no device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/cuda/along/shape.h"
#include "src/cuda/bands/plain.h"
#include "tests/cuda/setup.h"

enum { DEVICES = sizeof devices / sizeof *devices };

static void check_cover(const sb_cuda_setup *setup)
{
    sb_bands_shape s = sb_bands_shape_of(setup);
    int64_t words = sb_bands_room_to_finish(s.half, s.rows), bytes = (int64_t)setup->scalar_bytes;
    assert_true(s.rows % 2 == 0 && s.rows / SB_BANDS_TEAM(s.half) >= 1);
    assert_true(sb_bands_shared(s.half, words, bytes) <= setup->device->shared_block);
    assert_true(s.count[0] * s.rows >= setup->longest && (s.count[0] - 1) * s.rows < setup->longest);
    size_t end = (size_t)s.zeros_at + (size_t)setup->systems * sizeof(int64_t);
    for (int64_t l = 0; l <= s.levels; ++l) {
        int64_t above = s.count[l] / SB_BANDS_RUN + (s.count[l] % SB_BANDS_RUN != 0);
        assert_true(l == s.levels ? s.count[l] <= SB_BANDS_RUN : s.count[l + 1] == above);
        assert_true((size_t)s.links_at[l] >= end);
        end = (size_t)s.links_at[l] +
              (size_t)(setup->systems * (s.count[l] + 1) * sb_bands_link(s.half)) * setup->scalar_bytes;
    }
    assert_true(end <= s.scratch);
}

static void test_strips_and_levels_cover_every_length(void **state)
{
    (void)state;
    static const int bands[][2] = {{2, 2}, {0, 2}, {3, 3}, {4, 1}};
    static const int64_t batches[] = {1, 64, 5000};
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int64_t n = 1; n < INT64_C(1) << 32; n += n < 300 ? 1 : n / 3)
            for (int d = 0; d < DEVICES; ++d) {
                const int *band = bands[(n + d) % 4];
                slimband_problem p = slimband_banded((slimband_scalar)scalar, n, band[0], band[1]);
                assert_int_equal(slimband_interleaved(&p, batches[(n / 3 + d) % 3]), SLIMBAND_OK);
                sb_cuda_setup setup = setup_of(&p, &devices[d]);
                check_cover(&setup);
            }
}

/* Beside the matrix, b and x. */
static double extra_with(const sb_cuda_method *method, int form, slimband_scalar scalar, int64_t n, int lower,
                         int upper)
{
    slimband_problem p = slimband_banded(scalar, n, lower, upper);
    p.one_pass = true;
    sb_cuda_device device = devices[0];
    device.shared_total = 233472;
    device.registers = 65536;
    sb_cuda_setup setup = setup_of(&p, &device);
    setup.options.form = form;
    sb_cuda_sizes sizes = method->sizes(&setup);
    return (double)(sizes.stored + sizes.scratch) /
           ((lower + upper + 3.0) * (double)p.n * (double)setup.scalar_bytes);
}

static double extra_of(const sb_cuda_method *method, int form, slimband_scalar scalar, int lower, int upper)
{
    return extra_with(method, form, scalar, 1 << 26, lower, upper);
}

static void test_a_large_system_takes_a_twentieth_of_its_size(void **state)
{
    (void)state;
    for (slimband_scalar scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar) {
        const int chosen = SB_PARTITION_CHOSEN;
        for (int lower = 0; lower <= 2; ++lower) {
            assert_true(extra_of(&sb_cuda_along_penta_method, chosen, scalar, lower, 2) < 0.05);
            assert_true(extra_of(&sb_cuda_along_penta_method, chosen, scalar, 2, lower) < 0.05);
            assert_true(extra_of(&sb_cuda_bands_method, chosen, scalar, lower, 2) < 0.05);
        }
        for (int upper = 3; upper <= 4; ++upper)
            for (int lower = 0; lower <= 4; ++lower) {
                assert_true(extra_of(&sb_cuda_bands_plain_method, chosen, scalar, lower, upper) < 0.05);
                assert_true(extra_of(&sb_cuda_bands_method, chosen, scalar, lower, upper) < 0.05);
            }
    }
}

/* What lanes keep of wider bands on the way there, 36 numbers each 16 rows, or 8 of complex doubles, and links. */
static void test_whoever_asks_for_lines_gets_the_faster_quarter_of_its_size(void **state)
{
    (void)state;
    for (slimband_scalar scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar) {
        const double extra = extra_of(&sb_cuda_bands_plain_method, SB_PARTITION_LINES, scalar, 4, 4);
        assert_true(extra > 0.2 && extra < (scalar == SLIMBAND_C128 ? 0.45 : 0.25));
    }
}

/* From where on there is a strip for a lane in three; smaller ones take what makes them faster. */
static void test_a_single_system_saves_memory_before_its_strips_fill_the_device(void **state)
{
    (void)state;
    static const struct {
        slimband_scalar scalar;
        int lower, upper;
        int64_t n;
    } cases[] = {{SLIMBAND_F64, 4, 4, 6900000},
                 {SLIMBAND_F64, 3, 3, 9600000},
                 {SLIMBAND_F32, 4, 4, 11000000},
                 {SLIMBAND_C128, 4, 4, 6900000},
                 {SLIMBAND_F64, 0, 3, 19500000}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        for (int less = 0; less <= 1; ++less) {
            const double extra =
                extra_with(&sb_cuda_bands_plain_method, SB_PARTITION_CHOSEN, cases[k].scalar,
                           less ? cases[k].n * 2 / 3 : cases[k].n, cases[k].lower, cases[k].upper);
            assert_true(less ? extra > 0.2 : extra < 0.05);
        }
}

/* Strips of 2216 rows of complex doubles and 3 + 3 had no group, for one of 2208 just fits, and what does not go on evenly is rounded. */
static void test_strips_of_any_length_have_groups(void **state)
{
    (void)state;
    static const int bands[][2] = {{3, 3}, {4, 4}, {2, 4}, {3, 0}};
    sb_cuda_device device = devices[0];
    device.shared_total = 233472;
    device.registers = 65536;
    for (slimband_scalar scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (size_t k = 0; k < sizeof bands / sizeof *bands; ++k)
            for (int64_t n = 16000000; n < 64000000; n += n / 700) {
                slimband_problem p = slimband_banded(scalar, n, bands[k][0], bands[k][1]);
                sb_cuda_setup setup = setup_of(&p, &device);
                setup.options.form = SB_PARTITION_SPARE;
                const sb_plain_shape s = sb_plain_shape_of(&setup);
                assert_in_range(s.group, 2, s.links.rows / SB_PLAIN_WINDOW(setup.scalar_bytes));
            }
}

static void test_no_size_overflows_unnoticed(void **state)
{
    (void)state;
    slimband_problem p = slimband_pentadiagonal(SLIMBAND_C128, INT64_C(1) << 40);
    assert_int_equal(slimband_contiguous(&p, INT64_C(1) << 22), SLIMBAND_OK);
    sb_cuda_setup setup = setup_of(&p, &devices[0]);
    sb_cuda_sizes sizes = sb_cuda_bands_method.sizes(&setup);
    assert_true(sizes.scratch == SIZE_MAX && sizes.stored == SIZE_MAX);
}

static bool is_partition_faster(int64_t n, int64_t systems, bool contiguous)
{
    slimband_problem p = slimband_pentadiagonal(SLIMBAND_F64, n);
    p.one_pass = true;
    assert_int_equal(contiguous ? slimband_contiguous(&p, systems) : slimband_interleaved(&p, systems),
                     SLIMBAND_OK);
    sb_cuda_setup setup = setup_of(&p, &devices[0]);
    return sb_cuda_bands_method.cost(&setup) < sb_cuda_lu_method.cost(&setup);
}

/* As measured on an H200: docs/measurements.md. */
static void test_few_long_systems_go_to_partition_and_many_short_ones_to_lu(void **state)
{
    (void)state;
    assert_true(is_partition_faster(1 << 20, 1, true));
    assert_true(is_partition_faster(65536, 64, false));
    assert_true(is_partition_faster(8192, 1024, false));
    assert_true(is_partition_faster(16384, 4096, false));
    assert_true(!is_partition_faster(1024, 16384, true));
    assert_true(!is_partition_faster(4096, 16384, false));
    assert_true(!is_partition_faster(512, 131072, false));
}

/* Along the middle axis of three, neighbouring systems lie side by side, though their planes are far from each other. */
static void test_lu_takes_the_middle_axis_for_what_it_is(void **state)
{
    (void)state;
    slimband_problem side_by_side = slimband_pentadiagonal(SLIMBAND_F64, 512);
    slimband_problem middle = side_by_side;
    const int64_t extent[3] = {32, 512, 32};
    assert_int_equal(slimband_interleaved(&side_by_side, 1024), SLIMBAND_OK);
    assert_int_equal(slimband_along_axis(&middle, 3, extent, 1), SLIMBAND_OK);
    sb_cuda_setup one = setup_of(&side_by_side, &devices[0]), other = setup_of(&middle, &devices[0]);
    assert_true(sb_cuda_lu_method.cost(&one) == sb_cuda_lu_method.cost(&other));
}

/* Microseconds, tile and partition, of pentadiagonal systems of 128: 53 and 85; of 2048: 162 and 93; of 4 + 4, 128: 97 and 132; 2048: 305
   and 205. */
static void test_a_matrix_used_once_is_factored_for_short_systems(void **state)
{
    (void)state;
    for (int band = 2; band <= 4; band += 2)
        for (int64_t n = 128; n <= 2048; n *= 16) {
            slimband_problem p = slimband_banded(SLIMBAND_F64, n, band, band);
            p.coefficients = SLIMBAND_SHARED;
            p.one_pass = true;
            assert_int_equal(slimband_contiguous(&p, 8), SLIMBAND_OK);
            sb_cuda_setup setup = setup_of(&p, &devices[0]);
            setup.matrices = 1;
            assert_int_equal(sb_cuda_tile_method.cost(&setup) < sb_cuda_bands_method.cost(&setup), n == 128);
        }
}

/* Where its rows are not in a line, tile would factor its matrix as a shared one, which takes 110 us at 1024 rows; partition takes
   40. A line is 17 us of tile's. */
static void test_a_lone_short_system_is_not_factored_as_a_shared_one(void **state)
{
    (void)state;
    slimband_problem p = slimband_pentadiagonal(SLIMBAND_F64, 1024);
    p.one_pass = true;
    sb_cuda_setup setup = setup_of(&p, &devices[0]);
    assert_true(sb_cuda_tile_method.cost(&setup) < sb_cuda_bands_method.cost(&setup) / 2);
    p.rhs.line = p.solution.line = p.matrix.line = 2;
    setup = setup_of(&p, &devices[0]);
    assert_true(sb_cuda_bands_method.cost(&setup) < sb_cuda_tile_method.cost(&setup));
    assert_int_equal(slimband_interleaved(&p, 2), SLIMBAND_OK);
    setup = setup_of(&p, &devices[0]);
    assert_true(sb_cuda_tile_method.cost(&setup) < sb_cuda_bands_method.cost(&setup));
}

/* Long lines, as measured on an H200: a tile a warp; and tile while a line stays on chip. */
static void test_long_lines_are_shared_by_warps(void **state)
{
    (void)state;
    slimband_problem p = slimband_pentadiagonal(SLIMBAND_F64, 1 << 20);
    p.one_pass = true;
    sb_cuda_setup setup = setup_of(&p, &devices[0]);
    assert_ptr_equal(sb_cuda_partition_method.instead(&setup), &sb_cuda_along_penta_method);
    setup = setup_of(&p, &devices[1]); /* has no copy engine */
    assert_ptr_equal(sb_cuda_partition_method.instead(&setup), &sb_cuda_bands_method);
    setup = setup_of(&p, &devices[0]);
    p.coefficients = SLIMBAND_TOEPLITZ;
    assert_ptr_equal(sb_cuda_partition_method.instead(&setup), &sb_cuda_along_penta_method);
    p = slimband_pentadiagonal(SLIMBAND_F64, 4096);
    p.one_pass = true;
    assert_int_equal(slimband_contiguous(&p, 4096), SLIMBAND_OK);
    setup = setup_of(&p, &devices[0]);
    assert_true(sb_cuda_tile_method.cost(&setup) < sb_cuda_along_penta_method.cost(&setup));
    p.pivoting = SLIMBAND_PIVOT_PARTIAL;
    assert_ptr_equal(sb_cuda_partition_method.instead(&setup), &sb_cuda_bands_method);
}

/* Tiles cover a line, the last of which have two rows at least; levels join all links; nothing lies upon another. */
static void test_tiles_and_levels_cover_every_line(void **state)
{
    (void)state;
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int64_t n = 8; n < INT64_C(1) << 32; n += n < 3000 ? 1 : n / 3) {
            slimband_problem p = slimband_pentadiagonal((slimband_scalar)scalar, n);
            assert_int_equal(slimband_contiguous(&p, 1 + n % 3), SLIMBAND_OK);
            sb_cuda_setup setup = setup_of(&p, &devices[0]);
            const sb_along_shape s = sb_along_shape_of(&setup);
            const int bytes = (int)setup.scalar_bytes, rows = SB_ALONG_ROWS(bytes);
            assert_true((s.tiles - 1) * rows < n && n <= s.tiles * rows);
            for (int64_t tile = s.tiles > 2 ? s.tiles - 2 : 0; tile < s.tiles; ++tile) {
                int64_t first = sb_along_start(n, s.tiles, rows, tile);
                assert_in_range(sb_along_start(n, s.tiles, rows, tile + 1) - first, 2, rows);
            }
            int64_t end = s.teams.links_at[0];
            for (int64_t l = 0; l <= s.levels; ++l) {
                int64_t above = (s.count[l] + SB_ALONG_RUN - 1) / SB_ALONG_RUN;
                assert_true(l == s.levels ? s.count[l] <= SB_ALONG_RUN : s.count[l + 1] == above);
                assert_true(s.links_at[l] >= end);
                end = s.links_at[l] + setup.systems * (s.count[l] + 1) * SB_ALONG_LINK * bytes;
            }
            assert_true(s.joints_at >= end);
            end = s.joints_at + setup.systems * s.tiles * SB_ALONG_JOINTS(s.every) * SB_ALONG_JOINT * bytes;
            assert_true(s.told_at >= end && s.told_at >= (int64_t)s.teams.scratch);
            assert_true((size_t)s.told_at + (size_t)(setup.systems + 1) * sizeof(int32_t) <= s.scratch);
        }
}

/* Strips of lanes cover a system, none of them without the four rows that are left of it. */
static void test_strips_of_lanes_cover_every_system(void **state)
{
    (void)state;
    sb_cuda_device device = devices[0];
    device.shared_total = 233472;
    device.registers = 65536;
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int64_t n = 64; n < INT64_C(1) << 32; n += n < 3000 ? 1 : n / 3)
            for (int64_t systems = 0; systems <= 5000; systems += 1 + 50 * systems) {
                slimband_problem p = slimband_banded((slimband_scalar)scalar, n, 4, 3);
                assert_int_equal(slimband_contiguous(&p, systems), SLIMBAND_OK);
                sb_cuda_setup setup = setup_of(&p, &device);
                setup.options.form = n % 3 == 0 ? SB_PARTITION_SPARE : SB_PARTITION_CHOSEN;
                const sb_plain_shape s = sb_plain_shape_of(&setup);
                const int64_t bytes = (int64_t)setup.scalar_bytes, rows = s.links.rows,
                              strips = s.links.count[0];
                assert_int_equal(rows % SB_PLAIN_WINDOW(bytes), 0);
                assert_true(rows >= 64 && (strips - 1) * rows < n && n <= strips * rows);
                for (int64_t k = strips > 3 ? strips - 3 : 0; k < strips; ++k)
                    assert_in_range(sb_plain_start(n, strips, rows, k + 1) - sb_plain_start(n, strips, rows, k),
                                    4, rows);
                assert_int_equal(sb_plain_start(n, strips, rows, 0), 0);
                int64_t end = s.teams.links_at[0];
                for (int64_t l = 0; l <= s.links.levels; ++l) {
                    assert_true(s.links.links_at[l] >= end);
                    end = s.links.links_at[l] +
                          systems * (s.links.count[l] + 1) * sb_bands_link(SB_BANDS_WIDE) * bytes;
                }
                assert_true(s.kept_at >= end);
                const int64_t lanes = (systems * strips + SB_PLAIN_LANES - 1) / SB_PLAIN_LANES * SB_PLAIN_LANES;
                assert_true(s.group >= 1 && (n % 3 != 0 || s.group > 1));
                end =
                    s.kept_at + lanes * ((rows / SB_PLAIN_WINDOW(bytes) - 1) / s.group) * SB_PLAIN_KEPT * bytes;
                assert_true(s.passed_at >= end);
                end = s.passed_at + lanes * (s.group - 1) * SB_PLAIN_PASSED * bytes;
                assert_true(s.told_at >= end && s.told_at >= (int64_t)s.teams.scratch);
                assert_true((size_t)s.told_at + (size_t)(systems + 1) * sizeof(int32_t) <= s.scratch);
            }
}

/* Of rows first .. n - last - 1 of a Toeplitz matrix, and none of the two at either end. */
static bool is_alike(const slimband_problem *p, int64_t rows, int64_t tile)
{
    int64_t from = tile * rows - 2, to = (tile + 1) * rows + 2;
    return from >= p->toeplitz_first && to <= p->n - p->toeplitz_last && from >= 0 && to <= p->n;
}

/* Alike are those tiles, but for one that is left over where a warp has two at once. Every tile has blocks; what is kept has room. */
static void test_alike_tiles_are_those_without_rows_of_their_own(void **state)
{
    (void)state;
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int64_t n = 8; n < INT64_C(1) << 32; n += n < 6000 ? 1 : n / 3)
            for (int form = 0; form < 6; ++form) {
                slimband_problem p = slimband_pentadiagonal((slimband_scalar)scalar, n);
                p.coefficients = SLIMBAND_TOEPLITZ;
                p.toeplitz_first = form < 4 ? form : form == 4 ? n : n / 3;
                p.toeplitz_last = form < 4 ? 3 - form : form == 4 ? 0 : n / 3;
                p.one_pass = form & 1;
                assert_int_equal(slimband_contiguous(&p, 1 + n % 50), SLIMBAND_OK);
                if (p.toeplitz_first + p.toeplitz_last > n)
                    continue;
                sb_cuda_setup setup = setup_of(&p, &devices[0]);
                setup.matrices = 1;
                const sb_along_shape s = sb_along_shape_of(&setup);
                const int64_t bytes = (int64_t)setup.scalar_bytes, rows = SB_ALONG_ROWS(bytes),
                              once = SB_ALONG_AT_ONCE(bytes), alike = s.high - s.low;
                assert_true(0 <= s.low && s.low <= s.high && s.high <= s.tiles && alike % once == 0);
                assert_true(alike == 0 ||
                            (s.high < s.tiles && is_alike(&p, rows, s.low) && is_alike(&p, rows, s.high - 1)));
                assert_false(s.low > 0 && is_alike(&p, rows, s.low - 1));
                assert_false(alike > 0 && is_alike(&p, rows, s.high) && is_alike(&p, rows, s.high + once - 1));
                assert_true(s.apart >= 1 && (alike ? s.blocks > s.apart : s.blocks == s.apart));
                assert_true(s.blocks <= setup.device->processors);
                const int64_t common = SB_ALONG_ALIKE_WORDS(bytes) * bytes;
                assert_true(s.alike_at + common <= s.told_at);
                assert_true(!s.stored || s.kept_at + 2 * common <= (int64_t)s.stored);
                assert_true(!s.stored || s.kept_at >= (int64_t)sb_bands_stored_bytes(&setup));
            }
}

/* Long pentadiagonal systems side by side, as measured on an H200 (us: a system among lanes, and a lane each): with one matrix
   81 and 67, 95 and 80, 183 and 93, 186 and 92; with matrices of their own 82 and 125, 134 and 147, 209 and 160, 628 and 299. */
static void test_systems_side_by_side_have_a_lane_each_where_that_is_faster(void **state)
{
    (void)state;
    static const struct {
        int64_t n, systems;
        bool one, alone;
    } cases[] = {{4096, 32, true, true},   {8192, 32, true, true},   {16384, 64, true, true},
                 {32768, 32, true, true},  {4096, 32, false, false}, {8192, 64, false, false},
                 {16384, 64, false, true}, {32768, 128, false, true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        slimband_problem p = slimband_pentadiagonal(SLIMBAND_F64, cases[k].n);
        p.coefficients = cases[k].one ? SLIMBAND_SHARED : SLIMBAND_OWN;
        p.one_pass = !cases[k].one;
        assert_int_equal(slimband_interleaved(&p, cases[k].systems), SLIMBAND_OK);
        sb_cuda_setup setup = setup_of(&p, &devices[0]);
        setup.matrices = cases[k].one ? 1 : cases[k].systems;
        const sb_cuda_method *chosen = sb_cuda_partition_method.instead(&setup);
        assert_ptr_equal(chosen, cases[k].alone ? &sb_cuda_abreast_penta_method : &sb_cuda_bands_method);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strips_and_levels_cover_every_length),
        cmocka_unit_test(test_a_large_system_takes_a_twentieth_of_its_size),
        cmocka_unit_test(test_whoever_asks_for_lines_gets_the_faster_quarter_of_its_size),
        cmocka_unit_test(test_a_single_system_saves_memory_before_its_strips_fill_the_device),
        cmocka_unit_test(test_strips_of_any_length_have_groups),
        cmocka_unit_test(test_no_size_overflows_unnoticed),
        cmocka_unit_test(test_few_long_systems_go_to_partition_and_many_short_ones_to_lu),
        cmocka_unit_test(test_lu_takes_the_middle_axis_for_what_it_is),
        cmocka_unit_test(test_a_matrix_used_once_is_factored_for_short_systems),
        cmocka_unit_test(test_a_lone_short_system_is_not_factored_as_a_shared_one),
        cmocka_unit_test(test_long_lines_are_shared_by_warps),
        cmocka_unit_test(test_tiles_and_levels_cover_every_line),
        cmocka_unit_test(test_strips_of_lanes_cover_every_system),
        cmocka_unit_test(test_alike_tiles_are_those_without_rows_of_their_own),
        cmocka_unit_test(test_systems_side_by_side_have_a_lane_each_where_that_is_faster),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
