/* The arithmetic of even systems as the GPU runs it, tables and all chunks, on the CPU: Poisson's walls and other ends, t from
 * none to far above 1, against the equations and against elimination in long double. */
#include "src/cuda/shifted/even_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "gallery/random.h"

enum { LONGEST = 8192, CHUNKS = (LONGEST + SB_EVEN_ROWS - 1) / SB_EVEN_ROWS };

static const double unit = sizeof(T) == 4 ? (double)FLT_EPSILON : DBL_EPSILON;

/* All chunks of one mode, in place. */
static void solve_line(const sb_even *e, int64_t mode, T *line)
{
    static T g[CHUNKS][SB_EVEN_ROWS];
    static sb_even_pair pair[CHUNKS];
    double mu = e->table[SB_EVEN_MU * e->modes + mode], beta = e->table[SB_EVEN_BETA * e->modes + mode];
    for (int64_t k = 0; k < e->chunks; ++k) {
        bool head = k == 0, last = k + 1 == e->chunks;
        int front = head ? e->front : 0;
        for (int i = 0; i < SB_EVEN_ROWS; ++i) {
            int64_t row = k * SB_EVEN_ROWS - e->front + i;
            double factor = (row == 0 ? e->first : 1) * (row == e->n - 1 ? e->last : 1);
            g[k][i] = row < 0 ? 0 : (T)(line[e->turned ? e->n - 1 - row : row] * factor);
        }
        pair[k] = sb_even_sums(g[k], front, mu, last ? beta : 0);
    }
    sb_even_scan(e, e->table + mode, NULL, pair, 1, 4);
    for (int64_t k = 0; k < e->chunks; ++k) {
        double v[SB_EVEN_ROWS];
        for (int i = 0; i < SB_EVEN_ROWS; ++i)
            v[i] = (double)g[k][i];
        sb_even_solve(v, k ? 0 : e->front, mu, beta, k == 0, k + 1 == e->chunks, pair[k]);
        for (int i = k ? 0 : e->front; i < SB_EVEN_ROWS; ++i) {
            int64_t row = k * SB_EVEN_ROWS - e->front + i;
            line[e->turned ? e->n - 1 - row : row] = (T)(e->scale * v[i]);
        }
    }
}

/* Rows -c, (2 + excess) c, -c between ends of coupling size[e] c whose diagonals are larger by margin[e]; a shift; its rhs. */
typedef struct trial {
    int64_t n;
    double *lower, *diagonal, *upper, shift, excess;
    T *f, *x;
} trial;

static trial trial_of(int64_t n, double c, const double size[2], const double margin[2], double excess,
                      double t)
{
    trial p = {.n = n, .shift = (t - excess) * c, .excess = excess};
    p.lower = malloc((size_t)n * 3 * sizeof *p.lower);
    p.f = malloc((size_t)n * 2 * sizeof *p.f);
    assert_non_null(p.lower);
    assert_non_null(p.f);
    p.diagonal = p.lower + n;
    p.upper = p.lower + 2 * n;
    p.x = p.f + n;
    for (int64_t i = 0; i < n; ++i) {
        p.lower[i] = p.upper[i] = -c;
        p.diagonal[i] = (2 + excess) * c;
    }
    p.upper[0] = -size[0] * c;
    p.lower[n - 1] = -size[1] * c;
    p.diagonal[0] = (size[0] * (1 + margin[0]) + excess) * c;
    p.diagonal[n - 1] = (size[1] * (1 + margin[1]) + excess) * c;
    p.lower[0] = p.upper[n - 1] = NAN;
    return p;
}

static void trial_free(trial *p)
{
    free(p->lower);
    free(p->f);
}

static sb_tridiagonal matrix_of(const trial *p)
{
    return (sb_tridiagonal){p->n, p->lower, p->diagonal, p->upper};
}

static long double row_of(const trial *p, const T *x, int64_t i)
{
    long double sum = ((long double)p->diagonal[i] + p->shift) * (long double)x[i];
    sum += i > 0 ? (long double)p->lower[i] * (long double)x[i - 1] : 0;
    return sum + (i < p->n - 1 ? (long double)p->upper[i] * (long double)x[i + 1] : 0);
}

/* Residual over norm of the matrix times that of the solution plus that of the right-hand side. */
static double backward_error(const trial *p)
{
    long double worst = 0, x = 0, f = 0, rows = 0;
    for (int64_t i = 0; i < p->n; ++i) {
        long double r = fabsl((long double)p->f[i] - row_of(p, p->x, i));
        worst = r <= worst ? worst : r;
        x = fmaxl(x, fabsl((long double)p->x[i]));
        f = fmaxl(f, fabsl((long double)p->f[i]));
        rows = fmaxl(rows, 2 * fabsl((long double)p->diagonal[i] + p->shift));
    }
    return (double)(worst / (rows * x + f));
}

