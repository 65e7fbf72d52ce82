/* The GPU's cases: what slimband is to reach, and the grids of the papers on today's hardware. */
#include <stdio.h>
#include <string.h>

#include "bench/grid_cases.h"

enum { QUICK_ROWS = 1 << 22, QUICK_EXPONENT = 24, EXPONENT = 26 };

typedef struct sb_grid_filler {
    sb_grid_case *to; /* NULL: only counted */
    int count;
    bool quick;
} filler;

/* With one thread a system all the GPU waits for a few threads; and auto takes such a method where only it fits. */
static const char parallel[] = "all,-thomas,-lu,-pivoted_lu", named[] = "all,-auto,-thomas,-lu,-pivoted_lu";

static void add(filler *f, const sb_grid_case *c)
{
    if (f->to)
        f->to[f->count] = *c;
    ++f->count;
}

static sb_grid_case usual(const char *family, const sb_bench_case *c)
{
    return (sb_grid_case){.family = family, .against = "cusparse", .typed = true, .the_case = *c};
}

static sb_bench_case tri(int64_t n, int64_t systems)
{
    return (sb_bench_case){.batch = systems > 1,
                           .scalar = SLIMBAND_F64,
                           .n = n,
                           .systems = systems,
                           .lower = 1,
                           .upper = 1,
                           .dominance = 2};
}

typedef struct large_row {
    const char *label, *target;
    int exponent;
    double dominance;
    slimband_pivoting pivoting;
} large_row;

static void add_large(filler *f)
{
    const int most = f->quick ? QUICK_EXPONENT : EXPONENT;
    static const large_row rows[] = {
        {", dominant", "1.05 x 5n, 7 x cuSPARSE", 26, 2, SLIMBAND_PIVOT_AUTO},
        {", without pivoting", "1.85 x 5n, 4.1 x cuSPARSE", 26, 1, SLIMBAND_PIVOT_NONE},
        {", with pivoting", "2.0 x 5n, 6.5 x cuSPARSE", 26, 1, SLIMBAND_PIVOT_PARTIAL},
        {"", "18 us", 20, 2, SLIMBAND_PIVOT_AUTO},
        {"", "12.5 us", 19, 2, SLIMBAND_PIVOT_AUTO},
        {"", "10.3 us", 18, 2, SLIMBAND_PIVOT_AUTO},
        {"", "9 us", 17, 2, SLIMBAND_PIVOT_AUTO},
        {"", "7.0 us", 16, 2, SLIMBAND_PIVOT_AUTO},
        {"", "6 us", 14, 2, SLIMBAND_PIVOT_AUTO},
        {"", "5 us", 10, 2, SLIMBAND_PIVOT_AUTO},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
        int exponent = rows[k].exponent < most ? rows[k].exponent : most;
        sb_bench_case c = tri(INT64_C(1) << exponent, 1);
        c.dominance = rows[k].dominance;
        c.pivoting = rows[k].pivoting;
        sb_grid_case row = usual("target-single", &c);
        row.methods = rows[k].pivoting == SLIMBAND_PIVOT_NONE ? named : parallel;
        row.target = rows[k].target;
        snprintf(row.label, sizeof row.label, "n = 2^%d%s", exponent, rows[k].label);
        add(f, &row);
    }
}

typedef struct batch_row {
    const char *family, *target;
    int64_t n, systems; /* 0: as many as 2^26 rows have, or 2^27 of one matrix, whose launch weighs more */
    int width;
    slimband_coefficients coefficients;
    sb_bench_layout layout;
    int axis;
} batch_row;

#define OWN SLIMBAND_OWN
#define SHARED SLIMBAND_SHARED
#define LINES SB_BENCH_CONTIGUOUS, 0
#define ACROSS SB_BENCH_INTERLEAVED, 0
#define AXIS(k) SB_BENCH_AXIS, k

