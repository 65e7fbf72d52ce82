/* Chunks of rows of up to 4 + 4 off-diagonals, swept on the host by src/chunk/wide_chain.h as lanes do it on the GPU: any x is drawn, and
 * right-hand sides made of it, which what is left of a chunk has to agree with. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/chunk/wide_chain.h"
#include "tests/chunk/draw.h"

enum { MOST_ROWS = 300, ROUNDS = 2000, AROUND = MOST_ROWS + 2 * SB_WIDE };

/* unknown[SB_WIDE + i] belongs to row i; the others to rows before and behind. */
static sb_wide_row rows[MOST_ROWS];
static T unknown[AROUND];

static void draw_chunk(int n, int lower, int upper, double dominance, sb_random *random)
{
    for (int i = 0; i < n + 2 * SB_WIDE; ++i)
        unknown[i] = draw(random);
    for (int i = 0; i < n; ++i) {
        rows[i].d = 0;
        for (int k = -SB_WIDE; k <= SB_WIDE; ++k) {
            T entry = draw(random) + (R)(k ? 0 : dominance);
            rows[i].at[SB_WIDE + k] = k < -lower || k > upper ? (T)0 : entry;
            rows[i].d += rows[i].at[SB_WIDE + k] * unknown[SB_WIDE + i + k];
        }
    }
}

typedef struct chunk {
    sb_wide_sweep sweep;
    sb_wide_known heads[SB_WIDE];
    sb_met met;
} chunk;

static chunk sweep_rows(int count)
{
    chunk c = {.sweep = sb_wide_begin(), .met = sb_nothing_met()};
    sb_wide_begin_heads(c.heads);
    for (int i = 0; i < count; ++i)
        sb_wide_sweep_row(&c.sweep, c.heads, rows[i], i, &c.met);
    return c;
}

/* By how much an unknown's equation is off. */
static double off(const sb_wide_known *by, T own, const T *behind)
{
    T sum = by->y - own;
    for (int j = 0; j < SB_WIDE; ++j)
        sum += by->p[j] * unknown[j] + by->u[j] * behind[j];
    return (double)sb_abs1(sum);
}

static double off_end(const sb_wide_end *end, const T *separators)
{
    T sum = -end->d;
    for (int j = 0; j < SB_WIDE; ++j)
        sum += end->a[j] * unknown[j] + end->b[j] * separators[j] + end->c[j] * separators[SB_WIDE + j];
    return (double)sb_abs1(sum);
}

static double larger(double a, double b)
{
    return a >= b ? a : b; /* a where b is no number: then so is what came before it */
}

/* Heads and separators, and what was swept last. */
static double error_of_chunk(int n, chunk *c)
{
    const T *separators = unknown + n;
    double error = 0;
    for (int e = 0; e < SB_WIDE; ++e) {
        error = larger(off(&c->heads[e], unknown[SB_WIDE + e], separators), error);
        if (e < n - SB_WIDE) /* its unknowns behind are those of the rows after it */
            error = larger(off(&c->sweep.last[e], separators[-1 - e], separators - e), error);
    }
    for (int e = 0; e < SB_WIDE; ++e) {
        const sb_wide_end end = sb_wide_end_of(e, rows[n - SB_WIDE + e], &c->sweep, &c->met);
        error = larger(off_end(&end, separators), error);
    }
    return error;
}

static void test_what_is_left_of_a_chunk_agrees_with_its_unknowns(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        sb_random random = sb_random_seeded(seed);
        const int n = (int)sb_random_between(&random, SB_WIDE, seed % 10 ? 40 : MOST_ROWS);
        const int lower = (int)sb_random_between(&random, 0, SB_WIDE),
                  upper = (int)sb_random_between(&random, 0, SB_WIDE);
        draw_chunk(n, lower, upper, SB_COMPLEX ? 13 : 9, &random);
        chunk c = sweep_rows(n - SB_WIDE);
        const double error = error_of_chunk(n, &c);
        assert_true(sb_met_within(c.met, 4));
        if (!(error < 64 * epsilon))
            fail_msg("seed %llu, n %d, %d + %d: %g", (unsigned long long)seed, n, lower, upper, error);
    }
}

