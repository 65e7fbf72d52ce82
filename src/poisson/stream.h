/* Lines of axis 0 as rows that pass by: each plane is transformed, eliminated, solved and transformed back while it is in
 * the cache. */
#ifndef SB_POISSON_STREAM_H
#define SB_POISSON_STREAM_H

#include "slimband/rows.h"
#include "src/poisson/facr.h"
#include "src/poisson/lines.h"
#include "src/poisson/singular.h"
#include "src/poisson/sweep.h"

/* SLIMBAND_BREAKDOWN: these lines need pivoting or close into rings; *rows is NULL. */
slimband_status SB_NAME(stream_make)(slimband_rows **rows, const sb_lines *lines, const sb_facr *facr,
                                     slimband_poisson_plan *plan);

typedef struct sb_stream {
    const slimband_rows *rows;
    const sb_sweeps *sweeps;
    const sb_lines *lines;
    const sb_facr *facr;
    const sb_singular *singular;
    double norm; /* of all transforms */
} sb_stream;

/* From f to u. */
slimband_status SB_NAME(stream_solve)(const sb_stream *stream, slimband_poisson_plan *plan, const sb_rhs *rhs,
                                      T *u);

#endif
