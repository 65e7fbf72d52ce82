/* The numbers that a benchmark works on. All who are measured start from the same ones. */
#ifndef SB_BENCH_DATA_H
#define SB_BENCH_DATA_H

#include "bench/case.h"
#include "bench/place.h"

/* In the memory of one place. */
typedef struct sb_bench_arrays {
    const void *diagonals[SLIMBAND_MAX_DIAGONALS];
    const void *b;
    void *x;
} sb_bench_arrays;

typedef struct sb_bench_data {
    sb_bench_case the_case;
    slimband_problem problem;
    int threads;
    size_t scalar_bytes;
    size_t vector_bytes;   /* of b and x */
    size_t diagonal_bytes; /* of one diagonal as the problem has it */
    const void *diagonals[SLIMBAND_MAX_DIAGONALS];
    const void *b;
    void *x; /* in the problem's layout */
    void *blocks[2 * SLIMBAND_MAX_DIAGONALS + 3];
    int block_count;
    const void *line_diagonals[SLIMBAND_MAX_DIAGONALS]; /* through the functions below; NULL until wanted */
    const void *line_b;
    sb_place host;         /* where the numbers above lie */
    sb_place *place;       /* where methods compute: &host, or what sb_bench_data_send was told */
    sb_bench_arrays there; /* the same numbers there; the very same arrays where that is the host */
    void *there_blocks[2 * SLIMBAND_MAX_DIAGONALS + 3];
    int there_count;
    sb_bench_arrays whole; /* through sb_bench_data_whole; b NULL until wanted */
} sb_bench_data;

/* Off-diagonal entries of moduli in [0.5, 1), the diagonal by the case's dominance, right-hand sides in [-1,
   1): the same numbers on every machine. Refused where it would not fit the machine's memory. */
bool sb_bench_data_build(sb_bench_data *data, const sb_bench_case *c, int threads, sb_failure *failure);

/* From now on methods compute in this place, which must outlive the data. False without memory there. */
bool sb_bench_data_send(sb_bench_data *data, sb_place *place, sb_failure *failure);

/* The arrays that a contender of this place works on. */
sb_bench_arrays sb_bench_data_at(const sb_bench_data *data, const sb_place *place);

/* In the place's memory, where that is not the host, a matrix for each system whatever the coefficients, and right-hand
   sides (no x): contiguous lines where the case's are, otherwise systems side by side all over (element i of system s at
   i * systems + s). Not to be written to. False without memory. */
bool sb_bench_data_whole(sb_bench_data *data, sb_bench_arrays *whole);

/* The answer in that form, from the place's memory put into x. */
void sb_bench_data_take_whole(sb_bench_data *data, const void *answer);

/* A copy in the place's memory that lives as long as the data; NULL without memory. */
const void *sb_bench_data_sent(sb_bench_data *data, const void *from, size_t bytes);

/* One more array that lives as long as the data; NULL without memory. */
void *sb_bench_data_array(sb_bench_data *data, size_t bytes);

/* Matrices and right-hand sides as contiguous lines, for those who take no others: line s of n elements at s *
   n, and so in each diagonal; Toeplitz matrices written out. Not to be written to. NULL without memory for
   them. */
const void *const *sb_bench_data_line_diagonals(sb_bench_data *data);
const void *sb_bench_data_line_b(sb_bench_data *data);

void sb_bench_data_free(sb_bench_data *data); /* an empty struct is fine */

/* The answer in lines of contiguous elements, put into x. */
void sb_bench_data_take_lines(sb_bench_data *data, const void *lines);

/* Where the system's line begins; its elements follow at layout->line. */
int64_t sb_bench_line_start(const slimband_problem *problem, const slimband_layout *layout, int64_t system);

#endif
