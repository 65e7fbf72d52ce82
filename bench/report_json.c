/* Results as JSON. */
#include <math.h>
#include <stdlib.h>

#include "bench/report.h"
#include "cli/numbers.h"

/* Six digits are more than a clock is good for. */
static void add_number(cJSON *object, const char *key, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    if (isfinite(value))
        cJSON_AddNumberToObject(object, key, strtod(text, NULL));
    else
        cJSON_AddNullToObject(object, key);
}

static void add_note(cJSON *object, const sb_bench_entry *entry)
{
    if (entry->note[0])
        cJSON_AddStringToObject(object, "note", entry->note);
}

static void add_case(cJSON *row, const sb_bench_result *result, const sb_bench_entry *method)
{
    const sb_bench_case *c = &result->the_case;
    char band[SB_BENCH_NAME], layout[SB_BENCH_NAME];
    sb_bench_band_name(c, band);
    sb_bench_layout_name(c, layout);
    cJSON_AddStringToObject(row, "case", c->batch ? "batch" : "single");
    cJSON_AddStringToObject(row, "method", method->name);
    cJSON_AddStringToObject(row, "type", sb_scalar_name(c->scalar));
    cJSON_AddNumberToObject(row, "n", (double)c->n);
    cJSON_AddNumberToObject(row, "batch", (double)c->systems);
    cJSON_AddStringToObject(row, "band", band);
    cJSON_AddStringToObject(row, "ends", sb_bench_ends_name(c->ends));
    cJSON_AddStringToObject(row, "coefficients", sb_bench_coefficients_name(c->coefficients));
    if (c->factored)
        cJSON_AddBoolToObject(row, "factored", true);
    cJSON_AddStringToObject(row, "layout", layout);
    cJSON_AddBoolToObject(row, "in_place", c->in_place);
    cJSON_AddNumberToObject(row, "threads", result->threads);
    cJSON_AddStringToObject(row, "executor", result->executor);
    cJSON_AddStringToObject(row, "caches", result->cold ? "cold" : "warm");
    if (result->in_a_row)
        cJSON_AddNumberToObject(row, "in_a_row", (double)result->in_a_row);
    cJSON_AddStringToObject(row, "pivoting", sb_bench_pivoting_name(c->pivoting));
}

cJSON *sb_bench_json(const sb_bench_result *result, int index)
{
    static const sb_bench_entry none = {.seconds = NAN, .residual = NAN};
    const sb_bench_entry *method = index == SB_BENCH_REFUSED ? &none : &result->method[index];
    cJSON *row = cJSON_CreateObject();
    add_case(row, result, method);
    add_number(row, "ns_per_row", sb_bench_ns_per_row(result, method));
    add_number(row, "gb_per_s", sb_bench_gb_per_s(result, method));
    add_number(row, "ceiling_gb_per_s", sb_bench_gb_per_s(result, &result->ceiling));
    add_number(row, "ceiling_fraction", sb_bench_ceiling_fraction(result, method));
    add_number(row, "residual", method->residual);
    cJSON *peers = cJSON_AddObjectToObject(row, "peers");
    for (int k = 0; k < result->peers; ++k) {
        const sb_bench_entry *peer = &result->peer[k];
        cJSON *numbers = cJSON_AddObjectToObject(peers, peer->name);
        add_number(numbers, "ns_per_row", sb_bench_ns_per_row(result, peer));
        add_number(numbers, "ratio", sb_bench_ratio(method, peer));
        add_note(numbers, peer);
    }
    const sb_bench_entry *best = sb_bench_fastest(result->peer, result->peers);
    if (best)
        cJSON_AddStringToObject(row, "best_peer", best->name);
    else
        cJSON_AddNullToObject(row, "best_peer");
    add_note(row, method);
    if (index == SB_BENCH_REFUSED)
        cJSON_AddStringToObject(row, "refused", result->refusal);
    return row;
}
