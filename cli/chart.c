/* The chart's frame, its lines and its words. */
#include "cli/chart.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cli/chart_axis.h"
#include "cli/chart_text.h"

enum {
    WIDTH = 960,
    HEIGHT = 480,
    RIGHT = 44,
    TOP = 84,
    BOTTOM = 44,
    LETTER = 7,
    LEFT = 24,
    SAMPLE = 26,
    GAP = 24,
    LEGEND_ROW = 20,
    COLUMNS_PER_PIXEL = 2,
    DOT_SPACING = 10
};

typedef struct frame {
    double left, right, top, bottom;
    sb_axis x, y;
    int legend; /* rows of it that move the plot down */
} frame;

static double place(const sb_axis *axis, double value, double from, double to)
{
    long double part = ((long double)value - axis->low) / ((long double)axis->high - axis->low);
    return (double)(from + part * ((long double)to - from));
}

static double x_of(const frame *f, int64_t row)
{
    return place(&f->x, (double)row, f->left, f->right);
}

static double y_of(const frame *f, double value)
{
    return place(&f->y, value, f->bottom, f->top);
}

static void write_axes(FILE *out, const frame *f)
{
    fputs("<g stroke=\"#e3e7ec\">\n", out);
    for (int i = 0; i < f->y.ticks; ++i)
        fprintf(out, "<path d=\"M%.1f %.1fH%.1f\"/>\n", f->left, y_of(f, f->y.at[i]), f->right);
    fputs("</g>\n<g stroke=\"#8a94a3\">\n", out);
    fprintf(out, "<path d=\"M%.1f %.1fH%.1f\"/>\n", f->left, f->bottom, f->right);
    for (int i = 0; i < f->x.ticks; ++i)
        fprintf(out, "<path d=\"M%.1f %.1fv6\"/>\n", place(&f->x, f->x.at[i], f->left, f->right), f->bottom);
    fputs("</g>\n<g font-size=\"12\" fill=\"#566070\">\n", out);
    for (int i = 0; i < f->y.ticks; ++i)
        sb_text_write(out, f->left - 10, y_of(f, f->y.at[i]) + 4, "text-anchor=\"end\"", f->y.text[i]);
    for (int i = 0; i < f->x.ticks; ++i)
        sb_text_write(out, place(&f->x, f->x.at[i], f->left, f->right), f->bottom + 22,
                      "text-anchor=\"middle\"", f->x.text[i]);
    fputs("</g>\n", out);
}

/* What is drawn of the rows that share one column: first, extremes and last, in their order. */
typedef struct column {
    int64_t first, least, most, last; /* -1 while empty */
} column;

static void column_add(column *c, const double *values, int64_t i)
{
    if (c->first < 0)
        *c = (column){i, i, i, i};
    if (values[i] < values[c->least])
        c->least = i;
    if (values[i] > values[c->most])
        c->most = i;
    c->last = i;
}

static void column_write(FILE *out, const frame *f, const column *c, const double *values, bool starts)
{
    int64_t low = c->least < c->most ? c->least : c->most, high = c->least < c->most ? c->most : c->least;
    const int64_t rows[] = {c->first, low, high, c->last};
    for (int k = 0; k < 4; ++k) {
        if (k && rows[k] == rows[k - 1])
            continue;
        fprintf(out, "%c%.2f %.2f", k || !starts ? 'L' : 'M', x_of(f, rows[k]), y_of(f, values[rows[k]]));
    }
    if (starts)
        fputs("h0", out); /* a round dot, should nothing follow */
}

/* Where rows stand well apart, a dot at each. */
static void write_dots(FILE *out, const frame *f, const sb_chart_line *line, int64_t rows)
{
    fprintf(out, "<path stroke=\"%s\" stroke-width=\"%g\" d=\"", line->colour, line->width * 3);
    for (int64_t i = 0; i < rows; ++i)
        if (!isnan(line->values[i]))
            fprintf(out, "M%.2f %.2fh0", x_of(f, i), y_of(f, line->values[i]));
    fputs("\"/>\n", out);
}

static void write_line(FILE *out, const frame *f, const sb_chart_line *line, int64_t rows)
{
    int64_t columns = (int64_t)(f->right - f->left) * COLUMNS_PER_PIXEL;
    columns = rows < columns ? rows : columns;
    fprintf(out, "<path stroke=\"%s\" stroke-width=\"%g\" d=\"", line->colour, line->width);
    bool starts = true;
    int64_t i = 0;
    for (int64_t k = 1; k <= columns; ++k) {
        int64_t end = (int64_t)((long double)rows * k / columns);
        column c = {-1, -1, -1, -1};
        for (; i < end; ++i)
            if (!isnan(line->values[i]))
                column_add(&c, line->values, i);
        if (c.first >= 0)
            column_write(out, f, &c, line->values, starts);
        starts = c.first < 0;
    }
    fputs("\"/>\n", out);
}

