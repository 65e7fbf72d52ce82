/* Elimination from both ends: by factors or at once, plain or transposed, of any size. */
#include "src/chunk/growth.h"
#include "support.h"

extern const sb_engine SB_NAME(twisted);

enum { LARGEST = 70 };

static double error_of(const problem *p, const sb_matrix *A)
{
    T *expected = reference(A, p->rhs);
    const double error = difference(p->solution, expected, p->A.n);
    free(expected);
    return error;
}

static void check_any_size(int reach)
{
    for (int64_t n = 1; n <= 5000; n += n < LARGEST ? 1 : n)
        for (int op = SB_PLAIN; op <= SB_TRANSPOSED; ++op) {
            problem p = random_band(n, reach, 1 + n % 3, (uint64_t)n);
            const sb_matrix transposed = SB_NAME(transpose)(&p.A);
            assert_int_equal(run(&SB_NAME(twisted), &p, (sb_op)op, (sb_tuning){.threads = 1}), -1);
            const double error = error_of(&p, op == SB_PLAIN ? &p.A : &transposed);
            if (!(error <= 32 * EPSILON))
                fail_msg("%d + %d, n = %lld, %s: %g", reach, reach, (long long)n,
                         op == SB_PLAIN ? "plain" : "transposed", error);
            free_problem(&p);
        }
}

static void test_any_size_is_solved_and_so_is_its_transpose(void **state)
{
    (void)state;
    for (int reach = 1; reach <= 2; ++reach)
        check_any_size(reach);
}

/* The right-hand side stands in p->solution. */
static bool solve_at_once(problem *p, double most, double *growth)
{
    void *memory = malloc(SB_NAME(twisted).stored(p->A.n, p->A.lower, p->A.upper, NULL));
    assert_non_null(memory);
    memcpy(p->solution, p->rhs, (size_t)p->A.n * sizeof(T));
    const bool solved = SB_NAME(twisted).once(&p->A, memory, p->solution, most, growth);
    free(memory);
    return solved;
}

static void check_both_at_once(int reach)
{
    for (int64_t n = 1; n <= 5000; n += n < LARGEST ? 1 : n) {
        problem p = random_band(n, reach, 1 + n % 3, (uint64_t)n);
        double growth;
        assert_true(solve_at_once(&p, 1, &growth));
        assert_true(growth == 1);
        const double error = error_of(&p, &p.A);
        if (!(error <= 32 * EPSILON))
            fail_msg("%d + %d, n = %lld: %g", reach, reach, (long long)n, error);
        free_problem(&p);
    }
}

static void test_both_at_once_is_the_same(void **state)
{
    (void)state;
    for (int reach = 1; reach <= 2; ++reach)
        check_both_at_once(reach);
}

static void check_refused(problem *p, const char *what, int64_t at)
{
    double growth;
    if (solve_at_once(p, 4, &growth) || memcmp(p->solution, p->rhs, (size_t)p->A.n * sizeof(T)))
        fail_msg("%d + %d, n = %lld, %s at %lld", p->A.lower, p->A.upper, (long long)p->A.n, what,
                 (long long)at);
}

static bool is_outside(const sb_matrix *A, int64_t entry)
{
    const int64_t column = entry % A->n + entry / A->n - A->lower;
    return column < 0 || column >= A->n;
}

/* A bad number in each entry and in each right-hand side; a small pivot, which a pentadiagonal row may have outgrown before it is one. */
static void check_what_is_refused(int64_t n, int reach)
{
    const R bad[] = {NAN, INFINITY, -INFINITY};
    for (int64_t at = 0; at < (2 * reach + 1) * n; ++at) {
        problem p = random_band(n, reach, 1, (uint64_t)n);
        p.entries[at] = bad[at % 3];
        if (!is_outside(&p.A, at))
            check_refused(&p, "a bad entry", at);
        free_problem(&p);
    }
    for (int64_t at = 0; at < n; ++at) {
        problem p = random_band(n, reach, 1, (uint64_t)n);
        p.rhs[at] = bad[at % 3];
        check_refused(&p, "a bad right-hand side", at);
        free_problem(&p);
        p = random_band(n, reach, 1, (uint64_t)n);
        p.entries[reach * n + at] *= (R)1e-5;
        if (n > 1 && reach == 1)
            check_refused(&p, "growth", at);
        free_problem(&p);
    }
}

static void test_what_is_refused_leaves_the_right_hand_side_alone(void **state)
{
    (void)state;
    for (int reach = 1; reach <= 2; ++reach)
        for (int64_t n = 1; n <= 37; ++n)
            check_what_is_refused(n, reach);
}

/* A row of zeros: its own number, from above, from below and in the middle. */
static void test_a_row_of_zeros_is_named(void **state)
{
    (void)state;
    for (int reach = 1; reach <= 2; ++reach)
        for (int64_t n = 1; n <= 12; ++n)
            for (int64_t at = 0; at < n; ++at) {
                problem p = random_band(n, reach, 1, (uint64_t)n);
                for (int k = 0; k <= 2 * reach; ++k)
                    p.entries[k * n + at] = 0;
                assert_int_equal(run(&SB_NAME(twisted), &p, SB_PLAIN, (sb_tuning){.threads = 1}), at);
                check_refused(&p, "a row of zeros", at);
                free_problem(&p);
            }
}

/* Of the identity but for rows 0 to 2, or, as mirrored, the last three: each product is 4 times the larger of the two entries that it is
   held against, as they are then, but the second 16 times the row's largest. */
