/* Partition of systems that are wider than tridiagonal: one or many, exact, by orthogonal elimination.
 *
 * Two teams of lanes sweep over a strip of rows, from its ends to its middle, and leave a link: 2 K equations in the states at
 * the ends. Links are
 * joined eight at a time by the same sweep, level after level, until a run of them is left; that run's equation and the
 * system's ends give the states at both ends. From there the way back: each level's states from those above, and in the strips
 * the unknowns. What was swept on the way up is swept again on the way back, since keeping it would take as much memory as
 * the system.
 * Words a row, w = 2 K + 1 diagonals, strips of q rows: w + 1 read, w + 1 read again and 1 written; links: 2 (2 K (4 K + 1)) / q
 * written and read twice, 8/7 times as much with all levels. Pentadiagonal: 13 + 1. */
#include "src/cuda/bands/strip.cuh"

namespace
{

/* A level's links, and on the way back its states; those of all systems one behind another. */
struct level {
    T *links;
    int64_t count; /* links of a system; there is room for one more */
};

/* All teams of a launch: `systems` (matrices where there is no right-hand side) times `count`. */
struct crowd {
    int64_t systems, count, rows; /* rows: of a strip */
    bool across, records;         /* records: the launch is to tell of matrices */
    unsigned long long *zeros;
};

template <int K> constexpr int link_words = 2 * K *(4 * K + 1);

template <int K> __device__ __forceinline__ T *link_of(const level &at, int64_t system, int64_t number)
{
    return at.links + (system * (at.count + 1) + number) * link_words<K>;
}

/* Words of shared memory that a team needs: for strips, half of one, a link for the other team of the pair, one of its own to
   solve in, and two states. */
template <int K> __host__ __device__ constexpr int64_t room_for_half(int64_t rows)
{
    return rows / 2 * (2 * K + 2);
}

template <int K> __host__ __device__ constexpr int64_t room_for_rows(int64_t rows)
{
    return room_for_half<K>(rows) + 2 * link_words<K> + 4 * K;
}

template <int K> constexpr int64_t room_for_links = SB_BANDS_RUN *link_words<K>;
template <int K> constexpr int64_t room_to_close = (SB_BANDS_RUN + 2) * link_words<K> + 2 * K;

/* The number of this warp's team among all; its place in shared memory, of so many words each. */
template <int K> __device__ __forceinline__ int64_t number_of(const team<K> &t)
{
    return (static_cast<int64_t>(blockIdx.x) * SB_BANDS_WARPS + threadIdx.x / LANES) * team<K>::OF_WARP +
           t.number;
}

template <int K> __device__ __forceinline__ T *room_of(const team<K> &t, char *shared, int64_t words)
{
    return reinterpret_cast<T *>(shared) +
           (threadIdx.x / LANES * team<K>::OF_WARP + t.number) * (words + SB_BANDS_APART);
}

/* Which system and which strip or run of it is this team's. False: none, or of a matrix that is known to be bad; then it goes along
   with the first system's first. */
__device__ __forceinline__ bool place_of(const sb_cuda_job &job, const crowd &all, int64_t number, strip *s)
{
    const bool exists = number < all.systems * all.count;
    number = exists ? number : 0;
    s->system = all.across ? number % all.systems : number / all.count;
    s->number = all.across ? number / all.systems : number % all.count;
    s->matrix = job.b ? sb_matrix_of(job, s->system) : s->system;
    return exists && (all.records || job.matrix[s->matrix].outcome == SB_CUDA_GOOD);
}

template <int K>
__device__ __forceinline__ bool strip_of(const sb_cuda_job &job, const crowd &all, const team<K> &t, strip *s)
{
    const bool mine = place_of(job, all, number_of(t) / 2, s);
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

/* An unknown that none of the equations knows which are left to it. */
__device__ __forceinline__ void tell_zero(const sb_cuda_job &job, const crowd &all, int64_t system,
                                          int64_t unknown)
{
    if (!all.records)
        return;
    unknown = unknown < 0 ? (job.periodic ? unknown + job.n : 0) : unknown;
    unknown = unknown < job.n ? unknown : job.n - 1;
    atomicMax(all.zeros + system, static_cast<unsigned long long>(job.n - unknown));
}

template <int K>
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES)
    fold_rows(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
              const __grid_constant__ level to)
{
    extern __shared__ __align__(16) char shared[];
    const team<K> t;
    T *items = room_of(t, shared, room_for_rows<K>(all.rows));
    strip s;
    const bool mine = strip_of(job, all, t, &s);
    bring(job, t, s, items);
    T *link = items + room_for_half<K>(all.rows);
    equations<K, 1, false> e(t, nullptr);
    sweep(t, e, items, s.rows);
    if (e.zero >= 0 && t.lane == 0)
        tell_zero(job, all, s.system, s.first + s.step * (e.zero - K));
    store_link(t, e, link, !t.forwards());
    __syncwarp();
    const int64_t pace = room_for_rows<K>(all.rows) + SB_BANDS_APART;
    T *first = t.forwards() ? link : link - pace;
    equations<K, 2 * K, false> both(t, nullptr);
    carry(t, both, first);
    sweep(t, both, first + pace, 1);
    if (!mine || !t.forwards())
        return;
    if (both.zero >= 0 && t.lane == 0)
        tell_zero(job, all, s.system, s.first + s.rows + both.zero - K);
    store_link(t, both, link_of<K>(to, s.system, s.number), false);
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
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES)
    fold_links(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
               const __grid_constant__ level from, const __grid_constant__ level to)
{
    extern __shared__ __align__(16) char shared[];
    const team<K> t;
    T *items = room_of(t, shared, room_for_links<K>);
    strip s;
    const bool mine = place_of(job, all, number_of(t), &s);
    int count = bring_links(t, from, s, mine, items);
    equations<K, 2 * K, false> e(t, nullptr);
    sweep(t, e, items, count);
    if (e.zero >= 0 && t.lane == 0)
        tell_zero_of_links<K>(job, all, from, s, e.zero);
    if (mine)
        store_link(t, e, link_of<K>(to, s.system, s.number), false);
}

/* The states between links, in their places, from those at the ends of their run, which are as far from each other. */
template <int K>
__device__ __forceinline__ void unfold(const team<K> &t, T *items, int count, bool mine, const T *ends,
                                       T *links, bool last)
{
    enum { STATE = 2 * K, WORDS = 4 * K + 1 };
    equations<K, STATE, true> e(t, ends);
    sweep(t, e, items, count);
    __syncwarp();
    if (!mine)
        return;
    T state[STATE];
#pragma unroll
    for (int i = 0; i < STATE; ++i) {
        state[i] = ends[WORDS * STATE + i];
        if (t.lane == i) {
            links[i] = ends[i];
            if (last)
                links[count * WORDS * STATE + i] = state[i];
        }
    }
    for (int item = count - 1; item > 0; --item) {
        substitute<K, STATE>(items + item * STATE * WORDS, state);
#pragma unroll
        for (int i = 0; i < STATE; ++i)
            if (t.lane == i)
                links[item * WORDS * STATE + i] = state[i];
    }
}

template <int K>
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES)
    unfold_links(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                 const __grid_constant__ level from, const __grid_constant__ level to)
{
    extern __shared__ __align__(16) char shared[];
    enum { STATE = 2 * K };
    const team<K> t;
    T *items = room_of(t, shared, room_for_links<K>);
    strip s;
    const bool mine = place_of(job, all, number_of(t), &s);
    int count = bring_links(t, to, s, mine, items);
    unfold(t, items, count, mine, link_of<K>(from, s.system, s.number),
           link_of<K>(to, s.system, s.number * SB_BANDS_RUN), s.number == from.count - 1);
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
__global__ void __launch_bounds__(SB_BANDS_WARPS *LANES)
    close_systems(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                  const __grid_constant__ level at)
{
    extern __shared__ __align__(16) char shared[];
    enum { STATE = 2 * K };
    const team<K> t;
    T *items = room_of(t, shared, room_to_close<K>);
    T *rows = items + SB_BANDS_RUN * link_words<K>, *ends = rows + link_words<K>;
    strip s;
    const bool mine = place_of(job, all, number_of(t), &s);
    int count = bring_links(t, at, s, mine, items);
    equations<K, STATE, false> e(t, nullptr);
    int base = sweep(t, e, items, count);
    if (e.zero >= 0 && t.lane == 0)
        tell_zero_of_links<K>(job, all, at, s, e.zero);
    if (t.lane < STATE)
        ends[t.lane] = 0;
    __syncwarp();
    if (close_ends(t, e, base, job.periodic, rows, ends) && mine && t.lane == 0)
        tell_zero(job, all, s.system, job.n - 1);
    __syncwarp();
    unfold(t, items, count, mine, ends, link_of<K>(at, s.system, 0), true);
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
    sweep(t, both, own, 1);
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
    finish_rows(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                const __grid_constant__ level from)
{
    extern __shared__ __align__(16) char shared[];
    enum { STATE = 2 * K };
    const team<K> t;
    T *items = room_of(t, shared, room_for_rows<K>(all.rows));
    strip s;
    const bool mine = strip_of(job, all, t, &s);
    bring(job, t, s, items);
    T *link = items + room_for_half<K>(all.rows), *own = link + link_words<K>, *start = own + link_words<K>;
    const T *ends = link_of<K>(from, s.system, s.number);
    if (t.lane < STATE)
        start[t.lane] = ends[t.forwards() ? t.lane : link_words<K> + STATE - 1 - t.lane];
    __syncwarp();
    equations<K, 1, true> e(t, start);
    sweep(t, e, items, s.rows);
    T state[STATE];
    meet(t, e, link, own, room_for_rows<K>(all.rows) + SB_BANDS_APART, state);
    if (mine && !finish(job, t, s, items, start, state))
        job.system[s.system] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

/* The copies of diagonals that factor makes: one matrix behind another, each with its diagonals one behind another. */
struct copies {
    int64_t rows; /* of a diagonal */
};

/* Words a row: w read, w written. */
__global__ void store_matrices(const __grid_constant__ sb_cuda_job job, const __grid_constant__ copies as)
{
    const int64_t all = as.rows * job.diagonals * job.matrices;
    T *to = static_cast<T *>(job.stored);
    for (int64_t e = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; e < all;
         e += gridDim.x * static_cast<int64_t>(blockDim.x)) {
        int64_t i = e % as.rows, diagonal = e / as.rows % job.diagonals, matrix = e / as.rows / job.diagonals;
        int k = static_cast<int>(diagonal) - job.lower;
        bool inside = job.periodic || job.toeplitz || (i + k >= 0 && i + k < job.n);
        const T *line = static_cast<const T *>(job.diagonal[diagonal]) + sb_matrix_line(job, matrix);
        to[e] = inside ? line[i * job.matrix_at.line] : T(0);
    }
}

/* The call's matrices where factor has put them. */
sb_cuda_job stored_job(const sb_cuda_call *call)
{
    sb_cuda_job job = call->job;
    const int64_t rows = sb_bands_stored_rows(call->setup);
    for (int d = 0; d < job.diagonals; ++d)
        job.diagonal[d] = static_cast<const T *>(job.stored) + d * rows;
    job.matrix_at.line = 1;
    int64_t apart = rows * job.diagonals;
    for (int d = job.rank - 1; d >= 0; --d)
        if (job.matrix_at.batch[d] != 0) {
            job.matrix_at.batch[d] = apart;
            apart *= job.extent[d];
        }
    return job;
}

template <int K> constexpr int64_t shared_bytes(int64_t words)
{
    return SB_BANDS_WARPS * team<K>::OF_WARP * (words + SB_BANDS_APART) * static_cast<int64_t>(sizeof(T));
}

/* count: strips or runs of a system; sharing: teams that share one. */
template <int K, class... Taken, class... Given>
cudaError_t start(void (*kernel)(Taken...), const sb_cuda_call *call, const sb_cuda_job &job, crowd all,
                  int64_t count, int sharing, int64_t words, Given... given)
{
    all.count = count;
    int64_t teams = SB_BANDS_WARPS * team<K>::OF_WARP / sharing;
    kernel<<<static_cast<unsigned>((all.systems * count + teams - 1) / teams), SB_BANDS_WARPS * LANES,
             static_cast<size_t>(shared_bytes<K>(words)), call->stream>>>(job, all, given...);
    return cudaGetLastError();
}

/* Up to the system's ends; and, for a right-hand side, back. */
template <int K>
cudaError_t run(const sb_cuda_call *call, const sb_cuda_job &job, const sb_bands_shape &shape, crowd all)
{
    char *scratch = static_cast<char *>(job.scratch);
    level at[SB_BANDS_LEVELS];
    for (int l = 0; l <= shape.levels; ++l)
        at[l] = {reinterpret_cast<T *>(scratch + shape.links_at[l]), shape.count[l]};
    const int last = static_cast<int>(shape.levels);
    cudaError_t error =
        start<K>(fold_rows<K>, call, job, all, at[0].count, 2, room_for_rows<K>(all.rows), at[0]);
    for (int l = 0; l < last && !error; ++l)
        error =
            start<K>(fold_links<K>, call, job, all, at[l + 1].count, 1, room_for_links<K>, at[l], at[l + 1]);
    if (!error)
        error = start<K>(close_systems<K>, call, job, all, 1, 1, room_to_close<K>, at[last]);
    for (int l = last - 1; l >= 0 && job.b && !error; --l)
        error =
            start<K>(unfold_links<K>, call, job, all, at[l + 1].count, 1, room_for_links<K>, at[l + 1], at[l]);
    if (job.b && !error)
        error = start<K>(finish_rows<K>, call, job, all, at[0].count, 2, room_for_rows<K>(all.rows), at[0]);
    return error;
}

cudaError_t launch(const sb_cuda_call *call, const sb_cuda_job &job, int64_t systems, bool records)
{
    const sb_bands_shape shape = sb_bands_prepared(call->state);
    crowd all = {
        systems,    0,
        shape.rows, shape.across,
        records,    reinterpret_cast<unsigned long long *>(static_cast<char *>(job.scratch) + shape.zeros_at)};
    if (systems == 0)
        return cudaSuccess;
    return shape.half == SB_BANDS_NARROW ? run<SB_BANDS_NARROW>(call, job, shape, all)
                                         : run<SB_BANDS_WIDE>(call, job, shape, all);
}

/* Systems without rows are solved. */
cudaError_t settle_empty(const sb_cuda_call *call)
{
    const sb_cuda_job &job = call->job;
    cudaError_t error = cudaMemsetAsync(job.matrix, 0, job.matrices * sizeof *job.matrix, call->stream);
    return error ? error : cudaMemsetAsync(job.system, 0, job.systems * sizeof *job.system, call->stream);
}

/* The way up alone says which matrices are singular. */
cudaError_t factor(const sb_cuda_call *call)
{
    if (!call->job.n || !call->job.matrices)
        return settle_empty(call);
    const copies as = {sb_bands_stored_rows(call->setup)};
    store_matrices<<<8 * call->setup->device->processors, 256, 0, call->stream>>>(call->job, as);
    cudaError_t error = cudaGetLastError();
    sb_cuda_job job = stored_job(call);
    job.b = nullptr; /* factor_solve of a shared matrix comes here with its b and x */
    job.x = nullptr;
    return error ? error : launch(call, job, job.matrices, true);
}

cudaError_t solve(const sb_cuda_call *call)
{
    return call->job.n ? launch(call, stored_job(call), call->job.systems, false) : cudaSuccess;
}

cudaError_t factor_solve(const sb_cuda_call *call)
{
    return call->job.n ? launch(call, call->job, call->job.systems, true) : settle_empty(call);
}

cudaError_t allow(const void *kernel, int64_t bytes)
{
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
}

template <int K> cudaError_t allow_all()
{
    const int64_t most = SB_BANDS_MOST_ROWS(K, sizeof(T));
    const struct {
        const void *kernel;
        int64_t words;
    } of[] = {{reinterpret_cast<const void *>(fold_rows<K>), room_for_rows<K>(most)},
              {reinterpret_cast<const void *>(fold_links<K>), room_for_links<K>},
              {reinterpret_cast<const void *>(close_systems<K>), room_to_close<K>},
              {reinterpret_cast<const void *>(unfold_links<K>), room_for_links<K>},
              {reinterpret_cast<const void *>(finish_rows<K>), room_for_rows<K>(most)}};
    cudaError_t error = cudaSuccess;
    for (const auto &each : of)
        if (!error)
            error = allow(each.kernel, shared_bytes<K>(each.words));
    return error;
}

cudaError_t ready(const sb_cuda_setup *, int64_t state[SB_CUDA_STATE])
{
    return sb_bands_prepared(state).half == SB_BANDS_NARROW ? allow_all<SB_BANDS_NARROW>()
                                                            : allow_all<SB_BANDS_WIDE>();
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_bands) = {factor, solve, factor_solve, ready};
