/* A status in the command's words. */
#ifndef SB_REASON_H
#define SB_REASON_H

#include "slimband/status.h"

/* slimband_status_string's sentence, without the calls that a program would make next. Never NULL; a static string. */
const char *sb_reason(slimband_status status);

#endif
