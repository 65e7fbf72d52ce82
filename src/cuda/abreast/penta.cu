/* Partition of pentadiagonal systems that lie abreast, too long to stay on chip: as abreast.cu, by the arithmetic of
 * src/chunk/penta_chain.h, without pivots. A tile's last two rows are its separators. Systems whose elimination grows, or has no
 * pivot, are told, and solved by bands.cu, whose kernels otherwise return at once.
 * Words a row: 6 read, 6 read again, 1 written; for each tile of 128 bytes' rows a joint of 10 words written and read: f64 14.3 in
 * all. One matrix for all comes from cache: 4.3. What gives a row's unknown, 5 words, takes its place on chip; of one matrix,
 * that of all lanes at once but for one word. */
#include <cuda_pipeline.h>

#include "src/chunk/penta_chain.h"
#include "src/cuda/abreast/penta.h"
#include "src/cuda/abreast/runs.cuh"
#include "src/cuda/bands/bands.h"
#include "src/cuda/kernels/empty.cuh"

namespace
{

enum {
    BLOCKS = SB_ABREAST_PENTA_CROWD / SB_ABREAST_WARPS,
    ROWS = SB_ABREAST_PENTA_ROWS(sizeof(T)),
    DIAGONALS = 5,
    SLOT_BYTES = (DIAGONALS + 1) * ROWS * WARP_LANES * sizeof(T),
    LINK = SB_ABREAST_PENTA_LINK,
    JOINT = SB_ABREAST_PENTA_JOINT
};

/* All that the rest of a system has to know of a run of rows: its separators' equations, and its first two unknowns. */
struct separators {
    sb_penta_end ends[2];
    sb_penta_known heads[2];
};

/* The same as numbers. */
struct link_numbers {
    T at[LINK];
};

__device__ __forceinline__ link_numbers as_numbers(const separators &s)
{
    link_numbers n;
#pragma unroll
    for (int e = 0; e < 2; ++e) {
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            n.at[12 * e + j] = s.ends[e].a[j];
            n.at[12 * e + 2 + j] = s.ends[e].b[j];
            n.at[12 * e + 4 + j] = s.ends[e].c[j];
            n.at[12 * e + 7 + j] = s.heads[e].p[j];
            n.at[12 * e + 9 + j] = s.heads[e].u[j];
        }
        n.at[12 * e + 6] = s.ends[e].d;
        n.at[12 * e + 11] = s.heads[e].y;
    }
    return n;
}

__device__ __forceinline__ separators separators_of(const link_numbers &n)
{
    separators s;
#pragma unroll
    for (int e = 0; e < 2; ++e) {
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            s.ends[e].a[j] = n.at[12 * e + j];
            s.ends[e].b[j] = n.at[12 * e + 2 + j];
            s.ends[e].c[j] = n.at[12 * e + 4 + j];
            s.heads[e].p[j] = n.at[12 * e + 7 + j];
            s.heads[e].u[j] = n.at[12 * e + 9 + j];
        }
        s.ends[e].d = n.at[12 * e + 6];
        s.heads[e].y = n.at[12 * e + 11];
        s.ends[e].scale =
            sb_larger_size(sb_largest_of(s.ends[e].a[0], s.ends[e].a[1], s.ends[e].b[0]),
                           sb_larger_size(sb_size(s.ends[e].b[1]),
                                          sb_larger_size(sb_size(s.ends[e].c[0]), sb_size(s.ends[e].c[1]))));
    }
    return s;
}

struct known_pair {
    sb_penta_known at[2];
};

struct pair {
    T at[2];
};

/* Whether elimination may be trusted; a run's link with no number in it tells all that it is joined to. */
__device__ __forceinline__ bool is_safe(const sb_met &met)
{
    return sb_met_within(met, SB_CUDA_GROWTH_LIMIT);
}

__device__ __forceinline__ void poison(separators *s)
{
    s->ends[0].b[0] = static_cast<R>(NAN);
}

