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