static const batch_row batches[] = {
    {"target-own", "1.1 x 5n", 256, 0, 1, OWN, LINES},
    {"target-own", "1.1 x 5n", 512, 0, 1, OWN, LINES},
    {"target-own", "1.1 x 5n", 1024, 0, 1, OWN, LINES},
    {"target-own", "1.6 x 5n", 65536, 64, 1, OWN, LINES},
    {"target-own", "1.15 x 5n", 256, 0, 1, OWN, ACROSS},
    {"target-own", "1.15 x 5n", 512, 0, 1, OWN, ACROSS},
    {"target-own", "1.15 x 5n", 1024, 0, 1, OWN, ACROSS},
    {"target-own", "1.15 x 5n", 512, 16384, 1, OWN, ACROSS},
    {"target-shared", "1.19 x 2n", 300, 0, 1, SHARED, LINES},
    {"target-shared", "1.04 x 2n", 512, 0, 1, SHARED, LINES},
    {"target-shared", "1.06 x 2n", 1024, 0, 1, SHARED, LINES},
    {"target-shared", "1.06 x 2n", 2048, 0, 1, SHARED, LINES},
    {"target-shared", "1.11 x 2n", 128, 0, 1, SHARED, ACROSS},
    {"target-shared", "1.11 x 2n", 256, 0, 1, SHARED, ACROSS},
    {"target-shared", "1.11 x 2n", 512, 0, 1, SHARED, ACROSS},
    {"target-shared", "1.11 x 2n", 1024, 0, 1, SHARED, ACROSS},
    {"target-shared", "1.14 x 2n", 2048, 0, 1, SHARED, ACROSS},
    {"target-shared", "1.25 x 2n", 4096, 0, 1, SHARED, ACROSS},
    {"target-shared", "1.11 x 2n", 512, 0, 1, SHARED, AXIS(1)},
    {"target-penta", "1.15 x 7n", 512, 0, 2, OWN, ACROSS},
    {"target-penta", "1.11 x 2n", 256, 0, 2, SHARED, ACROSS},
    {"target-penta", "1.11 x 2n", 512, 0, 2, SHARED, ACROSS},
    {"target-cube", "1.1 x 5n", 512, 512 * 512, 1, OWN, AXIS(2)},
    {"target-cube", "1.1 x 5n", 512, 512 * 512, 1, OWN, AXIS(1)},
    {"target-cube", "1.1 x 5n", 512, 512 * 512, 1, OWN, AXIS(0)},
    {"across", NULL, 8192, 8192, 1, OWN, ACROSS},
    {"across", NULL, 65536, 256, 1, OWN, ACROSS},
    {"across", NULL, 8192, 8192, 1, SHARED, ACROSS},
    {"across", NULL, 65536, 256, 1, SHARED, ACROSS},
    {"across", NULL, 8192, 8192, 2, OWN, ACROSS},
    {"across", NULL, 65536, 256, 2, OWN, ACROSS},
    {"across", NULL, 8192, 8192, 2, SHARED, ACROSS},
    {"across", NULL, 65536, 256, 2, SHARED, ACROSS},
    {"short", NULL, 16, 4096, 1, OWN, LINES},
    {"short", NULL, 16, 65536, 1, OWN, LINES},
    {"short", NULL, 16, 4096, 1, OWN, ACROSS},
    {"short", NULL, 16, 65536, 1, OWN, ACROSS},
    {"short", NULL, 16, 4096, 1, SHARED, LINES},
    {"short", NULL, 16, 65536, 1, SHARED, LINES},
    {"short", NULL, 16, 4096, 2, OWN, ACROSS},
    {"short", NULL, 16, 65536, 2, OWN, ACROSS},
    {"short", NULL, 64, 4096, 1, OWN, ACROSS},
    {"short", NULL, 64, 65536, 1, OWN, ACROSS},
    {"wider", NULL, 1 << 24, 1, 2, OWN, LINES},
    {"wider", NULL, 16384, 1024, 2, OWN, LINES},
    {"wider", NULL, 1 << 24, 1, 4, OWN, LINES},
    {"wider", NULL, 4096, 4096, 4, OWN, LINES},
    {"wider", NULL, 256, 65536, 4, OWN, LINES},
    {"wider", NULL, 256, 65536, 4, OWN, ACROSS},
    {"wider", NULL, 1024, 16384, 4, SHARED, LINES},
    {"wider", NULL, 1024, 16384, 4, SHARED, ACROSS},
};

static void add_batches(filler *f)
{
    for (size_t k = 0; k < sizeof batches / sizeof *batches; ++k) {
        const batch_row *b = &batches[k];
        int more = b->coefficients == SHARED && !f->quick;
        int64_t rows = INT64_C(1) << ((f->quick ? QUICK_EXPONENT : EXPONENT) + more), fit = rows / b->n;
        sb_bench_case c = tri(b->n, b->systems && !(f->quick && b->systems > fit) ? b->systems : fit);
        char layout[SB_BENCH_NAME];
        c.lower = c.upper = b->width;
        c.coefficients = b->coefficients;
        c.layout = b->layout;
        c.axis = b->axis;
        sb_bench_layout_name(&c, layout);
        sb_grid_case row = usual(b->family, &c);
        row.target = b->target;
        row.methods = c.batch ? NULL : parallel;
        snprintf(row.label, sizeof row.label, "%s%s, %.12s, %lld of %lld",
                 b->width == 4   ? "4 + 4, "
                 : b->width == 2 ? "penta, "
                                 : "",
                 b->coefficients == OWN ? "own" : "shared", layout, (long long)c.systems, (long long)c.n);
        add(f, &row);
    }
}

