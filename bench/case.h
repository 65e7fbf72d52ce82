/* What one benchmark measures: a problem described in words. */
#ifndef SB_BENCH_CASE_H
#define SB_BENCH_CASE_H

#include <errno.h>

#include "cli/fail.h"
#include "slimband/problem.h"

typedef enum sb_bench_layout { SB_BENCH_CONTIGUOUS, SB_BENCH_INTERLEAVED, SB_BENCH_AXIS } sb_bench_layout;

typedef struct sb_bench_case {
    bool batch; /* else a single system */
    slimband_scalar scalar;
    int64_t n, systems;
    int lower, upper;
    slimband_ends ends;
    slimband_coefficients coefficients;
    slimband_pivoting pivoting;
    sb_bench_layout layout;
    int axis; /* of SB_BENCH_AXIS: 0, 1 or 2 */
    double
        dominance; /* |diagonal| of a row over the sum of its other entries' moduli; 1 lets no coupling decay */
    bool in_place;
    bool factored; /* own matrices are factored before; those that systems share always are */
} sb_bench_case;

enum { SB_BENCH_NAME = 48, SB_BENCH_TEXT = 400 };

/* "tri", "penta" or "L,U"; "contiguous", "interleaved" or "axis:K". */
error_t sb_bench_parse_band(sb_bench_case *c, const char *text, sb_failure *failure);
error_t sb_bench_parse_layout(sb_bench_case *c, const char *text, sb_failure *failure);
void sb_bench_band_name(const sb_bench_case *c, char name[SB_BENCH_NAME]);
void sb_bench_layout_name(const sb_bench_case *c, char name[SB_BENCH_NAME]);

const char *sb_bench_ends_name(slimband_ends ends);
const char *sb_bench_pivoting_name(slimband_pivoting pivoting);
const char *sb_bench_coefficients_name(slimband_coefficients coefficients);

/* One line for people. */
void sb_bench_describe(const sb_bench_case *c, char text[SB_BENCH_TEXT]);

/* The library's problem; one_pass where matrices are factored in the clock. An axis: a C-ordered array of three axes, the
   systems spread over the other two as evenly as their number can be divided. */
slimband_status sb_bench_problem(const sb_bench_case *c, slimband_problem *problem);

/* Scalars that any method must move between memory and core for each row: own matrix its diagonals, right-hand
   side and solution; one matrix for all 2. */
int sb_bench_words(const sb_bench_case *c);

double sb_bench_rows(const sb_bench_case *c);
double sb_bench_traffic(const sb_bench_case *c); /* bytes of all those words */

#endif
