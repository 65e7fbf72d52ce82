/* One system: in the caches and beyond, with and without couplings that decay. Batches: 2^22 rows with own
 * matrices, 2^23 with one for all, beyond any cache. Dominance 2 unless the label says general. */
#include "bench/grid_cases.h"

#include <stddef.h>

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

static const sb_grid_family families[] = {
    {"single", "One tridiagonal system"},
    {"contiguous", "Batches of tridiagonal systems, contiguous lines"},
    {"interleaved", "Batches of tridiagonal systems, interleaved lines"},
    {"penta", "Batches of pentadiagonal systems"},
};

const sb_grid_case *sb_grid_case_at(int index)
{
    return index >= 0 && index < (int)(sizeof cases / sizeof *cases) ? &cases[index] : NULL;
}

const sb_grid_family *sb_grid_family_at(int index)
{
    return index >= 0 && index < (int)(sizeof families / sizeof *families) ? &families[index] : NULL;
}
