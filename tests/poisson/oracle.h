/* The difference equations by ghost points, written down a second time for the tests. */
#ifndef POISSON_ORACLE_H
#define POISSON_ORACLE_H

#include "slimband/poisson.h"

enum { WALLS = 5, KINDS = 2 * WALLS }; /* walls x centring */

/* A problem with its data: f, walls' values and u, f64 or f32 as the problem says, drawn from a seed. */
typedef struct sample {
    slimband_poisson_problem problem;
    int64_t points; /* of a field */
    double *f, *side[3][2];
    float *single; /* the same f, in floats; single_side likewise */
    float *single_side[3][2];
    slimband_poisson_boundary boundary;
} sample;

slimband_poisson_axis oracle_axis(int kind, int64_t n, double length);
double oracle_h(const slimband_poisson_axis *axis);
/* Of eigenvalue number k at unknown j, up to its sign. */
long double oracle_eigenvector(const slimband_poisson_axis *axis, int64_t k, int64_t j);
long double oracle_eigenvalue(const slimband_poisson_axis *axis, int64_t k);
const char *
oracle_name(const slimband_poisson_problem *problem); /* "dd-node 5, pp-cell 3"; until the next call */

/* Random numbers in -1..1 everywhere; f32 problems get their data rounded to float in both forms. */
sample oracle_draw(const slimband_poisson_problem *problem, uint64_t seed);
/* f is `level` plus random numbers in -spread..spread; the walls' values are zero. */
sample oracle_level(const slimband_poisson_problem *problem, double level, double spread, uint64_t seed);
void oracle_free(sample *sample);
const void *oracle_f(const sample *sample);

/* (lambda - Laplacian) of field `field` of u with the sample's boundary values, at point (i, j, k); and the largest
   possible modulus of a row's terms per unit of u and of the boundary's values. */
long double oracle_apply(const sample *sample, const double *u, int64_t field, const int64_t at[3]);
double oracle_norm(const slimband_poisson_problem *problem);

/* What is to be taken off f: its weighted mean, boundary terms included; 0 unless singular. */
long double oracle_projection(const sample *sample, int64_t field);
bool oracle_singular(const slimband_poisson_problem *problem);

/* max |f - p - A u| / (norm (max |u| + 2 max |walls|) + max |f|), and the mean of u as the problem's weights have it. */
double oracle_backward_error(const sample *sample, const double *u);
double oracle_mean(const slimband_poisson_problem *problem, const double *u);

/* Solve by a plan with one call each; the answer as doubles from malloc. NULL where the status is not OK. */
double *oracle_solve(const sample *sample, slimband_executor executor, const char *method,
                     slimband_status *status, slimband_poisson_report *report);

#endif
