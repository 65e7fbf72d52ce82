/* One column of numbers out of a CSV file, and the column that labels its rows (dates, say). */
#ifndef SB_CSV_H
#define SB_CSV_H

#include <stdint.h>
#include <stdio.h>

#include "cli/fail.h"

/* All pointers are owned by the struct. Names and labels are raw fields, quotes and all, so that writing them
   back gives the same CSV again. */
typedef struct sb_csv {
    int64_t rows;
    double *values;         /* rows entries, finite, or NaN where missing: empty, NaN, NA, N/A, null, . */
    int64_t missing;        /* how many are NaN */
    const char **labels;    /* rows fields of the first other column; NULL if the file has one column only */
    const char *value_name; /* of the header line; NULL if the file has none */
    const char *label_name; /* the same; NULL as well without labels */
    char *text;             /* the file, where names and labels point into */
} sb_csv;

/* column: a number counting from 1, else a name of the header line; NULL for the last column. The first
   line is a header if a name was needed, or if its entry in the chosen column is neither a number nor missing.
   Fields are separated by commas and may be quoted ("" for a quote); lines end in LF or CRLF; a byte order mark
   is skipped. Blank lines are skipped too, except in a file of one column, where they are missing values unless
   nothing follows. Every line must have as many fields as the first. On false the struct is empty and *failure
   says why, beginning with the path. */
bool sb_csv_read(sb_csv *csv, const char *path, const char *column, sb_failure *failure);

/* The same from an open stream; `name` is what failures call it. */
bool sb_csv_read_stream(sb_csv *csv, FILE *stream, const char *name, const char *column, sb_failure *failure);

void sb_csv_free(sb_csv *csv); /* an empty struct is fine */

#endif
