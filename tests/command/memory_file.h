/* Text as a stream, for readers under test. */
#ifndef SB_TEST_MEMORY_FILE_H
#define SB_TEST_MEMORY_FILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static inline FILE *memory_file(const void *bytes, size_t size)
{
    /* fmemopen refuses size 0 in some C libraries: an empty stream is /dev/null then. */
    FILE *stream = size ? fmemopen((void *)(uintptr_t)bytes, size, "rb") : fopen("/dev/null", "rb");
    assert_non_null(stream);
    return stream;
}

/* `sentence` is one line that begins with the file's name and holds `part`. */
static inline void assert_complaint(const char *sentence, const char *part)
{
    if (strncmp(sentence, "file: ", 6) || strchr(sentence, '\n') || !strstr(sentence, part))
        fail_msg("'%s' is not a sentence about '%s'", sentence, part);
}

#endif