/* Run a followed by run b, whose separators between them are solved for. */
__device__ __forceinline__ separators joined(const separators &a, const separators &b, known_pair *between)
{
    separators both = {{b.ends[0], b.ends[1]}, {a.heads[0], a.heads[1]}};
    sb_penta_end own[2] = {a.ends[0], a.ends[1]};
    sb_met met = sb_nothing_met();
    sb_penta_take_behind(own, b.heads, &met);
    sb_penta_solve(own, 0, between->at, &met);
    sb_penta_take_before(both.ends, between->at, &met);
    sb_penta_heads_pass(both.heads, between->at);
    if (!is_safe(met))
        poison(&both);
    return both;
}

__device__ __forceinline__ pair pair_between(const known_pair &j, const pair &left, const pair &right)
{
    return {{sb_penta_at(j.at[0], left.at, right.at), sb_penta_at(j.at[1], left.at, right.at)}};
}

/* A lane's rows on chip. ONE: all lanes have one matrix. */
template <bool ONE> struct slot {
    T *matrix, *rhs;
    int lane;

    __device__ __forceinline__ explicit slot(char *shared)
    {
        lane = static_cast<int>(threadIdx.x % WARP_LANES);
        matrix = reinterpret_cast<T *>(shared + threadIdx.x / WARP_LANES * SLOT_BYTES);
        rhs = matrix + DIAGONALS * ROWS * WARP_LANES;
    }
    __device__ __forceinline__ T *entry(int row, int diagonal) const
    {
        return ONE ? matrix + diagonal * ROWS + row : matrix + (diagonal * ROWS + row) * WARP_LANES + lane;
    }
    __device__ __forceinline__ T *right(int row) const
    {
        return rhs + row * WARP_LANES + lane;
    }
    __device__ __forceinline__ sb_penta_row read(int row, bool conjugate) const
    {
        sb_penta_row r;
#pragma unroll
        for (int d = 0; d < DIAGONALS; ++d) {
            const T value = *entry(row, d);
            r.at[d] = conjugate ? sb_conj(value) : value;
        }
        r.d = *right(row);
        return r;
    }
    __device__ __forceinline__ void keep(int row, const sb_penta_known &solved) const
    {
        if (ONE)
            __syncwarp(); /* all lanes have read this row */
        if (!ONE || lane == 0) {
            *entry(row, 0) = solved.p[0];
            *entry(row, 1) = solved.p[1];
            *entry(row, 2) = solved.u[0];
            *entry(row, 3) = solved.u[1];
        }
        *right(row) = solved.y;
    }
    __device__ __forceinline__ sb_penta_known kept(int row) const
    {
        return {*right(row), {*entry(row, 0), *entry(row, 1)}, {*entry(row, 2), *entry(row, 3)}};
    }
};

/* Where a tile begins; the last one has two rows at least. */
__device__ __forceinline__ int64_t start_of(const sb_cuda_job &job, const crowd &all, int64_t tile)
{
    return tile == all.tiles ? job.n : tile * ROWS - (tile == all.tiles - 1 && tile > 0 && job.n % ROWS == 1);
}

/* Diagonal d of these rows, of A^T if that is asked for; NULL where the band has none. */
__device__ __forceinline__ const T *diagonal_at(const sb_cuda_job &job, const places &at, int d, int64_t row)
{
    const int k = job.transposed ? 2 - d : d - 2;
    if (k < -job.lower || k > job.upper)
        return nullptr;
    return static_cast<const T *>(job.diagonal[job.lower + k]) + at.line + row * job.matrix_at.line;
}

/* Any row of any matrix; NULL outside an open one. */
__device__ __forceinline__ const T *anywhere(const sb_cuda_job &job, const places &at, int d, int64_t row)
{
    const int64_t column = row + d - 2;
    if (!job.periodic && (column < 0 || column >= job.n))
        return nullptr;
    if (job.transposed)
        row = column < 0 ? column + job.n : column >= job.n ? column - job.n : column;
    const T *line = diagonal_at(job, at, d, 0);
    return line ? line + sb_row_at(job, job.n, row) : nullptr;
}