static void check_grown(bool mirrored)
{
    enum { N = 9 };
    static const int row[] = {0, 0, 1, 1, 2, 2}, at[] = {0, 1, 0, 1, 0, -2};
    static const R value[] = {1, 4, 1, 4, 1, 1};
    problem p = random_band(N, 2, 1, 1);
    for (int64_t e = 0; e < 5 * N; ++e)
        p.entries[e] = e / N == 2;
    for (int e = 0; e < 6; ++e) {
        const int k = mirrored ? -at[e] : at[e], i = mirrored ? N - 1 - row[e] : row[e];
        p.entries[(2 + k) * N + i] = value[e];
    }
    check_refused(&p, mirrored ? "growth from below" : "growth from above", 2);
    T *factors = malloc(5 * N * sizeof(T));
    assert_non_null(factors);
    const sb_outcome outcome = SB_NAME(twisted).factor(&p.A, factors, &(sb_tuning){.threads = 1});
    assert_int_equal(outcome.row, -1);
    assert_true(outcome.growth == 16);
    free(factors);
    free_problem(&p);
}

static void test_growth_of_one_product_on_another_is_seen(void **state)
{
    (void)state;
    check_grown(false);
    check_grown(true);
}

enum { SMALL = 14 };

/* Elimination of rows 0, n - 1, 1, n - 2 ... and those in the middle, written for a full matrix. */
typedef struct full {
    int64_t n;
    int reach;
    T a[SMALL][SMALL], w[SMALL][SMALL]; /* what is left; of each row, over its pivot */
    R growth;
} full;

static void take_away(full *f, int64_t i, int64_t j, R *largest)
{
    const T from = f->a[i][j];
    const R out = sb_abs1(from);
    for (int64_t c = 0; c < f->n; ++c) {
        if (f->w[j][c] == 0)
            continue;
        const T product = from * f->w[j][c];
        const R size = sb_abs1(product), to = sb_abs1(f->a[i][c]);
        f->growth = sb_grow(f->growth, size, c == i ? sb_beside_own(out, to) : sb_larger(out, to));
        *largest = sb_larger(*largest, size);
        f->a[i][c] -= product;
    }
    f->a[i][j] = 0;
}

/* Row i, from which its neighbours that are done are taken: those before `first`, those from `behind` on, and those between, the farthest
   first. */
static void settle_row(full *f, int64_t i, int64_t first, int64_t behind)
{
    R largest = 0, whole = 0;
    for (int64_t c = 0; c < f->n; ++c)
        whole = sb_larger(whole, sb_abs1(f->a[i][c]));
    for (int64_t j = i - f->reach; j < first && j < i; ++j)
        if (j >= 0)
            take_away(f, i, j, &largest);
    for (int64_t j = i + f->reach; j >= behind && j > i; --j)
        if (j < f->n)
            take_away(f, i, j, &largest);
    for (int64_t j = first; j < i && i < behind; ++j)
        take_away(f, i, j, &largest);
    if (f->reach > 1)
        f->growth = sb_grow(f->growth, largest, whole);
    for (int64_t c = 0; c < f->n; ++c)
        f->w[i][c] = c == i ? 0 : f->a[i][c] / f->a[i][i];
}

static double growth_in_full(const sb_matrix *A)
{
    full f = {.n = A->n, .reach = A->lower, .growth = 1};
    for (int64_t i = 0; i < f.n; ++i)
        for (int k = -f.reach; k <= f.reach; ++k)
            if (i + k >= 0 && i + k < f.n)
                f.a[i][i + k] = entry(A, i, k);
    const int64_t middle = f.n < f.reach ? f.n : f.reach, below = (f.n - middle) / 2,
                  above = f.n - middle - below;
    for (int64_t i = 0; i < above; ++i)
        settle_row(&f, i, above, f.n);
    for (int64_t i = f.n - 1; i >= f.n - below; --i)
        settle_row(&f, i, 0, f.n - below);
    for (int64_t i = above; i < f.n - below; ++i)
        settle_row(&f, i, above, f.n - below);
    return (double)f.growth;
}

static void check_growth(int64_t n, int reach, uint64_t seed)
{
    problem p = random_band(n, reach, 1, seed);
    for (int64_t i = 0; i < n; ++i)
        p.entries[reach * n + i] *= (R)0.2;
    const double expected = growth_in_full(&p.A);
    double growth;
    (void)solve_at_once(&p, INFINITY, &growth);
    if (expected < 1000 && !(fabs(growth - expected) <= sqrt(EPSILON) * expected))
        fail_msg("%d + %d, n = %lld, seed %d: growth %g, expected %g", reach, reach, (long long)n, (int)seed,
                 growth, expected);
    free_problem(&p);
}

static void test_growth_is_that_of_elimination_in_this_order(void **state)
{
    (void)state;
    enum { SEEDS = 100 };
    for (int reach = 1; reach <= 2; ++reach)
        for (int64_t n = 1; n <= SMALL; ++n)
            for (uint64_t seed = 1; seed <= SEEDS; ++seed)
                check_growth(n, reach, seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_size_is_solved_and_so_is_its_transpose),
        cmocka_unit_test(test_both_at_once_is_the_same),
        cmocka_unit_test(test_what_is_refused_leaves_the_right_hand_side_alone),
        cmocka_unit_test(test_a_row_of_zeros_is_named),
        cmocka_unit_test(test_growth_of_one_product_on_another_is_seen),
        cmocka_unit_test(test_growth_is_that_of_elimination_in_this_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
