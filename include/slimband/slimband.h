/* slimband: narrow-banded linear systems, solved directly. This header brings in all of the library but for the
 * LAPACK-shaped calls (slimband/lapack.h).
 *
 *     slimband_problem p = slimband_tridiagonal(SLIMBAND_F64, 512);      // one matrix, along y of a 512^3 field
 *     p.coefficients = SLIMBAND_SHARED;
 *     slimband_along_axis(&p, 3, (int64_t[]){512, 512, 512}, 1);
 *     slimband_plan *plan;
 *     slimband_status s = slimband_plan_create(&plan, &p, slimband_cpu(0), SLIMBAND_AUTO);
 *     if (!s) s = slimband_factor(plan, (const void *[]){lower, diagonal, upper});
 *     for (int step = 0; !s && step < steps; ++step) s = slimband_solve(plan, rhs, u);
 *     if (s) fprintf(stderr, "%s\n", slimband_status_string(s));
 *     slimband_plan_destroy(plan);
 */
#ifndef SLIMBAND_H
#define SLIMBAND_H

#include "slimband/complex.h"
#include "slimband/executor.h"
#include "slimband/method.h"
#include "slimband/plan.h"
#include "slimband/problem.h"
#include "slimband/residual.h"
#include "slimband/rows.h"
#include "slimband/scalar.h"
#include "slimband/shifted.h"
#include "slimband/simple.h"
#include "slimband/status.h"
#include "slimband/version.h"

#endif
