/* Measuring the grid and writing its files. */
#include "bench/grid.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/folder.h"
#include "bench/grid_report.h"
#include "bench/report.h"

typedef struct sb_grid {
    const sb_grid_settings *settings;
    sb_progress *progress;
    sb_failure *failure;
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

static bool measure_case(sb_grid *grid, const sb_grid_case *c, int number, int total)
{
    char what[SB_BENCH_TEXT];
    const sb_grid_settings *s = grid->settings;
    snprintf(what, sizeof what, "%d of %d: %s, %s", number, total, c->family, c->label);
    sb_bench_plan plan = s->plan;
    plan.against = plan.against ? plan.against : c->against;
    plan.skip_unfit = true;
    plan.rules.progress = grid->progress;
    plan.rules.what = what;
    sb_bench_case the_case = c->the_case;
    the_case.scalar = s->scalar;
    sb_grid_entry *entry = &grid->results.entry[grid->results.count];
    entry->the_case = c;
    if (!sb_bench_measure(&the_case, &plan, &entry->result, grid->failure))
        return false;
    grid->results.count += entry->result.methods > 0;
    return true;
}

static bool measure_all(sb_grid *grid)
{
    const sb_grid_case *c;
    int total = 0, number = 0;
    for (int k = 0; (c = sb_grid_case_at(k)); ++k)
        total += !c->large || grid->settings->large;
    grid->results.entry = calloc((size_t)total + 1, sizeof *grid->results.entry);
    if (!grid->results.entry)
        return sb_fail(grid->failure, "not enough memory for the results");
    for (int k = 0; (c = sb_grid_case_at(k)); ++k)
        if ((!c->large || grid->settings->large) && !measure_case(grid, c, ++number, total))
            return false;
    return grid->results.count > 0 || sb_fail(grid->failure, "--methods: none fits any case of the grid");
}

static bool write_files(sb_grid *grid)
{
    if (!sb_grid_write_lines(grid->lines.stream, &grid->results))
        return sb_fail(grid->failure, "not enough memory for the report");
    sb_grid_write_tables(grid->tables.stream, &grid->results);
    const sb_grid_family *family;
    for (int f = 0; (family = sb_grid_family_at(f)); ++f) {
        sb_output chart = {0};
        if (!sb_folder_file(&grid->folder, &chart, family->name, "svg", grid->failure))
            return false;
        sb_grid_write_chart(chart.stream, &grid->results, family);
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
    bool written = open_places(&grid) && measure_all(&grid) && write_files(&grid);
    bool good = written && judge(&grid);
    sb_output_discard(&grid.tables);
    sb_output_discard(&grid.lines);
    if (!written)
        sb_folder_abandon(&grid.folder);
    free(grid.results.entry);
    return good;
}
