/* The one state that this library keeps between calls, since FFTW's planner keeps its own. */
#include "src/poisson/planner.h"

#include <pthread.h>

static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

void sb_lock_planner(void)
{
    pthread_mutex_lock(&planner);
}

void sb_unlock_planner(void)
{
    pthread_mutex_unlock(&planner);
}