/* A name with its sample before it, and the gap to the next. */
static double legend_width(const sb_chart_line *line)
{
    size_t letters = strlen(line->name);
    return LETTER * (double)(letters < 40 ? letters : 40) + 12 + SAMPLE + GAP;
}

/* Rows of the legend below the subtitle; 0: it fits beside it, on the right. */
static int legend_rows(const sb_chart *chart)
{
    double all = LETTER * (double)strlen(chart->subtitle), used = 0;
    int rows = 1;
    for (int k = 0; k < chart->lines; ++k) {
        double width = legend_width(&chart->line[k]);
        rows += used > 0 && used + width > WIDTH - RIGHT - LEFT;
        used = used > 0 && used + width > WIDTH - RIGHT - LEFT ? width : used + width;
        all += width;
    }
    return all <= WIDTH - RIGHT - LEFT ? 0 : rows;
}

/* The sample begins at x; the name follows it, or ends where the next entry's gap begins. */
static void write_entry(FILE *out, double x, double y, const sb_chart_line *line, bool follows)
{
    double name = follows ? x + SAMPLE + 8 : x + legend_width(line) - GAP;
    sb_text_write(out, name, y,
                  follows ? "font-size=\"13\" fill=\"#222b38\""
                          : "font-size=\"13\" fill=\"#222b38\" text-anchor=\"end\"",
                  line->name);
    fprintf(out, "<path d=\"M%.1f %gh%d\" stroke=\"%s\" stroke-width=\"%g\"/>\n", x, y - 4, SAMPLE,
            line->colour, line->width * 1.4);
}

/* Name and sample of each line, above the plot. */
static void write_legend(FILE *out, const frame *f, const sb_chart *chart)
{
    double x = f->right + GAP, y = TOP - 26;
    for (int k = chart->lines - 1; k >= 0 && !f->legend; --k) {
        x -= legend_width(&chart->line[k]);
        write_entry(out, x, y, &chart->line[k], false);
    }
    x = WIDTH;
    for (int k = 0; k < chart->lines && f->legend; ++k) {
        if (x + legend_width(&chart->line[k]) > WIDTH - RIGHT) {
            x = LEFT;
            y += LEGEND_ROW;
        }
        write_entry(out, x, y, &chart->line[k], true);
        x += legend_width(&chart->line[k]);
    }
}

static void layout(frame *f, const sb_chart *chart)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < chart->lines; ++k)
        for (int64_t i = 0; i < chart->rows; ++i) {
            low = fmin(low, chart->line[k].values[i]);
            high = fmax(high, chart->line[k].values[i]);
        }
    sb_axis_of_values(&f->y, low <= high ? low : 0, low <= high ? high : 1);
    sb_axis_of_rows(&f->x, chart->rows, chart->labels);
    size_t letters = 0;
    for (int i = 0; i < f->y.ticks; ++i)
        letters = strlen(f->y.text[i]) > letters ? strlen(f->y.text[i]) : letters;
    f->left = LEFT + LETTER * (double)letters;
    f->right = WIDTH - RIGHT;
    f->legend = legend_rows(chart);
    f->top = TOP + f->legend * LEGEND_ROW;
    f->bottom = HEIGHT - BOTTOM + f->legend * LEGEND_ROW;
}

void sb_chart_write(FILE *out, const sb_chart *chart)
{
    frame f;
    layout(&f, chart);
    int height = HEIGHT + f.legend * LEGEND_ROW;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
            "role=\"img\" "
            "font-family=\"system-ui, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\">\n<title>",
            WIDTH, height, WIDTH, height);
    sb_text_escape(out, chart->title);
    fputs("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", out);
    sb_text_write(out, LEFT, 34, "font-size=\"19\" font-weight=\"600\" fill=\"#222b38\"", chart->title);
    sb_text_write(out, LEFT, TOP - 26, "font-size=\"13\" fill=\"#566070\"", chart->subtitle);
    write_axes(out, &f);
    fputs("<g fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n", out);
    for (int k = 0; k < chart->lines; ++k)
        write_line(out, &f, &chart->line[k], chart->rows);
    for (int k = 0; k < chart->lines; ++k)
        if (chart->line[k].dots && (double)chart->rows * DOT_SPACING < f.right - f.left)
            write_dots(out, &f, &chart->line[k], chart->rows);
    fputs("</g>\n", out);
    write_legend(out, &f, chart);
    fputs("</svg>\n", out);
}
