/* A pivot that is none is found in whichever row it is, be it the last one, and told as the method of single systems tells it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/scalar.h"
#include "tests/wide/sets.h"

static set sets[MOST_SETS];
static int set_count;

enum { N = 37, SYSTEMS = N + 1 };

/* Lines one after another; side by side; and so in stretches; lines that are factored first. */
typedef enum way { LINES, ROWS, STRETCHED, FACTORED, WAYS } way;

enum { BANDS = 4, DIAGONALS = 2 * BANDS + 1 };

/* What row s of system s has; the last system is well. ZERO: as pivot, with others beside it; ALONE: the row has nothing else, and
   nobody multiplies it; TOO_LARGE: words that are no larger than the diagonal, and a pivot that leaves the type's range; FAR_TOO_LARGE:
   the product that is taken from it leaves that. */
typedef enum trouble {
    ZERO,
    ALONE,
    TINY,
    INFINITE,
    NO_NUMBER,
    INFINITE_ABOVE,
    INFINITE_BELOW,
    TOO_LARGE,
    FAR_TOO_LARGE,
    TROUBLES
} trouble;

/* k: columns to the right of the diagonal. */
static double entry(trouble what, int band, int64_t system, int64_t i, int k)
{
    const double largest = sizeof(R) == 8 ? 0x1.cp1023 : 0x1.cp127,
                 least = sizeof(R) == 8 ? 0x1p-1070 : 0x1p-145;
    const double usual = k == 0 ? 4 * band : (i % 3 ? 1 : -0.5) / abs(k);
    if (i + k < 0 || i + k >= N)
        return 0;
    if (what == TOO_LARGE && i + 1 == system)
        return k == 0 ? 1 : k == 1 ? -1 : 0;
    if (what == FAR_TOO_LARGE && i + 1 == system && k >= -1)
        return k == 0 ? 0.25 : k == 1 ? 1 : 0;
    if (what == ALONE && i > system && i + k <= system)
        return 0;
    if (i != system)
        return usual;
    switch (what) {
    case ZERO:
        return k > 0 ? usual : 0;
    case ALONE:
        return 0;
    case TINY:
        return k > 0 ? usual : k == 0 ? least : 0;
    case INFINITE:
        return k == 0 ? INFINITY : usual;
    case NO_NUMBER:
        return k == 0 ? NAN : usual;
    case INFINITE_ABOVE:
        return k == 1 ? INFINITY : usual;
    case INFINITE_BELOW:
        return k == -1 ? INFINITY : usual;
    case FAR_TOO_LARGE:
        return k == -1 ? largest : usual;
    default:
        return k == -1 || k == 0 ? largest : 0;
    }
}

typedef struct batch {
    slimband_problem p;
    T diagonals[DIAGONALS][SYSTEMS * N], x[SYSTEMS * N];
    slimband_system_info told[SYSTEMS];
} batch;

static void solve(batch *c, trouble what, int band, const char *method, way how, slimband_pivoting pivoting)
{
    const void *matrix[DIAGONALS];
    slimband_plan *plan = NULL;
    c->p = slimband_banded(scalar, N, band, band);
    c->p.pivoting = pivoting;
    c->p.one_pass = how != FACTORED;
    assert_int_equal(
        (how == ROWS || how == STRETCHED ? slimband_interleaved : slimband_contiguous)(&c->p, SYSTEMS),
        SLIMBAND_OK);
    for (int64_t s = 0; s < SYSTEMS; ++s)
        for (int64_t i = 0; i < N; ++i) {
            const int64_t at = i * c->p.solution.line + s * c->p.solution.batch[0];
            for (int d = 0; d < 2 * band + 1; ++d)
                c->diagonals[d][at] = (T)entry(what, band, s, i, d - band);
            c->x[at] = (T)(1 + i % 5);
        }
    for (int d = 0; d < 2 * band + 1; ++d)
        matrix[d] = c->diagonals[d];
    assert_int_equal(slimband_plan_create(&plan, &c->p, slimband_cpu(1), method), SLIMBAND_OK);
    if (how == FACTORED) {
        slimband_factor(plan, matrix);
        slimband_solve(plan, c->x, c->x);
    } else
        slimband_factor_solve(plan, matrix, c->x, c->x);
    for (int64_t s = 0; s < SYSTEMS; ++s)
        assert_int_equal(slimband_system_status(plan, s, &c->told[s]), SLIMBAND_OK);
    slimband_plan_destroy(plan);
}

static void check(const slimband_system_info *one, const slimband_system_info *of_many)
{
    assert_int_equal(of_many->status, one->status);
    assert_int_equal(of_many->row, one->row);
    assert_int_equal(of_many->pivoted, one->pivoted);
}

/* Is there any? The first row has nothing below, the last one nothing above. */
static bool troubled(trouble what, int64_t system)
{
    const bool below = what == INFINITE_BELOW || what == TOO_LARGE || what == FAR_TOO_LARGE,
               above = what == INFINITE_ABOVE;
    return system < N && !(below && system == 0) && !(above && system == N - 1);
}

static void check_all(trouble what, slimband_pivoting pivoting)
{
    static batch one, many;
    for (int band = 1; band <= BANDS; ++band) {
        solve(&one, what, band, band == 1 ? "thomas" : "lu", LINES, pivoting);
        for (int64_t system = 0; system < SYSTEMS && pivoting == SLIMBAND_PIVOT_NONE; ++system)
            assert_int_equal(one.told[system].status != SLIMBAND_OK, troubled(what, system));
        for (int k = 0; k < set_count; ++k)
            for (int how = 0; how < WAYS; ++how) {
                const char *method = how == STRETCHED ? sets[k].stretched : sets[k].method;
                solve(&many, what, band, method, (way)how, pivoting);
                for (int64_t system = 0; system < SYSTEMS; ++system)
                    check(&one.told[system], &many.told[system]);
            }
    }
}

static void test_without_pivoting(void **state)
{
    (void)state;
    for (int what = 0; what < TROUBLES; ++what)
        check_all((trouble)what, SLIMBAND_PIVOT_NONE);
}

static void test_with_pivoting_where_it_is_needed(void **state)
{
    (void)state;
    for (int what = 0; what < TROUBLES; ++what)
        check_all((trouble)what, SLIMBAND_PIVOT_AUTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_without_pivoting),
        cmocka_unit_test(test_with_pivoting_where_it_is_needed),
    };
    set_count = sets_here(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