/* Rough, constant, alternating, one entry, or alternating and rough: sums over chunks cancel in some of them. */
static void draw_rhs(const trial *p, int kind, sb_random *random)
{
    int64_t at = sb_random_between(random, 0, p->n - 1);
    for (int64_t i = 0; i < p->n; ++i) {
        double sign = i % 2 ? 1 : -1, value = sb_random_signed(random);
        const double kinds[] = {value, 1, sign, i == at, sign * fabs(value)};
        p->f[i] = p->x[i] = (T)kinds[kind];
    }
}

enum { RHS_KINDS = 5 };

/* False where the closed form is not to be used. */
static bool try_trial(trial *p, uint64_t seed, sb_random *random)
{
    sb_tridiagonal m = matrix_of(p);
    double table[SB_EVEN_NUMBERS], loss;
    bool singular;
    if (sb_check_shifts(&m, 1, &p->shift, -1, false, &singular) || !sb_even_fits(&m))
        return false;
    sb_even e = sb_even_make(&m, &p->shift, 1, -1, table, &loss);
    if (!(loss <= 0x1p16))
        return false;
    for (int kind = 0; kind < RHS_KINDS; ++kind) {
        draw_rhs(p, kind, random);
        solve_line(&e, 0, p->x);
        double error = backward_error(p);
        if (!(error <= 16 * unit + 2 * loss * DBL_EPSILON))
            fail_msg("n = %lld, t = %.2e, right-hand side %d, seed %llu: %.1e, loss %.1f", (long long)p->n,
                     p->shift / -p->upper[1] + p->excess, kind, (unsigned long long)seed, error, loss);
    }
    return true;
}

static const int64_t lengths[] = {
    3,   4,   5,  SB_EVEN_ROWS - 1, SB_EVEN_ROWS, SB_EVEN_ROWS + 1, 2 * SB_EVEN_ROWS - 1, 96, 97, 131,
    257, 576, 577};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Nodes and cells, Dirichlet and Neumann, as couplings and margins. */
static void test_every_wall_and_length_to_rounding(void **state)
{
    (void)state;
    static const double walls[4][2] = {{1, 1}, {1, 2}, {2, 0}, {1, 0}},
                        shifts[] = {0, 1e-14, 1e-7, 1e-3, 0.5, 3, 1e9};
    sb_random random = sb_random_seeded(1);
    int solved = 0;
    for (int k = 0; k < LENGTHS * 16 * 7; ++k) {
        const double *first = walls[k / 7 % 4], *last = walls[k / 28 % 4], size[] = {first[0], last[0]},
                     margin[] = {first[1], last[1]};
        trial p = trial_of(lengths[k / 112], 1234.5, size, margin, 0, shifts[k % 7]);
        solved += try_trial(&p, 1, &random);
        trial_free(&p);
    }
    /* All but those between Neumann's walls whose shift is 0 or the least. */
    assert_int_equal(solved, LENGTHS * (16 * 7 - 2 * 4));
}

static double spread(sb_random *random, int least, int most)
{
    return ldexp(0.5 + sb_random_unit(random), (int)sb_random_between(random, least, most));
}

static void test_random_ends_and_shifts(void **state)
{
    (void)state;
    int solved = 0;
    for (uint64_t seed = 100; seed < 1600; ++seed) {
        sb_random random = sb_random_seeded(seed);
        int64_t n = seed % 200 ? sb_random_between(&random, 3, 400) : seed % 400 ? LONGEST - 1 : 3000;
        double size[2], margin[2], excess = seed % 3 ? 0 : spread(&random, -30, 8),
                                   t = spread(&random, -45, 12);
        for (int e = 0; e < 2; ++e) {
            size[e] = spread(&random, -2, 3);
            margin[e] = sb_random_between(&random, 0, 3) ? spread(&random, -40, 4) : 0;
        }
        trial p = trial_of(n, spread(&random, -40, 40), size, margin, excess, seed % 5 ? t : 0);
        solved += try_trial(&p, seed, &random);
        trial_free(&p);
    }
    assert_true(solved > 600);
}

/* x by elimination, of a matrix that needs no pivots; held: the last unknown is 0. */
static void eliminate(const trial *p, bool turned, bool held, long double *x)
{
    int64_t n = p->n, rows = held ? n - 1 : n;
    long double *pivot = malloc((size_t)n * sizeof *pivot);
    assert_non_null(pivot);
    for (int64_t j = 0; j < rows; ++j) {
        int64_t i = turned ? n - 1 - j : j, last = turned ? i + 1 : i - 1;
        long double outer = j ? (long double)(turned ? p->upper[i] : p->lower[i]) : 0,
                    d = (long double)p->diagonal[i] + p->shift;
        long double before = j ? (long double)(turned ? p->lower[last] : p->upper[last]) / pivot[last] : 0;
        pivot[i] = d - outer * before;
        x[i] = (long double)p->f[i] - (j ? outer * x[last] / pivot[last] : 0);
    }
    for (int64_t j = n - 1; j >= 0; --j) {
        int64_t i = turned ? n - 1 - j : j, next = turned ? i - 1 : i + 1;
        long double inner = j + 1 < n ? (long double)(turned ? p->lower[i] : p->upper[i]) * x[next] : 0;
        x[i] = j >= rows ? 0 : (x[i] - inner) / pivot[i];
    }
    free(pivot);
}

