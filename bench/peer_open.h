/* How each kind of peer gets ready. */
#ifndef SB_BENCH_PEER_OPEN_H
#define SB_BENCH_PEER_OPEN_H

#include "bench/peer.h"

void sb_peer_open_thomas(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl);

/* Works on contiguous lines: data in another layout is theirs already in this one, and putting it there is not
   timed. */
void sb_peer_open_lapack(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl);

#endif
