/* poisson_gpu.h in builds without CUDA, whose plans on a GPU are refused before any of this is called. */
#include <stddef.h>

#include "bench/poisson_gpu.h"

sb_cufft_poisson *sb_cufft_poisson_create(int rows, int columns, const void *stream, const char **reason)
{
    (void)rows, (void)columns, (void)stream;
    *reason = "this build has no CUDA";
    return NULL;
}

bool sb_cufft_poisson_solve(const sb_cufft_poisson *poisson, const double *f, double *u)
{
    (void)poisson, (void)f, (void)u;
    return false;
}

void sb_cufft_poisson_destroy(sb_cufft_poisson *poisson)
{
    (void)poisson;
}
