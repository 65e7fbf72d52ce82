/* The arithmetic of even lines, as the GPU runs it, on the CPU: every wall, shifts from none to far above 1/h^2. */
#include "src/poisson/even_run.h"

#include "gallery/random.h"
#include "tests/poisson/support.h"

enum { MODES = 7, LONGEST = 600, CHUNKS = (LONGEST + SB_EVEN_ROWS - 1) / SB_EVEN_ROWS };

static const double unit = sizeof(T) == 4 ? (double)FLT_EPSILON : DBL_EPSILON;
static const double shifts[MODES] = {0, 1e-14, 1e-7, 1e-3, 0.5, 3, 1e9}; /* times 1/h^2 */

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

/* Residual over norm of the matrix times that of the solution. */
static double backward_error(const sb_stencil *s, double shift, const double *f, const T *x)
{
    double worst = 0, largest = 0;
    for (int64_t i = 0; i < s->n; ++i) {
        long double r =
            (long double)f[i] - ((long double)s->diagonal[i] + (long double)shift) * (long double)x[i];
        if (i > 0)
            r -= (long double)s->lower[i] * (long double)x[i - 1];
        if (i < s->n - 1)
            r -= (long double)s->upper[i] * (long double)x[i + 1];
        worst = fmax(worst, fabs((double)r));
        largest = fmax(largest, fabs((double)x[i]));
    }
    return worst / ((sb_stencil_norm(s) + shift) * largest);
}

static void project(const sb_stencil *s, double *f)
{
    double sum = 0;
    for (int64_t i = 0; i < s->n; ++i)
        sum += s->weight[i] * f[i];
    for (int64_t i = 0; i < s->n; ++i)
        f[i] -= sum / s->total;
}

static void try_walls(slimband_walls walls, slimband_centring centring, int64_t n, uint64_t seed)
{
    slimband_poisson_problem p = {.rank = 1, .line_axis = -1};
    p.axis[0] = (slimband_poisson_axis){.n = n, .length = 2.5, .walls = walls, .centring = centring};
    sb_stencil s;
    size_t bytes = 0;
    assert_int_equal(sb_stencil_make(&s, &p, 0, &bytes), SLIMBAND_OK);
    assert_true(sb_even_fits(&s));
    double shift[MODES], table[SB_EVEN_NUMBERS * MODES], h = sb_axis_spacing(&p.axis[0]);
    for (int m = 0; m < MODES; ++m)
        shift[m] = shifts[m] / (h * h);
    bool singular = s.floating;
    sb_even e = sb_even_make(&s, shift, MODES, singular, table);
    sb_random random = sb_random_seeded(seed);
    for (int m = 0; m < MODES; ++m) {
        double f[LONGEST];
        T x[LONGEST];
        for (int64_t i = 0; i < n; ++i)
            f[i] = (double)(T)(sb_random_signed(&random) + 0.25);
        if (singular && m == 0)
            project(&s, f);
        for (int64_t i = 0; i < n; ++i)
            x[i] = (T)f[i];
        solve_line(&e, m, x);
        double error = backward_error(&s, shift[m], f, x);
        if (!(error < 16 * unit))
            fail_msg("walls %d, centring %d, n = %lld, mode %d, seed %llu: %.1e", (int)walls, (int)centring,
                     (long long)n, m, (unsigned long long)seed, error);
    }
    sb_stencil_free(&s);
}

static void test_every_wall_and_length_to_rounding(void **state)
{
    (void)state;
    static const int64_t lengths[] = {
        3, 4, 5, SB_EVEN_ROWS - 1, SB_EVEN_ROWS, SB_EVEN_ROWS + 1, 131, 2 * SB_EVEN_ROWS, 257, 509, LONGEST};
    static const slimband_walls walls[] = {SLIMBAND_WALLS_DD, SLIMBAND_WALLS_DN, SLIMBAND_WALLS_ND,
                                           SLIMBAND_WALLS_NN};
    for (size_t w = 0; w < sizeof walls / sizeof *walls; ++w)
        for (int c = 0; c < 2; ++c)
            for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
                for (uint64_t seed = 1; seed < 4; ++seed)
                    try_walls(walls[w], c ? SLIMBAND_AT_CELLS : SLIMBAND_AT_NODES, lengths[k], seed);
}

static void test_rings_and_the_shortest_lines_are_left_to_others(void **state)
{
    (void)state;
    assert_false(sb_even_fits(&(sb_stencil){.n = 9, .ring = true}));
    assert_false(sb_even_fits(&(sb_stencil){.n = 2}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_wall_and_length_to_rounding),
        cmocka_unit_test(test_rings_and_the_shortest_lines_are_left_to_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
