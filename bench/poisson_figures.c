/* Both radices at both places, and their charts. */
#include "bench/poisson_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/folder.h"
#include "bench/report.h"
#include "cli/chart.h"

enum { FIRST = 3, SIZES = 12, CPU = 0, GPU = 1, PLACES = 2, RANKS = 2, LINES = 4 }; /* n = 2^FIRST - 1, ... */

/* Of one rank, one number for each size, NaN where there is none. */
typedef struct series {
    int sizes;
    double seconds[PLACES][2][SIZES], transfer[SIZES], counts[SIZES]; /* [.][0]: radix 2; counts: 2 over 4 */
} series;

typedef struct figures {
    sb_folder folder;
    sb_output lines;
    sb_place place[PLACES];
    int places;
    int64_t repeat;
    series series[RANKS];
    sb_progress progress;
    sb_failure *failure;
} figures;

static int64_t size_at(int k)
{
    return (INT64_C(1) << (FIRST + k)) - 1;
}

static bool write_line(figures *f, const sb_poisson_race *race, const sb_poisson_entry *e, double transfer)
{
    cJSON *tree = sb_poisson_json(race, e, NULL);
    cJSON_AddNumberToObject(tree, "transfer_ns_per_point", 1e9 * transfer / (double)race->points);
    char *text = cJSON_PrintUnformatted(tree);
    if (text)
        fprintf(f->lines.stream, "%s\n", text);
    cJSON_Delete(tree);
    cJSON_free(text);
    return text || sb_fail(f->failure, "not enough memory for the results");
}

static bool keep(figures *f, sb_poisson_race *race, int rank, int k, int place)
{
    series *s = &f->series[rank - 2];
    double subproblems[2] = {0, 0}, transfer = sb_poisson_race_transfer(race);
    for (int e = 0; e < 2; ++e) {
        slimband_poisson_report report;
        s->seconds[place][e][k] = race->entry[e].seconds;
        if (slimband_poisson_plan_report(race->entry[e].plan, &report) ||
            !write_line(f, race, &race->entry[e], transfer))
            return false;
        subproblems[e] = (double)report.subproblems;
    }
    s->counts[k] = subproblems[0] / subproblems[1];
    if (place == GPU)
        s->transfer[k] = transfer;
    return true;
}

static bool measure(figures *f, int rank, int k, int place)
{
    sb_poisson_race race;
    int64_t n = size_at(k), size[] = {n, n, n};
    slimband_poisson_problem problem = slimband_poisson(SLIMBAND_F64, rank, size);
    bool good = sb_poisson_race_open(&race, &f->place[place], &problem, f->failure) &&
                sb_poisson_race_add(&race, "bcr2,bcr4") &&
                sb_poisson_race_run(&race, f->repeat, &f->progress) && keep(f, &race, rank, k, place);
    sb_poisson_race_close(&race);
    return good;
}

static bool measure_all(figures *f, const int64_t *largest)
{
    for (int rank = 2; rank <= 3; ++rank) {
        series *s = &f->series[rank - 2];
        for (; s->sizes < SIZES && size_at(s->sizes) <= largest[rank - 2]; ++s->sizes)
            for (int place = 0; place < f->places; ++place)
                if (!measure(f, rank, s->sizes, place))
                    return false;
    }
    return true;
}

typedef struct figure {
    const char *name, *title;
    int rows, lines;
    sb_chart_line line[LINES];
    double values[LINES][SIZES];
} figure;

static double *add_line(figure *g, const char *name, const char *colour)
{
    int k = g->lines++;
    g->line[k] = (sb_chart_line){name, colour, 2, true, g->values[k]};
    for (int row = 0; row < SIZES; ++row)
        g->values[k][row] = NAN;
    return g->values[k];
}

