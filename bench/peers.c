/* The peers, one row each. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/peer_open.h"

static const sb_peer peers[] = {
    {"thomas", "plain C without pivoting, widest vectors", SB_PEER_OURS, false, false, sb_peer_open_thomas},
    {"thomas_prefactored", "the same, factors kept", SB_PEER_OURS, true, false, sb_peer_open_thomas},
    {"lapack", "the reference LAPACK's gtsv or gbsv", SB_PEER_LAPACK, false, false, sb_peer_open_lapack},
    {"lapack_prefactored", "its gttrs or gbtrs", SB_PEER_LAPACK, true, false, sb_peer_open_lapack},
    {"openblas", "OpenBLAS's gtsv or gbsv", SB_PEER_OPENBLAS, false, false, sb_peer_open_lapack},
    {"openblas_prefactored", "its gttrs or gbtrs", SB_PEER_OPENBLAS, true, false, sb_peer_open_lapack},
    {"mkl", "MKL's gtsv or gbsv", SB_PEER_MKL, false, false, sb_peer_open_lapack},
    {"mkl_prefactored", "its gttrs or gbtrs", SB_PEER_MKL, true, false, sb_peer_open_lapack},
    {"mkl_dominant", "MKL's dtsvb, without pivoting", SB_PEER_MKL, false, true, sb_peer_open_lapack},
    {"mkl_dominant_prefactored", "its dttrsb", SB_PEER_MKL, true, true, sb_peer_open_lapack},
};
enum { PEERS = sizeof peers / sizeof peers[0] };

const sb_peer *sb_peer_at(int index)
{
    return index >= 0 && index < PEERS ? &peers[index] : NULL;
}

const sb_peer *sb_peer_find(const char *name, size_t length)
{
    for (int k = 0; k < PEERS; ++k)
        if (strlen(peers[k].name) == length && !memcmp(peers[k].name, name, length))
            return &peers[k];
    return NULL;
}

const char *sb_peer_refusal(const sb_peer *peer, const sb_bench_case *c)
{
    if (c->ends == SLIMBAND_PERIODIC)
        return "solves no periodic systems";
    if (peer->prefactored && c->coefficients == SLIMBAND_OWN)
        return "keeps factors, which own matrices solved once do not need";
    if (peer->dominant && (c->lower != 1 || c->upper != 1))
        return "solves tridiagonal systems only";
    if (peer->library != SB_PEER_OURS && c->n > INT_MAX)
        return "counts rows in 32 bits";
    return NULL;
}

void sb_peer_open(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl)
{
    contender->seconds = contender->residual = NAN;
    snprintf(contender->name, sizeof contender->name, "%s", peer->name);
    const char *refusal = sb_peer_refusal(peer, &data->the_case);
    if (refusal)
        sb_contender_excuse(contender, "%s", refusal);
    else
        peer->open(peer, contender, data, mkl);
}