__device__ __forceinline__ void copy_or_zero(T *to, const T *from, const T *somewhere)
{
    __pipeline_memcpy_async(to, from ? from : somewhere, sizeof(T), from ? 0 : sizeof(T));
}

template <bool ONE>
__device__ __noinline__ void bring_slowly(const sb_cuda_job &job, const places &at, const slot<ONE> &to,
                                          int64_t first, int rows)
{
    const T *somewhere = static_cast<const T *>(job.b);
#pragma unroll 1
    for (int d = 0; d < DIAGONALS; ++d)
#pragma unroll 1
        for (int r = ONE ? to.lane : 0; r < rows; r += ONE ? WARP_LANES : 1)
            copy_or_zero(to.entry(r, d), anywhere(job, at, d, first + r), somewhere);
#pragma unroll 1
    for (int r = 0; r < rows; ++r)
        copy_or_zero(to.right(r), static_cast<const T *>(job.b) + at.b + (first + r) * job.b_at.line,
                     somewhere);
}

/* A tile's rows; neighbouring lanes' are next to each other. Await with arrive. */
template <bool ONE>
__device__ __forceinline__ void bring(const sb_cuda_job &job, const places &at, const slot<ONE> &to,
                                      int64_t first, int rows)
{
    if (ONE)
        __syncwarp();
    if ((ONE || job.first == INT64_MAX) && first >= 2 && first + ROWS + 2 <= job.n && rows == ROWS) {
        const T *somewhere = static_cast<const T *>(job.b);
#pragma unroll
        for (int d = 0; d < DIAGONALS; ++d) {
            if (ONE) {
                if (to.lane < ROWS)
                    copy_or_zero(to.entry(to.lane, d), anywhere(job, at, d, first + to.lane), somewhere);
                continue;
            }
            const T *from = diagonal_at(job, at, d, first + (job.transposed ? d - 2 : 0));
#pragma unroll 8
            for (int r = 0; r < ROWS; ++r) {
                copy_or_zero(to.entry(r, d), from, somewhere);
                from = from ? from + job.matrix_at.line : nullptr;
            }
        }
        const T *from = static_cast<const T *>(job.b) + at.b + first * job.b_at.line;
#pragma unroll 8
        for (int r = 0; r < ROWS; ++r) {
            __pipeline_memcpy_async(to.right(r), from, sizeof(T));
            from += job.b_at.line;
        }
    } else
        bring_slowly(job, at, to, first, rows);
    __pipeline_commit();
}

__device__ __forceinline__ void arrive()
{
    __pipeline_wait_prior(0);
    __syncwarp();
}

/* The link of a tile's rows. KEEP: what gives the unknowns of its interior takes their rows' places. */
template <bool KEEP, bool ONE>
__device__ __forceinline__ separators sweep(const slot<ONE> &at, int rows, bool conjugate, sb_met *met)
{
    sb_penta_sweep swept = sb_penta_begin();
    sb_penta_row ahead = at.read(0, conjugate);
#pragma unroll 1
    for (int r = 0; r + 2 < rows; ++r) {
        const sb_penta_row row = ahead;
        ahead = at.read(r + 1, conjugate);
        const sb_penta_known solved = sb_penta_sweep_row(&swept, row, r, met);
        if (KEEP)
            at.keep(r, solved);
    }
    separators s;
    s.ends[0] = sb_penta_end_of(0, ahead, &swept, met);
    s.ends[1] = sb_penta_end_of(1, at.read(rows - 1, conjugate), &swept, met);
    s.heads[0] = swept.head[0];
    s.heads[1] = swept.head[1];
    return s;
}

__device__ __forceinline__ int64_t last_of(const crowd &all, int64_t strip)
{
    const int64_t end = (strip + 1) * all.strip;
    return (end < all.tiles ? end : all.tiles) - 1;
}

