/* Lists of methods and peers. */
#ifndef SB_BENCH_NAMES_H
#define SB_BENCH_NAMES_H

#include "bench/measure.h"
#include "bench/peer.h"

typedef struct sb_bench_names {
    int methods, peers;
    char refusal[SB_BENCH_TEXT]; /* what the last method said that does not fit */
    char method[SB_BENCH_MOST][SB_BENCH_NAME];
    const sb_peer *peer[SB_BENCH_MOST];
} sb_bench_names;

/* The peers alone. */
bool sb_bench_find_peers(sb_bench_names *names, const sb_bench_case *c, const sb_bench_plan *plan,
                         sb_failure *failure);

bool sb_bench_find_names(sb_bench_names *names, const sb_bench_case *c, const sb_bench_plan *plan,
                         sb_failure *failure);

#endif
