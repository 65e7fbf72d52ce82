/* One system: in the caches and beyond, with and without couplings that decay. Batches: 2^22 rows with own
 * matrices, 2^23 with one for all, beyond any cache. Dominance 2 unless the label says general. */
#include "bench/grid_cases.h"

#include <string.h>

#include "slimband/plan.h"

#define SINGLE(label_, exponent, dominance_, large_)                                               \
    {                                                                                              \
        .family = "single", .label = label_, .against = "thomas,lapack,openblas,mkl,mkl_dominant", \
        .large = large_, .the_case = {                                                             \
            .scalar = SLIMBAND_F64,                                                                \
            .n = INT64_C(1) << exponent,                                                           \
            .systems = 1,                                                                          \
            .lower = 1,                                                                            \
            .upper = 1,                                                                            \
            .dominance = dominance_                                                                \
        }                                                                                          \
    }

#define BATCH(family_, label_, against_, n_, rows, width, coefficients_, layout_, in_place_) \
    {                                                                                        \
        .family = family_, .label = label_, .against = against_, .the_case = {               \
            .batch = true,                                                                   \
            .scalar = SLIMBAND_F64,                                                          \
            .n = n_,                                                                         \
            .systems = (INT64_C(1) << (rows)) / (n_),                                        \
            .lower = width,                                                                  \
            .upper = width,                                                                  \
            .coefficients = coefficients_,                                                   \
            .layout = layout_,                                                               \
            .dominance = 2,                                                                  \
            .in_place = in_place_                                                            \
        }                                                                                    \
    }

#define OWN(family, n, layout)                                                                                \
    BATCH(family, "own matrices, n = " #n, "thomas,lapack,openblas,mkl,mkl_dominant", n, 22, 1, SLIMBAND_OWN, \
          layout, false)
#define SHARED(family, n, layout)                                                                              \
    BATCH(                                                                                                     \
        family, "one matrix, n = " #n,                                                                         \
        "thomas_prefactored,lapack_prefactored,openblas_prefactored,mkl_prefactored,mkl_dominant_prefactored", \
        n, 23, 1, SLIMBAND_SHARED, layout, true)
#define PENTA(label, layout)                                                                                  \
    BATCH("penta", label, "thomas_prefactored,lapack_prefactored,openblas_prefactored,mkl_prefactored", 1024, \
          23, 2, SLIMBAND_SHARED, layout, true)

static const sb_grid_case cases[] = {
    SINGLE("n = 2^16, dominant", 16, 2, false),
    SINGLE("n = 2^16, general", 16, 1, false),
    SINGLE("n = 2^20, dominant", 20, 2, false),
    SINGLE("n = 2^20, general", 20, 1, false),
    SINGLE("n = 2^23, dominant", 23, 2, false),
    SINGLE("n = 2^23, general", 23, 1, false),
    SINGLE("n = 2^25, dominant", 25, 2, true),
    SINGLE("n = 2^25, general", 25, 1, true),
    OWN("contiguous", 256, SB_BENCH_CONTIGUOUS),
    OWN("contiguous", 1024, SB_BENCH_CONTIGUOUS),
    OWN("contiguous", 16384, SB_BENCH_CONTIGUOUS),
    SHARED("contiguous", 256, SB_BENCH_CONTIGUOUS),
    SHARED("contiguous", 1024, SB_BENCH_CONTIGUOUS),
    SHARED("contiguous", 16384, SB_BENCH_CONTIGUOUS),
    OWN("interleaved", 256, SB_BENCH_INTERLEAVED),
    OWN("interleaved", 1024, SB_BENCH_INTERLEAVED),
    OWN("interleaved", 16384, SB_BENCH_INTERLEAVED),
    SHARED("interleaved", 256, SB_BENCH_INTERLEAVED),
    SHARED("interleaved", 1024, SB_BENCH_INTERLEAVED),
    SHARED("interleaved", 16384, SB_BENCH_INTERLEAVED),
    PENTA("contiguous, one matrix, n = 1024", SB_BENCH_CONTIGUOUS),
    PENTA("interleaved, one matrix, n = 1024", SB_BENCH_INTERLEAVED),
};

#define UNPLOTTED(family_, label_, n_, systems_, lower_, upper_, ends_, coefficients_, layout_, factored_) \
    {                                                                                                      \
        .family = family_, .label = label_, .the_case = {                                                  \
            .batch = (systems_) > 1,                                                                       \
            .scalar = SLIMBAND_F64,                                                                        \
            .n = n_,                                                                                       \
            .systems = systems_,                                                                           \
            .lower = lower_,                                                                               \
            .upper = upper_,                                                                               \
            .ends = ends_,                                                                                 \
            .coefficients = coefficients_,                                                                 \
            .layout = layout_,                                                                             \
            .dominance = 2,                                                                                \
            .factored = factored_                                                                          \
        }                                                                                                  \
    }
#define BETWEEN(...) UNPLOTTED("between", __VA_ARGS__, false)
#define KEPT(label, n, systems, band, ends, layout) \
    UNPLOTTED("kept", label, n, systems, band, band, ends, SLIMBAND_OWN, layout, true)
#define FEW(label, n, systems, coefficients) \
    BETWEEN(label, n, systems, 1, 1, SLIMBAND_OPEN, coefficients, SB_BENCH_CONTIGUOUS)

