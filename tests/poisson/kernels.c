/* The row kernels of every instruction set that the processor has, beside those of the portable one and plain loops. */
#include "gallery/random.h"
#include "tests/poisson/sets.h"

enum { LONGEST = 4 * 130, SLACK = 16 };

/* Arrays at no multiple of a vector, with a guard behind them. */
typedef struct arrays {
    T x[LONGEST + SLACK], d[LONGEST + SLACK], z[LONGEST + SLACK], back[LONGEST + SLACK];
} arrays;

static void draw(T *x, int64_t n, uint64_t seed)
{
    sb_random random = sb_random_seeded(seed);
    for (int64_t j = 0; j < n; ++j)
        x[j] = (T)sb_random_signed(&random);
}

static void near(const char *what, const char *isa, int64_t h, const T *a, const T *b, int64_t n)
{
    for (int64_t j = 0; j < n; ++j)
        if (!(fabs((double)(a[j] - b[j])) <= 16 * unit))
            fail_msg("%s, %s, h = %lld: entry %lld is %g and not %g", what, isa, (long long)h, (long long)j,
                     (double)a[j], (double)b[j]);
}

static void check_level(int set, int64_t h)
{
    const sb_poisson_kernels *k = all[set].kernels, *plain = all[ALL - 1].kernels;
    size_t bytes = 0;
    T *turn = SB_NAME(make_turns)(h, k->lanes, &bytes),
      *plain_turn = SB_NAME(make_turns)(h, plain->lanes, &bytes);
    static arrays a, b;
    draw(a.x, LONGEST, (uint64_t)h);
    memcpy(&b, &a, sizeof b);
    a.z[1 + 2 * h] = a.d[2 * h] = a.back[4 * h] = 42;
    k->fold(h, turn, NULL, a.x + 1, a.z + 1, a.d + 1);
    plain->fold(h, plain_turn, NULL, b.x + 1, b.z + 1, b.d + 1);
    near("fold", all[set].name, h, a.z + 1, b.z + 1, 2 * h);
    near("fold", all[set].name, h, a.d + 1, b.d + 1, 2 * h - 1);
    for (int64_t j = 0; j < 2 * h; ++j)
        a.z[1 + j] *= (T)h;
    k->unfold(h, turn, a.x, a.z + 1, a.d + 1, a.back + 1);
    near("unfold", all[set].name, h, a.back + 1, a.x + 1, 4 * h - 1);
    k->twist(h, turn, (T)0.5, a.x + 1, a.z + 1);
    plain->twist(h, plain_turn, (T)0.5, b.x + 1, b.z + 1);
    near("twist", all[set].name, h, a.z + 1, b.z + 1, 2 * h);
    for (int64_t j = 0; j < 2 * h; ++j)
        a.z[1 + j] *= (T)h;
    k->untwist(h, turn, 2, a.z + 1, a.back + 1);
    near("untwist", all[set].name, h, a.back + 1, a.x + 1, 2 * h);
    assert_true(a.z[1 + 2 * h] == 42 && a.d[2 * h] == 42 && a.back[4 * h] == 42);
    free(turn);
    free(plain_turn);
}

static void test_levels(void **state)
{
    (void)state;
    for (int set = 0; set < ALL; ++set)
        for (int64_t h = 2 * all[set].kernels->lanes; has(all[set].words) && h <= LONGEST / 4; ++h)
            check_level(set, h);
}

