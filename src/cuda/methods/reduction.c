/* The papers' methods: cr, pcr, pcr_thomas, wang_mou, tpr and cr_toeplitz. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/cuda/methods/methods.h"
#include "src/cuda/reduction/plan.h"

/* What is common to these methods. */
static slimband_status fits_any(const sb_cuda_setup *setup, sb_reduction_method method)
{
    const slimband_problem *p = setup->problem;
    sb_reduction plan;
    if (p->lower != 1 || p->upper != 1)
        return SLIMBAND_METHOD_NEEDS_TRIDIAGONAL;
    if (p->ragged)
        return SLIMBAND_METHOD_NEEDS_EQUAL_LENGTHS;
    if (p->ends == SLIMBAND_PERIODIC)
        return SLIMBAND_METHOD_NEEDS_OPEN_ENDS;
    if (sb_reduction_of(method, setup, &plan))
        return SLIMBAND_OK;
    return method == SB_TPR ? SLIMBAND_UNKNOWN_OPTION : SLIMBAND_METHOD_NEEDS_SHORTER_LINES;
}

static bool copies(const sb_cuda_setup *setup)
{
    return !setup->problem->one_pass || setup->matrices < setup->systems;
}

static size_t stored_of(const sb_cuda_setup *setup, sb_reduction_method method)
{
    if (method == SB_CR_TOEPLITZ)
        return (36 * (size_t)sb_cr_levels(setup->longest) + 8) * setup->scalar_bytes; /* near_toeplitz.h */
    size_t matrix = sb_times(3 * setup->scalar_bytes, (size_t)sb_reduction_pitch(setup->longest));
    return copies(setup) ? sb_times(matrix, (size_t)setup->matrices) : 0;
}

static sb_cuda_sizes sizes_any(const sb_cuda_setup *setup, sb_reduction_method method)
{
    sb_reduction plan;
    sb_reduction_of(method, setup, &plan);
    size_t keys = sb_times(sizeof(uint64_t), (size_t)plan.together) / 256 * 256 + 256;
    size_t rooms = sb_times(sb_times((size_t)plan.room, setup->scalar_bytes), (size_t)plan.together);
    return (sb_cuda_sizes){.stored = stored_of(setup, method), .scratch = sb_plus(keys, rooms)};
}

static void prepare_any(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE], sb_reduction_method method)
{
    _Static_assert(sizeof(sb_reduction) <= SB_CUDA_STATE * sizeof(int64_t), "the plan fits the state");
    sb_reduction_of(method, setup, (sb_reduction *)state);
}

/* What all levels but the first have together, of what they would have if each had as many rows as the first. */
static double beyond(int levels)
{
    return levels > 0 ? 1 - exp2(-levels) : 0;
}

/* Words a row, as the comments on the kernels count them. */
static double words_any(const sb_cuda_setup *setup, sb_reduction_method method)
{
    const double whole = 5, again = 4;
    sb_reduction plan;
    sb_reduction_of(method, setup, &plan);
    switch (method) {
    case SB_CR:
        return plan.levels ? 11.5 + 9.5 * beyond(plan.levels) : whole + again;
    case SB_PCR:
        return 8 * plan.levels + whole;
    case SB_PCR_THOMAS:
        return plan.thomas_alone ? 8 * plan.levels + 13 : whole;
    case SB_WANG_MOU:
        return plan.levels ? 13 : whole;
    case SB_TPR:
        return 13;
    case SB_CR_TOEPLITZ:
        return plan.levels ? 4 + 4 * beyond(plan.levels) : 3;
    }
    return whole;
}

static int halvings(const sb_cuda_setup *setup)
{
    int levels = 1;
    for (int64_t n = setup->longest / 2; n > 0; n /= 2)
        ++levels;
    return levels;
}

static int steps_and_sweep(const sb_cuda_setup *setup)
{
    sb_reduction plan;
    sb_reduction_of(SB_PCR_THOMAS, setup, &plan);
    return plan.steps + 1;
}

/* Levels by launches of their own take at least these; blocks wait for their own steps. Matrices that are not dominant go
   to pivoted_lu: under pivoting auto a tenth of them is taken to be that. */
static double cost_any(const sb_cuda_setup *setup, sb_reduction_method method)
{
    const double bytes_per_microsecond = 2e6, launch_microseconds = 3, step_microseconds = 0.5, hopeless = 0.1;
    sb_reduction plan;
    sb_reduction_of(method, setup, &plan);
    double rows = (double)setup->systems * (double)setup->longest;
    double waves = ceil((double)setup->systems / (double)(plan.together > 0 ? plan.together : 1));
    double launches = waves * (1 + 2 * plan.levels), steps = 2.0 * halvings(setup) * step_microseconds;
    double traffic = rows * words_any(setup, method) * (double)setup->scalar_bytes / bytes_per_microsecond;
    double rescue =
        setup->problem->pivoting == SLIMBAND_PIVOT_AUTO ? hopeless * sb_cuda_pivoted_lu_method.cost(setup) : 0;
    return launches * launch_microseconds + steps + traffic + rescue;
}

/* Rounding errors can exceed elimination's: see docs/methods.md. */
static double by_name_only(const sb_cuda_setup *setup)
{
    (void)setup;
    return INFINITY;
}

