/* What every test of this folder includes. */
#ifndef POISSON_SUPPORT_H
#define POISSON_SUPPORT_H

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gallery/random.h"
#include "tests/poisson/oracle.h"

/* Backward errors that count as rounding: the transforms' errors grow like log n. */
static inline double rounding(const slimband_poisson_problem *p)
{
    return 40 * (p->scalar == SLIMBAND_F32 ? (double)FLT_EPSILON : DBL_EPSILON);
}

/* u solves the sample to rounding; where that is singular, what was projected away and the mean are as they should be. */
static inline void hold(const sample *s, const double *u, const slimband_poisson_report *report, uint64_t seed)
{
    const slimband_poisson_problem *p = &s->problem;
    double error = oracle_backward_error(s, u);
    if (!(error <= rounding(p)))
        fail_msg("%s, line axis %d, seed %llu: backward error %.1e", oracle_name(p), p->line_axis,
                 (unsigned long long)seed, error);
    if (report->singular != oracle_singular(p))
        fail_msg("%s: singular or not?", oracle_name(p));
    if (report->singular && p->fields == 1) {
        double away = (double)oracle_projection(s, 0);
        if (fabs(report->projected - away) > rounding(p) * oracle_norm(p) ||
            fabs(oracle_mean(p, u) - p->mean) > 1e-4)
            fail_msg("%s: projected %g not %g, mean %g", oracle_name(p), report->projected, away,
                     oracle_mean(p, u));
    }
}

typedef double *(*solver)(const sample *s, slimband_status *status, slimband_poisson_report *report);

/* f of these sizes and this level, on floating axes of this kind: as good as any other, whatever is projected away. */
static inline void hold_level(slimband_poisson_problem p, int kind, double level, double spread, solver solve)
{
    for (int a = 0; a < p.rank; ++a)
        p.axis[a] = oracle_axis(kind, p.axis[a].n, 1);
    sample s = oracle_level(&p, level, spread, 11);
    slimband_status status;
    slimband_poisson_report report;
    double *u = solve(&s, &status, &report);
    assert_int_equal(status, SLIMBAND_OK);
    double error = oracle_backward_error(&s, u), eps = rounding(&p) / 40;
    if (!(error <= rounding(&p)))
        fail_msg("%s: f is %g plus %g: backward error %.1f eps", oracle_name(&p), level, spread, error / eps);
    double away = (double)oracle_projection(&s, 0);
    if (p.fields == 1 && !(fabs(report.projected - away) <= 8 * eps * (fabs(level) + spread)))
        fail_msg("%s: projected %.17g not %.17g", oracle_name(&p), report.projected, away);
    free(u);
    oracle_free(&s);
}

static inline void hold_every_level(slimband_scalar scalar, solver solve)
{
    static const int kinds[] = {3, 4, 8, 9}; /* nn and pp, at nodes and at cells */
    static const int64_t shapes[][4] = {{1, 1000}, {2, 64, 81}, {2, 257, 200}, {2, 512, 512}, {3, 40, 33, 36}};
    static const double levels[][2] = {{1, 0}, {1, 1}, {1e3, 1}, {-3, 1e-9}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k)
        for (int kind = 0; kind < 4; ++kind)
            for (size_t l = 0; l < sizeof levels / sizeof *levels; ++l) {
                slimband_poisson_problem p = slimband_poisson(scalar, (int)shapes[k][0], shapes[k] + 1);
                p.fields = shapes[k][1] == 64 ? 3 : 1;
                hold_level(p, kinds[kind], levels[l][0], levels[l][1], solve);
            }
}

/* All but the axes. */
static inline void draw_rest(slimband_poisson_problem *p, sb_random *random)
{
    static const double lambdas[] = {0, 0, 1.75, 300};
    p->lambda = lambdas[sb_random_between(random, 0, 3)];
    p->mean = sb_random_signed(random);
    p->fields = sb_random_between(random, 1, 4) == 1 ? 3 : 1;
    p->line_axis = (int)sb_random_between(random, -1, p->rank - 1);
}

#endif
