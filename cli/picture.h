/* A field of numbers as a PNG picture of 256 colours. */
#ifndef SB_PICTURE_H
#define SB_PICTURE_H

#include <stdint.h>
#include <stdio.h>

#include "cli/fail.h"

/* Row 0 of the field is the top of the picture. Colours rise in lightness by equal steps, from dark violet at `low` to
   light yellow at `high`, so that they read in grey as well; NaN is light grey. */
typedef struct sb_picture {
    int64_t rows, columns;
    const double *values; /* rows * columns, a row after the other */
    double low, high;     /* both NaN: the field's least and largest finite number */
} sb_picture;

/* Small fields are enlarged by repeating points, large ones reduced by averaging blocks of them, each axis by itself,
   to between about 320 and 2048 pixels. An empty field is refused. Errors of the stream are left to its owner. */
bool sb_picture_write(FILE *out, const sb_picture *picture, const char *path, sb_failure *failure);

/* The colour of entry 0..254 of the scale, as sRGB. */
void sb_picture_colour(int index, unsigned char rgb[3]);

#endif
