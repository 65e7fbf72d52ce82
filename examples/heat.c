/* Heat on a torus of 1024 x 1024 points: backward Euler, one axis after the other (locally one-dimensional).
 * Along either axis every line solves  -r u[i-1] + (1 + 2 r) u[i] - r u[i+1] = old u[i]  closed into a ring:
 * one periodic tridiagonal matrix, shared by all lines of both axes, in two layouts. */
#include <math.h>
#include <string.h>

#include "example.h"

enum { N = 1024, STEPS = 20, WAVES_X = 3, WAVES_Y = 5 };

/* Time step times conductivity over the square of the spacing; an explicit step is unstable above 1/4. */
static const double r = 50, PI = 3.14159265358979323846;

/* The grid is a mean of 1 and one wave, an eigenvector of the discrete operator. */
static double wave(int y, int x)
{
    return cos(2 * PI * WAVES_X * x / N) * cos(2 * PI * WAVES_Y * y / N);
}

/* What one implicit solve along an axis multiplies such a wave with. */
static double decay(int waves)
{
    double s = sin(PI * waves / N);
    return 1 / (1 + 4 * r * s * s);
}

static double distance_from_exact(const double *u, int steps)
{
    double height = pow(decay(WAVES_X) * decay(WAVES_Y), steps), largest = 0;
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x)
            largest = fmax(largest, fabs(u[y * N + x] - 1 - height * wave(y, x)));
    return largest;
}

/* Solve once more along one axis, with the old grid kept, and measure. */
static double backward_error(const slimband_problem *problem, slimband_plan *plan, const void *const *diagonals,
                             double *u, double *old)
{
    slimband_backward_error error;
    memcpy(old, u, sizeof *u * N * N);
    must(slimband_solve(plan, old, u));
    must(slimband_residual(problem, diagonals, old, u, &error));
    return error.normwise;
}

int main(void)
{
    double *u = doubles(N * N), *old = doubles(N * N), *side = doubles(N), *middle = doubles(N);
    const void *diagonals[] = {side, middle, side};
    for (int i = 0; i < N; ++i) {
        side[i] = -r;
        middle[i] = 1 + 2 * r;
        for (int x = 0; x < N; ++x)
            u[i * N + x] = 1 + wave(i, x);
    }

    slimband_problem along[2];
    slimband_plan *plan[2];
    for (int axis = 0; axis < 2; ++axis) {
        along[axis] = slimband_tridiagonal(SLIMBAND_F64, N);
        along[axis].ends = SLIMBAND_PERIODIC;
        along[axis].coefficients = SLIMBAND_SHARED;
        must(slimband_along_axis(&along[axis], 2, (int64_t[]){N, N}, axis));
        must(slimband_plan_create(&plan[axis], &along[axis], slimband_cpu(0), SLIMBAND_AUTO));
        must(slimband_factor(plan[axis], diagonals));
    }

    double spent[2] = {0, 0};
    for (int step = 0; step < STEPS; ++step)
        for (int axis = 1; axis >= 0; --axis) {
            double start = seconds();
            must(slimband_solve(plan[axis], u, u));
            spent[axis] += seconds() - start;
        }
    double off = distance_from_exact(u, STEPS);

    printf("heat            %d implicit steps on a %d x %d torus, r = %g (an explicit step needs r <= 1/4)\n",
           STEPS, N, N, r);
    printf("system          periodic tridiagonal, n = %d, one matrix, %d lines along each axis, in place\n", N,
           N);
    for (int axis = 1; axis >= 0; --axis) {
        slimband_report report;
        must(slimband_plan_report(plan[axis], &report));
        double each = spent[axis] / STEPS, points = (double)N * N;
        printf("along %s         %s, %d threads: %.2f ms, %.2f ns a point, %.1f GB/s, backward error %.1e\n",
               axis ? "x" : "y", report.method, report.threads, 1e3 * each, 1e9 * each / points,
               8e-9 * report.words_per_row * points / each,
               backward_error(&along[axis], plan[axis], diagonals, u, old));
    }
    double step = (spent[0] + spent[1]) / STEPS;
    printf("time            %.2f ms a step, %.2f ns a point\n", 1e3 * step, 1e9 * step / ((double)N * N));
    printf("decay           %.1e from the exact decay of the wave after %d steps\n", off, STEPS);
    slimband_plan_destroy(plan[0]);
    slimband_plan_destroy(plan[1]);
    free(u);
    free(old);
    free(side);
    free(middle);
    return off < 1e-12 ? EXIT_SUCCESS : EXIT_FAILURE;
}
