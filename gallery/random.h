/* A seeded random generator with the same numbers on every machine: xoshiro256** (Blackman and Vigna), its
 * state filled by splitmix64. Only exact floating-point operations follow it. */
#ifndef SB_GALLERY_RANDOM_H
#define SB_GALLERY_RANDOM_H

#include <stdint.h>

typedef struct sb_random {
    uint64_t state[4];
} sb_random;

sb_random sb_random_seeded(uint64_t seed);

uint64_t sb_random_bits(sb_random *random);

/* Uniform in [0, 1), a multiple of 2^-53. */
double sb_random_unit(sb_random *random);

/* Uniform in [-1, 1). */
double sb_random_signed(sb_random *random);

/* Uniform in first..last, both included. */
int64_t sb_random_between(sb_random *random, int64_t first, int64_t last);

#endif
