/* Every uniform axis that is open has the closed form of the GPU's lines (docs/methods.md, shifted), also where its end rows'
 * sums are 0 to rounding only; a singular one is seen to be singular. */
#include "src/cuda/shifted/even.h"

#include "gallery/random.h"
#include "src/poisson/internal.h"
#include "tests/poisson/support.h"

static void try_axis(slimband_walls walls, slimband_centring centring, int64_t n, double length)
{
    slimband_poisson_problem p = {.rank = 1, .line_axis = -1};
    p.axis[0] = (slimband_poisson_axis){.n = n, .length = length, .walls = walls, .centring = centring};
    sb_stencil s;
    size_t bytes = 0;
    assert_int_equal(sb_stencil_make(&s, &p, 0, &bytes), SLIMBAND_OK);
    const sb_tridiagonal m = {n, s.lower, s.diagonal, s.upper};
    /* the least eigenvalue of another axis of as many points, and the largest */
    double h = length / (double)n, least = 9 / (length * length), shift[] = {least, 1 / h, 4 / (h * h)}, loss,
           table[3 * SB_EVEN_NUMBERS];
    assert_true(sb_even_fits(&m));
    sb_even_make(&m, shift, 3, -1, table, &loss);
    if (!(loss <= 4 * (double)n + 400))
        fail_msg("walls %d, centring %d, n = %lld: loss %.1f", (int)walls, (int)centring, (long long)n, loss);
    assert_int_equal(sb_standing_of(&m, 0), s.floating ? SB_SINGULAR : SB_REGULAR);
    sb_stencil_free(&s);
}

static void test_every_wall_and_centring_has_the_closed_form(void **state)
{
    (void)state;
    static const slimband_walls walls[] = {SLIMBAND_WALLS_DD, SLIMBAND_WALLS_DN, SLIMBAND_WALLS_ND,
                                           SLIMBAND_WALLS_NN};
    static const int64_t lengths[] = {3, 4, 5, 48, 100, 511, 1000, 8191};
    for (int k = 0; k < 4 * 2 * 8; ++k)
        for (double length = 0.1; length < 100; length *= 7.3)
            try_axis(walls[k % 4], k / 4 % 2 ? SLIMBAND_AT_CELLS : SLIMBAND_AT_NODES, lengths[k / 8], length);
}

/* As stored pivots see it: row sums of a grid that varies are 0 to rounding. */
static void test_a_varying_floating_axis_is_seen_to_be_singular(void **state)
{
    (void)state;
    enum { N = 300 };
    double spacing[N], coefficient[N];
    sb_random random = sb_random_seeded(7);
    for (int round = 0; round < 20; ++round) {
        for (int i = 0; i < N; ++i) {
            spacing[i] = 0.01 + sb_random_unit(&random);
            coefficient[i] = 0.1 + sb_random_unit(&random);
        }
        slimband_poisson_problem p = {
            .rank = 1, .line_axis = 0, .spacing = spacing, .coefficient = coefficient};
        p.axis[0] = (slimband_poisson_axis){.n = N,
                                            .length = 1,
                                            .walls = SLIMBAND_WALLS_NN,
                                            .centring = round % 2 ? SLIMBAND_AT_CELLS : SLIMBAND_AT_NODES};
        sb_stencil s;
        size_t bytes = 0;
        assert_int_equal(sb_stencil_make(&s, &p, 0, &bytes), SLIMBAND_OK);
        const sb_tridiagonal m = {N, s.lower, s.diagonal, s.upper};
        assert_int_equal(sb_standing_of(&m, 0), SB_SINGULAR);
        assert_true(sb_all_coupled(&m));
        sb_stencil_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_wall_and_centring_has_the_closed_form),
        cmocka_unit_test(test_a_varying_floating_axis_is_seen_to_be_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
