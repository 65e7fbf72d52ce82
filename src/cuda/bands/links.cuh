/* Links: eight are joined to one, level after level, up to the system's ends, and back. */
#ifndef SB_BANDS_LINKS_CUH
#define SB_BANDS_LINKS_CUH

#include "src/cuda/bands/crowd.cuh"

namespace
{

/* Words of shared memory that a team needs. */
template <int K> constexpr int64_t room_for_links = SB_BANDS_RUN *link_words<K>;
template <int K> constexpr int64_t room_to_close = (SB_BANDS_RUN + 2) * link_words<K> + 2 * K;

/* The first of these links, so many words from each other, with the others joined to it. Returns the lane of the window's first
   column. */
template <int K>
__device__ __forceinline__ int join(const team<K> &t, equations<K, 2 * K, false> &e, T *links, int count,
                                    int pace)
{
    carry(t, e, links);
    int base = sweep(t, e, links + pace, count > 0 ? count - 1 : 0, pace);
    e.zero += e.zero >= 0 ? 2 * K : 0; /* counted from the first */
    return base;
}

/* A run of links, on chip. */
template <int K>
__device__ __forceinline__ int bring_links(const team<K> &t, const level &from, const strip &s, bool mine,
                                           T *items)
{
    const int64_t first = s.number * SB_BANDS_RUN, rest = from.count - first;
    const int count = !mine ? 0 : rest < SB_BANDS_RUN ? static_cast<int>(rest) : SB_BANDS_RUN;
    const T *links = link_of<K>(from, s.system, first);
    for (int i = t.lane; i < count * link_words<K>; i += team<K>::SIZE)
        __pipeline_memcpy_async(items + i, links + i, sizeof(T));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    return count;
}

/* The unknown next behind the cut at which a level's link begins. */
__device__ __forceinline__ int64_t row_of_link(const sb_cuda_job &job, int64_t rows, const level &of,
                                               int64_t link)
{
    for (int64_t count = (job.n + rows - 1) / rows; count > of.count;
         count = (count + SB_BANDS_RUN - 1) / SB_BANDS_RUN)
        rows *= SB_BANDS_RUN;
    return link * rows;
}

template <int K>
__device__ __forceinline__ void tell_zero_of_links(const sb_cuda_job &job, const crowd &all, const level &of,
                                                   const strip &s, int zero)
{
    tell_zero(job, all, s.system,
              row_of_link(job, all.rows, of, s.number * SB_BANDS_RUN + zero / (2 * K)) + zero % (2 * K) - K);
}

template <int K>
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES, BLOCKS)
    fold_links(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
               const __grid_constant__ level from, const __grid_constant__ level to)
{
    extern __shared__ __align__(16) char shared[];
    if (is_idle(all))
        return;
    const team<K> t;
    T *items = room_of(t, shared, room_for_links<K>);
    strip s;
    const bool mine = place_of(job, all, number_of(t, blockIdx.x), &s);
    int count = bring_links(t, from, s, mine, items);
    equations<K, 2 * K, false> e(t, nullptr);
    join(t, e, items, count, link_words<K>);
    if (e.zero >= 0 && t.lane == 0)
        tell_zero_of_links<K>(job, all, from, s, e.zero);
    if (mine)
        store_link(t, e, link_of<K>(to, s.system, s.number), false);
}

/* Links on chip, so many words from each other, and where the states between them go. */
struct unfolding {
    T *links;
    int pace, count;
    T *states;
    int states_pace;
    bool last; /* the state at the run's end is wanted too: no other run begins there */
};

/* From the states at the run's ends, which are ends_pace words apart. Not mine: goes along. */
template <int K>
__device__ __forceinline__ void unfold(const team<K> &t, const unfolding &u, bool mine, const T *ends,
                                       int ends_pace)
{
    enum { STATE = 2 * K };
    equations<K, STATE, true> e(t, ends);
    sweep(t, e, u.links, u.count, u.pace);
    __syncwarp();
    if (!mine)
        return;
    T state[STATE];
#pragma unroll
    for (int i = 0; i < STATE; ++i) {
        state[i] = ends[ends_pace + i];
        if (t.lane == i) {
            u.states[i] = ends[i];
            if (u.last)
                u.states[u.count * u.states_pace + i] = state[i];
        }
    }
    for (int item = u.count - 1; item > 0; --item) {
        substitute<K, STATE>(u.links + item * u.pace, state);
#pragma unroll
        for (int i = 0; i < STATE; ++i)
            if (t.lane == i)
                u.states[item * u.states_pace + i] = state[i];
    }
}

