/* The methods that run on the CPU, one row each.
 * To add a method: its engine, a row here, a line in the tests' list, an entry in docs/methods.md. */
#include <stdlib.h>
#include <string.h>

#include "src/cpu/kernels/switch_point.h"
#include "src/cpu/long/chunks.h"
#include "src/cpu/wide/isa.h"
#include "src/cpu/wide/worth.h"
#include "src/cpu/workspace.h"

#define ENGINES(name) \
    extern const struct sb_engine sb_##name##_f32, sb_##name##_f64, sb_##name##_c64, sb_##name##_c128;
ENGINES(thomas)
ENGINES(twisted)
ENGINES(lu)
ENGINES(pivoted_lu)
ENGINES(cr)
ENGINES(pcr)
ENGINES(wang_mou)
ENGINES(tpr)
ENGINES(pcr_thomas)
ENGINES(cr_toeplitz)
#undef ENGINES
#define ENGINES(name)                                                           \
    {                                                                           \
        &sb_##name##_f32, &sb_##name##_f64, &sb_##name##_c64, &sb_##name##_c128 \
    }

static slimband_status any_band(const slimband_problem *p)
{
    return p->pivoting == SLIMBAND_PIVOT_PARTIAL ? SLIMBAND_METHOD_DOES_NOT_PIVOT : SLIMBAND_OK;
}

static slimband_status any_system(const slimband_problem *p)
{
    (void)p;
    return SLIMBAND_OK;
}

static slimband_status pivoted(const slimband_problem *p)
{
    return p->pivoting == SLIMBAND_PIVOT_NONE ? SLIMBAND_METHOD_ALWAYS_PIVOTS : SLIMBAND_OK;
}

static slimband_status tridiagonal(const slimband_problem *p)
{
    return p->lower != 1 || p->upper != 1 ? SLIMBAND_METHOD_NEEDS_TRIDIAGONAL : any_band(p);
}

static slimband_status tri_or_pentadiagonal(const slimband_problem *p)
{
    const bool fits = p->lower == p->upper && (p->lower == 1 || p->lower == 2);
    return fits ? any_band(p) : SLIMBAND_METHOD_NEEDS_TRI_OR_PENTADIAGONAL;
}

static slimband_status toeplitz(const slimband_problem *p)
{
    if (p->lower != 1 || p->upper != 1)
        return SLIMBAND_METHOD_NEEDS_TRIDIAGONAL;
    if (p->coefficients != SLIMBAND_TOEPLITZ || p->toeplitz_first > 1 || p->toeplitz_last > 1)
        return SLIMBAND_METHOD_NEEDS_TOEPLITZ;
    return any_band(p);
}

static slimband_status no_options(const char *options, sb_tuning *tuning)
{
    (void)tuning;
    return *options ? SLIMBAND_UNKNOWN_OPTION : SLIMBAND_OK;
}

/* "name=K" at *options, least <= K <= most: returns K, and *options moves behind it. -1 for anything else. */
static int64_t number(const char **options, const char *name, int64_t least, int64_t most)
{
    size_t length = strlen(name);
    const char *digits = *options + length;
    if (strncmp(*options, name, length) || *digits < '0' || *digits > '9')
        return -1;
    char *end;
    long long value = strtoll(digits, &end, 10);
    *options = end;
    return value < least || value > most ? -1 : value;
}

/* "" or "fast", "stable", "slice=S" with S a power of two */
static slimband_status slices(const char *options, sb_tuning *tuning)
{
    enum { fast = 64, stable = 2048 };
    tuning->slice = !*options || !strcmp(options, "fast") ? fast : !strcmp(options, "stable") ? stable : 0;
    if (tuning->slice)
        return SLIMBAND_OK;
    tuning->slice = number(&options, "slice=", 2, 1 << 30);
    bool power = tuning->slice > 0 && !(tuning->slice & (tuning->slice - 1));
    return power && !*options ? SLIMBAND_OK : SLIMBAND_UNKNOWN_OPTION;
}

