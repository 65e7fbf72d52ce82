/* Chunks of pentadiagonal rows and their separators, eliminated on the host by src/chunk/penta_chain.h as warps do it on the
 * GPU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/gallery.h"
#include "slimband/slimband.h"
#include "src/chunk/penta_chain.h"
#include "src/chunk/ring_order.h"
#include "tests/chunk/draw_cut.h"

enum { MOST_ROWS = 1600, LONG = 400, MOST_CHUNKS = 32, MOST_BLOCKS = 16, ROUNDS = 3000, DIAGONALS = 5 };

static T band[DIAGONALS][MOST_ROWS], d[MOST_ROWS], x[MOST_ROWS];
static sb_penta_known known[MOST_ROWS];

typedef struct warp {
    sb_penta_end ends[2];
    sb_penta_known head[2], kept[2];
    T x[2];
} warp;

static void sweep_chunk(warp *mine, int start, int end, sb_met *met)
{
    sb_penta_sweep sweep = sb_penta_begin();
    for (int i = start; i < end; ++i) {
        sb_penta_row row = {.d = d[i]};
        for (int a = 0; a < DIAGONALS; ++a)
            row.at[a] = band[a][i];
        if (i < end - 2)
            known[i] = sb_penta_sweep_row(&sweep, row, i, met);
        else
            mine->ends[i - end + 2] = sb_penta_end_of(i - end + 2, row, &sweep, met);
    }
    mine->head[0] = sweep.head[0];
    mine->head[1] = sweep.head[1];
}

/* Separators leave in pairs, all of a level at once; the last ones close the ring. */
static void solve_separators(const sb_tile_cut *cut, warp *warps, sb_met *met)
{
    int width = cut->chunks, around = width - 1;
    for (int w = 0; w < width; ++w)
        sb_penta_take_behind(warps[w].ends, warps[(w + 1) & around].head, met);
    for (int step = 1; step < width; step *= 2) {
        for (int w = step - 1; w < width; w += 2 * step)
            sb_penta_solve(warps[w].ends, sb_tile_start(cut, 0, w + 1) - 2, warps[w].kept, met);
        for (int w = 2 * step - 1; w < width; w += 2 * step) {
            sb_penta_take_before(warps[w].ends, warps[w - step].kept, met);
            sb_penta_take_behind(warps[w].ends, warps[(w + step) & around].kept, met);
        }
    }
    sb_penta_close(warps[around].ends, cut->n - 2, warps[around].x, met);
    for (int step = width / 2; step > 0; step /= 2)
        for (int w = step - 1; w < width; w += 2 * step)
            for (int s = 0; s < 2; ++s)
                warps[w].x[s] = sb_penta_at(warps[w].kept[s], warps[(w - step) & around].x, warps[w + step].x);
}

static void meet_heads(const sb_tile_cut *cut, warp *warps, sb_met *met)
{
    int end = cut->chunks - 1;
    for (int w = 0; w <= end; ++w)
        sb_penta_take_behind(warps[w].ends, warps[w < end ? w + 1 : 0].head, met);
}

static void reduce(const sb_tile_cut *cut, warp *warps, sb_met *met)
{
    int end = cut->chunks - 1, s;
    for (s = 1; s <= end; s *= 2) {
        for (int w = 0; w < end; ++w)
            if (sb_ring_leaves(w, end, s))
                sb_penta_solve(warps[w].ends, sb_tile_start(cut, 0, w + 1) - 2, warps[w].kept, met);
        for (int w = 0; w <= end; ++w) {
            int before = sb_ring_before(w, end, s), behind = sb_ring_behind(w, end, s);
            if (!sb_ring_has(w, end, s) || sb_ring_leaves(w, end, s))
                continue;
            if (sb_ring_leaves(before, end, s))
                sb_penta_take_before(warps[w].ends, warps[before].kept, met);
            if (sb_ring_leaves(behind, end, s))
                sb_penta_take_behind(warps[w].ends, warps[behind].kept, met);
        }
    }
    sb_penta_close(warps[end].ends, cut->n - 2, warps[end].x, met);
    for (s /= 2; s > 0; s /= 2)
        for (int w = 0; w < end; ++w)
            if (sb_ring_leaves(w, end, s))
                for (int e = 0; e < 2; ++e)
                    warps[w].x[e] = sb_penta_at(warps[w].kept[e], warps[sb_ring_before(w, end, s)].x,
                                                warps[sb_ring_behind(w, end, s)].x);
}

/* Any number of separators, as those of a cluster's blocks are. */
static void solve_blocks(const sb_tile_cut *cut, warp *warps, sb_met *met)
{
    meet_heads(cut, warps, met);
    reduce(cut, warps, met);
}

