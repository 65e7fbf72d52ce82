/* A natural cubic spline through a track in space: 10^6 points, unevenly spaced in time. The second derivatives
 * at the knots solve one tridiagonal system for each of x, y and z, all with the same matrix. */
#include <math.h>

#include "example.h"

enum { POINTS = 1000000, INNER = POINTS - 2, SOLVES = 5 };

/* Metres after t seconds of a flight of DURATION. Every sine has whole half waves in it, so the track starts
   and ends without acceleration, as a natural spline does. */
static const double DURATION = 1000, PI = 3.14159265358979323846;
static const double TOLERANCE = 2e-10; /* above 5/384 h^4 |fourth derivative| of a cubic spline */
static const struct wave {
    double speed, amplitude, half_waves;
} track[3] = {{3, 40, 700}, {-2, 25, 900}, {0.5, 8, 1300}};

static double position(int axis, double t)
{
    const struct wave *w = &track[axis];
    return w->speed * t + w->amplitude * sin(PI * w->half_waves * t / DURATION);
}

/* Knots every millisecond or so: each but the first and the last is up to 30 % late. */
static void make_knots(double *t)
{
    uint64_t state = 20240229;
    for (int i = 0; i < POINTS; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double late = i > 0 && i < POINTS - 1 ? 0.3 * (double)(state >> 11) / 9007199254740992.0 : 0;
        t[i] = DURATION * ((double)i + late) / (POINTS - 1);
    }
}

/* Row i belongs to knot i + 1:  h[i] m[i] + 2 (h[i] + h[i+1]) m[i+1] + h[i+1] m[i+2] = 6 (slope[i+1] -
 * slope[i]). */
static void assemble(const double *t, const double *p, double *lower, double *diagonal, double *upper,
                     double *b)
{
    for (int i = 0; i < INNER; ++i) {
        lower[i] = t[i + 1] - t[i];
        upper[i] = t[i + 2] - t[i + 1];
        diagonal[i] = 2 * (lower[i] + upper[i]);
        for (int axis = 0; axis < 3; ++axis) {
            const double *q = p + 3 * i + axis;
            b[3 * i + axis] = 6 * ((q[6] - q[3]) / upper[i] - (q[3] - q[0]) / lower[i]);
        }
    }
}

/* Largest distance between spline and track, half way between knots. m: accelerations at all knots. */
static double largest_error(const double *t, const double *p, const double *m)
{
    double largest = 0;
    for (int i = 0; i + 1 < POINTS; ++i) {
        double h = t[i + 1] - t[i], square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double *q = p + 3 * i + axis, *a = m + 3 * i + axis;
            double spline = (q[0] + q[3]) / 2 - h * h / 16 * (a[0] + a[3]);
            square += pow(spline - position(axis, t[i] + h / 2), 2);
        }
        largest = fmax(largest, sqrt(square));
    }
    return largest;
}

int main(void)
{
    double *t = doubles(POINTS), *p = doubles(3 * POINTS), *m = doubles(3 * POINTS), *b = doubles(3 * INNER);
    double *lower = doubles(INNER), *diagonal = doubles(INNER), *upper = doubles(INNER);
    const void *diagonals[] = {lower, diagonal, upper};
    make_knots(t);
    for (int i = 0; i < POINTS; ++i)
        for (int axis = 0; axis < 3; ++axis)
            p[3 * i + axis] = position(axis, t[i]);
    assemble(t, p, lower, diagonal, upper, b);

    slimband_problem problem = slimband_tridiagonal(SLIMBAND_F64, INNER);
    problem.coefficients = SLIMBAND_SHARED;
    must(slimband_interleaved(&problem, 3));
    slimband_plan *plan;
    must(slimband_plan_create(&plan, &problem, slimband_cpu(0), SLIMBAND_AUTO));
    double start = seconds();
    must(slimband_factor(plan, diagonals));
    double factored = seconds() - start, best = INFINITY;
    for (int k = 0; k < SOLVES; ++k) {
        start = seconds();
        must(slimband_solve(plan, b, m + 3)); /* the ends, m[0..2] and the last three, stay 0 */
        best = fmin(best, seconds() - start);
    }

    slimband_report report;
    slimband_backward_error error;
    must(slimband_plan_report(plan, &report));
    must(slimband_residual(&problem, diagonals, b, m + 3, &error));
    double bytes = 8 * report.words_per_row * 3 * INNER;
    printf("spline          natural cubic, through %d points of a track in space\n", POINTS);
    printf("system          tridiagonal, n = %d, one matrix, 3 right-hand sides (x, y, z interleaved)\n",
           INNER);
    printf("method          %s, %d threads\n", report.method, report.threads);
    printf("time            factor %.1f ms, solve %.1f ms: %.2f ns an unknown, %.1f GB/s\n", 1e3 * factored,
           1e3 * best, 1e9 * best / (3.0 * INNER), 1e-9 * bytes / best);
    printf("backward error  %.1e normwise, %.1e componentwise\n", error.normwise, error.componentwise);
    double off = largest_error(t, p, m);
    printf("spline - track  %.1e m at most, half way between the knots\n", off);
    slimband_plan_destroy(plan);
    for (int k = 0; k < 7; ++k)
        free((double *[]){t, p, m, b, lower, diagonal, upper}[k]);
    return off < TOLERANCE ? EXIT_SUCCESS : EXIT_FAILURE;
}
