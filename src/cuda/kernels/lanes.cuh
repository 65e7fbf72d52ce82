/* A system for each lane, neighbours in neighbouring lanes. */
#ifndef SB_CUDA_LANES_CUH
#define SB_CUDA_LANES_CUH

#include "src/cuda/kernels/view.cuh"

namespace
{

/* How lanes are numbered: along the nearest dimension of the batch first. count: of systems; of matrices where there is no
   right-hand side. */
struct order {
    int64_t count;
    int nearest;
};

struct member {
    bool exists;
    int64_t lane, system; /* lane: of all */
    places at;
};

/* For batches of any rank; apart from what most of them need, which is little code. */
__device__ __noinline__ void find(const sb_cuda_job &job, const order &of, bool some_matrices, member *m)
{
    if (some_matrices)
        m->at = {m->system, 0, 0, 0};
    else {
        int64_t inner = 1;
        for (int d = of.nearest + 1; d < job.rank; ++d)
            inner *= job.extent[d];
        if (inner > 1) {
            const int64_t extent = job.extent[of.nearest], outer = m->system / extent;
            m->system = (outer / inner * extent + m->system % extent) * inner + outer % inner;
        }
        m->at = {sb_matrix_of(job, m->system), 0, sb_line_of(job, job.b_at, m->system),
                 sb_line_of(job, job.x_at, m->system)};
    }
    m->at.line = sb_matrix_line(job, m->at.matrix);
}

/* Lanes too many go along with the last system. */
__device__ __forceinline__ member member_of(const sb_cuda_job &job, const order &of, int64_t lane)
{
    const bool some_matrices = !job.b && job.matrices != job.systems;
    member m;
    m.lane = lane;
    m.exists = lane < of.count;
    m.system = m.exists ? lane : of.count - 1;
    if (job.rank > 1 || some_matrices)
        find(job, of, some_matrices, &m);
    else {
        const bool apart = job.rank == 1;
        m.at = {job.matrices == 1 ? 0 : m.system, apart ? m.system * job.matrix_at.batch[0] : 0,
                apart ? m.system * job.b_at.batch[0] : 0, apart ? m.system * job.x_at.batch[0] : 0};
    }
    return m;
}

} // namespace

#endif
