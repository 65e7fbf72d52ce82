/* One thread's part of the stream that measures the memory's ceiling. */
#ifndef SB_BENCH_STREAM_H
#define SB_BENCH_STREAM_H

#include "bench/level.h"

typedef struct sb_stream_part {
    int sources; /* at least 1; the last may be `to` itself */
    const char *from[18];
    char *to;
    size_t bytes; /* of each, any number; all aligned to 64 */
} sb_stream_part;

/* to = the exclusive or of all sources, bit by bit: as many words read and written as a solver must, and next
   to no arithmetic. around: with stores that bypass the caches, where there are any. */
typedef void sb_stream_function(const sb_stream_part *part, bool around);

#define SB_DECLARE_STREAM(level) sb_stream_function sb_stream_##level;
SB_LEVELS(SB_DECLARE_STREAM)
#undef SB_DECLARE_STREAM

#endif
