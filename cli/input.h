/* Opening what is to be read, and reading text as a whole. */
#ifndef SB_INPUT_H
#define SB_INPUT_H

#include <stddef.h>
#include <stdio.h>

#include "cli/fail.h"

/* NULL with *failure if it cannot be opened or is a directory. */
FILE *sb_input_open(const char *path, sb_failure *failure);

/* Bytes from here to the end of a regular file; -1 if it is none (a pipe: nobody knows). */
long long sb_input_left(FILE *stream);

/* All of a text file from malloc, with a NUL behind it; NULL with *failure if it is empty, cannot be read or
   holds a NUL itself. Memory grows with what was really read. */
char *sb_input_text(FILE *stream, const char *name, sb_failure *failure);

#endif
