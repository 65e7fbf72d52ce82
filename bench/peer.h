/* Others who solve the same systems. */
#ifndef SB_BENCH_PEER_H
#define SB_BENCH_PEER_H

#include "bench/contender.h"

typedef enum sb_peer_library {
    SB_PEER_OURS,
    SB_PEER_LAPACK,
    SB_PEER_OPENBLAS,
    SB_PEER_MKL,
    SB_PEER_CUSPARSE
} sb_peer_library;

typedef struct sb_peer sb_peer;

struct sb_peer {
    const char *name;
    const char *what;
    sb_peer_library library;
    bool prefactored; /* factors are made before the clock starts and kept */
    bool dominant;    /* MKL's routines for dominant matrices, without pivoting */
    bool device;      /* beside methods on the GPU; the others beside methods on the host */
    const char *(*refuse)(const sb_peer *peer,
                          const sb_bench_case *c); /* as sb_peer_refusal, beyond its rules; or NULL */
    int routine;                                   /* of its library, for open and refuse */
    /* Fill calls, self and work_bytes, or excuse the contender. mkl: NULL, or where to look for MKL. */
    void (*open)(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl);
};

/* Entry 0, 1, ...; NULL past the last. */
const sb_peer *sb_peer_at(int index);
const sb_peer *sb_peer_find(const char *name, size_t length);

/* Does this word name the peer: its own name, or its library's for cuSPARSE? */
bool sb_peer_answers(const sb_peer *peer, const char *word, size_t length);

/* Why the peer does not take the case; NULL if it does. */
const char *sb_peer_refusal(const sb_peer *peer, const sb_bench_case *c);

/* As a contender by its name, perhaps excused. */
void sb_peer_open(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl);

#endif
