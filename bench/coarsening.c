/* Cahn-Hilliard in one and two dimensions.
 *
 * The square's step is the ring's with its fourth differences factored by axes, for the increment d of C:
 *     (1 + s P^2) (1 + s Q^2) d = -dt (P + Q) w,   w = C^3 - C + gamma (P + Q) C,   s = dt gamma,
 * P and Q minus the second difference along either axis. (p + q)^2 s <= (1 + s p^2) (1 + s q^2) for all eigenvalues p, q >= 0
 * (Cauchy and Schwarz), so what is implicit never overshoots; what is explicit asks for dt of about gamma / 2. */
#include "bench/coarsening.h"

#include <math.h>
#include <stdlib.h>

#include "cli/reason.h"
#include "gallery/random.h"
#include "slimband/plan.h"
#include "slimband/steppers.h"

enum { SIDE = 256, RING = 2048, RINGS = 16, FIRST_TIME = 8 };

static const double dt = 0.5;

/* Of a wall tanh(x / sqrt 2), gamma = 1. */
static double wall_energy(void)
{
    return 2 * sqrt(2.0) / 3;
}

typedef struct square {
    double *c, *w, *d;
    slimband_plan *plan[2];
} square;

static int64_t next(int64_t i)
{
    return i + 1 < SIDE ? i + 1 : 0;
}

static int64_t before(int64_t i)
{
    return i ? i - 1 : SIDE - 1;
}

/* to = scale * second differences of `from` along both axes */
static void laplacian(const double *from, double scale, double *to, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int64_t y = 0; y < SIDE; ++y) {
        const double *row = from + y * SIDE, *above = from + before(y) * SIDE, *below = from + next(y) * SIDE;
        for (int64_t x = 0; x < SIDE; ++x)
            to[y * SIDE + x] = scale * ((above[x] - row[x]) + (below[x] - row[x]) + (row[before(x)] - row[x]) +
                                        (row[next(x)] - row[x]));
    }
}

static slimband_status step(const square *s, int threads)
{
    laplacian(s->c, -1, s->w, threads);
    for (int64_t i = 0; i < SIDE * SIDE; ++i)
        s->w[i] += s->c[i] * s->c[i] * s->c[i] - s->c[i];
    laplacian(s->w, dt, s->d, threads);
    slimband_status status = slimband_solve(s->plan[1], s->d, s->d);
    if (!status)
        status = slimband_solve(s->plan[0], s->d, s->d);
    for (int64_t i = 0; i < SIDE * SIDE; ++i)
        s->c[i] += s->d[i];
    return status;
}

static double energy(const square *s)
{
    double sum = 0;
    for (int64_t y = 0; y < SIDE; ++y)
        for (int64_t x = 0; x < SIDE; ++x) {
            double c = s->c[y * SIDE + x], right = s->c[y * SIDE + next(x)] - c,
                   down = s->c[next(y) * SIDE + x] - c;
            sum += (c * c - 1) * (c * c - 1) / 4 + (right * right + down * down) / 2;
        }
    return sum / SIDE / SIDE;
}

static slimband_status make_square(square *s, int threads)
{
    double diagonal[SLIMBAND_MAX_DIAGONALS][SIDE];
    const double stencil[] = {1, -4, 6, -4, 1};
    for (int k = 0; k < 5; ++k)
        for (int i = 0; i < SIDE; ++i)
            diagonal[k][i] = dt * stencil[k] + (k == 2);
    slimband_status status = SLIMBAND_OK;
    for (int axis = 0; !status && axis < 2; ++axis) {
        slimband_problem p = slimband_pentadiagonal(SLIMBAND_F64, SIDE);
        p.ends = SLIMBAND_PERIODIC;
        p.coefficients = SLIMBAND_SHARED;
        status = slimband_along_axis(&p, 2, (int64_t[]){SIDE, SIDE}, axis);
        if (!status)
            status = slimband_plan_create(&s->plan[axis], &p, slimband_cpu(threads), SLIMBAND_AUTO);
        if (!status)
            status = slimband_factor(s->plan[axis], (const void *[]){diagonal[0], diagonal[1], diagonal[2],
                                                                     diagonal[3], diagonal[4]});
    }
    return status;
}

static bool run_square(sb_coarsening *r, int threads, sb_progress *progress, sb_failure *failure)
{
    double *memory = malloc(3 * SIDE * SIDE * sizeof *memory);
    square s = {.c = memory, .w = memory + SIDE * SIDE, .d = memory + 2 * SIDE * SIDE};
    sb_random random = sb_random_seeded(1);
    slimband_status status = memory ? make_square(&s, threads) : SLIMBAND_OUT_OF_MEMORY;
    for (int64_t i = 0; memory && i < SIDE * SIDE; ++i)
        s.c[i] = 0.1 * sb_random_signed(&random);
    int64_t done = 0, last = (int64_t)(r->time[SB_COARSENING_TIMES - 1] / dt);
    for (int k = 0; !status && k < SB_COARSENING_TIMES; ++k) {
        for (; !status && (double)done * dt < r->time[k]; ++done) {
            status = step(&s, threads);
            sb_progress_update(progress, "coarsening on a square", (double)done / (double)last);
        }
        r->square[k] = wall_energy() / energy(&s);
    }
    slimband_plan_destroy(s.plan[0]);
    slimband_plan_destroy(s.plan[1]);
    free(memory);
    return !status || sb_fail(failure, "coarsening on a square: %s", sb_reason(status));
}

static bool run_rings(sb_coarsening *r, int threads, sb_progress *progress, sb_failure *failure)
{
    slimband_evolution e = slimband_cahn_hilliard(SLIMBAND_F64, RING, RINGS, dt);
    slimband_stepper *stepper = NULL;
    double energies[RINGS], *c = malloc(RING * RINGS * sizeof *c);
    e.length[0] = RING / 2.0;
    sb_random random = sb_random_seeded(2);
    for (int64_t i = 0; c && i < RING * RINGS; ++i)
        c[i] = 0.1 * sb_random_signed(&random);
    slimband_status status =
        c ? slimband_stepper_create(&stepper, &e, slimband_cpu(threads)) : SLIMBAND_OUT_OF_MEMORY;
    if (!status)
        status = slimband_stepper_set(stepper, c, 0);
    double reached = 0;
    for (int k = 0; !status && k < SB_COARSENING_TIMES; ++k) {
        status = slimband_stepper_step(stepper, (int64_t)((r->time[k] - reached) / dt));
        reached = r->time[k];
        sb_progress_update(progress, "coarsening on rings", (double)k / SB_COARSENING_TIMES);
        if (!status)
            status = slimband_stepper_energies(stepper, energies);
        double sum = 0;
        for (int m = 0; m < RINGS; ++m)
            sum += energies[m];
        r->rings[k] = wall_energy() / (sum / RINGS / e.length[0]);
    }
    slimband_stepper_destroy(stepper);
    free(c);
    return !status || sb_fail(failure, "coarsening on rings: %s", sb_reason(status));
}

bool sb_coarsening_run(sb_coarsening *r, int threads, sb_progress *progress, sb_failure *failure)
{
    for (int k = 0; k < SB_COARSENING_TIMES; ++k)
        r->time[k] = ldexp(FIRST_TIME, k);
    return run_rings(r, threads, progress, failure) && run_square(r, threads, progress, failure);
}
