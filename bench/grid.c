/* Measuring the grid and writing its files. */
#include "bench/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/folder.h"
#include "bench/grid_report.h"
#include "bench/report.h"

typedef struct sb_grid {
    const sb_grid_settings *settings;
    sb_progress *progress;
    sb_failure *failure;
    const sb_grid_set *set;
    sb_grid_case *cases;
    int count;
    sb_grid_results results;
    sb_output lines, tables;
    sb_folder folder;
} sb_grid;

static bool open_places(sb_grid *grid)
{
    const sb_folder *folder = &grid->folder;
    return sb_folder_open(&grid->folder, grid->settings->folder, grid->failure) &&
           sb_folder_file(folder, &grid->lines, "results", "jsonl", grid->failure) &&
           sb_folder_file(folder, &grid->tables, "results", "md", grid->failure);
}

static bool is_wanted(const sb_grid *grid, const sb_grid_case *c)
{
    const sb_grid_settings *s = grid->settings;
    return (!c->large || s->large) && sb_grid_case_is_of(c, s->only);
}

static bool measure_case(sb_grid *grid, const sb_grid_case *c, int number, int total)
{
    enum { QUICK = 7 };
    char what[SB_BENCH_TEXT];
    const double hopeless = 30;
    const sb_grid_settings *s = grid->settings;
    snprintf(what, sizeof what, "%d of %d: %s, %s", number, total, c->family, c->label);
    sb_bench_plan plan = s->plan;
    plan.methods = plan.methods ? plan.methods : c->methods ? c->methods : grid->set->methods;
    plan.against = plan.against ? plan.against : c->against;
    plan.skip_unfit = true;
    plan.rules.give_up = sb_place_is_host(plan.place) ? 0 : hopeless;
    plan.rules.repeat = plan.rules.repeat || !s->quick ? plan.rules.repeat : QUICK;
    plan.rules.progress = grid->progress;
    plan.rules.what = what;
    sb_bench_case the_case = c->the_case;
    the_case.scalar = c->typed ? the_case.scalar : s->scalar;
    sb_grid_entry *entry = &grid->results.entry[grid->results.count++];
    entry->the_case = c;
    return sb_bench_measure(&the_case, &plan, &entry->result, grid->failure);
}

static bool find_cases(sb_grid *grid)
{
    const sb_grid_settings *s = grid->settings;
    grid->set = sb_place_is_host(s->plan.place) ? &sb_grid_host : &sb_grid_cuda;
    int all = grid->set->fill(NULL, s->quick);
    grid->cases = calloc((size_t)all, sizeof *grid->cases);
    grid->results.entry = calloc((size_t)all, sizeof *grid->results.entry);
    if (!grid->cases || !grid->results.entry)
        return sb_fail(grid->failure, "not enough memory for the results");
    grid->results.set = grid->set;
    grid->set->fill(grid->cases, s->quick);
    for (int k = 0; k < all; ++k)
        if (is_wanted(grid, &grid->cases[k]))
            grid->cases[grid->count++] = grid->cases[k];
    return grid->count > 0 || sb_fail(grid->failure, "--only %s: no family of the grid begins so", s->only);
}

static bool measure_all(sb_grid *grid)
{
    int answered = 0;
    for (int k = 0; k < grid->count && !(k > 0 && sb_bench_is_late(&grid->settings->plan)); ++k) {
        if (!measure_case(grid, &grid->cases[k], k + 1, grid->count))
            return false;
        answered += grid->results.entry[k].result.methods > 0;
    }
    grid->results.left_out = grid->count - grid->results.count;
    return answered > 0 || sb_fail(grid->failure, "--methods: none fits any case of the grid");
}

static bool write_files(sb_grid *grid)
{
    if (!sb_grid_write_lines(grid->lines.stream, &grid->results))
        return sb_fail(grid->failure, "not enough memory for the report");
    sb_grid_write_tables(grid->tables.stream, &grid->results);
    for (int k = 0; k < grid->set->charts; ++k) {
        sb_output chart = {0};
        if (!sb_grid_chart_has_points(&grid->results, &grid->set->chart[k]))
            continue;
        if (!sb_folder_file(&grid->folder, &chart, grid->set->chart[k].name, "svg", grid->failure))
            return false;
        sb_grid_write_chart(chart.stream, &grid->results, &grid->set->chart[k]);
        if (!sb_output_commit(&chart, grid->failure))
            return false;
    }
    return sb_output_commit(&grid->tables, grid->failure) && sb_output_commit(&grid->lines, grid->failure);
}

/* Bad numbers are in the files, but they are no success. */
static bool judge(const sb_grid *grid)
{
    const sb_bench_entry *first = NULL;
    for (int k = 0; k < grid->results.count; ++k) {
        const sb_grid_entry *entry = &grid->results.entry[k];
        if (sb_bench_failures(&entry->result, &first))
            return sb_fail(grid->failure, "%s, %s: %s %s", entry->the_case->family, entry->the_case->label,
                           first->name, first->note);
    }
    return true;
}

bool sb_grid_run(const sb_grid_settings *settings, sb_progress *progress, sb_failure *failure)
{
    sb_grid grid = {.settings = settings, .progress = progress, .failure = failure};
    bool written = find_cases(&grid) && open_places(&grid) && measure_all(&grid) && write_files(&grid);
    bool good = written && judge(&grid);
    sb_output_discard(&grid.tables);
    sb_output_discard(&grid.lines);
    if (!written)
        sb_folder_abandon(&grid.folder);
    free(grid.results.entry);
    free(grid.cases);
    return good;
}
