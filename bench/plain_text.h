/* What the texts of the plain baseline have in common. T is the scalar type. */
#ifndef SB_BENCH_PLAIN_TEXT_H
#define SB_BENCH_PLAIN_TEXT_H

#include "bench/plain.h"
#include "slimband/complex.h"

typedef float sb_scalar_of_f32;
typedef double sb_scalar_of_f64;
typedef slimband_c64 sb_scalar_of_c64;
typedef slimband_c128 sb_scalar_of_c128;

#define SB_PLAIN_JOIN3(name, type, level) sb_##name##_##type##_##level
#define SB_PLAIN_JOIN(name, type, level) SB_PLAIN_JOIN3(name, type, level)
#define SB_PLAIN_NAME(name) SB_PLAIN_JOIN(name, SB_TYPE, SB_LEVEL)
#define SB_PLAIN_SCALAR2(type) sb_scalar_of_##type
#define SB_PLAIN_SCALAR(type) SB_PLAIN_SCALAR2(type)
typedef SB_PLAIN_SCALAR(SB_TYPE) T;

#define SB_PLAIN_INLINE static inline __attribute__((always_inline)) void

enum { SB_PLAIN_ROOM = SLIMBAND_MAX_BANDWIDTH };

/* Compiled with constant bandwidths for the usual bands. */
#define SB_PLAIN_SPECIALISE(name)                     \
    void SB_PLAIN_NAME(name)(const sb_plain_job *job) \
    {                                                 \
        if (job->lower == 1 && job->upper == 1)       \
            name##_band(job, 1, 1);                   \
        else if (job->lower == 2 && job->upper == 2)  \
            name##_band(job, 2, 2);                   \
        else                                          \
            name##_band(job, job->lower, job->upper); \
    }

sb_plain_function SB_PLAIN_NAME(eliminate_line), SB_PLAIN_NAME(eliminate_strip), SB_PLAIN_NAME(factor),
    SB_PLAIN_NAME(substitute_line), SB_PLAIN_NAME(substitute_strip);

#endif
