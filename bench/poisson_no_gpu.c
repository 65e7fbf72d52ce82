/* poisson_gpu.h in builds without CUDA, whose plans on a GPU are refused before any of this is called. */
#include <stddef.h>

#include "bench/poisson_gpu.h"

bool sb_gpu_arrays_create(sb_gpu_arrays *arrays, const double *f, int64_t points)
{
    (void)arrays, (void)f, (void)points;
    return false;
}

void sb_gpu_arrays_destroy(sb_gpu_arrays *arrays)
{
    (void)arrays;
}

bool sb_gpu_arrays_spoil(const sb_gpu_arrays *arrays)
{
    (void)arrays;
    return false;
}

bool sb_gpu_arrays_fetch(const sb_gpu_arrays *arrays, double *u)
{
    (void)arrays, (void)u;
    return false;
}

bool sb_gpu_wait(void)
{
    return false;
}

sb_cufft_poisson *sb_cufft_poisson_create(int rows, int columns, const char **reason)
{
    (void)rows, (void)columns;
    *reason = "this build has no CUDA";
    return NULL;
}

bool sb_cufft_poisson_solve(const sb_cufft_poisson *poisson, const sb_gpu_arrays *arrays)
{
    (void)poisson, (void)arrays;
    return false;
}

void sb_cufft_poisson_destroy(sb_cufft_poisson *poisson)
{
    (void)poisson;
}
