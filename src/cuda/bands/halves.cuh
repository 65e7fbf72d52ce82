/* Strips of wide bands: two teams a strip, which sweep from its ends until they meet. */
#ifndef SB_BANDS_HALVES_CUH
#define SB_BANDS_HALVES_CUH

#include "src/cuda/bands/links.cuh"

namespace
{

template <int K>
__device__ __forceinline__ bool half_of(const sb_cuda_job &job, const crowd &all, const team<K> &t, strip *s)
{
    const bool mine = place_of(job, all, number_of(t, blockIdx.x) / 2, s);
    s->line = sb_matrix_line(job, s->matrix);
    int64_t first = s->number * all.rows;
    int rows = static_cast<int>(job.n - first < all.rows ? job.n - first : all.rows);
    rows = mine ? rows : 0;
    const int half = (rows + 1) / 2;
    s->first = t.forwards() ? first : first + rows - 1;
    s->rows = t.forwards() ? half : rows - half;
    s->step = t.forwards() ? 1 : -1;
    return mine;
}

template <int K>
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES)
    fold_halves(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                const __grid_constant__ level to)
{
    extern __shared__ __align__(16) char shared[];
    if (is_idle(all))
        return;
    const team<K> t;
    T *items = room_of(t, shared, sb_bands_room_to_fold(K, all.rows));
    strip s;
    const bool mine = half_of(job, all, t, &s);
    bring(job, t, s, stand<K>{0, 0, 0}, items);
    weigh_all(job, t, s, items);
    T *link = items + all.rows / 2 * (2 * K + 2);
    equations<K, 1, false> e(t, nullptr);
    sweep(t, e, items, s.rows, 2 * K + 2);
    if (e.zero >= 0 && t.lane == 0)
        tell_zero(job, all, s.system, s.first + s.step * (e.zero - K));
    store_link(t, e, link, !t.forwards());
    __syncwarp();
    const int64_t pace = sb_bands_room_to_fold(K, all.rows) + SB_BANDS_APART;
    T *first = t.forwards() ? link : link - pace;
    equations<K, 2 * K, false> both(t, nullptr);
    carry(t, both, first);
    sweep(t, both, first + pace, 1, 0);
    if (!mine || !t.forwards())
        return;
    if (both.zero >= 0 && t.lane == 0)
        tell_zero(job, all, s.system, s.first + s.rows + both.zero - K);
    store_link(t, both, link_of<K>(to, s.system, s.number), false);
}

/* Solves the half between the states at its ends, its own and where the pair has met. False: x has NaN or Inf. */
template <int K>
__device__ bool finish(const sb_cuda_job &job, const team<K> &t, const strip &s, T *items, const T *start,
                       T (&state)[2 * K])
{
    enum { STATE = 2 * K, WIDTH = 2 * K + 2, SIZE = team<K>::SIZE };
    T met[K];
#pragma unroll
    for (int i = 0; i < K; ++i)
        met[i] = state[i];
    for (int row = s.rows - 1; row >= STATE; --row) {
        substitute<K, 1>(items + row * WIDTH, state);
        if (t.lane == 0)
            items[row * WIDTH] =
                state[0]; /* x of row - K, where nobody reads: the unknown's own coefficient is 1 */
    }
    __syncwarp();
    T *x = static_cast<T *>(job.x) + sb_line_of(job, job.x_at, s.system);
    bool finite = true;
    for (int row = t.lane; row < s.rows; row += SIZE) {
        T value = row + K < s.rows && row >= K ? items[(row + K) * WIDTH] : T(0);
#pragma unroll
        for (int i = 0; i < K; ++i) {
            value = row == s.rows - K + i ? met[i] : value;
            value = row == i ? start[K + i] : value;
        }
        finite = finite && sb_finite(value);
        x[(s.first + row * s.step) * job.x_at.line] = job.conjugate ? sb_conj(value) : value;
    }
    return finite;
}

/* The state at which both halves of a strip end, in the team's own direction; both teams find the same. link: the team's, own:
   another one's place; pace: from the first team's to the second's. */
template <int K>
__device__ __forceinline__ void meet(const team<K> &t, const equations<K, 1, true> &e, T *link, T *own,
                                     int64_t pace, T (&state)[2 * K])
{
    enum { STATE = 2 * K, WORDS = 4 * K + 1 };
    store_link(t, e, link, !t.forwards());
    __syncwarp();
    const T *first = t.forwards() ? link : link - pace, *second = first + pace;
    for (int i = t.lane; i < STATE * WORDS; i += team<K>::SIZE)
        own[i] = second[i];
    __syncwarp();
    equations<K, STATE, true> both(t, own); /* its start is overwritten */
    carry(t, both, first);
    sweep(t, both, own, 1, 0);
    __syncwarp();
    T met[STATE];
#pragma unroll
    for (int i = 0; i < STATE; ++i)
        met[i] = 0; /* nothing is beyond the second half's end, which is known */
    substitute<K, STATE>(own, met);
#pragma unroll
    for (int i = 0; i < STATE; ++i)
        state[i] = t.forwards() ? met[i] : met[STATE - 1 - i];
}

template <int K>
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES)
    finish_halves(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                  const __grid_constant__ level from)
{
    extern __shared__ __align__(16) char shared[];
    enum { STATE = 2 * K };
    if (is_idle(all))
        return;
    const team<K> t;
    T *items = room_of(t, shared, sb_bands_room_to_fold(K, all.rows));
    strip s;
    const bool mine = half_of(job, all, t, &s);
    bring(job, t, s, stand<K>{0, 0, 0}, items);
    weigh_all(job, t, s, items);
    T *link = items + all.rows / 2 * (2 * K + 2), *own = link + link_words<K>, *start = own + link_words<K>;
    const T *ends = link_of<K>(from, s.system, s.number);
    if (t.lane < STATE)
        start[t.lane] = ends[t.forwards() ? t.lane : link_words<K> + STATE - 1 - t.lane];
    __syncwarp();
    equations<K, 1, true> e(t, start);
    sweep(t, e, items, s.rows, 2 * K + 2);
    T state[STATE];
    meet(t, e, link, own, sb_bands_room_to_fold(K, all.rows) + SB_BANDS_APART, state);
    if (mine && !finish(job, t, s, items, start, state))
        job.system[s.system] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

} // namespace

#endif
