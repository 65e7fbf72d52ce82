/* The cuts of `tile`: every row has a place, and all of it fits the device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/cuda/methods/methods.h"
#include "src/cuda/tile/pieces.h"

static const sb_cuda_device hopper = {.major = 9, .processors = 132, .shared_block = 232448, .threads = 2048};
static const sb_cuda_device ampere = {.major = 8, .processors = 108, .shared_block = 166912, .threads = 2048};

/* A part of a device; and one that has no clusters of more than 8 blocks. */
static const sb_cuda_device slice = {.major = 9, .processors = 10, .shared_block = 232448, .threads = 2048};
static const sb_cuda_device small = {.major = 12, .processors = 170, .shared_block = 101376, .threads = 1536};

static int most_blocks(const sb_cuda_device *device)
{
    return device->major < 9 ? 1 : device == &slice ? 10 : device == &small ? 8 : 16;
}

static sb_cuda_setup setup_of(const slimband_problem *p, const sb_cuda_device *device)
{
    static const size_t bytes[] = {4, 8, 8, 16};
    int64_t systems = slimband_systems(p);
    return (sb_cuda_setup){.problem = p,
                           .device = device,
                           .systems = systems,
                           .matrices = p->coefficients == SLIMBAND_OWN ? systems : 1,
                           .longest = p->n,
                           .scalar_bytes = bytes[p->scalar]};
}

static slimband_problem problem_of(int scalar, int64_t n, int k, bool lines)
{
    slimband_problem p = slimband_banded((slimband_scalar)scalar, n, k, k);
    p.coefficients = SLIMBAND_SHARED;
    assert_int_equal(lines ? slimband_contiguous(&p, 1000) : slimband_interleaved(&p, 1000), SLIMBAND_OK);
    p.matrix = (slimband_layout){.line = 1};
    return p;
}

/* Chunks follow one another through each block, and blocks through the system; none has more rows than places. */
static void assert_covers(const sb_tile_cut *cut, int fewest)
{
    int row = 0;
    for (int block = 0; block < cut->blocks; ++block)
        for (int chunk = 0; chunk < cut->chunks; ++chunk) {
            int start = sb_tile_start(cut, block, chunk), rows = sb_tile_start(cut, block, chunk + 1) - start;
            assert_int_equal(block * cut->block_rows + start, row);
            assert_in_range(rows, fewest, cut->first_rows ? cut->first_rows : cut->slots);
            row += rows;
        }
    assert_int_equal(row, cut->n);
}

static void check(const slimband_problem *p, const sb_cuda_device *device, int *accepted)
{
    sb_cuda_setup setup = setup_of(p, device);
    int64_t state[SB_CUDA_STATE] = {0};
    if (sb_cuda_tile_method.fits(&setup) != SLIMBAND_OK)
        return;
    sb_cuda_tile_method.prepare(&setup, state);
    const sb_tile_plan *plan = (const sb_tile_plan *)state;
    const sb_tile_cut *cut = sb_tile_cut_of(plan);
    int64_t ring =
        plan->form == SB_TILE_STRIDED ? (int64_t)plan->strided.stages * plan->strided.stage_bytes : 0;
    bool own = plan->form == SB_TILE_OWN || plan->form == SB_TILE_OWN_LINES;
    bool interiors = cut->n >= 2 * cut->k && (p->ends == SLIMBAND_PERIODIC || cut->k == 4);
    assert_covers(cut, own ? cut->k : interiors ? 2 * cut->k : 1);
    assert_true(plan->shared_bytes + ring <= device->shared_block);
    const int near = plan->form == SB_TILE_LINES ? plan->line.near : 1;
    assert_int_equal(cut->blocks % near, 0);
    assert_true(cut->blocks / near <= most_blocks(device));
    if (own)
        assert_true((cut->chunks & (cut->chunks - 1)) == 0);
    if (plan->form == SB_TILE_LINES) {
        assert_true(cut->chunks <= plan->line.width && plan->line.width <= 32);
        assert_int_equal(plan->line.warps % near, 0);
        assert_true(near == 1 || plan->line.warps / near < 16); /* teams' barriers */
        assert_true(cut->chunk_rows % 2 == 1);                  /* lanes on different banks */
    }
    if (plan->form == SB_TILE_OWN_LINES && plan->places > 0) {
        assert_true(cut->first_rows <= plan->places);
        assert_int_equal(plan->own_lines.lines.stages, 1);
        assert_int_equal(plan->own_lines.lines.apart, 1);
    }
    ++*accepted;
}

