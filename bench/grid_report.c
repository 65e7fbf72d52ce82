/* JSON lines, Markdown and charts of a grid. */
#include "bench/grid_report.h"

#include <string.h>

#include "bench/bars.h"
#include "bench/report.h"
#include "cli/numbers.h"

bool sb_grid_write_lines(FILE *out, const sb_grid_results *results)
{
    for (int k = 0; k < results->count; ++k) {
        for (int m = 0; m < results->entry[k].result.methods; ++m) {
            cJSON *row = sb_bench_json(&results->entry[k].result, m);
            cJSON_AddStringToObject(row, "family", results->entry[k].the_case->family);
            cJSON_AddStringToObject(row, "label", results->entry[k].the_case->label);
            char *text = row ? cJSON_PrintUnformatted(row) : NULL;
            cJSON_Delete(row);
            if (!text)
                return false;
            fprintf(out, "%s\n", text);
            cJSON_free(text);
        }
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

void sb_grid_write_tables(FILE *out, const sb_grid_results *results)
{
    char machine[2 * SB_BENCH_TEXT];
    const sb_bench_result *first = &results->entry[0].result;
    sb_bench_describe_machine(machine, first->threads);
    fprintf(out,
            "# Benchmark grid, %s\n\n%s. Medians. GB/s counts the necessary traffic; the ceiling is a stream "
            "of\nas "
            "many words in the same run. Peers: ns a row, and their time over ours.\n",
            sb_scalar_name(first->the_case.scalar), machine);
    const sb_grid_family *family;
    for (int f = 0; (family = sb_grid_family_at(f)); ++f) {
        fprintf(
            out,
            "\n## %s\n\n![%s](%s.svg)\n\n| case | method | ns/row | GB/s | of ceiling | residual | peers |\n"
            "| --- | --- | --- | --- | --- | --- | --- |\n",
            family->title, family->title, family->name);
        for (int k = 0; k < results->count; ++k) {
            const sb_grid_entry *entry = &results->entry[k];
            for (int m = 0; m < entry->result.methods && !strcmp(entry->the_case->family, family->name); ++m)
                write_row(out, entry, &entry->result.method[m]);
        }
    }
}

void sb_grid_write_chart(FILE *out, const sb_grid_results *results, const sb_grid_family *family)
{
    enum { MOST = 32 };
    const char *labels[MOST];
    const sb_bench_result *groups[MOST];
    char title[SB_BENCH_TEXT], machine[2 * SB_BENCH_TEXT];
    sb_bars bars = {.title = title, .subtitle = machine, .labels = labels, .results = groups};
    for (int k = 0; k < results->count && bars.groups < MOST; ++k) {
        const sb_grid_entry *entry = &results->entry[k];
        if (strcmp(entry->the_case->family, family->name))
            continue;
        labels[bars.groups] = entry->the_case->label;
        groups[bars.groups++] = &entry->result;
    }
    const sb_bench_result *first = &results->entry[0].result;
    snprintf(title, sizeof title, "%s: ns a row, %s", family->title, sb_scalar_name(first->the_case.scalar));
    sb_bench_describe_machine(machine, first->threads);
    sb_bars_write(out, &bars);
}
