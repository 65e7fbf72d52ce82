/* The peers, one row each. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/ours.h"
#include "bench/peer_open.h"

#define HOST(name_, what_, library_, prefactored_, dominant_, open_)                                           \
    {                                                                                                          \
        .name = name_, .what = what_, .library = library_, .prefactored = prefactored_, .dominant = dominant_, \
        .open = open_                                                                                          \
    }
#define CUSPARSE(name_, what_, routine_)                                                       \
    {                                                                                          \
        .name = "cusparse_" name_, .what = what_, .library = SB_PEER_CUSPARSE, .device = true, \
        .refuse = sb_peer_refuse_cusparse, .routine = routine_, .open = sb_peer_open_cusparse  \
    }

static const sb_peer peers[] = {
    HOST("thomas", "plain C without pivoting, widest vectors", SB_PEER_OURS, false, false, sb_peer_open_thomas),
    HOST("thomas_prefactored", "the same, factors kept", SB_PEER_OURS, true, false, sb_peer_open_thomas),
    HOST("lapack", "the reference LAPACK's gtsv or gbsv", SB_PEER_LAPACK, false, false, sb_peer_open_lapack),
    HOST("lapack_prefactored", "its gttrs or gbtrs", SB_PEER_LAPACK, true, false, sb_peer_open_lapack),
    HOST("openblas", "OpenBLAS's gtsv or gbsv", SB_PEER_OPENBLAS, false, false, sb_peer_open_lapack),
    HOST("openblas_prefactored", "its gttrs or gbtrs", SB_PEER_OPENBLAS, true, false, sb_peer_open_lapack),
    HOST("mkl", "MKL's gtsv or gbsv", SB_PEER_MKL, false, false, sb_peer_open_lapack),
    HOST("mkl_prefactored", "its gttrs or gbtrs", SB_PEER_MKL, true, false, sb_peer_open_lapack),
    HOST("mkl_dominant", "MKL's dtsvb, without pivoting", SB_PEER_MKL, false, true, sb_peer_open_lapack),
    HOST("mkl_dominant_prefactored", "its dttrsb", SB_PEER_MKL, true, true, sb_peer_open_lapack),
    CUSPARSE("gtsv2", "cuSPARSE: one matrix, with pivoting", SB_GTSV2),
    CUSPARSE("gtsv2_nopivot", "cuSPARSE: one matrix, without", SB_GTSV2_NOPIVOT),
    CUSPARSE("gtsv2_strided", "gtsv2StridedBatch: a matrix for each line, without", SB_GTSV2_STRIDED),
    CUSPARSE("gtsv_interleaved_0", "gtsvInterleavedBatch by Thomas' algorithm", SB_GTSV_INTERLEAVED),
    CUSPARSE("gtsv_interleaved_1", "the same by LU with pivoting", SB_GTSV_INTERLEAVED + 1),
    CUSPARSE("gtsv_interleaved_2", "the same by QR", SB_GTSV_INTERLEAVED + 2),
    CUSPARSE("gpsv_interleaved", "gpsvInterleavedBatch: pentadiagonal, by QR", SB_GPSV_INTERLEAVED),
    {.name = "slimband_cpu",
     .what = "auto on the host, from and to its memory",
     .library = SB_PEER_OURS,
     .device = true,
     .open = sb_peer_open_ours},
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

bool sb_peer_answers(const sb_peer *peer, const char *word, size_t length)
{
    const char library[] = "cusparse";
    if (strlen(peer->name) == length && !memcmp(peer->name, word, length))
        return true;
    return peer->library == SB_PEER_CUSPARSE && length == strlen(library) && !memcmp(word, library, length);
}

const char *sb_peer_refusal(const sb_peer *peer, const sb_bench_case *c)
{
    if (peer->open == sb_peer_open_ours)
        return NULL;
    if (c->ends == SLIMBAND_PERIODIC)
        return "solves no periodic systems";
    if (peer->prefactored && c->coefficients == SLIMBAND_OWN)
        return c->factored ? "keeps the factors of one matrix"
                           : "keeps factors, which own matrices solved once do not need";
    if (!peer->prefactored && c->factored)
        return "factors in the clock";
    if (peer->dominant && (c->lower != 1 || c->upper != 1))
        return "solves tridiagonal systems only";
    if (peer->library != SB_PEER_OURS && c->n > INT_MAX)
        return "counts rows in 32 bits";
    return peer->refuse ? peer->refuse(peer, c) : NULL;
}

void sb_peer_open_ours(const sb_peer *peer, sb_contender *contender, sb_bench_data *data, const char *mkl)
{
    (void)mkl;
    sb_ours_open_at(contender, data, "auto", &data->host);
    snprintf(contender->name, sizeof contender->name, "%s", peer->name);
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