static void test_every_cut_covers_its_rows_and_fits_its_device(void **state)
{
    (void)state;
    int accepted = 0;
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int64_t n = 1; n < 5000; n += n < 600 ? 1 : 37)
            for (int form = 0; form < 24; ++form) {
                slimband_problem p = problem_of(scalar, n, 1 << form / 8, form & 1);
                p.ends = form & 2 ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
                check(&p, form & 4 ? &ampere : &hopper, &accepted);
            }
    assert_true(accepted > 45000);
}

static void test_clusters_are_no_larger_than_their_device(void **state)
{
    (void)state;
    int accepted = 0;
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int64_t n = 200; n < 12000; n += 97)
            for (int form = 0; form < 16; ++form) {
                slimband_problem p = problem_of(scalar, n, 1 + (form >> 1) % 2, form & 1);
                if (form & 4) {
                    p = slimband_banded((slimband_scalar)scalar, n, p.lower, p.upper);
                    assert_int_equal((form & 1 ? slimband_contiguous : slimband_interleaved)(&p, 1000),
                                     SLIMBAND_OK);
                }
                check(&p, form & 8 ? &slice : &small, &accepted);
            }
    assert_true(accepted > 1000);
}

static void test_own_matrices_are_cut_too(void **state)
{
    (void)state;
    int accepted = 0;
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int64_t n = 1; n < 4200; n += n < 300 ? 1 : 37)
            for (int form = 0; form < 8; ++form) {
                int k = 1 + form / 4;
                slimband_problem p = slimband_banded((slimband_scalar)scalar, n, k, k);
                p.ends = form & 2 ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
                assert_int_equal(form & 1 ? slimband_contiguous(&p, 1000) : slimband_interleaved(&p, 1000),
                                 SLIMBAND_OK);
                check(&p, &hopper, &accepted);
                check(&p, &ampere, &accepted);
            }
    assert_true(accepted > 10000);
}

static slimband_status answer_of(const slimband_problem *p, const sb_cuda_device *device)
{
    sb_cuda_setup setup = setup_of(p, device);
    return sb_cuda_tile_method.fits(&setup);
}

static slimband_status answer(const slimband_problem *p)
{
    return answer_of(p, &hopper);
}

/* No lane is idle but those that are too few for one more line. */
static void test_lines_of_300_share_a_warp(void **state)
{
    (void)state;
    slimband_problem p = problem_of(SLIMBAND_F32, 300, 1, true);
    sb_cuda_setup setup = setup_of(&p, &hopper);
    int64_t kept[SB_CUDA_STATE] = {0};
    assert_int_equal(sb_cuda_tile_method.fits(&setup), SLIMBAND_OK);
    sb_cuda_tile_method.prepare(&setup, kept);
    const sb_tile_plan *plan = (const sb_tile_plan *)kept;
    assert_int_equal(plan->form, SB_TILE_LINES);
    assert_int_equal(plan->line.width, 10);
    assert_int_equal(plan->line.together, 3);
}