/* From anywhere in it. */
static void test_rows_swept_again_give_the_unknowns_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        sb_random random = sb_random_seeded(seed);
        const int n = (int)sb_random_between(&random, SB_WIDE + 1, seed % 10 ? 40 : MOST_ROWS),
                  inner = n - SB_WIDE;
        draw_chunk(n, SB_WIDE, SB_WIDE, SB_COMPLEX ? 13 : 9, &random);
        const int from = (int)sb_random_between(&random, 0, inner - 1);
        const chunk c = sweep_rows(from);
        sb_wide_upper last[SB_WIDE], known[MOST_ROWS];
        T x[AROUND];
        for (int e = 0; e < SB_WIDE; ++e) {
            last[e] = sb_wide_after(&c.sweep.last[e], unknown);
            x[inner + e] = unknown[SB_WIDE + inner + e];
        }
        for (int i = from; i < inner; ++i)
            known[i] = sb_wide_sweep_known(last, rows[i]);
        for (int i = inner - 1; i >= from; --i) {
            x[i] = known[i].y;
            for (int j = 0; j < SB_WIDE; ++j)
                x[i] += known[i].u[j] * x[i + 1 + j];
            const double error = (double)sb_abs1(x[i] - unknown[SB_WIDE + i]);
            if (!(error < 64 * epsilon))
                fail_msg("seed %llu, n %d, from %d, row %d: %g", (unsigned long long)seed, n, from, i, error);
        }
    }
}

/* Every product of a row with a swept one's U, over the row's largest entry. */
static double largest_product(int count)
{
    double largest = 0;
    sb_met met = sb_nothing_met();
    sb_wide_known heads[SB_WIDE];
    sb_wide_sweep sweep = sb_wide_begin();
    sb_wide_begin_heads(heads);
    for (int i = 0; i < count; ++i) {
        sb_wide_row row = rows[i];
        double scale = 0;
        for (int d = 0; d < SB_WIDE_DIAGONALS; ++d)
            scale = larger((double)sb_abs1(row.at[d]), scale);
        for (int t = SB_WIDE; t > 0; --t) {
            const sb_wide_known *swept = &sweep.last[t - 1];
            const T factor = sb_wide_take(&row, t, swept->y, swept->u);
            for (int j = 0; j < SB_WIDE; ++j)
                largest = larger((double)sb_abs1(factor * swept->u[j]) / scale, largest);
        }
        sb_wide_sweep_row(&sweep, heads, rows[i], i, &met);
    }
    return largest;
}

static void test_no_growth_is_overlooked(void **state)
{
    (void)state;
    int grown = 0;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        sb_random random = sb_random_seeded(seed);
        const int n = (int)sb_random_between(&random, SB_WIDE, 40);
        draw_chunk(n, SB_WIDE, SB_WIDE, (double)(seed % 4), &random);
        const chunk c = sweep_rows(n - SB_WIDE);
        const double product = largest_product(n - SB_WIDE);
        grown += product > 4;
        if (product > 4 && sb_met_within(c.met, 4))
            fail_msg("seed %llu, n %d: %g, met %g", (unsigned long long)seed, n, product,
                     (double)sb_growth_met(c.met));
    }
    assert_true(grown > ROUNDS / 8 && grown < ROUNDS);
}

/* Of any two sizes, those of products that are too large for a number among them; products that lose digits may be anything. */
static void test_sizes_of_products_are_never_too_small(void **state)
{
    (void)state;
    const int most = sizeof(R) == sizeof(float) ? 127 : 1023;
    sb_random random = sb_random_seeded(11);
    for (int round = 0; round < ROUNDS; ++round) {
        const R a = (R)ldexp(1 + fabs(sb_random_signed(&random)),
                             (int)sb_random_between(&random, 1 - most, most)),
                b = (R)ldexp(1 + fabs(sb_random_signed(&random)),
                             (int)sb_random_between(&random, 1 - most, most));
        const R product = a * b;
        const int size = sb_wide_product(sb_size((T)a), sb_size((T)b));
        assert_true(size >= 0 && sb_wide_product(sb_size((T)a), 0) <= sb_size((T)a));
        if (isnormal(product) || isinf(product))
            assert_true(size >= sb_size((T)product));
        if (isnormal(product))
            assert_true(size <= sb_size((T)product) + SB_DOUBLED / 2);
    }
}

static void test_a_row_without_a_pivot_is_told(void **state)
{
    (void)state;
    sb_random random = sb_random_seeded(5);
    draw_chunk(20, SB_WIDE, SB_WIDE, 12, &random);
    for (int j = 0; j <= SB_WIDE; ++j)
        rows[3].at[j] = 0;
    assert_int_equal(sweep_rows(16).met.bad, 3);
    rows[3].at[SB_WIDE] = (R)NAN;
    assert_false(sb_met_within(sweep_rows(16).met, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_left_of_a_chunk_agrees_with_its_unknowns),
        cmocka_unit_test(test_rows_swept_again_give_the_unknowns_back),
        cmocka_unit_test(test_no_growth_is_overlooked),
        cmocka_unit_test(test_sizes_of_products_are_never_too_small),
        cmocka_unit_test(test_a_row_without_a_pivot_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
