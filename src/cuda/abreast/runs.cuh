/* Links of strips, run by run and level by level, a thread for each system; and all launches of a solve.
 *
 * K: the link of a strip or a run, the numbers that it is kept as, the joint that joining two leaves, from which their common
 * end comes once the ends around them are known, and the numbers of a PLACE, which holds each of these in its turn. */
#ifndef SB_ABREAST_RUNS_CUH
#define SB_ABREAST_RUNS_CUH

#include "src/cuda/abreast/level.cuh"

namespace
{

/* LINK_BLOCKS: that a processor is to have registers for; told of none, the compiler keeps numbers in memory. */
enum { WARPS = SB_ABREAST_WARPS, RUN = SB_ABREAST_RUN, LINK_THREADS = 64, LINK_BLOCKS = 4, WARP_LANES = 32 };

/* A warp's group and strip; neighbouring warps have neighbouring groups. */
struct piece {
    int64_t group, strip;
};

__device__ __forceinline__ bool take_piece(const crowd &all, int thread, piece *p)
{
    const int64_t number = blockIdx.x * static_cast<int64_t>(WARPS) + thread / WARP_LANES;
    p->group = number % all.groups;
    p->strip = number / all.groups;
    return p->strip < all.strips;
}

/* The links of a run, joined; a joint takes the place of each but the first. */
template <class K>
__device__ __forceinline__ typename K::link fold_run(const crowd &all, const level &at, int64_t first,
                                                     int64_t lane)
{
    typedef typename K::numbers numbers;
    numbers ahead = get<numbers>(at.numbers, first, K::PLACE, all.lanes, lane);
    typename K::link run = K::link_of(ahead);
    const int64_t end = first + RUN < at.count ? first + RUN : at.count;
    if (first + 1 < end)
        ahead = get<numbers>(at.numbers, first + 1, K::PLACE, all.lanes, lane);
#pragma unroll 1
    for (int64_t k = first + 1; k < end; ++k) {
        const typename K::link next = K::link_of(ahead);
        if (k + 1 < end) /* on its way while this one is joined */
            ahead = get<numbers>(at.numbers, k + 1, K::PLACE, all.lanes, lane);
        typename K::joint between;
        run = K::join(run, next, &between);
        put<K::PLACE>(at.numbers, k, all.lanes, lane, between);
    }
    return run;
}

/* From the ends of a run to those before each of its links, which take the joints' places. */
template <class K>
__device__ __forceinline__ void unfold_run(const crowd &all, const level &at, int64_t first, int64_t lane,
                                           const typename K::ends &left, typename K::ends right)
{
    typedef typename K::joint joint;
    const int64_t end = first + RUN < at.count ? first + RUN : at.count;
    if (end == at.count)
        put<K::PLACE>(at.numbers, end, all.lanes, lane, right);
    joint ahead;
    if (end - 1 > first)
        ahead = get<joint>(at.numbers, end - 1, K::PLACE, all.lanes, lane);
#pragma unroll 1
    for (int64_t k = end - 1; k > first; --k) {
        const joint here = ahead;
        if (k - 1 > first)
            ahead = get<joint>(at.numbers, k - 1, K::PLACE, all.lanes, lane);
        right = K::between(here, left, right);
        put<K::PLACE>(at.numbers, k, all.lanes, lane, right);
    }
    put<K::PLACE>(at.numbers, first, all.lanes, lane, left);
}

/* Blocks for all systems' runs of one number. */
__host__ __device__ __forceinline__ int64_t blocks_abreast(const crowd &all)
{
    return (all.of.count + LINK_THREADS - 1) / LINK_THREADS;
}

/* This thread's system, and which of its runs. */
__device__ __forceinline__ bool take_run(const crowd &all, int64_t *lane, int64_t *run)
{
    *lane = blockIdx.x % blocks_abreast(all) * LINK_THREADS + threadIdx.x;
    *run = blockIdx.x / blocks_abreast(all);
    return *lane < all.of.count;
}

template <class K>
__global__ void __launch_bounds__(LINK_THREADS, LINK_BLOCKS)
    fold_links(const __grid_constant__ crowd all, const __grid_constant__ level at,
               const __grid_constant__ level to)
{
    int64_t lane, run;
    if (take_run(all, &lane, &run))
        put<K::PLACE>(to.numbers, run, all.lanes, lane, K::numbers_of(fold_run<K>(all, at, run * RUN, lane)));
}

template <class K>
__global__ void __launch_bounds__(LINK_THREADS, LINK_BLOCKS)
    unfold_links(const __grid_constant__ crowd all, const __grid_constant__ level from,
                 const __grid_constant__ level at)
{
    typedef typename K::ends ends;
    int64_t lane, run;
    if (!take_run(all, &lane, &run))
        return;
    const ends left = get<ends>(from.numbers, run, K::PLACE, all.lanes, lane),
               right = get<ends>(from.numbers, run + 1, K::PLACE, all.lanes, lane);
    unfold_run<K>(all, at, run * RUN, lane, left, right);
}

/* systems: matrices where there is no right-hand side. */
inline crowd crowd_of(const sb_cuda_job &job, const sb_abreast_shape &s, int64_t systems, bool records)
{
    char *scratch = static_cast<char *>(job.scratch);
    crowd all = {};
    all.of = {systems, static_cast<int>(s.nearest)};
    all.groups = (systems + WARP_LANES - 1) / WARP_LANES;
    all.lanes = s.lanes;
    all.tiles = s.tiles;
    all.strip = s.strip;
    all.strips = s.count[0];
    all.records = records;
    all.joints = reinterpret_cast<T *>(scratch + s.joints_at);
    all.told = reinterpret_cast<int32_t *>(scratch + s.told_at);
    all.numbers = static_cast<int>(s.numbers);
    all.pivoted_lanes = reinterpret_cast<uint32_t *>(scratch + s.pivoted_at);
    return all;
}

/* A kernel of strips, or the last level's. */
typedef void step(const sb_cuda_job, const crowd, const level);

/* So much shared memory for these four. */
inline cudaError_t allow(step *const (&kernels)[4], int bytes)
{
    cudaError_t error = cudaSuccess;
    for (step *kernel : kernels)
        if (!error)
            error = cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    return error;
}

/* Up to the systems' ends; and, for a right-hand side, back. */
template <class K>
cudaError_t go(const sb_cuda_call *call, const sb_cuda_job &job, const crowd &all, const sb_abreast_shape &s,
               size_t shared, step *fold, step *close, step *finish)
{
    level at[SB_ABREAST_LEVELS];
    for (int l = 0; l <= s.levels; ++l)
        at[l] = {reinterpret_cast<T *>(static_cast<char *>(job.scratch) + s.links_at[l]), s.count[l]};
    const int last = static_cast<int>(s.levels);
    const unsigned warps = static_cast<unsigned>((all.groups * all.strips + WARPS - 1) / WARPS),
                   threads = WARPS * WARP_LANES, lanes = static_cast<unsigned>(blocks_abreast(all));
    fold<<<warps, threads, shared, call->stream>>>(job, all, at[0]);
    for (int l = 0; l < last; ++l)
        fold_links<K><<<lanes *static_cast<unsigned>(at[l + 1].count), LINK_THREADS, 0, call->stream>>>(
            all, at[l], at[l + 1]);
    close<<<lanes, LINK_THREADS, 0, call->stream>>>(job, all, at[last]);
    for (int l = last - 1; l >= 0 && job.b; --l)
        unfold_links<K><<<lanes *static_cast<unsigned>(at[l + 1].count), LINK_THREADS, 0, call->stream>>>(
            all, at[l + 1], at[l]);
    if (job.b)
        finish<<<warps, threads, shared, call->stream>>>(job, all, at[0]);
    return cudaGetLastError();
}

} // namespace

#endif