/* The same where couplings that roundings hide have been cut; whether any others are left. */
static bool coupled;

static void part(const sb_tile_cut *cut, warp *warps, sb_met *met)
{
    meet_heads(cut, warps, met);
    coupled = false;
    for (int w = 0; w < cut->chunks; ++w)
        coupled |= !sb_penta_part(warps[w].ends);
}

static void part_and_reduce(const sb_tile_cut *cut, warp *warps, sb_met *met)
{
    part(cut, warps, met);
    reduce(cut, warps, met);
}

static void part_and_close_each(const sb_tile_cut *cut, warp *warps, sb_met *met)
{
    part(cut, warps, met);
    for (int w = 0; w < cut->chunks; ++w)
        sb_penta_close(warps[w].ends, sb_tile_start(cut, 0, w + 1) - 2, warps[w].x, met);
}

/* A block of a cluster as the GPU solves it: its heads wait for the separators behind its last ones. */
static bool at_once, apart;

static bool part_block(warp *warps, int width, int step, sb_penta_known *head)
{
    bool left = false;
    for (int w = step - 1; w < width; w += step)
        left |= !(w < width - 1 ? sb_penta_part(warps[w].ends) : sb_penta_part_last(warps[w].ends, head));
    return left;
}

static void leave(const sb_tile_cut *cut, warp *warps, int first, int step, sb_met *met)
{
    for (int w = first; w < cut->chunks - 1; w += step)
        sb_penta_solve(warps[w].ends, sb_tile_start(cut, 0, w + 1) - 2, warps[w].kept, met);
}

static void solve_block(const sb_tile_cut *cut, warp *warps, sb_met *met)
{
    int width = cut->chunks, around = width - 1;
    sb_penta_known *head = warps[0].head;
    for (int w = 0; w < around; ++w)
        sb_penta_take_behind(warps[w].ends, warps[w + 1].head, met);
    apart = false;
    for (int step = 1; step < width && !(at_once && apart); step *= 2) {
        apart = !part_block(warps, width, step, head);
        leave(cut, warps, step - 1, 2 * step, met);
        if (at_once && apart)
            leave(cut, warps, 2 * step - 1, 2 * step, met);
        else
            for (int w = 2 * step - 1; w < width; w += 2 * step) {
                sb_penta_take_before(warps[w].ends, warps[w - step].kept, met);
                if (w < around)
                    sb_penta_take_behind(warps[w].ends, warps[w + step].kept, met);
                else
                    sb_penta_heads_pass(head, warps[step - 1].kept);
            }
    }
    sb_penta_take_behind(warps[around].ends, head, met);
    sb_penta_close(warps[around].ends, cut->n - 2, warps[around].x, met);
    for (int step = width / 2; step > 0; step /= 2)
        for (int w = step - 1; w < width; w += 2 * step)
            for (int s = 0; s < 2; ++s)
                warps[w].x[s] = sb_penta_at(warps[w].kept[s], warps[(w - step) & around].x, warps[w + step].x);
}

typedef void solver(const sb_tile_cut *cut, warp *warps, sb_met *met);

static sb_met solve_by(const sb_tile_cut *cut, solver *separators)
{
    warp warps[MOST_CHUNKS];
    sb_met met = sb_nothing_met();
    for (int w = 0; w < cut->chunks; ++w)
        sweep_chunk(&warps[w], sb_tile_start(cut, 0, w), sb_tile_start(cut, 0, w + 1), &met);
    separators(cut, warps, &met);
    for (int w = 0; w < cut->chunks; ++w) {
        int start = sb_tile_start(cut, 0, w), i = sb_tile_start(cut, 0, w + 1) - 2;
        x[i] = warps[w].x[0];
        x[i + 1] = warps[w].x[1];
        while (--i >= start)
            x[i] = sb_penta_at(known[i], warps[(w + cut->chunks - 1) % cut->chunks].x, x + i + 1);
    }
    return met;
}

static sb_met solve(const sb_tile_cut *cut)
{
    return solve_by(cut, solve_separators);
}

/* Entries that leave an open matrix are 0. */
static void open(int n)
{
    for (int i = 0; i < n; ++i)
        for (int a = 0; a < DIAGONALS; ++a)
            if (i + a - 2 < 0 || i + a - 2 >= n)
                band[a][i] = 0;
}

static void draw_system(int n, bool periodic, double dominance, sb_random *random)
{
    for (int i = 0; i < n; ++i) {
        for (int a = 0; a < DIAGONALS; ++a)
            band[a][i] = draw(random) + (R)(a == 2 ? dominance : 0);
        d[i] = draw(random);
    }
    if (!periodic)
        open(n);
}

