/* -Laplacian u = 1 on the unit square with u = 0 at its walls: the deflection of a drumhead under its own weight. The middle
 * of the exact solution is 0.0736713532815... */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <slimband/poisson.h>

int main(void)
{
    const double exact = 0.07367135328151;
    slimband_status s = SLIMBAND_OK;
    for (int64_t n = 31; n <= 511 && !s; n = 2 * n + 1) {
        slimband_poisson_problem p = slimband_poisson(SLIMBAND_F64, 2, (int64_t[]){n, n});
        double *u = malloc((size_t)(n * n) * sizeof *u);
        for (int64_t i = 0; u && i < n * n; ++i)
            u[i] = 1;
        slimband_poisson_plan *plan;
        s = u ? slimband_poisson_plan_create(&plan, &p, slimband_cpu(0), SLIMBAND_AUTO)
              : SLIMBAND_OUT_OF_MEMORY;
        if (!s) {
            s = slimband_poisson_solve(plan, u, NULL, u);
            slimband_poisson_plan_destroy(plan);
        }
        if (!s)
            printf("%4lld x %-4lld  middle %.10f  error %.1e\n", (long long)n, (long long)n, u[n * n / 2],
                   fabs(u[n * n / 2] - exact));
        free(u);
    }
    if (s)
        fprintf(stderr, "%s\n", slimband_status_string(s));
    return s != SLIMBAND_OK;
}
