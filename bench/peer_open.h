/* How each kind of peer gets ready. */
#ifndef SB_BENCH_PEER_OPEN_H
#define SB_BENCH_PEER_OPEN_H

#include "bench/peer.h"

void sb_peer_open_thomas(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl);

/* Works on contiguous lines: data in another layout is theirs already in this one, and putting it there is not
   timed. */
void sb_peer_open_lapack(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl);

/* The library itself on the host, its method auto. */
void sb_peer_open_ours(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl);

/* cuSPARSE's routines by number. */
enum {
    SB_GTSV2,
    SB_GTSV2_NOPIVOT,
    SB_GTSV2_STRIDED,
    SB_GTSV_INTERLEAVED,
    SB_GPSV_INTERLEAVED = SB_GTSV_INTERLEAVED + 3
};
void sb_peer_open_cusparse(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl);
const char *sb_peer_refuse_cusparse(const sb_peer *peer, const sb_bench_case *c);

#endif