/* The form that is named at *options, which moves behind the name; -1 if none is. */
static int form_named(const char **options)
{
    static const char *const names[] = {"form=plain", "form=overlapped", "form=tasked", "form=shuffled"};
    for (int form = SB_FORM_PLAIN; form <= SB_FORM_SHUFFLED; ++form)
        if (!strncmp(*options, names[form], strlen(names[form]))) {
            *options += strlen(names[form]);
            return form;
        }
    return -1;
}

/* "form=F" and "switch=K" in any order, either, or none, with a comma between them */
static slimband_status form_and_switch(const char *options, sb_tuning *tuning)
{
    tuning->form = SB_FORM_OVERLAPPED;
    tuning->switch_point = SB_SWITCH_CHOSEN;
    for (bool more = *options; more; options += more) {
        int form = form_named(&options);
        if (form >= 0)
            tuning->form = (sb_form)form;
        else if ((tuning->switch_point = (int)number(&options, "switch=", 0, 30)) < 0)
            return SLIMBAND_UNKNOWN_OPTION;
        more = *options == ',';
    }
    return *options ? SLIMBAND_UNKNOWN_OPTION : SLIMBAND_OK;
}

/* "" for the best that the processor has, or "isa=NAME" */
static slimband_status instruction_set(const char *options, sb_tuning *tuning)
{
    const bool named = !strncmp(options, "isa=", 4) && options[4];
    tuning->isa = named || !*options ? sb_isa_named(named ? options + 4 : "") : -1;
    tuning->isa_named = named;
    return tuning->isa < 0 ? SLIMBAND_UNKNOWN_OPTION : SLIMBAND_OK;
}

/* An option "name=N". */
typedef struct numbered {
    const char *name;
    int64_t least, most;
    int64_t *chosen;
} numbered;

/* One of them at *options, which moves behind it. */
static bool numbered_option(const char **options, const numbered *numbers, int count)
{
    for (int i = 0; i < count; ++i) {
        const int64_t value = number(options, numbers[i].name, numbers[i].least, numbers[i].most);
        if (value >= 0) {
            *numbers[i].chosen = value;
            return true;
        }
    }
    return false;
}

/* "isa=NAME" and numbers, in any order, some of them or none, with commas between them; numbers that are not named are 0 */
static slimband_status isa_and_numbers(const char *options, const numbered *numbers, int count,
                                       sb_tuning *tuning)
{
    char set[16] = "";
    for (int i = 0; i < count; ++i)
        *numbers[i].chosen = 0;
    for (bool more = *options; more; options += more) {
        size_t length = strcspn(options, ",");
        if (!strncmp(options, "isa=", 4) && length > 4 && length < sizeof set) {
            memcpy(set, options, length);
            set[length] = 0;
            options += length;
        } else if (!numbered_option(&options, numbers, count))
            return SLIMBAND_UNKNOWN_OPTION;
        more = *options == ',';
    }
    return *options ? SLIMBAND_UNKNOWN_OPTION : instruction_set(set, tuning);
}

enum { CHUNK_LEAST = 5, STRETCH_LEAST = 16, ROWS_MOST = 1 << 30, VECTORS_MOST = 2 };

static slimband_status isa_and_chunks(const char *options, int64_t *rows, sb_tuning *tuning)
{
    const numbered numbers[] = {{"chunk=", CHUNK_LEAST, ROWS_MOST, rows},
                                {"vectors=", 1, VECTORS_MOST, &tuning->vectors}};
    return isa_and_numbers(options, numbers, 2, tuning);
}

static slimband_status isa_and_chunk(const char *options, sb_tuning *tuning)
{
    return isa_and_chunks(options, &tuning->chunk, tuning);
}

static slimband_status isa_and_span(const char *options, sb_tuning *tuning)
{
    tuning->truncates = true;
    return isa_and_chunks(options, &tuning->span, tuning);
}

static slimband_status isa_and_stretch(const char *options, sb_tuning *tuning)
{
    const numbered stretch = {"stretch=", STRETCH_LEAST, ROWS_MOST, &tuning->stretch};
    return isa_and_numbers(options, &stretch, 1, tuning);
}