/* The functions of one of them. */
#define REDUCTION(name, method)                                            \
    static slimband_status fits_##name(const sb_cuda_setup *setup)         \
    {                                                                      \
        return fits_any(setup, method);                                    \
    }                                                                      \
    static sb_cuda_sizes sizes_##name(const sb_cuda_setup *setup)          \
    {                                                                      \
        return sizes_any(setup, method);                                   \
    }                                                                      \
    static void prepare_##name(const sb_cuda_setup *setup, int64_t *state) \
    {                                                                      \
        prepare_any(setup, state, method);                                 \
    }                                                                      \
    static double words_##name(const sb_cuda_setup *setup)                 \
    {                                                                      \
        return words_any(setup, method);                                   \
    }                                                                      \
    SB_CUDA_DECLARE(name)
REDUCTION(cr, SB_CR)
REDUCTION(pcr, SB_PCR)
REDUCTION(pcr_thomas, SB_PCR_THOMAS)
REDUCTION(wang_mou, SB_WANG_MOU)
REDUCTION(tpr, SB_TPR)
REDUCTION(cr_toeplitz, SB_CR_TOEPLITZ)
#undef REDUCTION

static double cost_cr(const sb_cuda_setup *setup)
{
    return cost_any(setup, SB_CR);
}

static double cost_toeplitz(const sb_cuda_setup *setup)
{
    return cost_any(setup, SB_CR_TOEPLITZ);
}

static slimband_status fits_toeplitz(const sb_cuda_setup *setup)
{
    const slimband_problem *p = setup->problem;
    bool toeplitz = p->coefficients == SLIMBAND_TOEPLITZ && p->toeplitz_first <= 1 && p->toeplitz_last <= 1;
    bool band = p->lower == 1 && p->upper == 1;
    return band && !toeplitz ? SLIMBAND_METHOD_NEEDS_TOEPLITZ : fits_cr_toeplitz(setup);
}

/* "name=K" as a whole, least <= K <= most: K, or -1. */
static int64_t number(const char *option, const char *name, int64_t least, int64_t most)
{
    size_t length = strlen(name);
    if (strncmp(option, name, length) || option[length] < '0' || option[length] > '9')
        return -1;
    char *end;
    long long value = strtoll(option + length, &end, 10);
    return *end || value < least || value > most ? -1 : value;
}

/* "" or "fast", "stable", "slice=S" with S a power of two */
static slimband_status slices(const char *options, sb_cuda_options *parsed)
{
    parsed->form = !strcmp(options, "stable");
    if (!*options || !strcmp(options, "fast") || parsed->form)
        return SLIMBAND_OK;
    parsed->slice = number(options, "slice=", 2, 1 << 30);
    return parsed->slice > 0 && !(parsed->slice & (parsed->slice - 1)) ? SLIMBAND_OK : SLIMBAND_UNKNOWN_OPTION;
}

/* "" or "switch=K", after "form=plain" or not: rows stay in their order, which is what neighbouring threads read side
   by side */
static slimband_status switch_point(const char *options, sb_cuda_options *parsed)
{
    static const char form[] = "form=plain";
    parsed->steps = -1;
    bool formed = !strncmp(options, form, sizeof form - 1);
    options += formed ? sizeof form - 1 : 0;
    if (!*options)
        return SLIMBAND_OK;
    if (formed && *options++ != ',')
        return SLIMBAND_UNKNOWN_OPTION;
    parsed->steps = (int)number(options, "switch=", 0, 30);
    return parsed->steps < 0 ? SLIMBAND_UNKNOWN_OPTION : SLIMBAND_OK;
}

static slimband_status memory(const char *options, sb_cuda_options *parsed)
{
    static const char *const forms[] = {
        [SB_FORM_CHOSEN] = "", [SB_FORM_SHARED] = "form=shared", [SB_FORM_GLOBAL] = "form=global"};
    for (int form = SB_FORM_CHOSEN; form <= SB_FORM_GLOBAL; ++form)
        if (!strcmp(options, forms[form])) {
            parsed->form = form;
            return SLIMBAND_OK;
        }
    return SLIMBAND_UNKNOWN_OPTION;
}

#define METHOD(name, fits_, configure_, cost_, levels_)                        \
    const sb_cuda_method sb_cuda_##name##_method = {.configure = configure_,   \
                                                    .fits = fits_,             \
                                                    .cost = cost_,             \
                                                    .sizes = sizes_##name,     \
                                                    .prepare = prepare_##name, \
                                                    .levels = levels_,         \
                                                    .words = words_##name,     \
                                                    .launchers = SB_CUDA_LAUNCHERS(name)}
METHOD(cr, fits_cr, NULL, cost_cr, halvings);
METHOD(pcr, fits_pcr, NULL, by_name_only, halvings);
METHOD(pcr_thomas, fits_pcr_thomas, switch_point, by_name_only, steps_and_sweep);
METHOD(wang_mou, fits_wang_mou, NULL, by_name_only, halvings);
METHOD(tpr, fits_tpr, slices, by_name_only, halvings);
METHOD(cr_toeplitz, fits_toeplitz, memory, cost_toeplitz, halvings);