/* Chunks of 25 rows where those of 33 would leave more lanes idle, of one warp or of several. */
static void test_chunks_are_such_that_few_lanes_are_idle(void **state)
{
    (void)state;
    static const struct {
        slimband_scalar scalar;
        int64_t n;
        int k, slots, parts;
    } all[] = {{SLIMBAND_F64, 544, 1, 17, 1},  {SLIMBAND_F64, 545, 1, 25, 1},  {SLIMBAND_F64, 800, 1, 25, 1},
               {SLIMBAND_F64, 801, 1, 33, 1},  {SLIMBAND_F64, 1056, 1, 33, 1}, {SLIMBAND_F64, 1057, 1, 25, 2},
               {SLIMBAND_F64, 1400, 1, 25, 2}, {SLIMBAND_F64, 2048, 1, 33, 2}, {SLIMBAND_F32, 600, 1, 25, 1},
               {SLIMBAND_F32, 1500, 1, 25, 2}, {SLIMBAND_C64, 1600, 1, 25, 2}, {SLIMBAND_C128, 545, 1, 17, 2},
               {SLIMBAND_F64, 600, 2, 25, 1},  {SLIMBAND_F64, 1600, 2, 25, 2}, {SLIMBAND_C64, 800, 2, 25, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        slimband_problem p = problem_of((int)all[i].scalar, all[i].n, all[i].k, true);
        sb_cuda_setup setup = setup_of(&p, &hopper);
        int64_t kept[SB_CUDA_STATE] = {0};
        assert_int_equal(sb_cuda_tile_method.fits(&setup), SLIMBAND_OK);
        sb_cuda_tile_method.prepare(&setup, kept);
        const sb_tile_plan *plan = (const sb_tile_plan *)kept;
        assert_int_equal(plan->form, SB_TILE_LINES);
        assert_int_equal(plan->line.cut.slots, all[i].slots);
        assert_int_equal(plan->line.cut.blocks, all[i].parts);
    }
}

/* Pieces have a warp for each line, which is not as fast as memory for all of them. */
static void test_lines_that_warps_share_sooner_are_not_cut_into_pieces(void **state)
{
    (void)state;
    static const struct {
        slimband_scalar scalar;
        int64_t n;
        int k;
    } all[] = {{SLIMBAND_F32, 1500, 2}, {SLIMBAND_F32, 2048, 2}, {SLIMBAND_F64, 1300, 2},
               {SLIMBAND_F64, 2048, 2}, {SLIMBAND_C64, 1600, 2}, {SLIMBAND_C64, 1100, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        slimband_problem p = problem_of((int)all[i].scalar, all[i].n, all[i].k, true);
        assert_int_equal(slimband_contiguous(&p, (1 << 26) / all[i].n), SLIMBAND_OK);
        p.matrix = (slimband_layout){.line = 1};
        sb_cuda_setup setup = setup_of(&p, &hopper);
        if (sb_cuda_tile_method.instead(&setup) != &sb_cuda_tile_method)
            fail_msg("%lld unknowns of scalar %d", (long long)all[i].n, (int)all[i].scalar);
    }
}

/* Whatever their length: what counts is whether solutions lie within the engine's 16 bytes as right-hand sides do. */
static void test_the_copy_engine_takes_back_lines_of_any_length(void **state)
{
    (void)state;
    static const struct {
        int64_t n, b, x; /* how far lines are apart */
        int taken;
    } all[] = {{300, 300, 300, 1},    {301, 301, 301, 1},    {301, 303, 301, 1},    {301, 302, 301, 0},
               {2047, 2047, 2047, 1}, {2047, 2050, 2048, 1}, {2047, 2047, 2048, 0}, {2048, 2048, 2049, 0}};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        slimband_problem p = problem_of(SLIMBAND_F64, all[i].n, 1, true);
        p.rhs.batch[0] = all[i].b;
        p.solution.batch[0] = all[i].x;
        sb_cuda_setup setup = setup_of(&p, &hopper);
        int64_t kept[SB_CUDA_STATE] = {0};
        assert_int_equal(sb_cuda_tile_method.fits(&setup), SLIMBAND_OK);
        sb_cuda_tile_method.prepare(&setup, kept);
        assert_int_equal(((const sb_tile_plan *)kept)->form, SB_TILE_LINES);
        assert_int_equal(((const sb_tile_plan *)kept)->line.bulk_out, all[i].taken);
    }
}

/* No length in between is left out (docs/methods.md, tile). */
static void test_own_columns_are_taken_up_to_their_longest(void **state)
{
    (void)state;
    static const struct {
        slimband_scalar scalar;
        int k;
        int64_t longest, longest_alone; /* with clusters, and where there are none */
    } ranges[] = {{SLIMBAND_F32, 1, 3584, 256}, {SLIMBAND_F64, 1, 4096, 256}, {SLIMBAND_C64, 1, 4096, 256},
                  {SLIMBAND_C128, 1, 1248, 96}, {SLIMBAND_F32, 2, 2560, 0},   {SLIMBAND_F64, 2, 2560, 0}};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; ++r)
        for (int64_t n = 2; n <= ranges[r].longest; ++n) {
            slimband_problem p = slimband_banded(ranges[r].scalar, n, ranges[r].k, ranges[r].k);
            assert_int_equal(slimband_interleaved(&p, 1000), SLIMBAND_OK);
            if (answer(&p) != SLIMBAND_OK ||
                (n <= ranges[r].longest_alone && answer_of(&p, &ampere) != SLIMBAND_OK))
                fail_msg("n %lld of scalar %d, k %d", (long long)n, (int)ranges[r].scalar, ranges[r].k);
        }
}

static void test_own_lines_are_taken_up_to_their_longest(void **state)
{
    (void)state;
    static const struct {
        int lower, upper;
        int64_t longest[4]; /* of f32, f64, c64, c128 */
    } ranges[] = {
        {1, 1, {14000, 7000, 7000, 3500}}, {2, 2, {9400, 4700, 4700, 2300}}, {2, 1, {9400, 4700, 4700, 2300}}};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; ++r)
        for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
            for (int64_t n = 2; n <= ranges[r].longest[scalar]; n += n < 300 ? 1 : 50) {
                slimband_problem p =
                    slimband_banded((slimband_scalar)scalar, n, ranges[r].lower, ranges[r].upper);
                assert_int_equal(slimband_contiguous(&p, 1000), SLIMBAND_OK);
                if (answer(&p) != SLIMBAND_OK)
                    fail_msg("n %lld of scalar %d, band %d + %d", (long long)n, scalar, p.lower, p.upper);
            }
}

