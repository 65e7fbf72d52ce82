/* What the examples share: a clock, and an end when a call fails. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <slimband/slimband.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void must(slimband_status status)
{
    if (status == SLIMBAND_OK)
        return;
    fprintf(stderr, "%s\n", slimband_status_string(status));
    exit(EXIT_FAILURE);
}

static inline double *doubles(int64_t count)
{
    double *array = calloc((size_t)count, sizeof *array);
    if (!array)
        must(SLIMBAND_OUT_OF_MEMORY);
    return array;
}

#endif
