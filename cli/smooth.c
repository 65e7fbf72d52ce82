/* slimband smooth: the trend of a column of a CSV file. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/smooth_output.h"

static error_t read_lambda(const char *text, double *lambda, sb_failure *failure)
{
    char *end;
    *lambda = strtod(text, &end);
    if (end != text && !*end && isfinite(*lambda) && *lambda >= 0)
        return 0;
    sb_fail(failure, "--lambda must be a number that is not negative, not '%s'", text);
    return EINVAL;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    sb_smooth_settings *s = state->input;
    switch (key) {
    case 'l':
        return read_lambda(text, &s->lambda, s->failure);
    case 'r':
        return sb_option_integer("--order", text, 1, SB_WHITTAKER_MAX_ORDER, &s->order, s->failure);
    case 't':
        return sb_option_integer("--threads", text, 1, 4096, &s->threads, s->failure);
    case 'c':
        s->column = text;
        return 0;
    case 'o':
        s->output = text;
        return 0;
    case 'g':
        s->chart = text;
        return 0;
    case 'j':
        s->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (s->input)
            return ARGP_ERR_UNKNOWN;
        s->input = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static bool check(const sb_smooth_settings *s)
{
    if (!s->input)
        return sb_fail(s->failure,
                       "which CSV file? slimband smooth series.csv --lambda 1600 --output trend.csv");
    if (isnan(s->lambda))
        return sb_fail(s->failure, "--lambda is missing (1600 is usual for quarterly series)");
    if (!s->output)
        return sb_fail(s->failure, "--output is missing: where to write the trend");
    if (s->chart && sb_output_same(s->chart, s->output))
        return sb_fail(s->failure, "--chart and --output are the same file, %s", s->chart);
    return true;
}

static bool smooth(const sb_smooth_settings *s, const sb_csv *csv, double *trend, sb_whittaker_report *report,
                   sb_progress *progress)
{
    const sb_whittaker task = {csv->rows, csv->values, s->lambda, (int)s->order, (int)s->threads, progress};
    const char *reason = sb_whittaker_smooth(&task, trend, report);
    return reason ? sb_fail(s->failure, "%s: %s", s->input, reason) : true;
}

typedef struct smooth_files {
    sb_csv csv;
    sb_output output, chart;
    double *trend;
} smooth_files;

/* Both places to write are opened before the work and renamed after all of it, the report included. */
static bool smooth_file(const sb_smooth_settings *s, smooth_files *files, sb_whittaker_report *report,
                        sb_progress *progress)
{
    sb_progress_update(progress, "reading", -1);
    if (!sb_csv_read(&files->csv, s->input, s->column, s->failure) ||
        !sb_output_open(&files->output, s->output, s->failure) ||
        (s->chart && !sb_output_open(&files->chart, s->chart, s->failure)))
        return false;
    files->trend = malloc((size_t)files->csv.rows * sizeof *files->trend);
    if (!files->trend)
        return sb_fail(s->failure, "%s: not enough memory for the trend", s->input);
    if (!smooth(s, &files->csv, files->trend, report, progress))
        return false;
    sb_smooth_write(files->output.stream, &files->csv, files->trend, progress);
    if (s->chart)
        sb_smooth_draw(files->chart.stream, &files->csv, files->trend, s);
    return sb_output_finish(&files->output, s->failure) && sb_output_finish(&files->chart, s->failure);
}

static bool work(void *settings)
{
    const sb_smooth_settings *s = settings;
    if (!check(s))
        return false;
    smooth_files files = {0};
    sb_whittaker_report report;
    sb_progress progress;
    sb_progress_begin(&progress);
    bool done = smooth_file(s, &files, &report, &progress);
    sb_progress_end(&progress);
    done = done && sb_smooth_tell(s, &files.csv, &report) &&
           sb_output_commit_reported(&files.output, &files.chart, s->failure);
    sb_output_discard(&files.output);
    sb_output_discard(&files.chart);
    free(files.trend);
    sb_csv_free(&files.csv);
    return done;
}

static const struct argp_option options[] = {
    {"lambda", 'l', "NUMBER", 0, "Weight of the roughness: 0 keeps the data, more is smoother", 0},
    {"order", 'r', "1|2|3", 0, "Differences that measure roughness (default 2: Hodrick-Prescott)", 0},
    {"column", 'c', "NAME", 0, "The column, by name or number (default: the last)", 0},
    {"output", 'o', "FILE", 0, "Where to write label, value and trend as CSV", 0},
    {"chart", 'g', "FILE", 0, "Draw both as an SVG chart", 0},
    {"threads", 't', "NUMBER", 0, "Threads to use (default: as many as are worth waking)", 0},
    {"json", 'j', NULL, 0, "Report as one line of JSON", 0},
    {0},
};

int sb_command_smooth(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "SERIES.csv",
        "Smooth a column of a CSV file: minimise the squared misfit plus lambda times the squared differences. "
        "Missing values (empty, NaN, NA) are filled in.",
        NULL,
        NULL,
        NULL};
    sb_failure failure;
    sb_smooth_settings settings = {.lambda = NAN, .order = 2, .failure = &failure};
    return sb_command_run(&argp, argc, argv, &settings, &failure, work);
}
