#include "tests/api/few_couplings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "gallery/random.h"

enum { SYSTEMS = 40, N = 101, MOST_DIAGONALS = 13, ENTRIES = SYSTEMS * N, SEEDS = 8 };
_Static_assert((MOST_DIAGONALS + 2) * ENTRIES * sizeof(double) == FEW_COUPLINGS_BYTES, "as the header says");

static double put(slimband_scalar scalar, void *array, int64_t i, double value)
{
    if (scalar == SLIMBAND_F32)
        return ((float *)array)[i] = (float)value;
    return ((double *)array)[i] = value;
}

/* arrays: the diagonals, b and x. */
static void draw(const slimband_problem *p, uint64_t seed, void *const *arrays)
{
    sb_random random = sb_random_seeded(seed);
    for (int64_t e = 0; e < ENTRIES; ++e) {
        double sum = 0;
        for (int d = 0; d <= p->lower + p->upper; ++d) {
            const double coupling = sb_random_unit(&random) < 0.5 ? 0 : sb_random_signed(&random);
            if (d != p->lower)
                sum += fabs(put(p->scalar, arrays[d], e, coupling));
        }
        put(p->scalar, arrays[p->lower], e, 1.03 * sum + 0.05);
        put(p->scalar, arrays[MOST_DIAGONALS], e, sb_random_signed(&random));
    }
}

static void check_one(slimband_executor executor, const char *method, slimband_problem p, uint64_t seed,
                      void *const *arrays)
{
    const void *diagonals[MOST_DIAGONALS];
    const int width = p.lower + 1 + p.upper;
    void *b = arrays[MOST_DIAGONALS], *x = arrays[MOST_DIAGONALS + 1];
    slimband_report report;
    slimband_backward_error error;
    slimband_plan *plan;
    for (int d = 0; d < width; ++d)
        diagonals[d] = arrays[d];
    if (slimband_method_fits(&p, executor, method))
        return;
    draw(&p, seed, arrays);
    assert_int_equal(slimband_plan_create(&plan, &p, executor, method), SLIMBAND_OK);
    assert_int_equal(slimband_factor_solve(plan, diagonals, b, x), SLIMBAND_OK);
    assert_int_equal(slimband_plan_report(plan, &report), SLIMBAND_OK); /* waits where work was only queued */
    assert_int_equal(slimband_residual(&p, diagonals, b, x, &error), SLIMBAND_OK);
    slimband_plan_destroy(plan);
    if (!(error.normwise < 10 * width * (p.scalar == SLIMBAND_F32 ? 0x1p-23 : 0x1p-52)))
        fail_msg("%s, %d + %d, seed %d: %g", method, p.lower, p.upper, (int)seed, error.normwise);
}

void check_few_couplings(slimband_executor executor, const char *method, void *memory)
{
    static const int bands[][2] = {{0, 3}, {0, 7}, {3, 0}, {1, 7}, {3, 4}, {4, 4}, {4, 8}};
    void *arrays[MOST_DIAGONALS + 2];
    for (int a = 0; a < MOST_DIAGONALS + 2; ++a)
        arrays[a] = (double *)memory + (ptrdiff_t)a * ENTRIES;
    for (size_t band = 0; band < sizeof bands / sizeof *bands; ++band)
        for (uint64_t seed = 0; seed < SEEDS; ++seed) {
            slimband_problem p =
                slimband_banded(seed % 2 ? SLIMBAND_F32 : SLIMBAND_F64, N, bands[band][0], bands[band][1]);
            p.ends = SLIMBAND_PERIODIC;
            assert_int_equal(slimband_contiguous(&p, SYSTEMS), SLIMBAND_OK);
            check_one(executor, method, p, seed, arrays);
        }
}
