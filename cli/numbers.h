/* Arrays of the four scalar types: copied, converted, looked at. */
#ifndef SB_NUMBERS_H
#define SB_NUMBERS_H

#include "slimband/scalar.h"

/* A run of numbers in memory; the stride counts elements. */
typedef struct sb_run {
    slimband_scalar scalar;
    void *start;
    int64_t stride;
} sb_run;

/* NumPy's rule: double if one of them is, complex if one of them is. */
slimband_scalar sb_common_scalar(slimband_scalar a, slimband_scalar b);

/* Copy `count` numbers to a type that holds all of `from`'s (or the same one). */
void sb_copy_numbers(sb_run to, sb_run from, int64_t count);

/* The run that begins `offset` elements further on. */
sb_run sb_run_at(sb_run run, int64_t offset);

bool sb_number_is_finite(sb_run run);

size_t sb_number_bytes(slimband_scalar scalar);
const char *sb_scalar_name(slimband_scalar scalar); /* "f32", "f64", "c64", "c128" */

#endif
