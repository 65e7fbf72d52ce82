/* The four scalar types, under NumPy's names. */
#ifndef SLIMBAND_SCALAR_H
#define SLIMBAND_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined _WIN32
#define SLIMBAND_API
#else
#define SLIMBAND_API __attribute__((visibility("default")))
#endif

typedef enum slimband_scalar {
    SLIMBAND_F32,  /* float */
    SLIMBAND_F64,  /* double */
    SLIMBAND_C64,  /* two floats: real, imaginary */
    SLIMBAND_C128, /* two doubles: real, imaginary */
} slimband_scalar;

#endif