static bool is_too_much(const filler *f, const sb_bench_case *c)
{
    return f->quick && sb_bench_rows(c) > QUICK_ROWS;
}

/* tpr.txt 5.1, carried on from 2^19 to 2^22. */
static void add_tpr(filler *f)
{
    enum { FIRST = 7, LAST = 22 };
    static const int64_t systems[] = {1, 8, 64};
    static const char *const families[] = {"tpr-f32", "tpr-f64"};
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_F64; ++scalar)
        for (int g = 0; g < 3; ++g)
            for (int e = FIRST; e <= LAST; e += f->quick ? 3 : 1) {
                sb_bench_case c = tri(INT64_C(1) << e, systems[g]);
                c.scalar = (slimband_scalar)scalar;
                sb_grid_case row = usual(families[scalar], &c);
                row.methods = parallel;
                row.against = "cusparse_gtsv2_nopivot,cusparse_gtsv2_strided";
                row.target = "6 x cuSPARSE, geometric mean";
                snprintf(row.label, sizeof row.label, "%lld of 2^%d", (long long)systems[g], e);
                if (!is_too_much(f, &c))
                    add(f, &row);
            }
}

static void add_point(filler *f, bool is_long, int64_t n, int64_t systems)
{
    static const struct {
        const char *family[2];
        slimband_coefficients coefficients;
    } modes[] = {{{"cupentbatch-constant", "cupentbatch-long-constant"}, SLIMBAND_SHARED},
                 {{"cupentbatch-rewrite", "cupentbatch-long-rewrite"}, SLIMBAND_OWN}};
    for (int m = 0; m < 2; ++m) {
        sb_bench_case c = tri(n, systems);
        c.lower = c.upper = 2;
        c.layout = SB_BENCH_INTERLEAVED;
        c.coefficients = modes[m].coefficients;
        sb_grid_case row = usual(modes[m].family[is_long], &c);
        row.against = "cusparse_gpsv_interleaved";
        snprintf(row.label, sizeof row.label, "%lld of %lld", (long long)systems, (long long)n);
        if (!is_too_much(f, &c))
            add(f, &row);
    }
}

/* Figures 3 to 8: up to 1024 unknowns, batches from tens to 10^5. Figures 9 and 10: some 10^4 unknowns. */
static void add_cupentbatch(filler *f)
{
    int thinned = f->quick ? 4 : 2;
    for (int64_t n = 64; n <= 1024; n *= thinned)
        for (int64_t systems = 64; systems <= 131072; systems *= thinned)
            add_point(f, false, n, systems);
    for (int64_t n = 8192; n <= 65536; n *= thinned)
        for (int64_t systems = 64; systems <= 1024; systems *= 4)
            add_point(f, true, n, systems);
}

/* near-toeplitz.tex 5: n right-hand sides of 2-D problems, n^2 of 3-D ones; 1/3, 1, 1/3. */
static void add_near_toeplitz(filler *f)
{
    static const struct {
        const char *family;
        int64_t most;
    } kinds[] = {{"near-toeplitz-2d", 4096}, {"near-toeplitz-3d", 512}};
    for (int k = 0; k < 2; ++k)
        for (int64_t n = 64; n <= kinds[k].most; n *= 2) {
            sb_bench_case c = tri(n, k ? n * n : n);
            c.coefficients = SLIMBAND_TOEPLITZ;
            c.dominance = 1.5;
            sb_grid_case row = usual(kinds[k].family, &c);
            row.against = "cusparse_gtsv2_nopivot,cusparse_gtsv2_strided,slimband_cpu";
            snprintf(row.label, sizeof row.label, "n = %lld, %lld right-hand sides", (long long)n,
                     (long long)c.systems);
            if (!is_too_much(f, &c))
                add(f, &row);
        }
}

static int fill(sb_grid_case *cases, bool quick)
{
    filler f = {.to = cases, .quick = quick};
    add_large(&f);
    add_batches(&f);
    add_tpr(&f);
    add_cupentbatch(&f);
    add_near_toeplitz(&f);
    return f.count;
}

