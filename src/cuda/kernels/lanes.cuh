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

struct found {
    int64_t system;
    places at;
};

/* For batches of any rank; apart from what most of them need, which is little code. By value, which stays in registers. */
__device__ __noinline__ found find(const sb_cuda_job &job, int nearest, bool some_matrices, int64_t system)
{
    places at = {system, 0, 0, 0};
    if (!some_matrices) {
        int64_t inner = 1;
        for (int d = nearest + 1; d < job.rank; ++d)
            inner *= job.extent[d];
        if (inner > 1) {
            const int64_t extent = job.extent[nearest], outer = system / extent;
            system = (outer / inner * extent + system % extent) * inner + outer % inner;
        }
        at = {sb_matrix_of(job, system), 0, sb_line_of(job, job.b_at, system),
              sb_line_of(job, job.x_at, system)};
    }
    at.line = sb_matrix_line(job, at.matrix);
    return {system, at};
}

/* Lanes too many go along with the last system. */
__device__ __forceinline__ member member_of(const sb_cuda_job &job, const order &of, int64_t lane)
{
    const bool some_matrices = !job.b && job.matrices != job.systems;
    member m;
    m.lane = lane;
    m.exists = lane < of.count;
    m.system = m.exists ? lane : of.count - 1;
    if (job.rank > 1 || some_matrices) {
        const found it = find(job, of.nearest, some_matrices, m.system);
        m.system = it.system;
        m.at = it.at;
    } else {
        const bool apart = job.rank == 1;
        m.at = {job.matrices == 1 ? 0 : m.system, apart ? m.system * job.matrix_at.batch[0] : 0,
                apart ? m.system * job.b_at.batch[0] : 0, apart ? m.system * job.x_at.batch[0] : 0};
    }
    return m;
}

} // namespace

#endif