static bool draw(figures *f, const figure *g)
{
    sb_output chart = {0};
    char label[SIZES][24], machine[2 * SB_BENCH_TEXT];
    const char *labels[SIZES];
    sb_bench_result about = {.threads = f->place[CPU].threads};
    if (f->places > GPU)
        memcpy(about.device, f->place[GPU].machine, sizeof about.device);
    sb_bench_describe_machine(machine, &about);
    for (int k = 0; k < g->rows; ++k) {
        snprintf(label[k], sizeof label[k], "%lld", (long long)size_at(k));
        labels[k] = label[k];
    }
    if (!sb_folder_file(&f->folder, &chart, g->name, "svg", f->failure))
        return false;
    sb_chart_write(chart.stream, &(sb_chart){g->title, machine, g->rows, labels, g->lines, g->line});
    return sb_output_commit(&chart, f->failure);
}

/* Figures 3 and 4: how much longer radix 2 takes. */
static bool draw_radices(figures *f, int rank)
{
    const series *s = &f->series[rank - 2];
    figure g = {.name = rank == 2 ? "figure-3" : "figure-4", .rows = s->sizes};
    g.title = rank == 2 ? "n x n: time of bcr2 over that of bcr4, by n"
                        : "n x n x n: time of bcr2 over that of bcr4, by n";
    static const char *const names[] = {"CPU", "GPU"}, *const colours[] = {"#1f77b4", "#c8342b"};
    for (int place = 0; place < f->places; ++place) {
        double *values = add_line(&g, names[place], colours[place]);
        for (int k = 0; k < s->sizes; ++k)
            values[k] = s->seconds[place][0][k] / s->seconds[place][1][k];
    }
    double *expected = add_line(&g, "sub-problems", "#8fa3bf");
    memcpy(expected, s->counts, sizeof s->counts[0] * (size_t)s->sizes);
    return s->sizes == 0 || draw(f, &g);
}

/* Figure 5: what the GPU gains over the CPU, without and with the way there. */
static bool draw_places(figures *f)
{
    figure g = {.name = "figure-5", .title = "bcr4: the CPU's time over the GPU's, by n"};
    static const char *const names[] = {"2-D", "2-D with transfer", "3-D", "3-D with transfer"},
                             *const colours[] = {"#c8342b", "#e0a030", "#1f77b4", "#8fa3bf"};
    for (int line = 0; line < LINES; ++line) {
        const series *s = &f->series[line / 2];
        double *values = add_line(&g, names[line], colours[line]);
        g.rows = s->sizes > g.rows ? s->sizes : g.rows;
        for (int k = 0; k < s->sizes; ++k)
            values[k] = s->seconds[CPU][1][k] / (s->seconds[GPU][1][k] + (line % 2 ? s->transfer[k] : 0));
    }
    return f->places == CPU + 1 || g.rows == 0 || draw(f, &g);
}

/* The host, and a GPU if there is one. */
static bool open_places(figures *f, int threads)
{
    sb_failure absent = {0};
    if (!sb_place_open(&f->place[CPU], CPU, threads, f->failure))
        return false;
    f->places = 1 + sb_place_open(&f->place[GPU], GPU, threads, &absent);
    if (f->places == 1)
        printf("without a GPU: %s\n", absent.text);
    return true;
}

bool sb_poisson_figures(const char *folder, const int64_t *largest, int given, int threads, int64_t repeat,
                        sb_failure *failure)
{
    const int64_t sizes[RANKS] = {given > 0 ? largest[0] : 4095, given > 1 ? largest[1] : 255};
    figures *f = calloc(1, sizeof *f);
    if (!f)
        return sb_fail(failure, "not enough memory for the results");
    f->failure = failure;
    f->repeat = repeat;
    sb_progress_begin(&f->progress);
    bool good = sb_folder_open(&f->folder, folder, failure) &&
                sb_folder_file(&f->folder, &f->lines, "results", "jsonl", failure) && open_places(f, threads) &&
                measure_all(f, sizes) && draw_radices(f, 2) && draw_radices(f, 3) && draw_places(f);
    sb_progress_end(&f->progress);
    good = good && sb_output_commit(&f->lines, failure);
    sb_output_discard(&f->lines);
    if (good)
        printf("times and figures are in %s\n", folder);
    else if (f->folder.path)
        sb_folder_abandon(&f->folder);
    for (int place = 0; place < f->places; ++place)
        sb_place_close(&f->place[place]);
    free(f);
    return good;
}