template <bool ONE>
__global__ void __launch_bounds__(WARPS *WARP_LANES, BLOCKS)
    fold_penta(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
               const __grid_constant__ level to)
{
    extern __shared__ __align__(128) char shared[];
    if (blockIdx.x == 0 && threadIdx.x == 0)
        all.told[all.of.count] = 0;
    piece p;
    if (!take_piece(all, static_cast<int>(threadIdx.x), &p))
        return;
    const slot<ONE> at(shared);
    const member m = member_of(job, all.of, p.group * WARP_LANES + at.lane);
    const int64_t begin = p.strip * all.strip, end = last_of(all, p.strip);
    int64_t first = start_of(job, all, begin);
    sb_met met = sb_nothing_met();
    separators run;
    bring(job, m.at, at, first, static_cast<int>(start_of(job, all, begin + 1) - first));
#pragma unroll 1
    for (int64_t tile = begin; tile <= end; ++tile) {
        const int64_t behind = start_of(job, all, tile + 1);
        arrive();
        const separators mine = sweep<false>(at, static_cast<int>(behind - first), job.conjugate, &met);
        first = behind;
        if (tile < end)
            bring(job, m.at, at, first, static_cast<int>(start_of(job, all, tile + 2) - first));
        if (tile == begin)
            run = mine;
        else {
            known_pair between;
            run = joined(run, mine, &between);
            if (m.exists)
                put<JOINT>(all.joints, tile, all.lanes, m.lane, between);
        }
    }
    if (!is_safe(met))
        poison(&run);
    put<LINK>(to.numbers, p.strip, all.lanes, m.lane, as_numbers(run));
}

