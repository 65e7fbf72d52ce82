/* Results for people. */
#include <stdio.h>
#include <string.h>

#include "bench/report.h"

int sb_bench_failures(const sb_bench_result *result, const sb_bench_entry **first)
{
    int failures = 0;
    for (int k = result->methods - 1; k >= 0; --k) {
        if (strncmp(result->method[k].note, "failed", strlen("failed")))
            continue;
        *first = &result->method[k];
        ++failures;
    }
    return failures;
}

static void full_name(const sb_bench_entry *entry, char name[2 * SB_BENCH_NAME + 3])
{
    if (entry->about[0])
        snprintf(name, 2 * SB_BENCH_NAME + 3, "%s (%s)", entry->name, entry->about);
    else
        snprintf(name, 2 * SB_BENCH_NAME + 3, "%s", entry->name);
}

static int name_width(const sb_bench_result *result)
{
    size_t width = strlen("memory ceiling");
    char name[2 * SB_BENCH_NAME + 3];
    for (int k = 0; k < result->methods + result->peers; ++k) {
        full_name(k < result->methods ? &result->method[k] : &result->peer[k - result->methods], name);
        width = strlen(name) > width ? strlen(name) : width;
    }
    return (int)width;
}

static void write_row(FILE *out, const sb_bench_result *result, const sb_bench_entry *entry, int width)
{
    char name[2 * SB_BENCH_NAME + 3];
    full_name(entry, name);
    if (entry->note[0]) {
        fprintf(out, "%-*s  %s", width, name, entry->note);
        return;
    }
    fprintf(out, "%-*s %9.3f %9.2f %8.1f %% %10.1e", width, name, sb_bench_ns_per_row(result, entry),
            sb_bench_gb_per_s(result, entry), 100 * sb_bench_ceiling_fraction(result, entry), entry->residual);
}

/* "vs auto": a column of ratios for each method. */
static int column_width(const sb_bench_entry *method)
{
    return (int)strlen("  vs ") + (int)strlen(method->name);
}

static void write_head(FILE *out, int width, const char *what)
{
    fprintf(out, "%-*s %9s %9s %10s %10s", width, what, "ns/row", "GB/s", "of ceiling", "residual");
}

static void write_peers(FILE *out, const sb_bench_result *result, int width)
{
    write_head(out, width, "against");
    for (int k = 0; k < result->methods; ++k)
        fprintf(out, "  vs %s", result->method[k].name);
    fputc('\n', out);
    for (int k = 0; k < result->peers; ++k) {
        const sb_bench_entry *peer = &result->peer[k];
        write_row(out, result, peer, width);
        for (int m = 0; m < result->methods && !peer->note[0]; ++m) {
            const sb_bench_entry *method = &result->method[m];
            if (method->note[0])
                fprintf(out, "%*s", column_width(method), "-");
            else
                fprintf(out, "%*.2f", column_width(method), sb_bench_ratio(method, peer));
        }
        fputc('\n', out);
    }
}

void sb_bench_write_table(FILE *out, const sb_bench_result *result)
{
    char text[SB_BENCH_TEXT];
    int width = name_width(result);
    sb_bench_describe(&result->the_case, text);
    fprintf(out, "%s, %d thread%s; %d words a row are necessary\n", text, result->threads,
            result->threads == 1 ? "" : "s", sb_bench_words(&result->the_case));
    write_head(out, width, "");
    fprintf(out, "\n%-*s %9.3f %9.2f  %s\n", width, "memory ceiling",
            sb_bench_ns_per_row(result, &result->ceiling), sb_bench_gb_per_s(result, &result->ceiling),
            result->ceiling.name);
    for (int k = 0; k < result->methods; ++k) {
        write_row(out, result, &result->method[k], width);
        fputc('\n', out);
    }
    if (result->peers)
        write_peers(out, result, width);
}
