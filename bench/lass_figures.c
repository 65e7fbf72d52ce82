/* Figures 3 and 5 to 8 of the LASs paper. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bars.h"
#include "bench/lass_results.h"
#include "bench/report.h"
#include "cli/chart.h"

enum { LINES_MOST = 9, LABEL = 24 };

static const char *const colours[LINES_MOST] = {"#8fa3bf", "#c8342b", "#e0a030", "#3a7d44", "#7d5ba6",
                                                "#566070", "#222b38", "#1f77b4", "#d62fa0"};

/* Lines of up to 8 points, each with a name. */
typedef struct lines {
    int count, rows;
    sb_chart_line line[LINES_MOST];
    double values[LINES_MOST][8];
    char name[LINES_MOST][SB_BENCH_NAME], label[8][LABEL];
    const char *labels[8];
} lines;

static double *add_line(lines *l, const char *name)
{
    int k = l->count++;
    snprintf(l->name[k], sizeof l->name[k], "%s", name);
    l->line[k] = (sb_chart_line){
        .name = l->name[k], .colour = colours[k], .width = 2, .dots = true, .values = l->values[k]};
    return l->values[k];
}

static void add_row(lines *l, long long label)
{
    snprintf(l->label[l->rows], LABEL, "%lld", label);
    l->labels[l->rows] = l->label[l->rows];
    ++l->rows;
}

static void draw(FILE *out, const lines *l, const char *title, const char *subtitle)
{
    const sb_chart chart = {.title = title,
                            .subtitle = subtitle,
                            .rows = l->rows,
                            .labels = l->labels,
                            .lines = l->count,
                            .line = l->line};
    sb_chart_write(out, &chart);
}

void sb_lass_write_figure_3(FILE *out, const sb_lass_results *results, int cores)
{
    lines l = {0};
    char title[SB_BENCH_TEXT];
    for (int steps = 0; steps <= SB_LASS_MOST_STEPS; ++steps)
        add_row(&l, steps);
    for (int k = 0; k < results->sizes; ++k) {
        int64_t n = results->size[k].result.the_case.n;
        char name[LABEL];
        snprintf(name, sizeof name, "%lld", (long long)n);
        double *values = add_line(&l, name);
        for (int steps = 0; steps <= SB_LASS_MOST_STEPS; ++steps)
            values[steps] = 1e-6 * sb_lass_operations(n, cores, steps);
    }
    snprintf(title, sizeof title, "PCR + Thomas: millions of operations by switch point");
    char subtitle[SB_BENCH_TEXT];
    snprintf(subtitle, sizeof subtitle, "computed for the busiest of %d core%s", cores, cores == 1 ? "" : "s");
    draw(out, &l, title, subtitle);
}

/* Under the paper's names; the fastest first, which the peers are then compared with. */
static void rename_methods(const sb_lass_size *size, sb_bench_result *result)
{
    int best = 0;
    for (int k = 0; k < result->methods; ++k) {
        sb_bench_entry *e = &result->method[k];
        const sb_lass_variant *v = sb_lass_variant_at(size->variant[k]);
        snprintf(e->name, sizeof e->name, "%s", v->name);
        if (v->switches)
            snprintf(e->name, sizeof e->name, "%s %s %d", v->name,
                     size->chosen == e->levels - 1 ? "chose" : "at", e->levels - 1);
        best = !e->note[0] && e->seconds < result->method[best].seconds ? k : best;
    }
    sb_bench_entry first = result->method[best];
    for (int k = best; k > 0; --k)
        result->method[k] = result->method[k - 1];
    result->method[0] = first;
}

