/* LU with partial pivoting, one thread a system: what the driver rescues systems with, applied to all of them. */
#include "src/cuda/methods/methods.h"

static slimband_status fits(const sb_cuda_setup *setup)
{
    return setup->problem->pivoting == SLIMBAND_PIVOT_NONE ? SLIMBAND_METHOD_ALWAYS_PIVOTS : SLIMBAND_OK;
}

/* Rows are read and written in place, several times each; and see lu.c. */
static double cost(const sb_cuda_setup *setup)
{
    const double bytes_per_microsecond = 1e6, launch_microseconds = 5;
    const slimband_problem *p = setup->problem;
    const double row_microseconds = p->lower > 2 || p->upper > 2 ? 6.6 : 1;
    const int wider = p->ends == SLIMBAND_PERIODIC ? 2 : 1; /* rings are folded */
    double words = 4 + 3 * (wider * (p->lower + p->upper) + 1),
           rows = (double)setup->systems * (double)setup->longest;
    double traffic = rows * words * (double)setup->scalar_bytes / bytes_per_microsecond;
    double chain = 2 * (double)setup->longest * row_microseconds;
    return launch_microseconds + (traffic > chain ? traffic : chain);
}

const sb_cuda_method sb_cuda_pivoted_lu_method = {.pivots = true, .fits = fits, .cost = cost};
