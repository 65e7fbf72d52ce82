/* A chunk of a band cut by separators: the factors do what they are said to do, wherever the chunk's places are empty. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/chunk/cut.h"

enum { SLOTS = 12, WIDEST = SB_CUT_WIDEST };

typedef struct chunk {
    T band[SLOTS * (2 * WIDEST + 1)], forward[SLOTS * (WIDEST + 1)], back[SLOTS * WIDEST],
        spike[SLOTS * 2 * WIDEST];
} chunk;

static T random_scalar(unsigned *seed)
{
    double part[2];
    for (int i = 0; i < 2; ++i) {
        *seed = *seed * 1664525u + 1013904223u;
        part[i] = (double)(*seed >> 8) / (1 << 23) - 1;
    }
#if SB_COMPLEX
    return (T)(part[0] + part[1] * I);
#else
    return (T)part[0];
#endif
}

static R growth_of_spikes(const chunk *c, int k, int front, int end)
{
    R growth = 0;
    for (int i = front; i < end; ++i)
        growth = sb_grow_to(growth, sb_cut_spikes_size(k, c->band + i * (2 * k + 1), 0, c->spike + i * 2 * k));
    return growth;
}

/* Rows that are dominant by a little. Interior: places front .. end - 1. */
static R factored(chunk *c, int k, int front, int end, unsigned seed)
{
    int bad = -1;
    for (int i = 0; i < SLOTS; ++i) {
        T *a = c->band + i * (2 * k + 1) + k;
        R sum = 0;
        for (int j = -k; j <= k; ++j) {
            a[j] = random_scalar(&seed);
            sum += j == 0 ? 0 : (R)sb_abs1(a[j]);
        }
        a[0] = (T)(sum * (R)1.1);
    }
    R growth = sb_cut_eliminate(k, front, end, c->band, 0, c->forward, c->back, &bad);
    for (int column = 0; column < 2 * k; ++column)
        sb_cut_spike(k, front, end, c->band, c->forward, c->back, column, c->spike);
    assert_int_equal(bad, -1);
    return sb_grow_to(growth, growth_of_spikes(c, k, front, end));
}

/* Row i of the interior's matrix times the column at v[i * stride]. */
static T product(const chunk *c, int k, int front, int end, int i, const T *v, int stride)
{
    T sum = 0;
    for (int j = -k; j <= k; ++j)
        if (i + j >= front && i + j < end)
            sum += c->band[i * (2 * k + 1) + k + j] * v[(i + j) * stride];
    return sum;
}

static void assert_near(T a, T b)
{
    assert_true(sb_abs1(a - b) < 1e-13);
}

static void test_interiors_are_solved(void **state)
{
    (void)state;
    for (int k = 1; k <= WIDEST; ++k)
        for (int front = 0; front <= SLOTS - k; ++front) {
            chunk c = {0};
            T b[SLOTS], y[SLOTS];
            unsigned seed = 7u + (unsigned)front;
            factored(&c, k, front, SLOTS - k, seed);
            for (int i = 0; i < SLOTS; ++i)
                y[i] = b[i] = random_scalar(&seed);
            sb_cut_substitute(k, front, SLOTS - k, c.forward, c.back, y, 1);
            for (int i = 0; i < SLOTS; ++i)
                assert_near(i < front || i >= SLOTS - k ? y[i] : product(&c, k, front, SLOTS - k, i, y, 1),
                            b[i]);
        }
}

/* Column c of P answers to the coupling with the c-th separator before, of Q with the c-th own one. */
static void test_spikes_answer_to_the_separators_on_both_sides(void **state)
{
    (void)state;
    for (int k = 1; k <= WIDEST; ++k)
        for (int front = 0; front <= SLOTS - 2 * k; ++front) {
            chunk c = {0};
            int end = SLOTS - k;
            factored(&c, k, front, end, 99u + (unsigned)front);
            for (int i = front; i < end; ++i)
                for (int s = 0; s < k; ++s) {
                    const T *a = c.band + i * (2 * k + 1) + k;
                    int before = s - k + front - i, behind = end + s - i;
                    assert_near(product(&c, k, front, end, i, c.spike + s, 2 * k),
                                before >= -k ? -a[before] : (T)0);
                    assert_near(product(&c, k, front, end, i, c.spike + k + s, 2 * k),
                                behind <= k ? -a[behind] : (T)0);
                }
        }
}