static const sb_grid_case between[] = {
    FEW("one system, n = 30", 30, 1, SLIMBAND_OWN),
    FEW("one system, n = 1000", 1000, 1, SLIMBAND_OWN),
    FEW("one system, n = 4000", 4000, 1, SLIMBAND_OWN),
    FEW("one system, n = 16000", 16000, 1, SLIMBAND_OWN),
    FEW("one factored system, n = 1000", 1000, 1, SLIMBAND_SHARED),
    FEW("one factored system, n = 10^6", 1000000, 1, SLIMBAND_SHARED),
    FEW("one Toeplitz system, n = 1000", 1000, 1, SLIMBAND_TOEPLITZ),
    FEW("one Toeplitz system, n = 10^6", 1000000, 1, SLIMBAND_TOEPLITZ),
    FEW("2 systems of 1000", 1000, 2, SLIMBAND_OWN),
    FEW("4 systems of 1000", 1000, 4, SLIMBAND_OWN),
    FEW("4 systems of 1000, one matrix", 1000, 4, SLIMBAND_SHARED),
    FEW("9 systems of 1000", 1000, 9, SLIMBAND_OWN),
    FEW("4 systems of 200000", 200000, 4, SLIMBAND_OWN),
    FEW("16 systems of 100000", 100000, 16, SLIMBAND_OWN),
    FEW("16 systems of 100000, one matrix", 100000, 16, SLIMBAND_SHARED),
    FEW("4096 systems of 10", 10, 4096, SLIMBAND_OWN),
    BETWEEN("one pentadiagonal system, n = 1000", 1000, 1, 2, 2, SLIMBAND_OPEN, SLIMBAND_OWN,
            SB_BENCH_CONTIGUOUS),
    BETWEEN("one pentadiagonal system, n = 10^6", 1000000, 1, 2, 2, SLIMBAND_OPEN, SLIMBAND_OWN,
            SB_BENCH_CONTIGUOUS),
    BETWEEN("one band 3,3, n = 10^5", 100000, 1, 3, 3, SLIMBAND_OPEN, SLIMBAND_OWN, SB_BENCH_CONTIGUOUS),
    BETWEEN("1000 bands 3,3 of 256", 256, 1000, 3, 3, SLIMBAND_OPEN, SLIMBAND_OWN, SB_BENCH_CONTIGUOUS),
    BETWEEN("one ring, n = 10^6", 1000000, 1, 1, 1, SLIMBAND_PERIODIC, SLIMBAND_OWN, SB_BENCH_CONTIGUOUS),
    BETWEEN("1000 rings of 512, one matrix", 512, 1000, 1, 1, SLIMBAND_PERIODIC, SLIMBAND_SHARED,
            SB_BENCH_CONTIGUOUS),
    BETWEEN("1000 rings of 512", 512, 1000, 1, 1, SLIMBAND_PERIODIC, SLIMBAND_OWN, SB_BENCH_CONTIGUOUS),
    BETWEEN("64 systems of 256, interleaved", 256, 64, 1, 1, SLIMBAND_OPEN, SLIMBAND_OWN, SB_BENCH_INTERLEAVED),
    KEPT("one system, n = 1000", 1000, 1, 1, SLIMBAND_OPEN, SB_BENCH_CONTIGUOUS),
    KEPT("one system, n = 10^6", 1000000, 1, 1, SLIMBAND_OPEN, SB_BENCH_CONTIGUOUS),
    KEPT("1000 systems of 512", 512, 1000, 1, SLIMBAND_OPEN, SB_BENCH_CONTIGUOUS),
    KEPT("1000 pentadiagonal rings of 512", 512, 1000, 2, SLIMBAND_PERIODIC, SB_BENCH_CONTIGUOUS),
    KEPT("1000 rings of 512, interleaved", 512, 1000, 1, SLIMBAND_PERIODIC, SB_BENCH_INTERLEAVED),
};

static const sb_grid_family families[] = {
    {"single", "One tridiagonal system"},
    {"contiguous", "Batches of tridiagonal systems, contiguous lines"},
    {"interleaved", "Batches of tridiagonal systems, interleaved lines"},
    {"penta", "Batches of pentadiagonal systems"},
};

#define BARS(name_, title_)                                                     \
    {                                                                           \
        .name = name_, .title = title_, .family = name_, .values = SB_GRID_BARS \
    }

static const sb_grid_chart charts[] = {
    BARS("single", "One tridiagonal system"),
    BARS("contiguous", "Batches of tridiagonal systems, contiguous lines"),
    BARS("interleaved", "Batches of tridiagonal systems, interleaved lines"),
    BARS("penta", "Batches of pentadiagonal systems"),
};

/* The host's grid is quick enough with few runs of each. */
static int fill(sb_grid_case *to, bool quick)
{
    (void)quick;
    if (to)
        memcpy(to, cases, sizeof cases);
    return sizeof cases / sizeof *cases;
}

const sb_grid_set sb_grid_host = {.fill = fill,
                                  .families = sizeof families / sizeof *families,
                                  .charts = sizeof charts / sizeof *charts,
                                  .family = families,
                                  .chart = charts,
                                  .methods = SLIMBAND_AUTO};

bool sb_grid_case_is_of(const sb_grid_case *c, const char *only)
{
    return !only || !strncmp(c->family, only, strlen(only));
}

const sb_grid_case *sb_grid_case_at(int index)
{
    return index >= 0 && index < (int)(sizeof cases / sizeof *cases) ? &cases[index] : NULL;
}

const sb_grid_case *sb_grid_case_between(int index)
{
    return index >= 0 && index < (int)(sizeof between / sizeof *between) ? &between[index] : NULL;
}