static int one_sweep(int64_t n, const sb_tuning *tuning)
{
    (void)n, (void)tuning;
    return 1;
}

static int chunks_and_between(int64_t n, const sb_tuning *tuning)
{
    (void)n;
    return tuning->chunk ? 2 : 1;
}

static int one_pass(int64_t n, const sb_tuning *tuning)
{
    (void)n;
    return tuning->span ? 1 : chunks_and_between(n, tuning);
}

static int halvings(int64_t n, const sb_tuning *tuning)
{
    (void)tuning;
    int levels = 1;
    while ((n = n / 2) > 0)
        ++levels;
    return levels;
}

static int steps_and_sweep(int64_t n, const sb_tuning *tuning)
{
    return n > 0 ? sb_steps_of(n, tuning) + 1 : 1;
}

static const sb_cpu_method thomas_method = {.engine = ENGINES(thomas),
                                            .cost = &sb_thomas_cost,
                                            .fits = tridiagonal,
                                            .configure = no_options,
                                            .levels = one_sweep};
static const sb_cpu_method twisted_method = {.engine = ENGINES(twisted),
                                             .cost = &sb_twisted_cost,
                                             .fits = tri_or_pentadiagonal,
                                             .configure = no_options,
                                             .levels = one_sweep};
static const sb_cpu_method lu_method = {
    .engine = ENGINES(lu), .cost = &sb_lu_cost, .fits = any_band, .configure = no_options, .levels = one_sweep};
const sb_cpu_method sb_pivoted_lu_method = {.engine = ENGINES(pivoted_lu),
                                            .cost = &sb_pivoted_lu_cost,
                                            .pivots = true,
                                            .fits = pivoted,
                                            .configure = no_options,
                                            .levels = one_sweep};

static const sb_cpu_method lanes_method = {
    .engine = ENGINES(lu),
    .drivers = {&sb_lanes_drivers_f32, &sb_lanes_drivers_f64, &sb_lanes_drivers_c64, &sb_lanes_drivers_c128},
    .cost = &sb_lanes_cost,
    .worth = sb_fits_tiles,
    .fits = any_band,
    .configure = isa_and_stretch,
    .levels = one_sweep};

#define CHUNKED                                                                                             \
    {                                                                                                       \
        &sb_chunked_drivers_f32, &sb_chunked_drivers_f64, &sb_chunked_drivers_c64, &sb_chunked_drivers_c128 \
    }
static const sb_cpu_method partition_method = {.engine = ENGINES(lu),
                                               .drivers = CHUNKED,
                                               .cost = &sb_partition_cost,
                                               .worth = sb_fits_chunks,
                                               .parallel_inside = true,
                                               .fits = any_system,
                                               .configure = isa_and_chunk,
                                               .levels = chunks_and_between};
static const sb_cpu_method truncated_method = {.engine = ENGINES(lu),
                                               .drivers = CHUNKED,
                                               .cost = &sb_truncated_cost,
                                               .worth = sb_fits_chunks,
                                               .parallel_inside = true,
                                               .fits = any_band,
                                               .configure = isa_and_span,
                                               .levels = one_pass};
#undef CHUNKED

/* The engines that take matrix and right-hand side through the reduction together. */
#define JOINT(name, by_name_only_, options_, levels_)                          \
    static const sb_cpu_method name##_method = {.engine = ENGINES(name),       \
                                                .cost = &sb_##name##_cost,     \
                                                .by_name_only = by_name_only_, \
                                                .parallel_inside = true,       \
                                                .reads_matrix = true,          \
                                                .fits = tridiagonal,           \
                                                .configure = options_,         \
                                                .levels = levels_}
JOINT(cr, false, no_options, halvings);
JOINT(pcr, true, no_options, halvings);
JOINT(wang_mou, false, no_options, halvings);
JOINT(tpr, true, slices, halvings);
JOINT(pcr_thomas, true, form_and_switch, steps_and_sweep);
#undef JOINT

