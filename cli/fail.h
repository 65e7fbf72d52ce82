/* Why something could not be done: one sentence, carried up to the command that prints it. */
#ifndef SB_FAIL_H
#define SB_FAIL_H

#include <stdbool.h>

typedef struct sb_failure {
    char text[1024]; /* one line without its newline; "" while nothing went wrong */
} sb_failure;

/* Keep the sentence ("b.npy: not a .npy file"); control characters become '?'. Always returns false. */
__attribute__((format(printf, 2, 3))) bool sb_fail(sb_failure *failure, const char *format, ...);

/* "path: <what the system says about `error`>", with a full disk called by its name. Always returns false. */
bool sb_fail_system(sb_failure *failure, const char *path, int error);

#endif
