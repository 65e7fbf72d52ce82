/* One step of a parallel method: items that do not touch one another's results, shared out among threads. What
 * an item computes depends on nobody's share, so the bits are the same for any number of threads. */
#ifndef SB_SPREAD_H
#define SB_SPREAD_H

#include <stdint.h>

enum { SB_ROWS_WORTH_THREADS = 1024 }; /* below that, waking them costs more than the rows */

#define SB_NO_ROW INT64_MAX

static inline int64_t sb_first_row(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Items begin..end-1. Returns the smallest row whose pivot was unfit, or SB_NO_ROW. */
typedef int64_t sb_span(const void *work, int64_t begin, int64_t end);

static inline int64_t sb_spread(sb_span *span, const void *work, int64_t items, int64_t rows, int threads)
{
    if (threads <= 1 || rows < SB_ROWS_WORTH_THREADS)
        return span(work, 0, items);
    int parts = items < threads ? (int)items : threads;
    int64_t bad = SB_NO_ROW;
    /* A team of `parts` would end the threads that are left over, and the next one make new ones. */
#pragma omp parallel for num_threads(threads) schedule(static) reduction(min : bad)
    for (int part = 0; part < parts; ++part)
        bad = sb_first_row(bad, span(work, items * part / parts, items * (part + 1) / parts));
    return bad;
}

#endif
