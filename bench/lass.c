/* Sizes, methods and switch points, one after the other. */
#include "bench/lass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ceiling.h"
#include "bench/folder.h"
#include "bench/lass_results.h"
#include "bench/names.h"
#include "bench/ours.h"
#include "bench/report.h"
#include "slimband/method.h"

typedef struct lass {
    const sb_lass_settings *settings;
    sb_progress *progress;
    sb_failure *failure;
    sb_lass_results results;
    sb_folder folder;
    sb_output lines, tables;
    sb_broom broom;
    sb_lass_references references;
} lass;

static bool open_places(lass *l)
{
    return sb_folder_open(&l->folder, l->settings->folder, l->failure) &&
           sb_folder_file(&l->folder, &l->lines, "results", "jsonl", l->failure) &&
           sb_folder_file(&l->folder, &l->tables, "results", "md", l->failure);
}

/* One contender's race, by itself, and its end. */
static bool run_alone(const lass *l, sb_bench_data *data, sb_contender *c, sb_bench_entry *entry)
{
    enum { REPEAT = 3 };
    char what[SB_BENCH_TEXT];
    sb_race_rules rules = l->settings->plan.rules;
    snprintf(what, sizeof what, "n = %lld, %s", (long long)data->problem.n, c->name);
    rules.what = what;
    rules.flush = true;
    rules.broom = &l->broom;
    rules.progress = l->progress;
    rules.repeat = rules.repeat ? rules.repeat : REPEAT;
    bool done = sb_race_run(data, c, 1, &rules, l->failure);
    sb_bench_keep(entry, c);
    sb_contender_close(c);
    return done;
}

static bool measure_method(const lass *l, sb_bench_data *data, sb_lass_size *size, int variant, int steps)
{
    const sb_lass_variant *v = sb_lass_variant_at(variant);
    char name[SB_BENCH_NAME];
    sb_contender c = {0};
    snprintf(name, sizeof name, "%s", v->method);
    if (steps != SB_LASS_CHOSEN)
        snprintf(name, sizeof name, "%s,switch=%d", v->method, steps);
    sb_ours_open(&c, data, name);
    int k = size->result.methods++;
    size->variant[k] = variant;
    size->steps[k] = steps;
    if (!run_alone(l, data, &c, &size->result.method[k]))
        return false;
    sb_lass_references_compare(&l->references, data, size->apart[k]);
    return true;
}

static int chosen_switch_point(sb_bench_data *data, const sb_lass_variant *variant)
{
    sb_contender c = {0};
    sb_ours_open(&c, data, variant->method);
    sb_contender_close(&c);
    return c.levels - 1;
}

/* The first method of a size that was begun is always measured. */
static bool is_late(const lass *l, const sb_lass_size *size)
{
    return size->result.methods > 0 && sb_bench_is_late(&l->settings->plan);
}

static bool measure_variant(const lass *l, sb_bench_data *data, sb_lass_size *size, int variant)
{
    const sb_lass_variant *v = sb_lass_variant_at(variant);
    int told = l->settings->switch_point;
    if (slimband_method_fits(&data->problem, slimband_cpu(0), v->method))
        return true;
    if (!v->switches)
        return measure_method(l, data, size, variant, SB_LASS_CHOSEN);
    if (told >= 0)
        return measure_method(l, data, size, variant, told);
    size->chosen = chosen_switch_point(data, v);
    bool among = size->chosen >= SB_LASS_LEAST_STEPS && size->chosen <= SB_LASS_MOST_STEPS;
    if (!among && !measure_method(l, data, size, variant, SB_LASS_CHOSEN))
        return false;
    for (int steps = SB_LASS_LEAST_STEPS; steps <= SB_LASS_MOST_STEPS && !is_late(l, size); ++steps)
        if (!measure_method(l, data, size, variant, steps))
            return false;
    return true;
}

static bool measure_peers(lass *l, sb_bench_data *data, const sb_bench_names *names, sb_bench_result *result)
{
    for (int k = 0; k < names->peers; ++k) {
        sb_contender c = {0};
        sb_bench_entry *entry = &result->peer[result->peers++];
        sb_peer_open(names->peer[k], &c, data, l->settings->plan.mkl);
        if (!run_alone(l, data, &c, entry))
            return false;
        if (!entry->note[0] && !sb_lass_references_keep(&l->references, data, entry->name))
            return sb_fail(l->failure, "not enough memory for the answers to compare with");
    }
    for (int k = 0; k < sb_ceilings(l->settings->plan.place); ++k) {
        sb_contender c = {0};
        sb_bench_entry entry;
        sb_ceiling_open(&c, data, k);
        if (!run_alone(l, data, &c, &entry))
            return false;
        if (k == 0 || entry.seconds < result->ceiling.seconds)
            result->ceiling = entry;
    }
    return true;
}

