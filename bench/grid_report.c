/* JSON lines, Markdown and charts of a grid. */
#include "bench/grid_report.h"

#include <string.h>

#include "bench/report.h"

static bool write_line(FILE *out, const sb_grid_entry *entry, int method)
{
    const sb_grid_case *c = entry->the_case;
    cJSON *row = sb_bench_json(&entry->result, method);
    cJSON_AddStringToObject(row, "family", c->family);
    cJSON_AddStringToObject(row, "label", c->label);
    if (c->target)
        cJSON_AddStringToObject(row, "target", c->target);
    char *text = row ? cJSON_PrintUnformatted(row) : NULL;
    cJSON_Delete(row);
    if (text)
        fprintf(out, "%s\n", text);
    cJSON_free(text);
    return text != NULL;
}

bool sb_grid_write_lines(FILE *out, const sb_grid_results *results)
{
    for (int k = 0; k < results->count; ++k) {
        const sb_grid_entry *entry = &results->entry[k];
        for (int m = 0; m < entry->result.methods; ++m)
            if (!write_line(out, entry, m))
                return false;
        if (!entry->result.methods && !write_line(out, entry, SB_BENCH_REFUSED))
            return false;
    }
    return true;
}

/* "lapack 21.40 (17.4 times), mkl not installed" */
static void write_peers(FILE *out, const sb_bench_result *r, const sb_bench_entry *method)
{
    for (int k = 0; k < r->peers; ++k) {
        const sb_bench_entry *peer = &r->peer[k];
        fprintf(out, "%s%s ", k ? ", " : "", peer->name);
        if (peer->note[0])
            fputs(peer->note, out);
        else
            fprintf(out, "%.2f", sb_bench_ns_per_row(r, peer));
        if (!peer->note[0] && !method->note[0])
            fprintf(out, " (%.1f times)", sb_bench_ratio(method, peer));
    }
}

static void write_row(FILE *out, const sb_grid_entry *entry, const sb_bench_entry *method)
{
    const sb_bench_result *r = &entry->result;
    fprintf(out, "| %s | %s ", entry->the_case->label, method->name);
    if (method->about[0])
        fprintf(out, "(%s) ", method->about);
    if (method->note[0])
        fprintf(out, "| %s | | | ", method->note);
    else
        fprintf(out, "| %.3f | %.1f | %.0f %% | %.0e ", sb_bench_ns_per_row(r, method),
                sb_bench_gb_per_s(r, method), 100 * sb_bench_ceiling_fraction(r, method), method->residual);
    fputs("| ", out);
    write_peers(out, r, method);
    fputs(" |\n", out);
}

/* The fastest method of a case; what a case is worth to a reader in a hurry. */
static void write_summary_row(FILE *out, const sb_grid_entry *entry)
{
    const sb_bench_result *r = &entry->result;
    const sb_bench_entry *best = sb_bench_fastest(r->method, r->methods),
                         *peer = sb_bench_fastest(r->peer, r->peers);
    const char *target = entry->the_case->target ? entry->the_case->target : "";
    fprintf(out, "| %s | ", entry->the_case->label);
    if (!r->methods)
        fprintf(out, "refused: %s | | | | | %s |\n", r->refusal, target);
    else if (!best)
        fprintf(out, "%s %s | | | | | %s |\n", r->method[0].name, r->method[0].note, target);
    if (!best)
        return;
    fprintf(out, "%s | %.4g | %.2f | ", best->name, 1e6 * best->seconds,
            1 / sb_bench_ceiling_fraction(r, best));
    if (peer)
        fprintf(out, "%s | %.2f | %s |\n", peer->name, sb_bench_ratio(best, peer), target);
    else
        fprintf(out, "| | %s |\n", target);
}

static void write_summary(FILE *out, const sb_grid_results *results, const sb_grid_family *family)
{
    fputs("\n| case | fastest method | us | x ceiling | fastest peer | its time over ours | to be reached |\n"
          "| --- | --- | ---: | ---: | --- | ---: | --- |\n",
          out);
    for (int k = 0; k < results->count; ++k)
        if (!strcmp(results->entry[k].the_case->family, family->name))
            write_summary_row(out, &results->entry[k]);
}

static void write_charts(FILE *out, const sb_grid_results *results, const sb_grid_family *family)
{
    for (int k = 0; k < results->set->charts; ++k) {
        const sb_grid_chart *chart = &results->set->chart[k];
        if (!strcmp(chart->family, family->name) && sb_grid_chart_has_points(results, chart))
            fprintf(out, "\n![%s](%s.svg)\n", chart->title, chart->name);
    }
}

static void write_family(FILE *out, const sb_grid_results *results, const sb_grid_family *family)
{
    bool any = false;
    for (int k = 0; k < results->count; ++k)
        any = any || !strcmp(results->entry[k].the_case->family, family->name);
    if (!any)
        return;
    fprintf(out, "\n## %s\n", family->title);
    write_charts(out, results, family);
    write_summary(out, results, family);
    fputs("\n| case | method | ns/row | GB/s | of ceiling | residual | peers |\n"
          "| --- | --- | --- | --- | --- | --- | --- |\n",
          out);
    for (int k = 0; k < results->count; ++k) {
        const sb_grid_entry *entry = &results->entry[k];
        for (int m = 0; m < entry->result.methods && !strcmp(entry->the_case->family, family->name); ++m)
            write_row(out, entry, &entry->result.method[m]);
    }
}

void sb_grid_write_tables(FILE *out, const sb_grid_results *results)
{
    char machine[2 * SB_BENCH_TEXT];
    const sb_bench_result *first = &results->entry[0].result;
    sb_bench_describe_machine(machine, first);
    fprintf(out,
            "# Benchmark grid, executor %s\n\n%s. Medians, %s caches. GB/s counts the necessary traffic; the\n"
            "ceiling is a stream or copy of as many words in the same run. Peers: ns a row, and their time "
            "over ours.\n",
            first->executor, machine, first->cold ? "cold" : "warm");
    if (results->left_out > 0)
        fprintf(out, "\nThere was no time for %d further cases.\n", results->left_out);
    for (int f = 0; f < results->set->families; ++f)
        write_family(out, results, &results->set->family[f]);
}
