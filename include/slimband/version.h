/* The version of these headers; slimband_version() is the version of the library that is linked. */
#ifndef SLIMBAND_VERSION_H
#define SLIMBAND_VERSION_H

#include "slimband/scalar.h"

#define SLIMBAND_VERSION_MAJOR 0
#define SLIMBAND_VERSION_MINOR 1
#define SLIMBAND_VERSION_PATCH 0
#define SLIMBAND_VERSION "0.1.0"

#ifdef __cplusplus
extern "C"
#endif
    SLIMBAND_API const char *
    slimband_version(void);

#endif