static void check_orders(int set, int64_t h)
{
    const sb_poisson_kernels *k = all[set].kernels;
    static arrays a;
    draw(a.x, LONGEST, (uint64_t)h);
    k->deal(h, -1, a.x + 1, a.z + 1);
    for (int64_t j = 0; j < h; ++j)
        assert_true(a.z[1 + j] == a.x[1 + 2 * j] && a.z[2 * h - j] == -a.x[2 + 2 * j]);
    k->undeal(h, -1, a.z + 1, a.back + 1);
    assert_memory_equal(a.back + 1, a.x + 1, 2 * (size_t)h * sizeof(T));
    k->part(h, a.x + 1, a.z + 1, a.d + 1);
    for (int64_t j = 0; j <= h; ++j)
        assert_true(a.z[1 + j] == a.x[1 + j] + a.x[1 + 2 * h - j]);
    for (int64_t j = 0; j < h; ++j)
        assert_true(a.d[1 + j] == a.x[1 + j] - a.x[1 + 2 * h - j]);
    k->unite(h, a.z + 1, a.d + 1, a.back + 1);
    near("part and unite", all[set].name, h, a.back + 1, a.x + 1, 2 * h + 1);
    k->reverse(2 * h - 1, a.x + 1, a.z + 1);
    for (int64_t j = 0; j < 2 * h - 1; ++j)
        assert_true(a.z[1 + j] == a.x[2 * h - 1 - j]);
    for (int64_t shift = 0; shift < SLACK; ++shift) {
        k->put(a.back + shift, a.x, h);
        k->fence();
        assert_memory_equal(a.back + shift, a.x, (size_t)h * sizeof(T));
    }
}

/* Times w, conjugate that times w again, which leaves the conjugate, times 1. */
static void check_turned(int set, int64_t h, bool reversed)
{
    const sb_poisson_kernels *k = all[set].kernels;
    static arrays a;
    static T w[LONGEST];
    draw(a.x, LONGEST, (uint64_t)h);
    for (int64_t j = 0; j < h; ++j) {
        w[j] = (T)cos(0.3 * (double)j);
        w[h + j] = (T)sin(0.3 * (double)j);
    }
    k->enter(h, w, reversed, a.x + 1, a.z + 1);
    for (int64_t j = 0; j < h; ++j) {
        double low = (double)a.x[1 + 2 * j], high = (double)a.x[2 * h - 2 * j];
        double re = reversed ? high : low, im = reversed ? low : high;
        assert_true(fabs(re * (double)w[j] - im * (double)w[h + j] - (double)a.z[1 + 2 * j]) <= 4 * unit);
        assert_true(fabs(re * (double)w[h + j] + im * (double)w[j] - (double)a.z[2 + 2 * j]) <= 4 * unit);
    }
    k->rotate(h, w, true, a.z + 1, a.d + 1);
    for (int64_t j = 0; j < h; ++j) {
        w[j] = 1;
        w[h + j] = 0;
    }
    k->leave(h, w, reversed, 1, a.d + 1, a.back + 1);
    near("enter, rotate and leave", all[set].name, h, a.back + 1, a.x + 1, 2 * h);
}

static void test_turned(void **state)
{
    (void)state;
    for (int set = 0; set < ALL; ++set)
        for (int64_t h = all[set].kernels->lanes; has(all[set].words) && h <= LONGEST / 4; ++h)
            for (int reversed = 0; reversed < 2; ++reversed)
                check_turned(set, h, reversed);
}

static void test_orders(void **state)
{
    (void)state;
    for (int set = 0; set < ALL; ++set)
        for (int64_t h = 1; has(all[set].words) && h <= LONGEST / 4; h += 1 + h / 20)
            check_orders(set, h);
}

static void test_products(void **state)
{
    (void)state;
    static T matrix[64 * 80], x[64], y[80];
    for (int set = 0; set < ALL; ++set)
        for (int64_t n = 1; has(all[set].words) && n < 64; ++n) {
            int64_t lanes = all[set].kernels->lanes, lead = (n + lanes - 1) / lanes * lanes;
            draw(matrix, n * lead, (uint64_t)n);
            draw(x, n, (uint64_t)n + 100);
            all[set].kernels->multiply(n, lead, matrix, 2, x, y);
            for (int64_t q = 0; q < n; ++q) {
                double sum = 0;
                for (int64_t j = 0; j < n; ++j)
                    sum += 2 * (double)matrix[j * lead + q] * (double)x[j];
                assert_true(fabs(sum - (double)y[q]) <= 2 * (double)n * unit);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_turned),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