template <int K>
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES, BLOCKS)
    unfold_links(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                 const __grid_constant__ level from, const __grid_constant__ level to)
{
    extern __shared__ __align__(16) char shared[];
    enum { STATE = 2 * K };
    if (is_idle(all))
        return;
    const team<K> t;
    T *items = room_of(t, shared, room_for_links<K>);
    strip s;
    const bool mine = place_of(job, all, number_of(t, blockIdx.x), &s);
    int count = bring_links(t, to, s, mine, items);
    const unfolding u = {items,         link_words<K>,
                         count,         link_of<K>(to, s.system, s.number * SB_BANDS_RUN),
                         link_words<K>, s.number == from.count - 1};
    unfold(t, u, mine, link_of<K>(from, s.system, s.number), link_words<K>);
}

/* The whole system's link, its window beginning in lane `base`, and its ends: open, nothing is outside; periodic, both states are
   one. The solution is left in `ends`: the states at the first cut and the last. True: there is none. */
template <int K>
__device__ __forceinline__ bool close_ends(const team<K> &t, const equations<K, 2 * K, false> &e, int base,
                                           bool periodic, T *rows, T *ends)
{
    enum { STATE = 2 * K, WINDOW = 2 * STATE };
    equations<K, STATE, true> closed(t, ends); /* all of its numbers are set below */
    const int column = periodic || t.lane < K ? t.lane : t.lane - K;
    const int right = base + column < WINDOW ? base + column : base + column - WINDOW;
#pragma unroll
    for (int i = 0; i < STATE; ++i) {
        T before = t.from(e.beside[i], periodic ? t.lane : K + t.lane), behind = t.from(e.window[i], right);
        T both = periodic ? before + behind : t.lane < K ? before : behind;
        closed.window[i] = t.lane < STATE ? both : T(0);
        closed.beside[i] = t.from(e.beside[i], STATE);
        closed.window[STATE + i] = closed.beside[STATE + i] = 0;
    }
    eliminate(t, closed, 0, rows, 0, true);
    __syncwarp();
    T state[STATE];
#pragma unroll
    for (int i = 0; i < STATE; ++i)
        state[i] = 0;
    substitute<K, STATE>(rows, state);
#pragma unroll
    for (int i = 0; i < STATE; ++i)
        if (t.lane == i) {
            ends[i] = periodic ? state[i] : i < K ? T(0) : state[i - K];
            ends[link_words<K> + i] = periodic ? state[i] : i < K ? state[K + i] : T(0);
        }
    __syncwarp();
    return closed.zero >= 0;
}

/* The last level: a team a system. */
template <int K>
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES, BLOCKS)
    close_systems(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                  const __grid_constant__ level at)
{
    extern __shared__ __align__(16) char shared[];
    enum { STATE = 2 * K };
    if (is_idle(all))
        return;
    const team<K> t;
    T *items = room_of(t, shared, room_to_close<K>);
    T *rows = items + SB_BANDS_RUN * link_words<K>, *ends = rows + link_words<K>;
    strip s;
    const bool mine = place_of(job, all, number_of(t, blockIdx.x), &s);
    int count = bring_links(t, at, s, mine, items);
    equations<K, STATE, false> e(t, nullptr);
    int base = join(t, e, items, count, link_words<K>);
    if (e.zero >= 0 && t.lane == 0)
        tell_zero_of_links<K>(job, all, at, s, e.zero);
    if (t.lane < STATE)
        ends[t.lane] = 0;
    __syncwarp();
    if (close_ends(t, e, base, job.periodic, rows, ends) && mine && t.lane == 0)
        tell_zero(job, all, s.system, job.n - 1);
    __syncwarp();
    const unfolding u = {items, link_words<K>, count, link_of<K>(at, s.system, 0), link_words<K>, true};
    unfold(t, u, mine, ends, link_words<K>);
    if (!mine || t.lane != 0)
        return;
    if (all.records) {
        __threadfence();
        int64_t from_end = static_cast<int64_t>(atomicExch(all.zeros + s.system, 0ull));
        job.matrix[s.matrix] = {from_end ? sb_cuda_failure(SLIMBAND_SINGULAR, job.n - from_end) : SB_CUDA_GOOD,
                                0, 0};
    }
    if (job.b)
        job.system[s.system] = SB_CUDA_GOOD;
}

} // namespace

#endif