/* Walls as Poisson's; errors are n^2 of a rounding at most. A singular one with a consistent right-hand side has its last unknown,
   as rows are numbered, at 0. */
static void test_solutions_are_those_of_elimination_in_long_double(void **state)
{
    (void)state;
    static long double exact[LONGEST];
    for (uint64_t seed = 1; seed < 200; ++seed) {
        sb_random random = sb_random_seeded(seed);
        bool singular = seed % 3 == 0;
        int64_t n = sb_random_between(&random, 3, 300);
        const double size[] = {seed % 2 ? 1 : 2, seed % 5 ? 1 : 2}, margin[] = {0, singular ? 0 : 1};
        trial p = trial_of(n, spread(&random, -10, 10), size, margin, 0, 0);
        sb_tridiagonal m = matrix_of(&p);
        double table[SB_EVEN_NUMBERS], loss, largest = 0;
        sb_even e = sb_even_make(&m, &p.shift, 1, singular ? 0 : -1, table, &loss);
        draw_rhs(&p, 0, &random);
        for (int64_t i = 0; singular && i < n; ++i)
            p.f[i] = (T)(row_of(&p, p.x, i) / -p.upper[1]);
        for (int64_t i = 0; i < n; ++i)
            p.x[i] = p.f[i];
        solve_line(&e, 0, p.x);
        eliminate(&p, e.turned, singular, exact);
        for (int64_t i = 0; i < n; ++i)
            largest = fmax(largest, (double)fabsl(exact[i]));
        for (int64_t i = 0; i < n; ++i)
            if (!(fabsl((long double)p.x[i] - exact[i]) <= (long double)(4 * unit * (double)(n * n) * largest)))
                fail_msg("n = %lld, row %lld, seed %llu: %.17Lg, not %.17Lg", (long long)n, (long long)i,
                         (unsigned long long)seed, (long double)p.x[i], exact[i]);
        assert_true(!singular || p.x[e.turned ? 0 : n - 1] == 0);
        trial_free(&p);
    }
}

static void test_what_is_not_even_is_left_to_others(void **state)
{
    (void)state;
    const double one[] = {1, 1}, wide[] = {9, 1};
    trial p = trial_of(9, 2, one, one, 0, 1), q = trial_of(9, 2, wide, one, 0, 1);
    sb_tridiagonal m = matrix_of(&p);
    assert_true(sb_even_fits(&m));
    m.n = 2;
    assert_false(sb_even_fits(&m));
    m = matrix_of(&q);
    assert_false(sb_even_fits(&m)); /* an end of another order */
    m = matrix_of(&p);
    p.upper[0] = 2;
    assert_false(sb_even_fits(&m));
    p.upper[0] = -2;
    p.lower[5] = -2.5;
    assert_false(sb_even_fits(&m));
    p.lower[5] = -2;
    p.diagonal[5] += 1;
    assert_false(sb_even_fits(&m));
    for (int64_t i = 0; i < 9; ++i)
        p.lower[i] = p.upper[i] = 2;
    p.diagonal[5] -= 1;
    assert_false(sb_even_fits(&m));
    trial_free(&p);
    trial_free(&q);
}

/* Negative definite ones, and those whose sums would cancel beyond use, are said to lose everything or more than is bearable. */
static void test_what_would_be_lost_is_told(void **state)
{
    (void)state;
    const double one[] = {1, 1}, none[] = {0, 0}, strong[] = {1e9, 1};
    double table[2 * SB_EVEN_NUMBERS], loss, negative[] = {0, -5};
    trial p = trial_of(50, 1, one, one, 0, 0), q = trial_of(50, 1, one, none, 0, 1e-13),
          r = trial_of(50, 1, one, strong, 0, 0);
    sb_tridiagonal m = matrix_of(&p);
    sb_even_make(&m, negative, 1, -1, table, &loss);
    assert_true(loss < 1000);
    sb_even_make(&m, negative, 2, -1, table, &loss);
    assert_true(isinf(loss));
    m = matrix_of(&q);
    sb_even_make(&m, &q.shift, 1, -1, table, &loss);
    assert_true(loss > 0x1p16 && loss < 1e8); /* nearly 1 / sqrt(1e-13) */
    m = matrix_of(&r);
    sb_even_make(&m, &r.shift, 1, -1, table, &loss);
    assert_true(loss > 0x1p16);
    trial_free(&p);
    trial_free(&q);
    trial_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_wall_and_length_to_rounding),
        cmocka_unit_test(test_random_ends_and_shifts),
        cmocka_unit_test(test_solutions_are_those_of_elimination_in_long_double),
        cmocka_unit_test(test_what_is_not_even_is_left_to_others),
        cmocka_unit_test(test_what_would_be_lost_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