static const sb_grid_family families[] = {
    {"target-single", "One tridiagonal system"},
    {"target-own", "Batches of tridiagonal systems, own matrices"},
    {"target-shared", "Batches of tridiagonal systems, one matrix"},
    {"target-penta", "Batches of pentadiagonal systems"},
    {"target-cube", "A cube, own matrices along each axis"},
    {"across", "Long systems side by side"},
    {"short", "Short systems"},
    {"wider", "Pentadiagonal lines and bands of 4 + 4"},
    {"tpr-f32", "TPR's grid, single precision"},
    {"tpr-f64", "TPR's grid, double precision"},
    {"cupentbatch-constant", "cuPentBatch's grid, one matrix factored once"},
    {"cupentbatch-rewrite", "cuPentBatch's grid, every matrix factored each time"},
    {"cupentbatch-long-constant", "cuPentBatch's grid, long systems, one matrix factored once"},
    {"cupentbatch-long-rewrite", "cuPentBatch's grid, long systems, every matrix factored each time"},
    {"near-toeplitz-2d", "Near-Toeplitz systems of 2-D problems"},
    {"near-toeplitz-3d", "Near-Toeplitz systems of 3-D problems"},
};

#define BARS(name_, title_)                                                     \
    {                                                                           \
        .name = name_, .title = title_, .family = name_, .values = SB_GRID_BARS \
    }
#define TPR(type, systems, title_)                                                                          \
    {                                                                                                       \
        .name = "tpr-" type "-" #systems, .title = title_ " " type ": times as fast as cuSPARSE's gtsv2",   \
        .family = "tpr-" type, .values = SB_GRID_SPEEDUP, .least_systems = systems, .most_systems = systems \
    }
#define FIGURE(number, mode, along, n0, n1, b0, b1)                                                      \
    {                                                                                                    \
        .name = "cupentbatch-figure-" #number,                                                           \
        .title = "cuPentBatch, " mode ": times as fast as gpsvInterleavedBatch",                         \
        .family = "cupentbatch-" mode, .values = SB_GRID_SPEEDUP, .along_systems = along, .least_n = n0, \
        .most_n = n1, .least_systems = b0, .most_systems = b1, .methods = "auto,lu"                      \
    }
#define RELATIVE(name_, title_)                                                     \
    {                                                                               \
        .name = name_, .title = title_, .family = name_, .values = SB_GRID_RELATIVE \
    }

static const sb_grid_chart charts[] = {
    BARS("target-single", "One tridiagonal system"),
    BARS("target-own", "Tridiagonal, own matrices"),
    BARS("target-shared", "Tridiagonal, one matrix"),
    BARS("target-penta", "Pentadiagonal"),
    BARS("target-cube", "A cube, own matrices along each axis"),
    BARS("across", "Long systems side by side"),
    BARS("short", "Short systems"),
    BARS("wider", "Pentadiagonal lines and bands of 4 + 4"),
    TPR("f32", 1, "1 system,"),
    TPR("f32", 8, "8 systems,"),
    TPR("f32", 64, "64 systems,"),
    TPR("f64", 1, "1 system,"),
    TPR("f64", 8, "8 systems,"),
    TPR("f64", 64, "64 systems,"),
    FIGURE(3, "constant", true, 64, 1024, 64, 8192),
    FIGURE(4, "rewrite", true, 64, 1024, 64, 8192),
    FIGURE(5, "constant", true, 64, 1024, 16384, 131072),
    FIGURE(6, "rewrite", true, 64, 1024, 16384, 131072),
    FIGURE(7, "constant", false, 64, 1024, 64, 8192),
    FIGURE(8, "rewrite", false, 64, 1024, 64, 8192),
    FIGURE(9, "long-constant", false, 8192, 65536, 64, 1024),
    FIGURE(10, "long-rewrite", false, 8192, 65536, 64, 1024),
    RELATIVE("near-toeplitz-2d", "Near-Toeplitz, n right-hand sides: speed relative to the fastest"),
    RELATIVE("near-toeplitz-3d", "Near-Toeplitz, n^2 right-hand sides: speed relative to the fastest"),
};

const sb_grid_set sb_grid_cuda = {.fill = fill,
                                  .families = sizeof families / sizeof *families,
                                  .charts = sizeof charts / sizeof *charts,
                                  .family = families,
                                  .chart = charts,
                                  .methods = "all"};
