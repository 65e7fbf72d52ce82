/* What the tests that are compiled for each scalar type draw, and that type's rounding. */
#ifndef SB_TESTS_CHUNK_DRAW_H
#define SB_TESTS_CHUNK_DRAW_H

#include "gallery/random.h"
#include "src/chunk/scalar.h"
#include "tests/scalar.h"

static const double epsilon = sizeof(R) == sizeof(float) ? FLT_EPSILON : DBL_EPSILON;

/* Parts in [-1, 1). */
static inline T draw(sb_random *random)
{
    R re = (R)sb_random_signed(random);
#if SB_COMPLEX
    return re + (R)sb_random_signed(random) * (T)I;
#else
    return re;
#endif
}

#endif
