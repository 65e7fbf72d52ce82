/* Values of options that are lists, one entry for each axis. */
#ifndef SB_LISTS_H
#define SB_LISTS_H

#include <argp.h>
#include <stdint.h>

#include "cli/fail.h"

/* "1023,1023": 1 to `most` whole numbers in low..high. */
error_t sb_option_integers(const char *option, const char *text, int64_t low, int64_t high, int most,
                           int64_t *values, int *count, sb_failure *failure);

/* "1,0.5": 1 to `most` finite numbers, all positive if so asked. */
error_t sb_option_numbers(const char *option, const char *text, bool positive, int most, double *values,
                          int *count, sb_failure *failure);

/* "dd,nn": 1 to `most` of these words; their indices. */
error_t sb_option_words(const char *option, const char *text, const char *const *words, int most, int *indices,
                        int *count, sb_failure *failure);

/* A list of one entry stands for all axes: it is repeated. Any other must have `axes` entries. */
bool sb_list_fits(const char *option, int count, int axes, sb_failure *failure);

#endif
