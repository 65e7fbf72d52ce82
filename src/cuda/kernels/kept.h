/* How the copies of matrices lie that factor makes. */
#ifndef SB_CUDA_KEPT_H
#define SB_CUDA_KEPT_H

#include "src/cuda/job.h"

/* Matrices that many elements apart, in the order of their dimensions, of which `nearest` comes first; -1: none does. */
inline slimband_layout kept_layout(const sb_cuda_job &job, int64_t line, int64_t apart, int nearest)
{
    slimband_layout at = job.matrix_at;
    at.line = line;
    for (int turn = job.rank; turn >= 0; --turn) {
        const int d = turn == job.rank ? nearest : turn;
        if (d < 0 || d >= job.rank || at.batch[d] == 0 || (d == nearest && turn != job.rank))
            continue;
        at.batch[d] = apart;
        apart *= job.extent[d];
    }
    return at;
}

#endif
