/* Samples on a GPU. */
#ifndef POISSON_DEVICE_H
#define POISSON_DEVICE_H

#include "slimband/cuda.h"
#include "tests/poisson/support.h"

enum { SKIPPED = 77 };

typedef struct device_sample {
    void *f, *u;
    slimband_poisson_boundary boundary;
    size_t bytes;
} device_sample;

/* For a program whose arguments are EVERY and a filter for cmocka: how many problems there are to one that is solved, by default 1.
   Without a device, says so and returns 0. */
int device_begin(int argc, char **argv);

/* f and walls' values; u is NaN everywhere. */
device_sample device_take(const sample *sample);
void device_free(device_sample *sample, int rank);

/* As oracle_solve. */
double *device_solve(const sample *sample, const char *method, bool in_place, slimband_status *status,
                     slimband_poisson_report *report);

/* A solve of an f64 problem is captured; replayed, and called without a graph, it gives the same bits, as good as they should
   be. */
void device_check_capture(const slimband_poisson_problem *problem, const char *method);

#endif
