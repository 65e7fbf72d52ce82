/* Ticks at round numbers, years or labelled rows. */
#include "cli/chart_axis.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chart_text.h"

enum { LABEL_LETTERS = 11, LABELS_AT_MOST = 9, YEARS_AT_MOST = 11, YEARS_AT_LEAST = 4 };

/* The least of 1, 2, 5, 10, 20, ... times a power of ten that is not below `least`. */
static long double round_step(long double least)
{
    long double power = powl(10, floorl(log10l(least)));
    long double digit = least / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void write_grouped(char *text, size_t size, long double value, int decimals)
{
    char plain[SB_AXIS_TEXT];
    snprintf(plain, sizeof plain, "%.*Lf", decimals, fabsl(value));
    size_t whole = strcspn(plain, "."), used = 0;
    if (value < 0 && used + 4 < size)
        used += (size_t)snprintf(text, size, "\xe2\x88\x92"); /* a minus sign as wide as a plus */
    for (size_t i = 0; plain[i] && used + 2 < size; ++i) {
        if (i && i < whole && (whole - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = plain[i];
    }
    text[used] = '\0';
}

void sb_axis_of_values(sb_axis *axis, double low, double high)
{
    long double size = fmaxl(fabsl(low), fabsl(high));
    long double range = fmaxl((long double)high - low, size * 1e-12L);
    if (high <= low)
        range = size > 0 ? size * 0.2L : 1;
    long double middle = ((long double)low + high) / 2;
    long double step = round_step(range / 7);
    long double first = floorl((middle - range / 2) / step + 1e-9L);
    long double last = ceill((middle + range / 2) / step - 1e-9L);
    long double top = fmaxl(fabsl(first), fabsl(last)) * step;
    int digits = (int)ceill(log10l(top / step)) + 1;
    int decimals = (int)fmaxl(0, -floorl(log10l(step) + 1e-9L));
    axis->ticks = 0;
    for (long double k = first; k <= last && axis->ticks < SB_AXIS_TICKS; ++k) {
        char *text = axis->text[axis->ticks];
        axis->at[axis->ticks++] = (double)(k * step);
        if (top >= 1e10L || decimals > 9)
            snprintf(text, SB_AXIS_TEXT, "%.*Lg", digits, k * step);
        else
            write_grouped(text, SB_AXIS_TEXT, k * step, decimals);
    }
    axis->low = (double)(first * step);
    axis->high = (double)(last * step);
}

/* Long labels end in an ellipsis, after a whole UTF-8 letter. */
static void write_label(char *text, const char *field)
{
    char plain[4 * (LABEL_LETTERS + 2)];
    sb_text_unquote(plain, sizeof plain, field);
    size_t end = 0, kept = 0;
    int letters = 0;
    for (; plain[end]; ++end) {
        letters += ((unsigned char)plain[end] & 0xc0) != 0x80;
        kept = letters <= LABEL_LETTERS - 1 ? end + 1 : kept;
    }
    if (letters <= LABEL_LETTERS)
        kept = end;
    snprintf(text, SB_AXIS_TEXT, "%.*s%s", (int)kept, plain, kept < end ? "\xe2\x80\xa6" : "");
}

/* "1959Q1", "1959-03-31", "1959": 1959; anything else: -1. */
static int year_of(const char *label)
{
    label += label[0] == '"';
    int digits = 0;
    while (isdigit((unsigned char)label[digits]))
        ++digits;
    return digits == 4 ? atoi(label) : -1;
}

static bool ticks_at_years(sb_axis *axis, int64_t rows, const char *const *labels)
{
    int first = year_of(labels[0]), last = year_of(labels[rows - 1]);
    if (first < 0 || last - first < YEARS_AT_LEAST)
        return false;
    int step = (int)round_step((last - first) / (long double)YEARS_AT_MOST + 1e-9L);
    step = step < 1 ? 1 : step;
    int before = first - 1;
    axis->ticks = 0;
    for (int64_t i = 0; i < rows; ++i) {
        int year = year_of(labels[i]);
        if (year < before - (i == 0))
            return false;
        if (year > before && year % step == 0 && axis->ticks < SB_AXIS_TICKS) {
            axis->at[axis->ticks] = (double)i;
            snprintf(axis->text[axis->ticks++], SB_AXIS_TEXT, "%d", year);
        }
        before = year;
    }
    return true;
}

void sb_axis_of_rows(sb_axis *axis, int64_t rows, const char *const *labels)
{
    axis->low = rows > 1 ? 0 : -0.5;
    axis->high = rows > 1 ? (double)(rows - 1) : 0.5;
    if (labels && ticks_at_years(axis, rows, labels))
        return;
    int64_t step = (int64_t)round_step(fmaxl(1, (long double)rows / LABELS_AT_MOST));
    axis->ticks = 0;
    for (int64_t i = labels || step == 1 ? 0 : step - 1; i < rows && axis->ticks < SB_AXIS_TICKS; i += step) {
        char *text = axis->text[axis->ticks];
        axis->at[axis->ticks++] = (double)i;
        if (labels)
            write_label(text, labels[i]);
        else
            write_grouped(text, SB_AXIS_TEXT, (long double)(i + 1), 0);
    }
}
