/* The trend as CSV, as a chart, and in words. */
#include "cli/smooth_output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/chart.h"
#include "cli/chart_text.h"
#include "cli/json.h"

/* As short as reads back to the same double; "" for a missing value. */
static void write_observed(FILE *out, double value)
{
    char text[32];
    if (isnan(value))
        return;
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, sizeof text, "%.17g", value);
    fputs(text, out);
}

void sb_smooth_write(FILE *out, const sb_csv *csv, const double *trend, sb_progress *progress)
{
    if (csv->labels)
        fprintf(out, "%s,", csv->label_name ? csv->label_name : "label");
    fprintf(out, "%s,trend\n", csv->value_name ? csv->value_name : "value");
    for (int64_t i = 0; i < csv->rows; ++i) {
        if (i % 8192 == 0)
            sb_progress_update(progress, "writing", (double)i / (double)csv->rows);
        if (csv->labels) {
            fputs(csv->labels[i], out);
            fputc(',', out);
        }
        write_observed(out, csv->values[i]);
        fprintf(out, ",%.17g\n", trend[i]);
    }
}

void sb_smooth_draw(FILE *out, const sb_csv *csv, const double *trend, const sb_smooth_settings *s)
{
    char name[120], first[40], last[40], title[160], subtitle[240];
    sb_text_unquote(name, sizeof name, csv->value_name ? csv->value_name : "value");
    snprintf(title, sizeof title, "%s and its trend", name);
    int used = snprintf(subtitle, sizeof subtitle, "Whittaker smoothing of order %" PRId64 "%s, lambda %g",
                        s->order, s->order == 2 ? " (Hodrick-Prescott)" : "", s->lambda);
    if (csv->labels) {
        sb_text_unquote(first, sizeof first, csv->labels[0]);
        sb_text_unquote(last, sizeof last, csv->labels[csv->rows - 1]);
        snprintf(subtitle + used, sizeof subtitle - (size_t)used, "; %s to %s", first, last);
    }
    const sb_chart_line lines[] = {{name, "#8fa3bf", 1.6, true, csv->values},
                                   {"trend", "#c8342b", 2, false, trend}};
    const sb_chart chart = {title, subtitle, csv->rows, csv->labels, 2, lines};
    sb_chart_write(out, &chart);
}

static bool tell_json(const sb_smooth_settings *s, const sb_csv *csv, const sb_whittaker_report *report)
{
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddNumberToObject(tree, "rows", (double)csv->rows);
    cJSON_AddNumberToObject(tree, "missing", (double)report->missing);
    cJSON_AddNumberToObject(tree, "lambda", s->lambda);
    cJSON_AddNumberToObject(tree, "order", (double)s->order);
    cJSON_AddStringToObject(tree, "system", report->system);
    cJSON_AddStringToObject(tree, "method", report->method);
    cJSON_AddNumberToObject(tree, "threads", report->threads);
    cJSON_AddNumberToObject(tree, "refinements", report->refinements);
    cJSON_AddNumberToObject(tree, "last_correction", report->correction);
    cJSON_AddNumberToObject(tree, "seconds", report->seconds);
    cJSON_AddNumberToObject(tree, "backward_error", report->error.normwise);
    cJSON_AddNumberToObject(tree, "componentwise_error", report->error.componentwise);
    cJSON_AddStringToObject(tree, "output", s->output);
    if (s->chart)
        cJSON_AddStringToObject(tree, "chart", s->chart);
    return sb_json_print(tree, s->failure);
}

bool sb_smooth_tell(const sb_smooth_settings *s, const sb_csv *csv, const sb_whittaker_report *report)
{
    if (s->json)
        return tell_json(s, csv, report);
    printf("rows            %" PRId64 ", %" PRId64 " of them missing\n", csv->rows, report->missing);
    printf("trend           order %" PRId64 "%s, lambda %g\n", s->order,
           s->order == 2 ? " (Hodrick-Prescott)" : "", s->lambda);
    printf("system          %s, lower = upper = %d\n", report->system, report->bandwidth);
    printf("method          %s, %d step%s of refinement (the last one changed %.0e)\n", report->method,
           report->refinements, report->refinements == 1 ? "" : "s", report->correction);
    printf("threads         %d\n", report->threads);
    printf("time            %.6f s, %.1f ns a row\n", report->seconds,
           1e9 * report->seconds / (double)csv->rows);
    printf("backward error  %.1e (componentwise %.1e)\n", report->error.normwise, report->error.componentwise);
    printf("output          %s\n", s->output);
    if (s->chart)
        printf("chart           %s\n", s->chart);
    return true;
}