/* Bands of 3 + 3 and 4 + 4 too; and tri- and pentadiagonal lines on every device as far as a warp's lanes hold them. */
static void test_shared_lines_are_taken_up_to_their_longest(void **state)
{
    (void)state;
    static const struct {
        int k;
        bool lines;
        int64_t longest[4]; /* of f32, f64, c64, c128 */
    } ranges[] = {{1, true, {4096, 4096, 4096, 2048}},
                  {2, true, {4096, 4096, 4096, 2048}},
                  {3, true, {4096, 4096, 2048, 800}},
                  {4, false, {4096, 4096, 2048, 800}}};
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; ++r)
        for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
            for (int64_t n = 1; n <= ranges[r].longest[scalar]; n += n < 300 ? 1 : 25) {
                slimband_problem p = problem_of(scalar, n, ranges[r].k, ranges[r].lines);
                if (answer(&p) != SLIMBAND_OK)
                    fail_msg("n %lld of scalar %d, k %d", (long long)n, scalar, ranges[r].k);
            }
    for (int k = 1; k <= 2; ++k) {
        slimband_problem p = problem_of(SLIMBAND_F64, 1000, k, true);
        assert_int_equal(answer_of(&p, &ampere), SLIMBAND_OK);
    }
}

static void test_shared_columns_are_taken_up_to_their_longest(void **state)
{
    (void)state;
    static const struct {
        int64_t longest[2], longest_alone; /* of either band with clusters; of both where there are none */
    } ranges[] = {[SLIMBAND_F32] = {{8192, 8192}, 512},
                  [SLIMBAND_F64] = {{8192, 7808}, 512},
                  [SLIMBAND_C64] = {{4096, 4096}, 256},
                  [SLIMBAND_C128] = {{1536, 1536}, 96}};
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar)
        for (int k = 1; k <= 2; ++k)
            for (int64_t n = 1; n <= ranges[scalar].longest[k - 1]; ++n) {
                slimband_problem p = problem_of(scalar, n, k, false);
                if (answer(&p) != SLIMBAND_OK ||
                    (n <= ranges[scalar].longest_alone && answer_of(&p, &ampere) != SLIMBAND_OK))
                    fail_msg("n %lld of scalar %d, k %d", (long long)n, scalar, k);
            }
}

/* Of one matrix, as many pieces as are asked for, or chosen for lines that are too long. */
static void test_pieces_hold_all_rows_and_their_places_follow_each_other(void **state)
{
    static const int64_t lengths[] = {9000, 65536, 65537, 100003};
    (void)state;
    for (slimband_scalar type = SLIMBAND_F32; type <= SLIMBAND_C128; ++type)
        for (int k = 0; k < 4 * 2 * 3; ++k) {
            const int half = 1 << k % 3;
            const int64_t n = lengths[k / 6];
            slimband_problem p = slimband_banded(type, n, half, half);
            p.coefficients = SLIMBAND_SHARED;
            assert_int_equal(k / 3 % 2 ? slimband_contiguous(&p, 500) : slimband_interleaved(&p, 500),
                             SLIMBAND_OK);
            sb_cuda_setup setup = setup_of(&p, &hopper);
            setup.matrices = 1;
            setup.options.slice = n < 10000 ? 20 : 0;
            sb_pieces_shape s;
            if (!sb_pieces_arrange(&setup, &s)) {
                assert_true(half == 4 && type >= SLIMBAND_C64 && n >= 65536);
                continue;
            }
            assert_true(setup.options.slice == 0 || s.count == setup.options.slice);
            assert_true((s.count - 1) * s.rows + s.rest == n && s.rest >= 2 * half && s.rest <= s.rows);
            assert_int_equal(s.even, s.rest == s.rows ? s.count : s.count - 1);
            assert_int_equal(sb_tile_cut_of(&s.evens)->n, s.rows);
            assert_int_equal(sb_tile_cut_of(&s.last)->n, s.rest);
            assert_true(2 * half * s.count <= SB_PIECES_MOST_ORDER);
            const int64_t bytes = (int64_t)setup.scalar_bytes, order = 2 * half * s.count;
            assert_true((s.even * s.tables[0] + (s.count - s.even) * s.tables[1]) * bytes <= s.spikes_at);
            assert_true(s.spikes_at + 2 * n * 2 * half * bytes <= s.inverse_at);
            assert_true(s.inverse_at + 2 * order * (order * bytes + 4) <= s.reach_at);
            assert_true(s.tables[0] * bytes % 128 == 0);
            assert_true(s.outcomes_at + 500 * s.count * 8 <= s.ends_at);
            assert_true(s.ends_at + 500 * order * bytes <= (int64_t)s.scratch);
        }
}

