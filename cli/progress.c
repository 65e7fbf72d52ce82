/* The progress line. */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

double sb_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void sb_progress_begin(sb_progress *progress)
{
    double now = sb_seconds();
    *progress = (sb_progress){.terminal = isatty(STDERR_FILENO) != 0, .started = now, .last = now};
}

void sb_progress_update(sb_progress *progress, const char *what, double fraction)
{
    if (!progress->terminal)
        return;
    double now = sb_seconds();
    if (fraction >= 0 && (now - progress->started < 0.5 || now - progress->last < 0.2))
        return;
    progress->last = now;
    progress->shown = true;
    if (fraction < 0)
        fprintf(stderr, "\r\033[K%s ...", what);
    else
        fprintf(stderr, "\r\033[K%s ... %.0f %%", what, 100 * fraction);
}

void sb_progress_end(sb_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}
