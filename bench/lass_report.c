/* JSON lines and tables of the LASs paper's measurements. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/lass_results.h"
#include "bench/report.h"

static cJSON *row_of(const sb_lass_size *size, int k)
{
    const sb_lass_variant *v = sb_lass_variant_at(size->variant[k]);
    const sb_bench_entry *e = &size->result.method[k];
    cJSON *row = sb_bench_json(&size->result, k);
    cJSON_AddStringToObject(row, "variant", v->name);
    if (v->switches)
        cJSON_AddNumberToObject(row, "switch_point", e->levels - 1);
    cJSON_AddNumberToObject(row, "workspace_bytes", (double)e->workspace_bytes);
    if (v->paper_words >= 0)
        cJSON_AddNumberToObject(row, "paper_bytes", (double)size->result.the_case.n * 8 * v->paper_words);
    const sb_lass_apart *apart = size->apart[k];
    for (int which = 0; which < SB_LASS_REFERENCES; ++which) {
        static const char *const keys[SB_LASS_REFERENCES][2] = {{"most_from_thomas", "mean_from_thomas"},
                                                                {"most_from_gtsv", "mean_from_gtsv"}};
        if (isnan(apart[which].most))
            continue;
        cJSON_AddNumberToObject(row, keys[which][0], apart[which].most);
        cJSON_AddNumberToObject(row, keys[which][1], apart[which].mean);
    }
    return row;
}

bool sb_lass_write_lines(FILE *out, const sb_lass_results *results)
{
    for (int s = 0; s < results->sizes; ++s)
        for (int k = 0; k < results->size[s].result.methods; ++k) {
            cJSON *row = row_of(&results->size[s], k);
            char *text = row ? cJSON_PrintUnformatted(row) : NULL;
            cJSON_Delete(row);
            if (!text)
                return false;
            fprintf(out, "%s\n", text);
            cJSON_free(text);
        }
    return true;
}

static void write_times(FILE *out, const sb_lass_size *size)
{
    const sb_lass_variant *v;
    const sb_bench_entry *thomas = sb_lass_peer(size, "thomas"), *mkl = sb_lass_peer(size, "mkl");
    fprintf(out,
            "\n## n = %lld\n\n![times](figure-5-%lld.svg)\n\n| method | switch point | ms | ns/row | x Thomas "
            "| x MKL | "
            "residual |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
            (long long)size->result.the_case.n, (long long)size->result.the_case.n);
    for (int i = 0; (v = sb_lass_variant_at(i)); ++i) {
        const sb_bench_entry *e = sb_lass_best(size, i);
        if (!e)
            continue;
        fprintf(out, "| %s | ", v->name);
        if (v->switches)
            fprintf(out, "%d", e->levels - 1);
        fprintf(out, " | %.1f | %.2f | ", 1e3 * e->seconds, sb_bench_ns_per_row(&size->result, e));
        if (thomas)
            fprintf(out, "%.2f", sb_bench_ratio(e, thomas));
        fputs(" | ", out);
        if (mkl)
            fprintf(out, "%.2f", sb_bench_ratio(e, mkl));
        fprintf(out, " | %.0e |\n", e->residual);
    }
    for (int k = 0; k < size->result.peers; ++k) {
        const sb_bench_entry *e = &size->result.peer[k];
        if (e->note[0])
            fprintf(out, "| %s (peer) | | %s | | | | |\n", e->name, e->note);
        else
            fprintf(out, "| %s (peer) | | %.1f | %.2f | | | %.0e |\n", e->name, 1e3 * e->seconds,
                    sb_bench_ns_per_row(&size->result, e), e->residual);
    }
}

/* Besides the system itself, which is 4 words a row for all. */
static void write_memory(FILE *out, const sb_lass_results *results)
{
    const sb_lass_variant *v;
    const sb_lass_size *size = &results->size[results->sizes - 1];
    double rows = (double)size->result.the_case.n;
    fputs("\n## Memory besides the system's own 4 words a row (table 1)\n\n| method | words a row | the "
          "paper's | GB at the "
          "largest n |\n| --- | ---: | ---: | ---: |\n",
          out);
    for (int i = 0; (v = sb_lass_variant_at(i)); ++i) {
        const sb_bench_entry *e = sb_lass_best(size, i);
        if (!e)
            continue;
        fprintf(out, "| %s | %.2f | ", v->name, (double)e->workspace_bytes / 8 / rows);
        if (v->paper_words >= 0)
            fprintf(out, "%d", v->paper_words);
        fprintf(out, " | %.3f |\n", 1e-9 * (double)e->workspace_bytes);
    }
}

/* At every switch point of P+TO, because the paper expects them to differ there. */
static void write_differences(FILE *out, const sb_lass_results *results)
{
    const sb_lass_size *size = &results->size[results->sizes - 1];
    fprintf(
        out,
        "\n## Differences at n = %lld (figure 6)\n\n| method | switch point | from Thomas: largest | average | "
        "from gtsv: largest | average |\n| --- | ---: | ---: | ---: | ---: | ---: |\n",
        (long long)size->result.the_case.n);
    for (int k = 0; k < size->result.methods; ++k) {
        const sb_lass_variant *v = sb_lass_variant_at(size->variant[k]);
        const sb_bench_entry *e = &size->result.method[k];
        if (e->note[0] || (e != sb_lass_best(size, size->variant[k]) && strcmp(v->name, "P+TO")))
            continue;
        fprintf(out, "| %s | ", v->name);
        if (v->switches)
            fprintf(out, "%d", e->levels - 1);
        for (int which = 0; which < SB_LASS_REFERENCES; ++which)
            fprintf(out, " | %.1e | %.1e", size->apart[k][which].most, size->apart[k][which].mean);
        fputs(" |\n", out);
    }
}

void sb_lass_write_tables(FILE *out, const sb_lass_results *results)
{
    char machine[2 * SB_BENCH_TEXT];
    sb_bench_describe_machine(machine, &results->size[0].result);
    fprintf(out,
            "# The LASs paper's measurements\n\n%s. One f64 system, dominance 2, in place, without pivoting, "
            "caches flushed "
            "before each run; medians. Each method at its best switch point; Thomas and MKL are the peers "
            "thomas (plain C) "
            "and mkl.\n",
            machine);
    for (int s = 0; s < results->sizes; ++s)
        write_times(out, &results->size[s]);
    write_differences(out, results);
    write_memory(out, results);
}