static void test_dominant_rows_grow_little_and_small_pivots_show(void **state)
{
    (void)state;
    chunk c = {0};
    int bad = -1;
    assert_true(factored(&c, 1, 0, SLOTS - 1, 3u) < 4);
    c.band[3 * 4 + 1] = (T)1e-9 - c.band[3 * 4] * c.back[3];
    R growth = sb_cut_eliminate(1, 0, SLOTS - 1, c.band, 0, c.forward, c.back, &bad);
    assert_int_equal(bad, -1);
    assert_true(growth > 1e6);
}

static void test_a_spike_that_is_no_number_is_not_forgotten(void **state)
{
    (void)state;
    chunk c = {0};
    assert_true(factored(&c, 1, 0, SLOTS - 1, 4u) < 4);
    c.spike[2 * 3] = NAN;
    assert_false(growth_of_spikes(&c, 1, 0, SLOTS - 1) < INFINITY);
}

static void test_a_row_without_a_pivot_is_named(void **state)
{
    (void)state;
    chunk c = {0};
    int bad = -1;
    factored(&c, 2, 3, SLOTS - 2, 5u);
    for (int j = 0; j < 5; ++j)
        c.band[6 * 5 + j] = 0;
    sb_cut_eliminate(2, 3, SLOTS - 2, c.band, 0, c.forward, c.back, &bad);
    assert_int_equal(bad, 6);
}

/* Column by column, as lanes do it. */
static void invert(int k, const T *a, T *inverse)
{
    for (int c = 0; c < k; ++c) {
        T left[WIDEST * WIDEST], x[WIDEST];
        memcpy(left, a, (size_t)(k * k) * sizeof(T));
        for (int r = 0; r < k; ++r)
            x[r] = r == c;
        sb_block_solve(k, left, x);
        for (int r = 0; r < k; ++r)
            inverse[r * k + c] = x[r];
    }
}

static void test_blocks_have_inverses(void **state)
{
    (void)state;
    unsigned seed = 11;
    for (int k = 1; k <= WIDEST; ++k)
        for (int trial = 0; trial < 20; ++trial) {
            T a[WIDEST * WIDEST], inverse[WIDEST * WIDEST];
            for (int i = 0; i < k * k; ++i)
                a[i] = random_scalar(&seed);
            a[0] = trial % 2 ? a[0] : (T)(k == 1);
            invert(k, a, inverse);
            for (int r = 0; r < k; ++r)
                for (int s = 0; s < k; ++s) {
                    T one = 0;
                    for (int t = 0; t < k; ++t)
                        one += a[r * k + t] * inverse[t * k + s];
                    assert_true(sb_abs1(one - (T)(r == s)) < 1e-11);
                }
        }
}

/* Entries that fade beside the own ones, which a row with a larger unit would hide. */
static void test_inverses_of_dominant_blocks_do_not_depend_on_the_units_of_rows(void **state)
{
    (void)state;
    unsigned seed = 12;
    for (int k = 2; k <= WIDEST; ++k)
        for (int trial = 0; trial < 100; ++trial) {
            T left[WIDEST * WIDEST], scaled[WIDEST * WIDEST], plain[WIDEST * WIDEST], inverse[WIDEST * WIDEST];
            R units[WIDEST];
            for (int r = 0; r < k; ++r) {
                units[r] = (R)ldexp(1, (r * 7 + trial) % 5 * 20 - 40);
                for (int c = 0; c < k; ++c) {
                    const T own = r == c ? 4 : 0;
                    left[r * k + c] = own + random_scalar(&seed) * (T)ldexp(1, -(trial + c) % 30);
                    scaled[r * k + c] = left[r * k + c] * units[r];
                }
            }
            invert(k, left, plain);
            invert(k, scaled, inverse);
            for (int i = 0; i < k * k; ++i)
                assert_true(inverse[i] * units[i % k] == plain[i]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interiors_are_solved),
        cmocka_unit_test(test_spikes_answer_to_the_separators_on_both_sides),
        cmocka_unit_test(test_dominant_rows_grow_little_and_small_pivots_show),
        cmocka_unit_test(test_a_spike_that_is_no_number_is_not_forgotten),
        cmocka_unit_test(test_a_row_without_a_pivot_is_named),
        cmocka_unit_test(test_blocks_have_inverses),
        cmocka_unit_test(test_inverses_of_dominant_blocks_do_not_depend_on_the_units_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
