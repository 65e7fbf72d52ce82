/* LAPACK itself under this compilation's scalar type, and random bands to compare with it on. */
#ifndef LAPACK_SUPPORT_H
#define LAPACK_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/lapack/names.h"

#define REFERENCE_f32(name) s##name##_
#define REFERENCE_f64(name) d##name##_
#define REFERENCE_c64(name) c##name##_
#define REFERENCE_c128(name) z##name##_
#define REFERENCE2(type, name) REFERENCE_##type(name)
#define REFERENCE1(type, name) REFERENCE2(type, name)
#define REFERENCE(name) REFERENCE1(SB_TYPE, name)

#define EPSILON (sizeof(R) == sizeof(float) ? (double)FLT_EPSILON : (double)DBL_EPSILON)

/* The argument that LAPACK last complained of, counted from 1; set it to 0 before a call. */
extern int complained_of;

/* Which of a routine's two names to call it by this time. */
static inline bool by_either_name(uint64_t seed)
{
    return seed / 8 % 2 == 0;
}

typedef enum kind { RANDOM, PIVOTING, DOMINANT, SINGULAR, KINDS } kind;

/* Row i's entries are row[i * (lower + 1 + upper) + lower + j - i]; those outside the matrix are NaN. */
typedef struct band {
    int n, lower, upper;
    T *rows;
} band;

/* Sizes to try, and with them numbers of right-hand sides. */
extern const int sizes[7];
extern const int counts[3];

/* n numbers in [-1, 1] (complex: and i times as much); room for one more than none. */
T *draw_vector(int64_t n, uint64_t seed);
T *copy_vector(int64_t n, const T *x);

/* PIVOTING: small or zero diagonal. SINGULAR: one column is zero. Triangular bands are drawn dominant, for
   others would have no solution within range. */
band draw_band(int n, int lower, int upper, kind kind, uint64_t seed);
T band_at(const band *A, int i, int j);

/* Normwise backward error of x for b: of A (trans N), transpose(A) (T) or its conjugate (C). Infinite when x
   holds NaN or Inf. */
double backward_error(const band *A, char trans, const T *x, const T *b);

/* Equal to a few roundings of the largest entry; what is NaN in one is NaN in the other. */
void assert_close(const char *what, const T *ours, const T *theirs, int64_t count, uint64_t seed);

#endif
