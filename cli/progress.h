/* A line on stderr that shows how far long work has come; nothing unless stderr is a terminal. */
#ifndef SB_PROGRESS_H
#define SB_PROGRESS_H

#include <stdbool.h>

typedef struct sb_progress {
    bool terminal, shown;
    double started, last; /* seconds */
} sb_progress;

void sb_progress_begin(sb_progress *progress);

/* "what ... 42 %"; a negative fraction shows none. Cheap enough for every few thousand rows: draws nothing in
   the first half second and then five times a second at most. */
void sb_progress_update(sb_progress *progress, const char *what, double fraction);

/* Wipe the line. Before anything else is written to stderr. */
void sb_progress_end(sb_progress *progress);

/* Seconds on a clock that only runs forwards. */
double sb_seconds(void);

#endif
