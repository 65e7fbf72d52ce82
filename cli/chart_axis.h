/* Where an axis has its ticks, and what stands at them. */
#ifndef SB_CLI_CHART_AXIS_H
#define SB_CLI_CHART_AXIS_H

#include <stdint.h>

enum { SB_AXIS_TICKS = 24, SB_AXIS_TEXT = 64 };

typedef struct sb_axis {
    double low, high; /* the ends; low < high */
    int ticks;
    double at[SB_AXIS_TICKS];
    char text[SB_AXIS_TICKS][SB_AXIS_TEXT];
} sb_axis;

/* Round numbers around low..high, both finite. */
void sb_axis_of_values(sb_axis *axis, double low, double high);

/* Rows 0..rows-1: years where the labels begin with years and span several, else labels, else numbers from 1.
 */
void sb_axis_of_rows(sb_axis *axis, int64_t rows, const char *const *labels);

#endif
