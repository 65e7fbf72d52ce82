/* Convergence (figure 2 of cupentbatch) and coarsening, as charts and as numbers. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/coarsening.h"
#include "bench/folder.h"
#include "bench/steppers.h"
#include "cli/chart.h"
#include "cli/reason.h"
#include "slimband/method.h"

enum { SIZES = 7, FIRST_SIZE = 16, FILES = 4, MOST_ROWS = 16 };

/* The line of best fit through count points; *at_first its value at the first. */
static double slope_of(int count, const double *x, const double *y, double *at_first)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int k = 0; k < count; ++k) {
        sx += x[k];
        sy += y[k];
        sxx += x[k] * x[k];
        sxy += x[k] * y[k];
    }
    double slope = (count * sxy - sx * sy) / (count * sxx - sx * sx);
    *at_first = sy / count + slope * (x[0] - sx / count);
    return slope;
}

/* (15) of the paper: cos(4 pi x) for a time of 1e-4 in steps of 1e-8, gamma = D = L = 1. */
static bool error_of_wave(sb_stepper_bench *b, int64_t n, double *error)
{
    enum { steps = 10000, waves = 2 };
    const double step = 1e-8, k = 2 * 3.14159265358979323846 * waves;
    slimband_evolution e = slimband_hyperdiffusion(SLIMBAND_F64, n, 1, step);
    slimband_stepper *stepper = NULL;
    double *c = malloc((size_t)n * sizeof *c), sum = 0;
    slimband_status status =
        c ? slimband_stepper_create(&stepper, &e, slimband_cpu(1)) : SLIMBAND_OUT_OF_MEMORY;
    for (int64_t i = 0; c && i < n; ++i)
        c[i] = cos(k * (double)i / (double)n);
    if (!status)
        status = slimband_stepper_set(stepper, c, 0);
    if (!status)
        status = slimband_stepper_step(stepper, steps);
    if (!status)
        status = slimband_stepper_get(stepper, c);
    for (int64_t i = 0; !status && i < n; ++i) {
        double off = c[i] - exp(-k * k * k * k * step * steps) * cos(k * (double)i / (double)n);
        sum += off * off;
    }
    *error = sqrt(sum / (double)n);
    slimband_stepper_destroy(stepper);
    free(c);
    return !status || sb_fail(&b->failure, "convergence: %s", sb_reason(status));
}

/* Rows are equidistant in the logarithm of what they stand for, and values are logarithms: log-log charts. */
static void draw(FILE *out, const char *title, const char *subtitle, int rows, char (*labels)[16], int lines,
                 const sb_chart_line *line)
{
    const char *pointers[MOST_ROWS];
    for (int k = 0; k < rows; ++k)
        pointers[k] = labels[k];
    const sb_chart chart = {title, subtitle, rows, pointers, lines, line};
    sb_chart_write(out, &chart);
}

static bool convergence(sb_stepper_bench *b, FILE *chart, FILE *numbers)
{
    double x[SIZES], y[SIZES], fit[SIZES], first;
    char labels[SIZES][16], subtitle[160];
    fputs("n,error\n", numbers);
    for (int k = 0; k < SIZES; ++k) {
        int64_t n = (int64_t)FIRST_SIZE << k;
        double error;
        sb_progress_update(&b->progress, "convergence", (double)k / SIZES);
        if (!error_of_wave(b, n, &error))
            return false;
        fprintf(numbers, "%" PRId64 ",%.6e\n", n, error);
        snprintf(labels[k], sizeof labels[k], "%" PRId64, n);
        x[k] = log10((double)n);
        y[k] = log10(error);
    }
    double slope = slope_of(SIZES, x, y, &first);
    for (int k = 0; k < SIZES; ++k)
        fit[k] = first + slope * (x[k] - x[0]);
    snprintf(subtitle, sizeof subtitle, "log10 of the L2 error at T = 1e-4, dt = 1e-8, over N; slope %.4f",
             slope);
    const sb_chart_line lines[] = {{"error", "#c8342b", 2, true, y}, {"best fit", "#8fa3bf", 1.6, false, fit}};
    draw(chart, "Hyperdiffusion converges with the square of N", subtitle, SIZES, labels, 2, lines);
    sb_progress_end(&b->progress);
    printf("convergence     N = %d to %d: slope %.4f (published: -2.0162)\n", FIRST_SIZE,
           FIRST_SIZE << (SIZES - 1), slope);
    return true;
}

static bool coarsening(sb_stepper_bench *b, FILE *chart, FILE *numbers)
{
    enum { rows = SB_COARSENING_TIMES, late = 4 }; /* the fit begins here */
    sb_coarsening r;
    slimband_machine machine;
    slimband_machine_facts(&machine);
    if (!sb_coarsening_run(&r, b->threads ? (int)b->threads : machine.threads, &b->progress, &b->failure))
        return false;
    double x[rows], rings[rows], square[rows], third[rows], unused;
    char labels[rows][16];
    fputs("time,rings,square\n", numbers);
    for (int k = 0; k < rows; ++k) {
        fprintf(numbers, "%g,%.6g,%.6g\n", r.time[k], r.rings[k], r.square[k]);
        snprintf(labels[k], sizeof labels[k], "%g", r.time[k]);
        x[k] = log10(r.time[k]);
        rings[k] = log10(r.rings[k]);
        square[k] = log10(r.square[k]);
    }
    for (int k = 0; k < rows; ++k)
        third[k] = square[rows - 1] + (x[k] - x[rows - 1]) / 3;
    double of_square = slope_of(rows - late, x + late, square + late, &unused);
    double of_rings = slope_of(rows - late, x + late, rings + late, &unused);
    const sb_chart_line lines[] = {{"square", "#c8342b", 2, true, square},
                                   {"rings", "#2b6cc8", 2, true, rings},
                                   {"t^(1/3)", "#8fa3bf", 1.6, false, third}};
    draw(chart, "Cahn-Hilliard coarsens", "log10 of the mean distance between walls over time", rows, labels, 3,
         lines);
    sb_progress_end(&b->progress);
    printf("coarsening      from t = %g: exponent %.3f on a square (theory: 1/3), %.3f on rings (theory: "
           "logarithmic)\n",
           r.time[late], of_square, of_rings);
    return true;
}

static bool open_files(sb_stepper_bench *b, sb_folder *folder, sb_output files[FILES])
{
    static const char *const names[] = {"convergence", "coarsening"};
    if (!sb_folder_open(folder, b->output, &b->failure))
        return false;
    for (int k = 0; k < FILES; ++k)
        if (!sb_folder_file(folder, &files[k], names[k / 2], k % 2 ? "csv" : "svg", &b->failure))
            return false;
    return true;
}

bool sb_steppers_figures(sb_stepper_bench *b)
{
    sb_output files[FILES] = {0};
    sb_folder folder = {0};
    bool good = open_files(b, &folder, files) && convergence(b, files[0].stream, files[1].stream) &&
                coarsening(b, files[2].stream, files[3].stream);
    for (int k = 0; k < FILES; ++k) {
        good = good && sb_output_commit(&files[k], &b->failure);
        sb_output_discard(&files[k]);
    }
    if (!good)
        sb_folder_abandon(&folder);
    return good;
}
