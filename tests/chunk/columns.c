/* The texts of src/chunk mean the same with any steps between places: what the GPU relies on, whose factors lie in
 * columns. Compiled as c128, which has everything that the real types have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "src/chunk/band.h"
#include "src/chunk/dense.h"
#include "src/chunk/pivot_band.h"

enum { N = 23, PITCH = 5, MOST = N * 16 };

static T draw(sb_random *random)
{
    double re = sb_random_signed(random);
    return re + sb_random_signed(random) * I;
}

/* Place p of the first is place p * PITCH of the second. */
static void draw_both(T *line, T *column, int places, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    for (int p = 0; p < places; ++p)
        line[p] = column[(ptrdiff_t)p * PITCH] = draw(&random);
}

static void expect_same(const T *line, const T *column, int places)
{
    for (int p = 0; p < places; ++p)
        assert_memory_equal(&line[p], &column[(ptrdiff_t)p * PITCH], sizeof(T));
}

static void test_tridiagonal_pivoting_in_columns(void **state)
{
    (void)state;
    static T line[MOST], column[MOST * PITCH], x[N], y[N * PITCH];
    int32_t pivots[N], column_pivots[N * PITCH];
    R largest[2] = {0, 0}, column_largest[2] = {0, 0};
    const sb_pivots how = {SB_OFFSETS, 1}, in_columns = {SB_OFFSETS, PITCH};
    draw_both(line, column, 4 * N, 1);
    draw_both(x, y, N, 2);
    sb_tri view = {line + 4, line + 1, line + 2, line + 3, 4};
    sb_tri wide = {column + 4 * PITCH, column + PITCH, column + 2 * PITCH, column + 3 * PITCH, 4 * PITCH};
    sb_elimination a = sb_tri_eliminate(view, N, pivots, how, largest);
    sb_elimination b = sb_tri_eliminate(wide, N, column_pivots, in_columns, column_largest);
    assert_true(a.broken == -1 && b.broken == -1 && largest[1] == column_largest[1]);
    expect_same(line, column, 4 * N);
    const sb_tri_factors F = {line + 4, line + 1, line + 2, line + 3, 4};
    const sb_tri_factors G = {wide.l, wide.d, wide.u, wide.u2, 4 * PITCH};
    sb_tri_solve(F, N, pivots, how, x, 1);
    sb_tri_solve(G, N, column_pivots, in_columns, y, PITCH);
    expect_same(x, y, N);
    sb_tri_solve_transposed(F, N, pivots, how, x, 1);
    sb_tri_solve_transposed(G, N, column_pivots, in_columns, y, PITCH);
    expect_same(x, y, N);
}

static void test_band_pivoting_in_columns(void **state)
{
    (void)state;
    enum { LOWER = 2, UPPER = 3, WIDTH = 2 * LOWER + UPPER + 1 };
    static T line[MOST], column[MOST * PITCH], x[N], y[N * PITCH];
    int32_t pivots[N], column_pivots[N * PITCH];
    const sb_pivots how = {SB_OFFSETS, 1}, in_columns = {SB_OFFSETS, PITCH};
    const sb_steps at = {WIDTH - 1, 1}, wide = {(WIDTH - 1) * PITCH, PITCH};
    draw_both(line, column, N * WIDTH, 3);
    draw_both(x, y, N, 4);
    T *a = line + LOWER, *b = column + LOWER * PITCH;
    sb_band_eliminate(a, at, N, LOWER, UPPER, pivots, how, NULL, false);
    sb_band_eliminate(b, wide, N, LOWER, UPPER, column_pivots, in_columns, NULL, false);
    expect_same(line, column, N * WIDTH);
    sb_band_solve(a, at, N, LOWER, UPPER, pivots, how, x, 1);
    sb_band_solve(b, wide, N, LOWER, UPPER, column_pivots, in_columns, y, PITCH);
    expect_same(x, y, N);
    sb_band_solve_transposed(a, at, N, LOWER, UPPER, pivots, how, x, 1);
    sb_band_solve_transposed(b, wide, N, LOWER, UPPER, column_pivots, in_columns, y, PITCH);
    expect_same(x, y, N);
}

/* S x = b and S^T x = b, against the matrix as it was. */
static void test_dense_systems_in_columns(void **state)
{
    (void)state;
    for (int m = 1; m <= 8; ++m) {
        static T matrix[64], factors[64 * PITCH], b[8], x[8 * PITCH];
        int32_t swap[8 * PITCH];
        draw_both(matrix, factors, m * m, 5 + (uint64_t)m);
        sb_dense d = {m, PITCH, factors, swap};
        assert_int_equal(sb_dense_factor(&d), -1);
        for (int transposed = 0; transposed < 2; ++transposed) {
            draw_both(b, x, m, 20 + (uint64_t)m);
            (transposed ? sb_dense_solve_transposed : sb_dense_solve)(&d, x, PITCH);
            for (int i = 0; i < m; ++i) {
                T residual = b[i];
                R size = 0;
                for (int j = 0; j < m; ++j) {
                    T entry = transposed ? matrix[j * m + i] : matrix[i * m + j];
                    residual -= entry * x[j * PITCH];
                    size += sb_abs1(entry) * sb_abs1(x[j * PITCH]);
                }
                assert_true(sb_abs1(residual) <= 20 * DBL_EPSILON * (size + sb_abs1(b[i])));
            }
        }
    }
}

static void test_a_dense_zero_column_is_named(void **state)
{
    (void)state;
    T S[] = {1, 2, 3, 2, 4, 5, 3, 6, 8};
    int32_t swap[3];
    sb_dense d = {3, 1, S, swap};
    assert_int_equal(sb_dense_factor(&d), 1);
}

/* L times U is A again, row by row, with the rows above in a window as the GPU keeps them. */
static void test_a_row_of_elimination_reproduces_its_row(void **state)
{
    (void)state;
    enum { K = 2, WIDTH = 2 * K + 1 };
    sb_random random = sb_random_seeded(40);
    T window[(K + 1) * (K + 1)] = {0}, given[WIDTH], row[WIDTH];
    for (int i = 0; i < N; ++i) {
        for (int d = 0; d < WIDTH; ++d)
            given[d] = row[d] = d == K ? 9 : d < K - i ? 0 : draw(&random);
        R product = sb_band_eliminate_row(row, window, K + 1, K, K, K, NULL);
        assert_true(sb_band_invert_pivot(&row[K]) && product <= 9);
        T back[WIDTH] = {0};
        for (int t = 0; t <= K; ++t)
            back[K + t] = t ? row[K + t] : 1 / row[K];
        for (int k = 1; k <= K; ++k)
            for (int t = 0; t <= K && window[k * (K + 1)] != 0; ++t) {
                T u = window[k * (K + 1) + t];
                back[K - k + t] += row[K - k] * (t ? u : 1 / u);
            }
        for (int d = 0; d < WIDTH; ++d)
            assert_true(sb_abs1(back[d] - given[d]) <= 20 * DBL_EPSILON * 9);
        memmove(window + 2 * (K + 1), window + K + 1, (K - 1) * (K + 1) * sizeof(T));
        memcpy(window + K + 1, row + K, (K + 1) * sizeof(T));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tridiagonal_pivoting_in_columns),
        cmocka_unit_test(test_band_pivoting_in_columns),
        cmocka_unit_test(test_dense_systems_in_columns),
        cmocka_unit_test(test_a_dense_zero_column_is_named),
        cmocka_unit_test(test_a_row_of_elimination_reproduces_its_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