static void test_what_does_not_fit_is_refused_with_a_reason(void **state)
{
    (void)state;
    slimband_problem p = problem_of(SLIMBAND_F64, 9000, 1, false);
    assert_int_equal(answer(&p), SLIMBAND_METHOD_NEEDS_SHORTER_LINES);
    p = problem_of(SLIMBAND_F64, 100, 5, false);
    assert_int_equal(answer(&p), SLIMBAND_METHOD_NEEDS_NARROWER_BAND);
    p = slimband_banded(SLIMBAND_F64, 100, 3, 3); /* each its own */
    assert_int_equal(slimband_contiguous(&p, 10), SLIMBAND_OK);
    assert_int_equal(answer(&p), SLIMBAND_METHOD_NOT_HERE);
    p = problem_of(SLIMBAND_F64, 100, 4, true);
    assert_int_equal(answer_of(&p, &ampere), SLIMBAND_METHOD_NOT_HERE); /* without the copy engine */
    p = problem_of(SLIMBAND_F64, 100, 1, false);
    p.pivoting = SLIMBAND_PIVOT_PARTIAL;
    assert_int_equal(answer(&p), SLIMBAND_METHOD_DOES_NOT_PIVOT);
    p = slimband_banded(SLIMBAND_F64, 100, 2, 1);
    assert_int_equal(slimband_interleaved(&p, 10), SLIMBAND_OK);
    assert_int_equal(answer(&p), SLIMBAND_METHOD_NEEDS_TRIDIAGONAL);
    p = slimband_pentadiagonal(SLIMBAND_F64, 100);
    assert_int_equal(slimband_contiguous(&p, 10), SLIMBAND_OK);
    p.matrix = (slimband_layout){.line = 10, .batch = {1}}; /* in another order than right-hand sides */
    assert_int_equal(answer(&p), SLIMBAND_METHOD_NOT_HERE);
    p = slimband_pentadiagonal(SLIMBAND_F64, 3000);
    assert_int_equal(slimband_interleaved(&p, 10), SLIMBAND_OK);
    assert_int_equal(answer(&p), SLIMBAND_METHOD_NEEDS_SHORTER_LINES);
}

/* Neighbouring dimensions that follow on from each other are one: along the first axis of an array, columns run over all
   the others. */
static void test_dimensions_are_joined(void **state)
{
    (void)state;
    slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 64);
    p.coefficients = SLIMBAND_SHARED;
    int64_t plan_words[SB_CUDA_STATE] = {0};
    assert_int_equal(slimband_along_axis(&p, 3, (int64_t[]){64, 6, 10}, 0), SLIMBAND_OK);
    sb_cuda_setup setup = setup_of(&p, &hopper);
    sb_cuda_tile_method.prepare(&setup, plan_words);
    const sb_tile_strided *job = &((const sb_tile_plan *)plan_words)->strided;
    assert_int_equal(job->grid.extent, 60);
    assert_int_equal(job->grid.outer[0] * job->grid.outer[1], 1);
    assert_int_equal(job->grid.number[0], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cut_covers_its_rows_and_fits_its_device),
        cmocka_unit_test(test_clusters_are_no_larger_than_their_device),
        cmocka_unit_test(test_own_matrices_are_cut_too),
        cmocka_unit_test(test_lines_of_300_share_a_warp),
        cmocka_unit_test(test_chunks_are_such_that_few_lanes_are_idle),
        cmocka_unit_test(test_lines_that_warps_share_sooner_are_not_cut_into_pieces),
        cmocka_unit_test(test_the_copy_engine_takes_back_lines_of_any_length),
        cmocka_unit_test(test_own_columns_are_taken_up_to_their_longest),
        cmocka_unit_test(test_own_lines_are_taken_up_to_their_longest),
        cmocka_unit_test(test_shared_lines_are_taken_up_to_their_longest),
        cmocka_unit_test(test_shared_columns_are_taken_up_to_their_longest),
        cmocka_unit_test(test_pieces_hold_all_rows_and_their_places_follow_each_other),
        cmocka_unit_test(test_what_does_not_fit_is_refused_with_a_reason),
        cmocka_unit_test(test_dimensions_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