void sb_lass_write_figure_5(FILE *out, const sb_lass_size *size)
{
    char title[SB_BENCH_TEXT], machine[2 * SB_BENCH_TEXT];
    sb_bench_result renamed = size->result;
    const sb_bench_result *result = &renamed;
    const char *label = "cold caches, in place, no pivoting but for LAPACKs";
    rename_methods(size, &renamed);
    snprintf(title, sizeof title, "One system of %lld unknowns: ns a row, by switch point",
             (long long)result->the_case.n);
    sb_bench_describe_machine(machine, result);
    sb_bars_write(out, &(sb_bars){title, machine, 1, &label, &result});
}

static const sb_bench_entry *as_in_figure_6(const sb_lass_size *size, int variant)
{
    enum { STEPS = 3 };
    const sb_bench_entry *at = sb_lass_at(size, variant, STEPS);
    return at ? at : sb_lass_best(size, variant);
}

void sb_lass_write_figure_6(FILE *out, const sb_lass_results *results, bool mean)
{
    static const char *const references[SB_LASS_REFERENCES] = {"Thomas", "gtsv"};
    lines l = {0};
    const sb_lass_variant *v;
    for (int k = 0; k < results->sizes; ++k)
        add_row(&l, results->size[k].result.the_case.n);
    for (int i = 0; (v = sb_lass_variant_at(i)); ++i)
        for (int which = 0; which < SB_LASS_REFERENCES; ++which) {
            if (strcmp(v->name, "P+TO") && strcmp(v->name, "PCR"))
                continue;
            char name[SB_BENCH_NAME];
            snprintf(name, sizeof name, "%s from %s", v->name, references[which]);
            double *values = add_line(&l, name);
            for (int k = 0; k < results->sizes; ++k) {
                const sb_lass_size *size = &results->size[k];
                const sb_lass_apart *apart = sb_lass_apart_of(size, as_in_figure_6(size, i));
                values[k] = !apart ? NAN : 1e16 * (mean ? apart[which].mean : apart[which].most);
            }
        }
    draw(out, &l, mean ? "Average difference, in units of 1e-16" : "Largest difference, in units of 1e-16",
         "P+TO with 3 steps of PCR");
}

void sb_lass_write_figure_7(FILE *out, const sb_lass_results *results, const char *reference)
{
    lines l = {0};
    char title[SB_BENCH_TEXT], machine[2 * SB_BENCH_TEXT];
    const sb_lass_variant *v;
    for (int k = 0; k < results->sizes; ++k)
        add_row(&l, results->size[k].result.the_case.n);
    for (int i = 0; (v = sb_lass_variant_at(i)); ++i) {
        if (!sb_lass_best(&results->size[0], i))
            continue;
        double *values = add_line(&l, v->name);
        for (int k = 0; k < results->sizes; ++k) {
            const sb_bench_entry *best = sb_lass_best(&results->size[k], i);
            const sb_bench_entry *peer = sb_lass_peer(&results->size[k], reference);
            values[k] = best && peer ? sb_bench_ratio(best, peer) : NAN;
        }
    }
    snprintf(title, sizeof title, "Times as fast as %s, each at its best switch point", reference);
    sb_bench_describe_machine(machine, &results->size[0].result);
    draw(out, &l, title, "");
}

void sb_lass_write_figure_8(FILE *out, const sb_lass_size *size)
{
    lines l = {0};
    char title[SB_BENCH_TEXT];
    const sb_lass_variant *v;
    for (int steps = SB_LASS_LEAST_STEPS; steps <= SB_LASS_MOST_STEPS; ++steps)
        add_row(&l, steps);
    for (int i = 0; (v = sb_lass_variant_at(i)); ++i) {
        if (!v->switches)
            continue;
        double *values = add_line(&l, v->name);
        for (int row = 0; row < l.rows; ++row) {
            const sb_bench_entry *e = sb_lass_at(size, i, SB_LASS_LEAST_STEPS + row);
            values[row] = e ? 1e3 * e->seconds : NAN;
        }
    }
    snprintf(title, sizeof title, "Milliseconds by switch point, n = %lld", (long long)size->result.the_case.n);
    draw(out, &l, title, "");
}
