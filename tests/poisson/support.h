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

#include "tests/poisson/oracle.h"

/* Backward errors that count as rounding: the transforms' errors grow like log n. */
static inline double rounding(const slimband_poisson_problem *p)
{
    return 40 * (p->scalar == SLIMBAND_F32 ? (double)FLT_EPSILON : DBL_EPSILON);
}

#endif
