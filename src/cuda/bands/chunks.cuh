/* Strips of narrow bands: a chunk in each lane of a team, whose links the team joins. */
#ifndef SB_BANDS_CHUNKS_CUH
#define SB_BANDS_CHUNKS_CUH

#include "src/cuda/bands/chain.cuh"
#include "src/cuda/bands/links.cuh"

namespace
{

/* The team's strip, and how many of its rows are this lane's. */
template <int K>
__device__ __forceinline__ bool chunks_of(const sb_cuda_job &job, const crowd &all, const team<K> &t,
                                          unsigned block, strip *s, int *rows)
{
    const bool mine = place_of(job, all, number_of(t, block), s);
    const int each = static_cast<int>(all.rows) / team<K>::SIZE;
    s->line = sb_matrix_line(job, s->matrix);
    s->first = s->number * all.rows;
    s->rows = !mine ? 0 : static_cast<int>(job.n - s->first < all.rows ? job.n - s->first : all.rows);
    s->step = 1;
    const int rest = s->rows - t.lane * each;
    *rows = rest < 0 ? 0 : rest < each ? rest : each;
    return mine;
}

template <int K> __device__ __forceinline__ stand<K> stand_of(const crowd &all)
{
    const int each = static_cast<int>(all.rows) / team<K>::SIZE;
    return {each, 65535 / each + 1, static_cast<int>(sb_bands_pace(K, all.rows))};
}

template <int K>
__device__ __forceinline__ void fold_chunk(const sb_cuda_job &job, const crowd &all, const level &to,
                                           unsigned block, char *shared)
{
    const team<K> t;
    T *items = room_of(t, shared, sb_bands_room_to_fold(K, all.rows));
    strip s;
    int rows;
    const bool mine = chunks_of(job, all, t, block, &s, &rows);
    const stand<K> at = stand_of<K>(all);
    bring(job, t, s, at, items);
    T *own = items + t.lane * at.pace;
    chain<K, false> c(nullptr);
#pragma unroll 1
    for (int row = 0; row < rows; ++row)
        c.take(own + row * at.WIDTH, row, job.conjugate);
    if (c.zero >= 0)
        tell_zero(job, all, s.system, s.first + t.lane * at.each + c.zero - K);
    c.store(own);
    __syncwarp();
    equations<K, 2 * K, false> e(t, nullptr);
    join(t, e, items, mine ? static_cast<int>(team<K>::SIZE) : 0, at.pace);
    if (!mine)
        return;
    if (e.zero >= 0 && t.lane == 0)
        tell_zero(job, all, s.system, s.first + e.zero / (2 * K) * at.each + e.zero % (2 * K) - K);
    store_link(t, e, link_of<K>(to, s.system, s.number), false);
}

/* IN_TURNS: a launch may have fewer blocks than there is work for. */
template <int K, bool IN_TURNS>
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES, BLOCKS)
    fold_chunks(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                const __grid_constant__ level to)
{
    extern __shared__ __align__(16) char shared[];
    if (is_idle(all))
        return;
    if (!IN_TURNS)
        fold_chunk<K>(job, all, to, blockIdx.x, shared);
    else
        for (unsigned block = blockIdx.x; block < all.blocks; block += gridDim.x) {
            fold_chunk<K>(job, all, to, block, shared);
            __syncwarp();
        }
}

/* The lane's rows between the states at their ends: x of each takes the place of the row's first coefficient. */
template <int K>
__device__ __forceinline__ void solve_chunk(T *own, int rows, bool conjugate, const T *start, const T *end)
{
    enum { STATE = 2 * K, WIDTH = 2 * K + 2 };
    T state[STATE];
    chain<K, true> c(start);
#pragma unroll 1
    for (int row = 0; row < rows; ++row)
        c.take(own + row * WIDTH, row, conjugate);
#pragma unroll
    for (int i = 0; i < STATE; ++i)
        state[i] = end[i];
#pragma unroll 1
    for (int row = rows - 1; row >= STATE; --row) {
        substitute<K, 1>(own + row * WIDTH, state);
        own[(row - K) * WIDTH] = state[0];
    }
#pragma unroll
    for (int i = 0; i < K; ++i) {
        if (rows >= K - i)
            own[(rows - K + i) * WIDTH] = end[i];
    }
#pragma unroll
    for (int i = 0; i < K; ++i)
        if (i < rows)
            own[i * WIDTH] = start[K + i];
}

template <int K>
__device__ __forceinline__ void finish_chunk(const sb_cuda_job &job, const crowd &all, const level &from,
                                             unsigned block, char *shared)
{
    enum { STATE = 2 * K, SIZE = team<K>::SIZE, PACE = link_words<K> + 1 };
    const team<K> t;
    T *items = room_of(t, shared, sb_bands_room_to_finish(K, all.rows));
    strip s;
    int rows;
    const bool mine = chunks_of(job, all, t, block, &s, &rows);
    const stand<K> at = stand_of<K>(all);
    bring(job, t, s, at, items);
    T *own = items + t.lane * at.pace, *links = items + SIZE * at.pace, *states = links + SIZE * PACE;
    {
        chain<K, false> c(nullptr);
#pragma unroll 1
        for (int row = 0; row < rows; ++row)
            c.take(own + row * at.WIDTH, row, job.conjugate);
        c.store(links + t.lane * PACE);
    }
    __syncwarp();
    const unfolding u = {links, PACE, mine ? static_cast<int>(SIZE) : 0, states, STATE, true};
    unfold(t, u, mine, link_of<K>(from, s.system, s.number), link_words<K>);
    __syncwarp();
    if (mine)
        solve_chunk<K>(own, rows, job.conjugate, states + t.lane * STATE, states + (t.lane + 1) * STATE);
    __syncwarp();
    T *x = static_cast<T *>(job.x) + sb_line_of(job, job.x_at, s.system);
    bool finite = true;
    for (int row = t.lane; row < s.rows; row += SIZE) {
        T value = items[at(row)];
        finite = finite && sb_finite(value);
        x[(s.first + row) * job.x_at.line] = job.conjugate ? sb_conj(value) : value;
    }
    if (!finite)
        job.system[s.system] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

template <int K, bool IN_TURNS>
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES, BLOCKS)
    finish_chunks(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                  const __grid_constant__ level from)
{
    extern __shared__ __align__(16) char shared[];
    if (is_idle(all))
        return;
    if (!IN_TURNS)
        finish_chunk<K>(job, all, from, blockIdx.x, shared);
    else
        for (unsigned block = blockIdx.x; block < all.blocks; block += gridDim.x) {
            finish_chunk<K>(job, all, from, block, shared);
            __syncwarp();
        }
}

} // namespace

#endif
