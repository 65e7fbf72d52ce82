/* Partition of tridiagonal systems that lie abreast, too long to stay on chip: each lane has a system, each warp a strip of 32
 * of them, tile by tile.
 *
 * A lane eliminates its rows without pivots, and with them in strips where that shows itself to be unsafe; the links of both
 * are equations of the same kind. Joints of tiles are kept. A system's strips are joined 16 at a time, level after level, with
 * pivots. With the pairs at its ends known, each strip's tiles are swept again, backwards, and solved.
 * Words a row: 4 read, 4 read again, 1 written, and for each tile of 112 bytes' rows a joint of 3 words (with pivots 11) written
 * and read: f64 9.4 in all; a shared matrix comes from cache, 3.4. */
#include "src/cuda/abreast/strip.cuh"
#include "src/cuda/kernels/anew.cuh"
#include "src/cuda/kernels/empty.cuh"
#include "src/cuda/kernels/keep.cuh"
#include "src/cuda/large/bad_row.cuh"

namespace
{

enum { BLOCKS = sizeof(T) < 16 ? 3 : 2 };

template <bool ONE_MATRIX>
__global__ void __launch_bounds__(WARPS *LANES, BLOCKS)
    fold_strips(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                const __grid_constant__ level to)
{
    extern __shared__ __align__(128) char shared[];
    const int lane = static_cast<int>(threadIdx.x % LANES);
    char *part = shared + threadIdx.x / LANES * SLOT_BYTES + lane * sizeof(T);
    piece p;
    if (!take_piece(all, static_cast<int>(threadIdx.x), &p))
        return;
    const member m = member_of(job, all.of, p.group * LANES + lane);
    bool pivots = true;
    sb_link link = sb_no_rows();
    if (all.plain) {
        plain_lane<ONE_MATRIX> kind;
        kind.limit = all.limit;
        const sb_plain_link run = fold_strip(kind, job, all, m, part, p.strip, m.exists);
        pivots = all.pivoted && sb_plain_poisoned(&run);
        link = sb_plain_equations(&run);
    }
    const unsigned pivoted_lanes = __ballot_sync(~0u, pivots);
    if (pivoted_lanes) {
        const sb_link run = fold_strip(pivoted_lane{}, job, all, m, part, p.strip, pivots && m.exists);
        link = pivots ? run : link;
        if (pivots)
            all.told[m.lane] = 1; /* several warps may say so */
    }
    put<SB_ABREAST_JOINT>(to.numbers, p.strip, all.lanes, m.lane, link);
    if (lane == 0)
        all.pivoted_lanes[p.strip * all.groups + p.group] = pivoted_lanes;
}

/* The lanes that pivot, or those that do not, on the way back. Each time all that follows from a thread's number is computed anew: there are
   no registers to keep it in for the other time. */
template <class K>
__device__ __forceinline__ void finish_by(const K &kind, const sb_cuda_job &job, const crowd &all,
                                          const level &from, char *shared, bool pivots)
{
    const int thread = sb_anew(static_cast<int>(threadIdx.x)), lane = thread % LANES;
    char *part = shared + thread / LANES * SLOT_BYTES + lane * sizeof(T);
    piece p;
    if (!take_piece(all, thread, &p))
        return;
    const unsigned pivoted_lanes = all.pivoted_lanes[p.strip * all.groups + p.group];
    if (pivoted_lanes == (pivots ? 0 : ~0u))
        return;
    const member m = member_of(job, all.of, p.group * LANES + lane);
    const bool mine = (pivoted_lanes >> lane & 1) == pivots;
    const bool writes = mine && m.exists && job.matrix[m.at.matrix].outcome == SB_CUDA_GOOD;
    const sb_pair left = get<sb_pair>(from.numbers, p.strip, SB_ABREAST_JOINT, all.lanes, m.lane),
                  right = get<sb_pair>(from.numbers, p.strip + 1, SB_ABREAST_JOINT, all.lanes, m.lane);
    if (!finish_strip(kind, job, all, m, part, p.strip, left, right, writes))
        job.system[m.system] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

template <bool ONE_MATRIX>
__global__ void __launch_bounds__(WARPS *LANES, BLOCKS)
    finish_strips(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                  const __grid_constant__ level from)
{
    extern __shared__ __align__(128) char shared[];
    plain_lane<ONE_MATRIX> kind;
    kind.limit = all.limit;
    finish_by(kind, job, all, from, shared, false);
    __syncwarp(); /* rows of one matrix for all, which others may still read, stood where a lane's own come to */
    finish_by(pivoted_lane{}, job, all, from, shared, true);
}

/* Links, and what they leave: see runs.cuh. */
struct pivoted_links {
    enum { PLACE = SB_ABREAST_JOINT };
    typedef sb_link link;
    typedef sb_link numbers;
    typedef sb_joint joint;
    typedef sb_pair ends;

    static __device__ __forceinline__ const link &link_of(const numbers &n)
    {
        return n;
    }
    static __device__ __forceinline__ const numbers &numbers_of(const link &s)
    {
        return s;
    }
    static __device__ __forceinline__ link join(const link &a, const link &b, joint *between)
    {
        sb_used used;
        const link both = sb_join_links(&a, &b, &used);
        *between = sb_joint_of(&used);
        return both;
    }
    static __device__ __forceinline__ ends between(const joint &j, const ends &left, const ends &right)
    {
        return sb_between(&j, left, right);
    }
};

/* The last level: what the system's ends say of its links; and of its matrix. */
__global__ void __launch_bounds__(LINK_THREADS)
    close_systems(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                  const __grid_constant__ level at)
{
    int64_t lane, run;
    if (!take_run(all, &lane, &run))
        return;
    const member m = member_of(job, all.of, lane);
    const sb_link whole = fold_run<pivoted_links>(all, at, 0, lane);
    sb_pair left, right;
    const bool regular = sb_close(&whole, job.periodic, &left, &right);
    const bool pivoted = all.told[lane];
    if (pivoted)
        all.told[lane] = 0;
    if (all.records) {
        sb_cuda_outcome outcome = SB_CUDA_GOOD;
        if (!regular) {
            const int64_t row = first_bad_row(arrays_at(job, m.at, COLUMNS), all.pivoted);
            outcome = sb_cuda_failure(all.pivoted ? SLIMBAND_SINGULAR : SLIMBAND_BREAKDOWN,
                                      row < job.n ? row : job.n - 1);
        }
        job.matrix[m.at.matrix] = {outcome, 0, pivoted ? static_cast<uint32_t>(SB_CUDA_PIVOTED) : 0};
    }
    if (!job.b)
        return;
    job.system[m.system] = SB_CUDA_GOOD;
    unfold_run<pivoted_links>(all, at, 0, lane, left, right);
}

int nearest_of(const sb_cuda_call *call)
{
    return static_cast<int>(sb_abreast_prepared(call->state).nearest);
}

/* Up to the system's ends; and, for a right-hand side, back. */
cudaError_t run(const sb_cuda_call *call, const sb_cuda_job &job, int64_t systems, bool records)
{
    const sb_abreast_shape s = sb_abreast_prepared(call->state);
    const slimband_pivoting pivoting = call->setup->problem->pivoting;
    crowd all = crowd_of(job, s, systems, records);
    all.plain = pivoting != SLIMBAND_PIVOT_PARTIAL;
    all.pivoted = pivoting != SLIMBAND_PIVOT_NONE;
    all.limit = pivoting == SLIMBAND_PIVOT_NONE ? SB_PLAIN_UNLIMITED : SB_PLAIN_LIMIT;
    if (systems == 0)
        return cudaSuccess;
    const bool one = job.b && job.matrices == 1;
    return go<pivoted_links>(call, job, all, s, WARPS * SLOT_BYTES,
                             one ? fold_strips<true> : fold_strips<false>, close_systems,
                             one ? finish_strips<true> : finish_strips<false>);
}

/* The way up alone says which matrices are singular. */
cudaError_t factor(const sb_cuda_call *call)
{
    if (!call->job.n || !call->job.matrices)
        return settle_empty(call);
    sb_cuda_job job = kept_abreast(call, nearest_of(call));
    cudaError_t error = keep_abreast(call, nearest_of(call));
    job.b = nullptr; /* factor_solve of a shared matrix comes here with its b and x */
    job.x = nullptr;
    return error ? error : run(call, job, job.matrices, true);
}

cudaError_t solve(const sb_cuda_call *call)
{
    return call->job.n ? run(call, kept_abreast(call, nearest_of(call)), call->job.systems, false)
                       : cudaSuccess;
}

cudaError_t factor_solve(const sb_cuda_call *call)
{
    return call->job.n ? run(call, call->job, call->job.systems, true) : settle_empty(call);
}

cudaError_t ready(const sb_cuda_setup *, int64_t *)
{
    return allow({fold_strips<false>, finish_strips<false>, fold_strips<true>, finish_strips<true>},
                 WARPS * SLOT_BYTES);
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_abreast) = {factor, solve, factor_solve, ready};
