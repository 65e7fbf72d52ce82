/* Charts of a grid: groups of bars, or lines along one size. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bars.h"
#include "bench/grid_report.h"
#include "bench/report.h"
#include "cli/chart.h"
#include "cli/numbers.h"

enum { LINES = 48, ROWS = 32, NAME = 96 };

static const char *const colours[] = {"#c8342b", "#1f77b4", "#3a7d44", "#e0a030", "#7d5ba6", "#222b38",
                                      "#d62fa0", "#8fa3bf", "#8c564b", "#17a2a2", "#9aa500", "#566070"};
enum { COLOURS = sizeof colours / sizeof *colours };

typedef struct curves {
    int count, rows;
    int64_t at[ROWS]; /* along the axis, ascending */
    char label[ROWS][24], name[LINES][NAME];
    double values[LINES][ROWS];
} curves;

static bool is_within(int64_t value, int64_t least, int64_t most)
{
    return value >= least && (most == 0 || value <= most);
}

static bool is_in(const sb_grid_entry *entry, const sb_grid_chart *chart)
{
    const sb_bench_case *c = &entry->result.the_case;
    return !strcmp(entry->the_case->family, chart->family) && entry->result.methods > 0 &&
           is_within(c->n, chart->least_n, chart->most_n) &&
           is_within(c->systems, chart->least_systems, chart->most_systems);
}

static void write_bars(FILE *out, const sb_grid_results *results, const sb_grid_chart *chart,
                       const sb_bench_result *first)
{
    const char *labels[ROWS];
    const sb_bench_result *groups[ROWS];
    char title[SB_BENCH_TEXT], machine[2 * SB_BENCH_TEXT];
    sb_bars bars = {.title = title, .subtitle = machine, .labels = labels, .results = groups};
    for (int k = 0; k < results->count && bars.groups < ROWS; ++k) {
        const sb_grid_entry *entry = &results->entry[k];
        if (!is_in(entry, chart))
            continue;
        labels[bars.groups] = entry->the_case->label;
        groups[bars.groups++] = &entry->result;
    }
    snprintf(title, sizeof title, "%s: ns a row, %s", chart->title, sb_scalar_name(first->the_case.scalar));
    sb_bench_describe_machine(machine, first);
    sb_bars_write(out, &bars);
}

/* The row for this place along the axis, put between the others if it is new; negative if there are too many. */
static int row_at(curves *c, int64_t value)
{
    int row = 0;
    while (row < c->rows && c->at[row] < value)
        ++row;
    if (row < c->rows && c->at[row] == value)
        return row;
    if (c->rows == ROWS)
        return -1;
    memmove(&c->at[row + 1], &c->at[row], (size_t)(c->rows - row) * sizeof c->at[0]);
    c->at[row] = value;
    ++c->rows;
    return row;
}

static double *line_named(curves *c, const char *name)
{
    int k = 0;
    while (k < c->count && strcmp(c->name[k], name))
        ++k;
    if (k == LINES)
        return NULL;
    if (k == c->count) {
        snprintf(c->name[k], NAME, "%s", name);
        for (int row = 0; row < ROWS; ++row)
            c->values[k][row] = NAN;
        ++c->count;
    }
    return c->values[k];
}

static int64_t along(const sb_grid_chart *chart, const sb_bench_case *c)
{
    return chart->along_systems ? c->systems : c->n;
}

static bool is_one_line(const sb_grid_chart *chart)
{
    return chart->values == SB_GRID_RELATIVE || chart->least_systems == chart->most_systems;
}

/* One entry of a result as a point of its line. */
static void add_value(curves *c, const sb_grid_chart *chart, const sb_bench_result *r, const sb_bench_entry *e)
{
    char name[NAME];
    const sb_bench_entry *peer = sb_bench_fastest(r->peer, r->peers),
                         *method = sb_bench_fastest(r->method, r->methods);
    const sb_bench_entry *best = method && peer && peer->seconds < method->seconds ? peer : method;
    if (is_one_line(chart))
        snprintf(name, sizeof name, "%s", e->name);
    else
        snprintf(name, sizeof name, "%s, %s %lld", e->name, chart->along_systems ? "n" : "batch",
                 (long long)(chart->along_systems ? r->the_case.n : r->the_case.systems));
    double *line = line_named(c, name);
    int row = row_at(c, along(chart, &r->the_case));
    const sb_bench_entry *reference = chart->values == SB_GRID_SPEEDUP ? peer : best;
    if (!line || row < 0 || e->note[0] || !reference)
        return;
    line[row] = reference->seconds / e->seconds;
}

static bool has_line(const sb_grid_chart *chart, const char *method)
{
    size_t length = strlen(method);
    for (const char *word = chart->methods; word && *word; word += strspn(word, ",")) {
        size_t here = strcspn(word, ",");
        if (here == length && !memcmp(word, method, length))
            return true;
        word += here;
    }
    return chart->methods == NULL;
}

static void add_result(curves *c, const sb_grid_chart *chart, const sb_bench_result *r)
{
    for (int m = 0; m < r->methods; ++m)
        if (has_line(chart, r->method[m].name))
            add_value(c, chart, r, &r->method[m]);
    for (int p = 0; chart->values == SB_GRID_RELATIVE && p < r->peers; ++p)
        add_value(c, chart, r, &r->peer[p]);
}

static void draw(FILE *out, curves *c, const sb_grid_chart *chart, const sb_bench_result *first)
{
    char machine[2 * SB_BENCH_TEXT], title[SB_BENCH_TEXT];
    sb_chart_line lines[LINES];
    const char *labels[ROWS];
    sb_bench_describe_machine(machine, first);
    snprintf(title, sizeof title, "%s, by %s", chart->title, chart->along_systems ? "systems" : "unknowns");
    for (int k = 0; k < c->count; ++k)
        lines[k] = (sb_chart_line){.name = c->name[k],
                                   .colour = colours[k % COLOURS],
                                   .width = 2,
                                   .dots = true,
                                   .values = c->values[k]};
    for (int row = 0; row < c->rows; ++row) {
        snprintf(c->label[row], sizeof c->label[row], "%lld", (long long)c->at[row]);
        labels[row] = c->label[row];
    }
    sb_chart_write(out, &(sb_chart){.title = title,
                                    .subtitle = machine,
                                    .rows = c->rows,
                                    .labels = labels,
                                    .lines = c->count,
                                    .line = lines});
}

static const sb_bench_result *first_of(const sb_grid_results *results, const sb_grid_chart *chart)
{
    for (int k = 0; k < results->count; ++k)
        if (is_in(&results->entry[k], chart))
            return &results->entry[k].result;
    return NULL;
}

bool sb_grid_chart_has_points(const sb_grid_results *results, const sb_grid_chart *chart)
{
    return first_of(results, chart) != NULL;
}

void sb_grid_write_chart(FILE *out, const sb_grid_results *results, const sb_grid_chart *chart)
{
    const sb_bench_result *first = first_of(results, chart);
    if (chart->values == SB_GRID_BARS) {
        write_bars(out, results, chart, first);
        return;
    }
    curves c = {0};
    for (int k = 0; k < results->count; ++k)
        if (is_in(&results->entry[k], chart))
            (void)row_at(&c, along(chart, &results->entry[k].result.the_case));
    for (int k = 0; k < results->count; ++k)
        if (is_in(&results->entry[k], chart))
            add_result(&c, chart, &results->entry[k].result);
    draw(out, &c, chart, first);
}
