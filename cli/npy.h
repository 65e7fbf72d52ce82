/* NumPy's .npy files, as far as they hold the four scalar types. */
#ifndef SB_NPY_H
#define SB_NPY_H

#include <stdio.h>

#include "cli/fail.h"
#include "cli/numbers.h"
#include "cli/output.h"

enum { SB_NPY_MAX_RANK = 4, SB_NPY_FIRST_BYTE = 0x93 };

typedef struct sb_npy {
    slimband_scalar scalar;
    bool fortran; /* the first axis is the fastest; else the last */
    int rank;     /* 0..4 */
    int64_t shape[SB_NPY_MAX_RANK];
    void *data; /* from malloc when read; NULL when there are no elements */
} sb_npy;

/* Versions 1, 2 and 3; little-endian f4, f8, c8, c16. Everything else, and a file that is shorter or longer
   than its header says, is refused with a sentence that begins with the path. On false the struct is empty. */
bool sb_npy_read(sb_npy *array, const char *path, sb_failure *failure);

/* The same from an open stream; `name` is what failures call it. */
bool sb_npy_read_stream(sb_npy *array, FILE *stream, const char *name, sb_failure *failure);

/* Write the array to an open output. */
void sb_npy_write(const sb_npy *array, sb_output *output);

void sb_npy_free(sb_npy *array); /* an empty struct is fine */

int64_t sb_npy_elements(const sb_npy *array);

/* Elements between neighbours along each axis. */
void sb_npy_strides(const sb_npy *array, int64_t strides[SB_NPY_MAX_RANK]);

#endif
