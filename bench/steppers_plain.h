/* The published way in plain C: hyperdiffusion by Crank-Nicolson, one member after the other (cupentbatch II.2 to II.4). */
#ifndef SB_BENCH_STEPPERS_PLAIN_H
#define SB_BENCH_STEPPERS_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

/* Factors of one ring's matrix, n - 2 rows of it eliminated, the last two unknowns solved for first. */
typedef struct sb_plain_ring {
    int64_t n;
    double sigma;
    double *beta, *reciprocal, *gamma, *delta; /* of L and R, n - 2 each; beta divided as the reciprocal asks */
    double *h[2];                              /* rows of h^T E^-1 */
    double inverse[2][2];
} sb_plain_ring;

/* sigma: dt gamma D / (2 h^4). n at least 7. False without memory; sb_plain_ring_free in any case. */
bool sb_plain_ring_make(sb_plain_ring *ring, int64_t n, double sigma);
void sb_plain_ring_free(sb_plain_ring *ring);

/* One step of one member; f: room for n numbers. */
void sb_plain_ring_step(const sb_plain_ring *ring, double *c, double *f);

#endif
