/* Names and sizes of benchmark cases. */
#include "bench/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/numbers.h"

typedef struct sb_band_word {
    const char *name;
    int width;
} sb_band_word;

static const sb_band_word bands[] = {{"tri", 1}, {"penta", 2}};
enum { BANDS = sizeof bands / sizeof bands[0] };

error_t sb_bench_parse_band(sb_bench_case *c, const char *text, sb_failure *failure)
{
    for (int k = 0; k < BANDS; ++k) {
        if (!strcmp(text, bands[k].name)) {
            c->lower = c->upper = bands[k].width;
            return 0;
        }
    }
    int lower, upper, used = 0;
    if (sscanf(text, "%1d,%1d%n", &lower, &upper, &used) == 2 && !text[used] && strlen(text) == 3 &&
        lower >= 0 && lower <= SLIMBAND_MAX_BANDWIDTH && upper >= 0 && upper <= SLIMBAND_MAX_BANDWIDTH) {
        c->lower = lower;
        c->upper = upper;
        return 0;
    }
    sb_fail(failure, "--band must be tri, penta or L,U with each in 0..%d, not '%s'", SLIMBAND_MAX_BANDWIDTH,
            text);
    return EINVAL;
}

error_t sb_bench_parse_layout(sb_bench_case *c, const char *text, sb_failure *failure)
{
    bool axis = !strncmp(text, "axis:", 5) && text[5] >= '0' && text[5] <= '2' && !text[6];
    if (axis) {
        c->layout = SB_BENCH_AXIS;
        c->axis = text[5] - '0';
        return 0;
    }
    bool interleaved = !strcmp(text, "interleaved");
    if (interleaved || !strcmp(text, "contiguous")) {
        c->layout = interleaved ? SB_BENCH_INTERLEAVED : SB_BENCH_CONTIGUOUS;
        return 0;
    }
    sb_fail(failure, "--layout must be contiguous, interleaved, axis:0, axis:1 or axis:2, not '%s'", text);
    return EINVAL;
}

void sb_bench_band_name(const sb_bench_case *c, char name[SB_BENCH_NAME])
{
    snprintf(name, SB_BENCH_NAME, "%d,%d", c->lower, c->upper);
    for (int k = 0; k < BANDS; ++k)
        if (c->lower == bands[k].width && c->upper == bands[k].width)
            snprintf(name, SB_BENCH_NAME, "%s", bands[k].name);
}

void sb_bench_layout_name(const sb_bench_case *c, char name[SB_BENCH_NAME])
{
    if (c->layout == SB_BENCH_AXIS)
        snprintf(name, SB_BENCH_NAME, "axis:%d", c->axis);
    else
        snprintf(name, SB_BENCH_NAME, "%s", c->layout == SB_BENCH_INTERLEAVED ? "interleaved" : "contiguous");
}

const char *sb_bench_ends_name(slimband_ends ends)
{
    return ends == SLIMBAND_PERIODIC ? "periodic" : "open";
}

const char *sb_bench_pivoting_name(slimband_pivoting pivoting)
{
    static const char *const names[] = {"auto", "none", "partial"};
    return names[pivoting];
}

const char *sb_bench_coefficients_name(slimband_coefficients coefficients)
{
    static const char *const names[] = {"own", "shared", "toeplitz"};
    return names[coefficients];
}

void sb_bench_describe(const sb_bench_case *c, char text[SB_BENCH_TEXT])
{
    char band[SB_BENCH_NAME], layout[SB_BENCH_NAME], systems[2 * SB_BENCH_NAME] = "";
    sb_bench_band_name(c, band);
    sb_bench_layout_name(c, layout);
    if (c->batch)
        snprintf(systems, sizeof systems, ", %lld systems %s", (long long)c->systems, layout);
    snprintf(text, SB_BENCH_TEXT, "%s: %s, n %lld%s, %s, %s ends, %s coefficients, dominance %g, %s",
             c->batch ? "batch" : "single", sb_scalar_name(c->scalar), (long long)c->n, systems, band,
             sb_bench_ends_name(c->ends), sb_bench_coefficients_name(c->coefficients), c->dominance,
             c->in_place ? "in place" : "out of place");
    size_t used = strlen(text);
    if (c->factored)
        used += (size_t)snprintf(text + used, SB_BENCH_TEXT - used, ", factored before");
    if (c->pivoting != SLIMBAND_PIVOT_AUTO)
        snprintf(text + used, SB_BENCH_TEXT - used, ", pivoting %s", sb_bench_pivoting_name(c->pivoting));
}

/* The divisor of `count` next to its square root, from below. */
static int64_t even_divisor(int64_t count)
{
    int64_t divisor = 1;
    for (int64_t d = 1; d <= count / d; ++d)
        if (count % d == 0)
            divisor = d;
    return divisor;
}

static slimband_status lay_out(const sb_bench_case *c, slimband_problem *p)
{
    if (c->layout == SB_BENCH_CONTIGUOUS)
        return slimband_contiguous(p, c->systems);
    if (c->layout == SB_BENCH_INTERLEAVED)
        return slimband_interleaved(p, c->systems);
    int64_t extents[3], others[2] = {even_divisor(c->systems)};
    others[1] = c->systems / others[0];
    for (int axis = 0, other = 0; axis < 3; ++axis)
        extents[axis] = axis == c->axis ? c->n : others[other++];
    return slimband_along_axis(p, 3, extents, c->axis);
}

slimband_status sb_bench_problem(const sb_bench_case *c, slimband_problem *problem)
{
    slimband_problem p = slimband_banded(c->scalar, c->n, c->lower, c->upper);
    slimband_status status = c->batch ? lay_out(c, &p) : SLIMBAND_OK;
    p.ends = c->ends;
    p.coefficients = c->coefficients;
    p.pivoting = c->pivoting;
    p.one_pass = c->coefficients == SLIMBAND_OWN && !c->factored;
    if (c->coefficients != SLIMBAND_OWN)
        p.matrix = (slimband_layout){.line = 1};
    *problem = p;
    return status ? status : slimband_validate(&p);
}

int sb_bench_words(const sb_bench_case *c)
{
    return c->coefficients == SLIMBAND_OWN ? c->lower + 1 + c->upper + 2 : 2;
}

double sb_bench_rows(const sb_bench_case *c)
{
    return (double)c->n * (double)c->systems;
}

double sb_bench_traffic(const sb_bench_case *c)
{
    return sb_bench_rows(c) * sb_bench_words(c) * (double)sb_number_bytes(c->scalar);
}
