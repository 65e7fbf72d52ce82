/* A tridiagonal system in one line, and a batch of them with a plan. */
#include <slimband/slimband.h>
#include <stdio.h>

enum { N = 5, SYSTEMS = 1000 };

int main(void)
{
    /* -x[i-1] + 2 x[i] - x[i+1] = b[i]. Entry i of each diagonal belongs to row i; what falls outside the
       matrix (lower[0] and upper[N-1]) is never read. */
    double lower[N] = {0, -1, -1, -1, -1}, diagonal[N] = {2, 2, 2, 2, 2}, upper[N] = {-1, -1, -1, -1, 0};
    double b[N] = {0, 0, 0, 0, 6}, x[N];
    slimband_status status = slimband_dsolve_tridiagonal(N, lower, diagonal, upper, b, x);
    if (!status)
        printf("x = %g %g %g %g %g\n", x[0], x[1], x[2], x[3], x[4]);

    /* The same matrix, factored once, for many right-hand sides that lie one after another; solved in place. */
    static double many[SYSTEMS * N];
    for (int s = 0; s < SYSTEMS; ++s)
        many[s * N + N - 1] = 6.0 * s;
    slimband_problem problem = slimband_tridiagonal(SLIMBAND_F64, N);
    problem.coefficients = SLIMBAND_SHARED;
    slimband_plan *plan = NULL;
    if (!status)
        status = slimband_contiguous(&problem, SYSTEMS);
    if (!status)
        status = slimband_plan_create(&plan, &problem, slimband_cpu(0), SLIMBAND_AUTO);
    if (!status)
        status = slimband_factor(plan, (const void *[]){lower, diagonal, upper});
    if (!status)
        status = slimband_solve(plan, many, many);
    if (!status)
        printf("system 999: x = %g ... %g\n", many[999 * N], many[999 * N + N - 1]);
    slimband_plan_destroy(plan);
    if (status)
        fprintf(stderr, "%s\n", slimband_status_string(status));
    return status != SLIMBAND_OK;
}
