/* A file that appears complete or not at all. */
#ifndef SB_OUTPUT_H
#define SB_OUTPUT_H

#include <stdio.h>

#include "cli/fail.h"

/* Everything is written under a temporary name in the same directory, which commit renames. What is not a
   regular file (a terminal, a pipe, /dev/full) is written directly. At most four may be open at once; SIGINT,
   SIGTERM, SIGHUP and SIGPIPE remove the temporary files before they end the process. Not to be copied while
   open. */
typedef struct sb_output {
    FILE *stream; /* write here with stdio; errors are remembered and come out in commit */
    char *path, *temporary;
    int descriptor;
    int error; /* errno of the first write that failed */
} sb_output;

/* Open early: a place that cannot be written is then refused before the work is done. On false the struct is
   empty and *failure begins with the path. */
bool sb_output_open(sb_output *output, const char *path, sb_failure *failure);

/* Flush and close: all that a full disk can spoil. What belongs together is finished before any of it is committed. On false the
   temporary file is gone and the old file, if any, as it was. True for one that is finished already or was never opened. */
bool sb_output_finish(sb_output *output, sb_failure *failure);

/* Finish, unless that is done, and rename. On false as above. */
bool sb_output_commit(sb_output *output, sb_failure *failure);

/* Remove the temporary file; nothing after a commit or a failed open, so it can stand in every cleanup. */
void sb_output_discard(sb_output *output);

/* Commit what the report on standard output tells of, if all of that is written: a report that is lost leaves no files. Finish
   both before the report, so that none tells of files that a full disk spoiled. What was never opened is passed over; second
   may be NULL. */
bool sb_output_commit_reported(sb_output *first, sb_output *second, sb_failure *failure);

/* Do two paths name one file, there or yet to be made? Links are followed as sb_output_open follows them. */
bool sb_output_same(const char *a, const char *b);

#endif
