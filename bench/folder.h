/* The folder that a set of cases writes its files to. */
#ifndef SB_BENCH_FOLDER_H
#define SB_BENCH_FOLDER_H

#include "cli/output.h"

typedef struct sb_folder {
    const char *path;
    bool made; /* by us: it was not there */
} sb_folder;

/* Before the work, so that it is not done for nothing. */
bool sb_folder_open(sb_folder *folder, const char *path, sb_failure *failure);

/* NAME.ENDING in it, opened early and committed late as every output. */
bool sb_folder_file(const sb_folder *folder, sb_output *output, const char *name, const char *ending,
                    sb_failure *failure);

/* If nothing came of it: gone again, unless there is something in it. */
void sb_folder_abandon(const sb_folder *folder);

#endif