static bool measure_size(lass *l, int64_t n)
{
    sb_bench_plan plan = l->settings->plan;
    const sb_bench_case c = {
        .scalar = SLIMBAND_F64, .n = n, .systems = 1, .lower = 1, .upper = 1, .dominance = 2, .in_place = true};
    sb_lass_size *size = &l->results.size[l->results.sizes];
    sb_bench_names names;
    sb_bench_data data;
    plan.methods = "";
    plan.against = plan.against ? plan.against : "thomas,lapack,openblas,mkl,mkl_dominant";
    size->result = (sb_bench_result){
        .the_case = c, .threads = plan.threads, .executor = plan.place->calls->name, .cold = true};
    if (!sb_bench_find_peers(&names, &c, &plan, l->failure) ||
        !sb_bench_data_build(&data, &c, plan.threads, l->failure))
        return false;
    data.problem.pivoting = SLIMBAND_PIVOT_NONE;
    size->chosen = l->settings->switch_point;
    bool done = measure_peers(l, &data, &names, &size->result);
    for (int v = 0; done && sb_lass_variant_at(v) && !is_late(l, size); ++v)
        done = measure_variant(l, &data, size, v);
    sb_lass_references_free(&l->references);
    sb_bench_data_free(&data);
    l->results.sizes += done;
    return done;
}

static bool measure_all(lass *l)
{
    int64_t largest = l->settings->largest ? l->settings->largest : sb_lass_sizes[SB_LASS_SIZES - 1];
    l->results.size = calloc(SB_LASS_SIZES, sizeof *l->results.size);
    if (!l->results.size || !sb_broom_open(&l->broom, l->settings->plan.place))
        return sb_fail(l->failure, "not enough memory for the results");
    if (largest < sb_lass_sizes[0])
        return measure_size(l, largest);
    for (int k = 0; k < SB_LASS_SIZES && sb_lass_sizes[k] <= largest; ++k)
        if (!(k > 0 && sb_bench_is_late(&l->settings->plan)) && !measure_size(l, sb_lass_sizes[k]))
            return false;
    return true;
}

typedef void figure(FILE *out, const void *what, const lass *l);

static bool write_figure(lass *l, const char *name, figure *draw, const void *what)
{
    sb_output chart = {0};
    if (!sb_folder_file(&l->folder, &chart, name, "svg", l->failure))
        return false;
    draw(chart.stream, what, l);
    return sb_output_commit(&chart, l->failure);
}

static void draw_3(FILE *out, const void *cores, const lass *l)
{
    sb_lass_write_figure_3(out, &l->results, *(const int *)cores);
}

static void draw_5(FILE *out, const void *size, const lass *l)
{
    (void)l;
    sb_lass_write_figure_5(out, size);
}

static void draw_6(FILE *out, const void *mean, const lass *l)
{
    sb_lass_write_figure_6(out, &l->results, mean != NULL);
}

static void draw_7(FILE *out, const void *reference, const lass *l)
{
    sb_lass_write_figure_7(out, &l->results, reference);
}

static void draw_8(FILE *out, const void *size, const lass *l)
{
    (void)l;
    sb_lass_write_figure_8(out, size);
}

static bool write_figures(lass *l)
{
    const int cores[] = {48, l->settings->plan.threads};
    const char *const references[] = {"thomas", "lapack", "openblas", "mkl"};
    const sb_lass_size *last = &l->results.size[l->results.sizes - 1];
    char name[SB_BENCH_NAME];
    for (int k = 0; k < 2; ++k) {
        snprintf(name, sizeof name, "figure-3-%d-cores", cores[k]);
        if (!write_figure(l, name, draw_3, &cores[k]))
            return false;
    }
    for (int k = 0; k < l->results.sizes; ++k) {
        snprintf(name, sizeof name, "figure-5-%lld", (long long)l->results.size[k].result.the_case.n);
        if (!write_figure(l, name, draw_5, &l->results.size[k]))
            return false;
    }
    if (!write_figure(l, "figure-6-largest", draw_6, NULL) || !write_figure(l, "figure-6-average", draw_6, l))
        return false;
    for (int k = 0; k < 4; ++k) {
        snprintf(name, sizeof name, "figure-7-%s", references[k]);
        if (sb_lass_peer(last, references[k]) && !write_figure(l, name, draw_7, references[k]))
            return false;
    }
    return l->settings->switch_point >= 0 || write_figure(l, "figure-8", draw_8, last);
}

static bool write_files(lass *l)
{
    if (!sb_lass_write_lines(l->lines.stream, &l->results))
        return sb_fail(l->failure, "not enough memory for the report");
    sb_lass_write_tables(l->tables.stream, &l->results);
    return write_figures(l) && sb_output_commit(&l->tables, l->failure) &&
           sb_output_commit(&l->lines, l->failure);
}

static bool judge(const lass *l)
{
    const sb_bench_entry *first = NULL;
    for (int k = 0; k < l->results.sizes; ++k)
        if (sb_bench_failures(&l->results.size[k].result, &first))
            return sb_fail(l->failure, "n = %lld: %s %s", (long long)l->results.size[k].result.the_case.n,
                           first->name, first->note);
    return true;
}

bool sb_lass_run(const sb_lass_settings *settings, sb_progress *progress, sb_failure *failure)
{
    lass l = {.settings = settings, .progress = progress, .failure = failure};
    bool written = open_places(&l) && measure_all(&l) && write_files(&l);
    bool good = written && judge(&l);
    sb_output_discard(&l.tables);
    sb_output_discard(&l.lines);
    if (!written)
        sb_folder_abandon(&l.folder);
    sb_broom_close(&l.broom);
    free(l.results.size);
    return good;
}
