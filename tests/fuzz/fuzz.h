/* What the fuzz targets share: the input as a stream, and what every reader owes. */
#ifndef SB_FUZZ_H
#define SB_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fail.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* NULL when there is nothing to read. */
static inline FILE *fuzz_stream(const uint8_t *bytes, size_t size)
{
    return size ? fmemopen((void *)(uintptr_t)bytes, size, "rb") : NULL;
}

static inline void fuzz_require(bool condition)
{
    if (!condition)
        abort();
}

/* A refusal is one sentence and leaves nothing behind. */
static inline void fuzz_refused(const sb_failure *failure, const void *left_over)
{
    fuzz_require(!strncmp(failure->text, "file: ", 6) && !strchr(failure->text, '\n') && !left_over);
}

#endif
