/* Chunks and their separators, eliminated on the host by src/chunk/chain.h as lanes do it on the GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/gallery.h"
#include "slimband/slimband.h"
#include "src/chunk/chain.h"
#include "tests/chunk/draw_cut.h"

enum { MOST_ROWS = 400, MOST_CHUNKS = 32, ROUNDS = 3000 };

static T a[MOST_ROWS], b[MOST_ROWS], c[MOST_ROWS], d[MOST_ROWS], x[MOST_ROWS];
static sb_known known[MOST_ROWS];

typedef struct lane {
    sb_row row;
    sb_known head, kept, now;
} lane;

static void sweep_chunk(lane *mine, int start, int rows, sb_met *met)
{
    sb_sweep sweep = sb_sweep_begin();
    for (int i = start; i < start + rows; ++i) {
        mine->row = sb_row_of(a[i], b[i], c[i], d[i]);
        if (i < start + rows - 1)
            known[i] = sb_sweep_row(&sweep, mine->row, i, met);
    }
    sb_take_before(&mine->row, sweep.last, met);
    mine->head = sweep.head;
}

/* Separators leave in pairs, all of a level at once; the last one closes the ring. */
static void solve_separators(const sb_tile_cut *cut, lane *lanes, T *ends, sb_met *met)
{
    int width = cut->chunks, around = width - 1;
    for (int l = 0; l < width; ++l)
        sb_take_behind(&lanes[l].row, lanes[(l + 1) & around].head, met);
    for (int step = 1; step < width; step *= 2) {
        for (int l = step - 1; l < width; l += 2 * step)
            lanes[l].kept = sb_row_solve(&lanes[l].row, sb_tile_start(cut, 0, l + 1) - 1, met);
        for (int l = 2 * step - 1; l < width; l += 2 * step) {
            sb_take_before(&lanes[l].row, lanes[l - step].kept, met);
            sb_take_behind(&lanes[l].row, lanes[(l + step) & around].kept, met);
        }
    }
    ends[around] = sb_close_ring(lanes[around].row, cut->n - 1, met);
    for (int step = width / 2; step > 0; step /= 2)
        for (int l = step - 1; l < width; l += 2 * step)
            ends[l] = sb_known_at(lanes[l].kept, ends[(l - step) & around], ends[l + step]);
}

static sb_met solve(const sb_tile_cut *cut)
{
    lane lanes[MOST_CHUNKS];
    T ends[MOST_CHUNKS];
    sb_met met = sb_nothing_met();
    for (int l = 0; l < cut->chunks; ++l) {
        int start = sb_tile_start(cut, 0, l);
        sweep_chunk(&lanes[l], start, sb_tile_start(cut, 0, l + 1) - start, &met);
    }
    solve_separators(cut, lanes, ends, &met);
    for (int l = 0; l < cut->chunks; ++l) {
        int start = sb_tile_start(cut, 0, l), i = sb_tile_start(cut, 0, l + 1) - 1;
        x[i] = ends[l];
        while (--i >= start)
            x[i] = sb_known_at(known[i], ends[(l - 1) & (cut->chunks - 1)], x[i + 1]);
    }
    return met;
}

static void draw_system(int n, bool periodic, double dominance, sb_random *random)
{
    for (int i = 0; i < n; ++i) {
        a[i] = draw(random);
        b[i] = draw(random) + (R)dominance;
        c[i] = draw(random);
        d[i] = draw(random);
    }
    if (!periodic)
        a[0] = c[n - 1] = 0;
}

static double error_of(int n, bool periodic)
{
    slimband_problem p = slimband_tridiagonal(scalar, n);
    p.ends = periodic ? SLIMBAND_PERIODIC : SLIMBAND_OPEN;
    slimband_backward_error error;
    assert_int_equal(slimband_residual(&p, (const void *[]){a, b, c}, d, x, &error), SLIMBAND_OK);
    return error.normwise;
}

static void test_what_did_not_grow_has_small_backward_errors(void **state)
{
    (void)state;
    int safe = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        sb_random random = sb_random_seeded(seed);
        int n = (int)sb_random_between(&random, 3, seed % 10 ? 60 : MOST_ROWS);
        bool periodic = seed % 3 == 0;
        sb_tile_cut cut = draw_cut(1, MOST_CHUNKS, n, &random);
        draw_system(n, periodic, seed % 4 ? 3.0 : 1.2, &random);
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
static void test_the_poisson_matrix_is_solved_to_rounding(void **state)
{
    (void)state;
    for (int n = 3; n <= MOST_ROWS; n += 13) {
        sb_random random = sb_random_seeded((uint64_t)n);
        sb_tile_cut cut = draw_cut(1, MOST_CHUNKS, n, &random);
        for (int i = 0; i < n; ++i) {
            a[i] = c[i] = -1;
            b[i] = 2;
            d[i] = draw(&random);
        }
        a[0] = c[n - 1] = 0;
        sb_met met = solve(&cut);
        assert_int_equal(met.bad, SB_NO_ROW);
        assert_true(sb_growth_met(met) < 4);
        assert_true(error_of(n, false) < 8 * epsilon);
    }
}

static void test_a_zero_pivot_is_told_with_its_row(void **state)
{
    (void)state;
    sb_random random = sb_random_seeded(7);
    for (int row = 0; row < 20; ++row) {
        sb_tile_cut cut = draw_cut(1, MOST_CHUNKS, 20, &random);
        draw_system(20, false, 4, &random);
        b[row] = a[row] = c[row] = 0;
        assert_int_equal(solve(&cut).bad, row);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_did_not_grow_has_small_backward_errors),
        cmocka_unit_test(test_the_poisson_matrix_is_solved_to_rounding),
        cmocka_unit_test(test_a_zero_pivot_is_told_with_its_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