template <bool ONE>
__global__ void __launch_bounds__(WARPS *WARP_LANES, BLOCKS)
    finish_penta(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                 const __grid_constant__ level from)
{
    extern __shared__ __align__(128) char shared[];
    piece p;
    if (!take_piece(all, static_cast<int>(threadIdx.x), &p))
        return;
    const slot<ONE> at(shared);
    const member m = member_of(job, all.of, p.group * WARP_LANES + at.lane);
    const bool writes = m.exists && !all.told[m.system] && job.matrix[m.at.matrix].outcome == SB_CUDA_GOOD;
    const int64_t begin = p.strip * all.strip, end = last_of(all, p.strip);
    const pair left = get<pair>(from.numbers, p.strip, LINK, all.lanes, m.lane);
    pair right = get<pair>(from.numbers, p.strip + 1, LINK, all.lanes, m.lane);
    int64_t behind = start_of(job, all, end + 1);
    T zero = 0;
#pragma unroll 1
    for (int64_t tile = end; tile >= begin; --tile) {
        const int64_t first = start_of(job, all, tile), step = job.x_at.line;
        const int rows = static_cast<int>(behind - first);
        bring(job, m.at, at, first, rows);
        pair before = left;
        if (tile > begin)
            before = pair_between(get<known_pair>(all.joints, tile, JOINT, all.lanes, m.lane), left, right);
        sb_met met = sb_nothing_met();
        arrive();
        sweep<true>(at, rows, job.conjugate, &met);
        if (ONE)
            __syncwarp();
        T *x = static_cast<T *>(job.x) + m.at.x + (behind - 1) * step;
        T next[2] = {right.at[0], right.at[1]};
        zero = zero + (R)0 * next[0] + (R)0 * next[1];
        if (writes) {
            x[0] = next[1];
            *(x - step) = next[0];
        }
        x -= 2 * step;
#pragma unroll 2
        for (int r = rows - 3; r >= 0; --r) {
            const T value = sb_penta_at(at.kept(r), before.at, next);
            next[1] = next[0];
            next[0] = value;
            zero = zero + (R)0 * value;
            if (writes)
                *x = value;
            x -= step;
        }
        right = before;
        behind = first;
    }
    if (writes && !(zero == (T)0))
        job.system[m.system] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

/* Links, and what they leave: see runs.cuh. */
struct penta_links {
    enum { PLACE = LINK };
    typedef separators link;
    typedef link_numbers numbers;
    typedef known_pair joint;
    typedef pair ends;

    static __device__ __forceinline__ link link_of(const numbers &n)
    {
        return separators_of(n);
    }
    static __device__ __forceinline__ numbers numbers_of(const link &s)
    {
        return as_numbers(s);
    }
    static __device__ __forceinline__ link join(const link &a, const link &b, joint *between)
    {
        return joined(a, b, between);
    }
    static __device__ __forceinline__ ends between(const joint &j, const ends &left, const ends &right)
    {
        return pair_between(j, left, right);
    }
};

/* The last level. A ring's first unknowns are known by its last ones, on both sides. */
__global__ void __launch_bounds__(LINK_THREADS)
    close_penta(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                const __grid_constant__ level at)
{
    int64_t lane, run;
    if (!take_run(all, &lane, &run))
        return;
    const member m = member_of(job, all.of, lane);
    separators whole = fold_run<penta_links>(all, at, 0, lane);
    sb_met met = sb_nothing_met();
    pair last;
    if (job.periodic)
        sb_penta_take_behind(whole.ends, whole.heads, &met);
    else
#pragma unroll
        for (int e = 0; e < 2; ++e)
#pragma unroll
            for (int j = 0; j < 2; ++j)
                whole.ends[e].a[j] = whole.ends[e].c[j] = 0;
    sb_penta_close(whole.ends, 0, last.at, &met);
    const bool safe = is_safe(met) && whole.ends[0].b[0] == whole.ends[0].b[0];
    all.told[m.system] = !safe;
    if (!safe)
        all.told[all.of.count] = 1; /* several may say so */
    if (safe && all.records)
        job.matrix[m.at.matrix] = {SB_CUDA_GOOD, 0, 0};
    if (safe)
        job.system[m.system] = SB_CUDA_GOOD;
    const pair before = job.periodic ? last : pair{{T(0), T(0)}};
    unfold_run<penta_links>(all, at, 0, lane, before, last);
}

cudaError_t run(const sb_cuda_call *call, const sb_cuda_job &job, bool stored)
{
    const sb_abreast_penta shape = sb_abreast_penta_prepared(call->state);
    const sb_abreast_shape &s = shape.lanes;
    char *scratch = static_cast<char *>(job.scratch);
    if (job.systems == 0)
        return cudaSuccess;
    const crowd all = crowd_of(job, s, job.systems, !stored);
    const bool one = job.matrices == 1;
    cudaError_t error =
        go<penta_links>(call, job, all, s, WARPS * SLOT_BYTES, one ? fold_penta<true> : fold_penta<false>,
                        close_penta, one ? finish_penta<true> : finish_penta<false>);
    return error ? error : SB_NAME(bands_solve)(call, &shape.teams, scratch + shape.teams_at, all.told, stored);
}

cudaError_t factor(const sb_cuda_call *call)
{
    const sb_abreast_penta shape = sb_abreast_penta_prepared(call->state);
    return SB_NAME(bands_factor)(call, &shape.teams, static_cast<char *>(call->job.scratch) + shape.teams_at);
}

cudaError_t solve(const sb_cuda_call *call)
{
    return call->job.n ? run(call, SB_NAME(bands_stored)(call), true) : cudaSuccess;
}

cudaError_t factor_solve(const sb_cuda_call *call)
{
    return call->job.n ? run(call, call->job, false) : settle_empty(call);
}

cudaError_t ready(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    const sb_abreast_penta shape = sb_abreast_penta_prepared(state);
    cudaError_t error = SB_NAME(bands_ready)(setup, &shape.teams);
    return error ? error
                 : allow({fold_penta<false>, finish_penta<false>, fold_penta<true>, finish_penta<true>},
                         WARPS * SLOT_BYTES);
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_abreast_penta) = {factor, solve, factor_solve, ready};