/* Chunks whose rows couple much or little to those before and behind, and whose right-hand sides are large or small: what roundings of
   one row hide, another one's unknowns would show. */
static void make_uneven(const sb_tile_cut *cut, sb_random *random)
{
    static const int couplings[] = {0, 0, -12, -40};
    const int most = sizeof(R) == sizeof(float) ? 15 : 40;
    for (int w = 0; w < cut->chunks; ++w) {
        R before = (R)ldexp(1, couplings[sb_random_between(random, 0, 3)]),
          behind = (R)ldexp(1, couplings[sb_random_between(random, 0, 3)]),
          size = (R)ldexp(1, (int)sb_random_between(random, -most, most));
        for (int i = sb_tile_start(cut, 0, w); i < sb_tile_start(cut, 0, w + 1); ++i) {
            for (int a = 0; a < 2; ++a) {
                band[a][i] *= before;
                band[3 + a][i] *= behind;
            }
            d[i] *= size;
        }
    }
}

static double error_of(int n, bool periodic)
{
    slimband_problem p = slimband_pentadiagonal(scalar, n);
    p.ends = periodic ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    const void *diagonals[] = {band[0], band[1], band[2], band[3], band[4]};
    slimband_backward_error error;
    assert_int_equal(slimband_residual(&p, diagonals, d, x, &error), SLIMBAND_OK);
    return error.normwise;
}

static void test_what_did_not_grow_has_small_backward_errors(void **state)
{
    (void)state;
    int safe = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        sb_random random = sb_random_seeded(seed);
        bool periodic = seed % 3 == 0;
        int n = (int)sb_random_between(&random, periodic ? 6 : 2, seed % 10 ? 60 : LONG);
        sb_tile_cut cut = draw_cut(2, MOST_CHUNKS, n, &random);
        draw_system(n, periodic, seed % 4 ? 5 : 2.5, &random);
        sb_met met = solve(&cut);
        if (met.bad != SB_NO_ROW || !(sb_growth_met(met) <= 4))
            continue;
        ++safe;
        double error = error_of(n, periodic);
        if (!(error < 32 * epsilon))
            fail_msg("seed %llu, n %d, %d chunks: %g", (unsigned long long)seed, n, cut.chunks, error);
    }
    assert_true(safe > ROUNDS / 2);
}

/* Interface values are computed once: the last digits of neighbours agree where the matrix is close to singular. */
static void test_the_biharmonic_matrix_is_solved_to_rounding(void **state)
{
    (void)state;
    static const R entries[DIAGONALS] = {1, -4, 6, -4, 1};
    int most = sizeof(R) == sizeof(float) ? 40 : LONG; /* the condition number grows with n^4 */
    for (int n = 3; n <= most; n += 13) {
        sb_random random = sb_random_seeded((uint64_t)n);
        sb_tile_cut cut = draw_cut(2, MOST_CHUNKS, n, &random);
        for (int i = 0; i < n; ++i) {
            for (int a = 0; a < DIAGONALS; ++a)
                band[a][i] = entries[a];
            d[i] = draw(&random);
        }
        open(n);
        sb_met met = solve(&cut);
        assert_int_equal(met.bad, SB_NO_ROW);
        assert_true(sb_growth_met(met) < 4);
        double error = error_of(n, false);
        if (!(error < 8 * epsilon))
            fail_msg("n %d, %d chunks: %g", n, cut.chunks, error);
    }
}

/* No place leaves before its neighbours know of it, and each leaves once, but the last. */
static void test_places_of_a_ring_leave_one_by_one(void **state)
{
    (void)state;
    for (int count = 1; count <= 2 * MOST_BLOCKS; ++count) {
        int end = count - 1, left[2 * MOST_BLOCKS] = {0};
        for (int s = 1; s <= end; s *= 2)
            for (int place = 0; place < count; ++place) {
                assert_int_equal(sb_ring_has(place, end, s), !left[place]);
                if (!sb_ring_leaves(place, end, s))
                    continue;
                int before = sb_ring_before(place, end, s), behind = sb_ring_behind(place, end, s);
                assert_int_equal(sb_ring_behind(before, end, s), place);
                assert_int_equal(sb_ring_before(behind, end, s), place);
                assert_false(sb_ring_leaves(before, end, s) || sb_ring_leaves(behind, end, s));
                left[place] = s;
            }
        for (int place = 0; place < count; ++place)
            assert_int_equal(left[place] != 0, place != end);
    }
}