static const sb_cpu_method cr_toeplitz_method = {.engine = ENGINES(cr_toeplitz),
                                                 .cost = &sb_cr_toeplitz_cost,
                                                 .parallel_inside = true,
                                                 .fits = toeplitz,
                                                 .configure = no_options,
                                                 .levels = halvings};

static const char by_dominance[] = "stable for dominant matrices; auto takes it for these and pivots otherwise";
static const char by_margin[] =
    "stable for matrices dominant by a margin of 1 %; auto takes it for these and pivots otherwise";
static const char by_growth[] = "stable while elements do not grow; auto measures that and pivots otherwise";

static const char by_bound[] = "stable where couplings decay, which it bounds while it solves; partition, or "
                               "for lines lanes, where they do not";
static const char by_chunk[] =
    "stable while elements do not grow; auto measures that in each chunk, and pivots in those where they do";
static const char chunk_options[] = "chunk=R (rows of a chunk, at least 5), isa=NAME (as for lanes), vectors=V "
                                    "(1 or 2, of chunks that go together, "
                                    "with AVX2); with commas between";

const sb_method sb_cpu_methods[] = {
    {{"thomas", "cpu", "tridiagonal", by_growth, "", "Thomas 1949; tpr 2.1"}, &thomas_method},
    {{"twisted", "cpu", "tridiagonal, pentadiagonal", by_growth, "",
      "elimination from both ends: Babuska 1972, van der Vorst 1987"},
     &twisted_method},
    {{"lu", "cpu", "any band up to 8 + 8", by_growth, "", "LU without pivoting"}, &lu_method},
    {{"lanes", "cpu", "any band up to 8 + 8", by_growth,
      "isa=NAME (avx512, avx2, neon or portable: the vectors to use; the widest there are is the default), "
      "stretch=R (rows that a tile of systems side by side holds, at least 16); both with a comma between",
      "LU without pivoting, a system in each vector lane"},
     &lanes_method},
    {{"partition", "cpu", "any band up to 8 + 8; in chunks up to 4 + 4", by_chunk, chunk_options,
      "LU of chunks in vector lanes and cores, and a reduced system between them"},
     &partition_method},
    {{"truncated", "cpu", "any band up to 8 + 8; in one pass up to 4 + 4", by_bound, chunk_options,
      "LU of overlapping chunks in vector lanes and cores"},
     &truncated_method},
    {{"pivoted_lu", "cpu", "any band up to 8 + 8", "as LAPACK's gtsv and gbsv, which pivot alike", "",
      "LU with partial pivoting"},
     &sb_pivoted_lu_method},
    {{"cr", "cpu", "tridiagonal", by_dominance, "", "cyclic reduction: Hockney 1965; tpr 2.2.1, lass II"},
     &cr_method},
    {{"pcr", "cpu", "tridiagonal", by_margin, "",
      "parallel cyclic reduction: Hockney & Jesshope 1988; tpr 2.2.2, lass II"},
     &pcr_method},
    {{"wang_mou", "cpu", "tridiagonal", by_margin, "", "Wang & Mou 1991; tpr 2.2.3"}, &wang_mou_method},
    {{"tpr", "cpu", "tridiagonal", by_margin,
      "slice=S (a power of two: rows of a slice), fast (S = 64, the default), stable (S = 2048)",
      "tree partitioning reduction: Dieguez, Amor & Doallo 2019; tpr 3"},
     &tpr_method},
    {{"pcr_thomas", "cpu", "tridiagonal", by_margin,
      "form=F (plain, overlapped: the default, tasked or shuffled), switch=K (steps of pcr, 0..30; by default "
      "from n and the threads); both with a comma between",
      "PCR + Thomas: Valero-Lara et al. 2019; lass III, IV"},
     &pcr_thomas_method},
    {{"cr_toeplitz", "cpu", "tridiagonal, Toeplitz but for at most one row at each end", by_dominance, "",
      "cyclic reduction with precomputed coefficients; near-toeplitz 3"},
     &cr_toeplitz_method},
};

const int sb_cpu_method_count = sizeof sb_cpu_methods / sizeof *sb_cpu_methods;
