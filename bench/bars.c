/* The bar charts. */
#include "bench/bars.h"

#include <math.h>

#include "cli/chart_axis.h"
#include "cli/chart_text.h"

enum { WIDTH = 960, LEFT = 230, RIGHT = 150, TOP = 96, BAR = 18, GAP = 6, HEAD = 30, FOOT = 34 };

typedef struct place {
    sb_axis axis;
    double y; /* of the next bar's upper edge */
} place;

typedef struct bar {
    const sb_bench_result *result;
    const sb_bench_entry *entry;
    const char *name, *colour;
    bool compared; /* with the first method */
} bar;

static double x_of(const sb_axis *axis, double value)
{
    return LEFT + (value - axis->low) / (axis->high - axis->low) * (WIDTH - LEFT - RIGHT);
}

static void write_bar(FILE *out, place *at, const bar *b)
{
    char text[96];
    double value = sb_bench_ns_per_row(b->result, b->entry), end = x_of(&at->axis, value);
    sb_text_write(out, LEFT - 10, at->y + BAR - 5, "font-size=\"13\" fill=\"#222b38\" text-anchor=\"end\"",
                  b->name);
    fprintf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", LEFT, at->y,
            end - LEFT, BAR, b->colour);
    if (b->compared && !b->result->method[0].note[0])
        snprintf(text, sizeof text, "%.2f ns  (%.1f times)", value,
                 sb_bench_ratio(&b->result->method[0], b->entry));
    else
        snprintf(text, sizeof text, "%.2f ns", value);
    sb_text_write(out, end + 6, at->y + BAR - 5, "font-size=\"12\" fill=\"#566070\"", text);
    at->y += BAR + GAP;
}

static int bars_of(const sb_bench_result *result)
{
    int count = 1;
    for (int k = 0; k < result->methods; ++k)
        count += !result->method[k].note[0];
    for (int k = 0; k < result->peers; ++k)
        count += !result->peer[k].note[0];
    return count;
}

static void write_group(FILE *out, place *at, const char *label, const sb_bench_result *result)
{
    sb_text_write(out, 24, at->y + HEAD - 10, "font-size=\"14\" font-weight=\"600\" fill=\"#222b38\"", label);
    at->y += HEAD;
    write_bar(out, at, &(bar){result, &result->ceiling, "memory ceiling", "#c9d2de", false});
    for (int k = 0; k < result->methods; ++k) {
        char name[SB_BENCH_NAME + 16];
        snprintf(name, sizeof name, "slimband %s", result->method[k].name);
        if (!result->method[k].note[0])
            write_bar(out, at, &(bar){result, &result->method[k], name, "#c8342b", false});
    }
    for (int k = 0; k < result->peers; ++k)
        if (!result->peer[k].note[0])
            write_bar(out, at, &(bar){result, &result->peer[k], result->peer[k].name, "#8fa3bf", true});
}

static void write_axis(FILE *out, const place *at, double bottom)
{
    for (int i = 0; i < at->axis.ticks; ++i) {
        double x = x_of(&at->axis, at->axis.at[i]);
        fprintf(out, "<path d=\"M%.1f %dV%.1f\" stroke=\"#e3e7ec\"/>\n", x, TOP, bottom);
        sb_text_write(out, x, bottom + 18, "font-size=\"12\" fill=\"#566070\" text-anchor=\"middle\"",
                      at->axis.text[i]);
    }
}

/* The largest number drawn, and how tall the bars stand. */
static double measure(const sb_bars *bars, double *largest)
{
    double height = 0;
    for (int g = 0; g < bars->groups; ++g) {
        const sb_bench_result *r = bars->results[g];
        height += HEAD + bars_of(r) * (BAR + GAP);
        *largest = fmax(*largest, sb_bench_ns_per_row(r, &r->ceiling));
        for (int k = 0; k < r->methods; ++k)
            *largest = fmax(*largest, sb_bench_ns_per_row(r, &r->method[k]));
        for (int k = 0; k < r->peers; ++k)
            *largest = fmax(*largest, sb_bench_ns_per_row(r, &r->peer[k]));
    }
    return height;
}

void sb_bars_write(FILE *out, const sb_bars *bars)
{
    double largest = 0, bottom = TOP + measure(bars, &largest);
    place at = {.y = TOP};
    sb_axis_of_values(&at.axis, 0, largest);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" width=\"%d\" height=\"%.0f\" "
            "role=\"img\" "
            "font-family=\"system-ui, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif\">\n<title>",
            WIDTH, bottom + FOOT, WIDTH, bottom + FOOT);
    sb_text_escape(out, bars->title);
    fputs("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", out);
    sb_text_write(out, 24, 34, "font-size=\"19\" font-weight=\"600\" fill=\"#222b38\"", bars->title);
    sb_text_write(out, 24, 58, "font-size=\"13\" fill=\"#566070\"", bars->subtitle);
    write_axis(out, &at, bottom);
    for (int g = 0; g < bars->groups; ++g)
        write_group(out, &at, bars->labels[g], bars->results[g]);
    fputs("</svg>\n", out);
}