static void test_any_number_of_blocks_is_solved(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        sb_random random = sb_random_seeded(seed);
        bool periodic = seed % 3 == 0;
        int blocks = 1 + (int)(seed % MOST_BLOCKS);
        int n = (int)sb_random_between(&random, blocks * 3 + 3, blocks * 3 + 60);
        sb_tile_cut cut = {2, n, 1, blocks, 0, n, 0, 0, 0};
        draw_system(n, periodic, 5, &random);
        sb_met met = solve_by(&cut, solve_blocks);
        assert_int_equal(met.bad, SB_NO_ROW);
        assert_true(sb_growth_met(met) < 4);
        double error = error_of(n, periodic);
        if (!(error < 32 * epsilon))
            fail_msg("seed %llu, n %d, %d blocks: %g", (unsigned long long)seed, n, blocks, error);
    }
}

/* Blocks that roundings part are solved one by one, to the bits that the reduction has for them. */
static void test_parted_blocks_need_no_reduction(void **state)
{
    (void)state;
    enum { SYSTEMS = 300, FEWEST_ROWS = 4, MOST_OF_BLOCK = 100 };
    int parted = 0;
    for (uint64_t seed = 1; seed <= SYSTEMS; ++seed) {
        sb_random random = sb_random_seeded(seed);
        bool periodic = seed % 3 == 0;
        int blocks = 2 + (int)(seed % (MOST_BLOCKS - 1));
        int rows = (int)sb_random_between(&random, FEWEST_ROWS, MOST_OF_BLOCK), n = blocks * rows;
        sb_tile_cut cut = {2, n, 1, blocks, 0, n, 0, 0, 0};
        draw_system(n, periodic, 5, &random);
        sb_met met = solve_by(&cut, part_and_reduce);
        assert_int_equal(met.bad, SB_NO_ROW);
        assert_true(error_of(n, periodic) < 32 * epsilon);
        if (coupled)
            continue;
        T reduced[MOST_ROWS];
        memcpy(reduced, x, (size_t)n * sizeof *x);
        ++parted;
        met = solve_by(&cut, part_and_close_each);
        assert_int_equal(met.bad, SB_NO_ROW);
        assert_memory_equal(x, reduced, (size_t)n * sizeof *x);
    }
    assert_true(parted > SYSTEMS / 4 && parted < SYSTEMS);
}

/* Within a block too: separators leave at once where nothing is left to couple them. */
static void test_separators_that_are_apart_leave_at_once_to_the_same_bits(void **state)
{
    (void)state;
    enum { SYSTEMS = 300, FEWEST_ROWS = 4, MOST_OF_CHUNK = 50 };
    int parted = 0;
    for (uint64_t seed = 1; seed <= SYSTEMS; ++seed) {
        sb_random random = sb_random_seeded(seed);
        bool periodic = seed % 3 == 0;
        int chunks = 2 << seed % 4, n = chunks * (int)sb_random_between(&random, FEWEST_ROWS, MOST_OF_CHUNK);
        sb_tile_cut cut = {2, n, 1, chunks, 0, n, 0, 0, 0};
        draw_system(n, periodic, seed % 5 ? 5 : 2.5, &random);
        make_uneven(&cut, &random);
        at_once = false;
        sb_met met = solve_by(&cut, solve_block);
        if (met.bad != SB_NO_ROW || !(sb_growth_met(met) <= 4))
            continue;
        assert_true(error_of(n, periodic) < 32 * epsilon);
        T reduced[MOST_ROWS];
        memcpy(reduced, x, (size_t)n * sizeof *x);
        at_once = true;
        solve_by(&cut, solve_block);
        parted += apart;
        assert_memory_equal(x, reduced, (size_t)n * sizeof *x);
    }
    assert_true(parted > SYSTEMS / 4 && parted < SYSTEMS);
}

static void test_a_zero_pivot_is_told_with_its_row(void **state)
{
    (void)state;
    sb_random random = sb_random_seeded(7);
    for (int row = 0; row < 20; ++row) {
        sb_tile_cut cut = draw_cut(2, MOST_CHUNKS, 20, &random);
        draw_system(20, false, 5, &random);
        for (int a = 0; a < DIAGONALS; ++a)
            band[a][row] = 0;
        assert_int_equal(solve(&cut).bad, row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_did_not_grow_has_small_backward_errors),
        cmocka_unit_test(test_the_biharmonic_matrix_is_solved_to_rounding),
        cmocka_unit_test(test_places_of_a_ring_leave_one_by_one),
        cmocka_unit_test(test_any_number_of_blocks_is_solved),
        cmocka_unit_test(test_parted_blocks_need_no_reduction),
        cmocka_unit_test(test_separators_that_are_apart_leave_at_once_to_the_same_bits),
        cmocka_unit_test(test_a_zero_pivot_is_told_with_its_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
