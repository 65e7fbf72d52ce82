/* A line chart of columns of numbers, as one self-contained SVG file. */
#ifndef SB_CLI_CHART_H
#define SB_CLI_CHART_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct sb_chart_line {
    const char *name;
    const char *colour;
    double width;
    bool dots;            /* at the rows, where they stand well apart */
    const double *values; /* rows numbers; NaN interrupts the line */
} sb_chart_line;

typedef struct sb_chart {
    const char *title, *subtitle; /* any bytes: what is not UTF-8 becomes '?' */
    int64_t rows;                 /* at least 1 */
    const char *const *labels; /* what each row is called, perhaps quoted as in CSV; or NULL: numbers from 1 */
    int lines;
    const sb_chart_line *line;
} sb_chart;

/* The size of the file does not grow with the rows: beyond two rows per pixel, each column of half a pixel
   keeps its first, smallest, largest and last number. */
void sb_chart_write(FILE *out, const sb_chart *chart);

#endif
