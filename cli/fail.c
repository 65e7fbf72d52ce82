/* The one-line error mechanism. */
#include "cli/fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool sb_fail(sb_failure *failure, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->text, sizeof failure->text, format, arguments);
    va_end(arguments);
    for (char *c = failure->text; *c; ++c) {
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
    return false;
}

bool sb_fail_system(sb_failure *failure, const char *path, int error)
{
    if (error == ENOSPC || error == EDQUOT)
        return sb_fail(failure, "%s: the disk is full", path);
    return sb_fail(failure, "%s: %s", path, strerror(error));
}
