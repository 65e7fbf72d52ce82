/* Passes by several threads, or by one. */
#include "src/cpu/team.h"

#include <omp.h>

static void each_pass(int passes, sb_pass *const *pass, void *work)
{
    for (int p = 0; p < passes; ++p) {
        if (p > 0) {
#pragma omp barrier
        }
        pass[p](work, omp_get_thread_num(), omp_get_num_threads());
    }
}

void sb_in_team(int threads, int passes, sb_pass *const *pass, void *work)
{
    for (int p = 0; threads <= 1 && p < passes; ++p)
        pass[p](work, 0, 1);
    if (threads <= 1)
        return;
#pragma omp parallel num_threads(threads)
    each_pass(passes, pass, work);
}
