/* How far answers are from those of Thomas's algorithm and of LAPACK's gtsv (lass.txt V). */
#ifndef SB_BENCH_LASS_APART_H
#define SB_BENCH_LASS_APART_H

#include "bench/data.h"

enum { SB_LASS_REFERENCES = 2 }; /* Thomas; the first gtsv that was measured */

typedef struct sb_lass_apart {
    double most, mean; /* of |x - reference| over all unknowns; NaN without that reference */
} sb_lass_apart;

typedef struct sb_lass_references {
    double *x[SB_LASS_REFERENCES]; /* NULL until kept */
} sb_lass_references;

/* Keeps the answer that data->x holds, if this peer's is a reference. False without memory. */
bool sb_lass_references_keep(sb_lass_references *references, const sb_bench_data *data, const char *peer);
/* Of the answer that data->x holds. */
void sb_lass_references_compare(const sb_lass_references *references, const sb_bench_data *data,
                                sb_lass_apart apart[SB_LASS_REFERENCES]);
void sb_lass_references_free(sb_lass_references *references);

#endif
