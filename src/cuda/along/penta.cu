/* Partition of long pentadiagonal lines, one or several: a tile's rows are a warp's, a chunk of them a lane's. By the arithmetic of
 * src/chunk/penta_chain.h, without pivots. Systems whose elimination grows, or has no pivot, are told, and solved by bands.cu, whose
 * kernels otherwise return at once. A tile is swept twice, but what its lanes are solved by is kept for those that are apart: where
 * nothing fades it is off by as many roundings as there are rows between them, and a residual would show whatever was rounded in
 * another way the second time (1e-14 for 100000 rows, if it were the whole tile).
 * Not launched before compute capability 9.0, which has no copy engine.
 * Words a row: 6 read, 6 read again, 1 written, and for each tile of 544 (f64) a link of 24 words and 15 joints of 10, or, of fewer
 * than five diagonals, 7: 13.7 in all. Of a Toeplitz matrix (alike.cuh) 1 read, 1 read again, 1 written, a link and 15 joints of 2: 3.2. */
#include "src/cuda/along/alike.cuh"
#include "src/cuda/bands/bands.h"
#include "src/cuda/kernels/empty.cuh"

namespace
{

/* Tiles that have rows of their own to their links. */
__device__ __forceinline__ void fold_tiles(const sb_cuda_job &job, const crowd &all, const level &to, stage *at)
{
    turn<false> now = turn_of_others<false>(all);
    const auto bring_next = [&] {
        if (now.more())
            bring(lines(job, now.system()), piece(job, all.tiles, all.other(now.number())), at);
    };
    bring_next();
    while (now.more()) {
        const int64_t system = now.system(), number = all.other(now.number());
        const lines of(job, system);
        const piece tile(job, all.tiles, number);
        const int end = tile.lanes - 1;
        swept mine = {{}, sb_nothing_met()};
        arrive(at);
        mine.left = chunk_of(of, tile, *at).sweep(0, false, &mine.met); /* lanes too many do as the last one */
        now.next();
        __syncwarp();
        bring_next();
        folded run = fold_lanes(mine, at->lane, end);
        if (!is_safe(run.met))
            poison(&run.left);
        if (keeps_joint(all, at->lane, end))
            put(joint_at(all, system, number, at->lane), run.between);
        if (at->lane == end)
            put_link(to.place(system, number), run.left);
    }
}

/* What alike tiles have in common, which begin with that row; the second block finds it for the transposed matrix. */
__global__ void __launch_bounds__(LANES)
    find_alike(const __grid_constant__ sb_cuda_job job, int64_t row, alike *to)
{
    if (!sb_has_engine)
        return;
    sb_cuda_job here = job;
    here.transposed = blockIdx.x == 1;
    find(lines(here, 0), row, to + blockIdx.x);
}

/* Is the system to be written, whose matrix is the one with that number? */
__device__ __forceinline__ bool is_written(const sb_cuda_job &job, const crowd &all, int64_t system,
                                           int64_t matrix)
{
    return !all.told[system] && job.matrix[matrix].outcome == SB_CUDA_GOOD;
}

/* A tile's unknowns, which all lanes have put there. finite: this lane's are. */
__device__ __forceinline__ void write_tile(const sb_cuda_job &job, int64_t system, T *x, const T *solved,
                                           int rows, bool finite)
{
    const int lane = static_cast<int>(threadIdx.x % LANES);
    const bool whole = __all_sync(~0u, finite);
    __syncwarp();
    for (int i = lane; i < rows; i += LANES)
        x[i] = solved[i];
    if (!whole && lane == 0)
        job.system[system] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

__device__ __forceinline__ void finish_tiles(const sb_cuda_job &job, const crowd &all, const level &from,
                                             stage *at)
{
    for (turn<true> now = turn_of_others<true>(all); now.more(); now.next()) {
        const int64_t system = now.system(), number = all.other(now.number());
        const lines of(job, system);
        const piece tile(job, all.tiles, number);
        bring(of, tile, at);
        const bool writes = is_written(job, all, system, of.at.matrix);
        const T *place = from.place(system, number);
        const sb_penta_pair left = get<sb_penta_pair>(place), right = get<sb_penta_pair>(place + LINK);
        const int end = tile.lanes - 1;
        joint kept = {};
        if (keeps_joint(all, at->lane, end))
            kept = get<joint>(joint_at(all, system, number, at->lane));
        arrive(at);
        const sb_penta_rows chunk = chunk_of(of, tile, *at);
        swept mine = {{}, sb_nothing_met()};
        if (at->lane <= end)
            mine.left = chunk.sweep(0, true, &mine.met);
        __syncwarp();
        const folded run = fold_lanes(mine, at->lane, end, static_cast<int>(all.every));
        if (!keeps_joint(all, at->lane, end))
            kept = run.between;
        const sb_penta_pair own = unfold_lanes(kept, at->lane, end, left, right);
        sb_penta_pair before = own.of_lane(max(at->lane - 1, 0), LANES);
        if (at->lane == 0)
            before = left;
        const bool finite = at->lane > end || chunk.back(before, own);
        if (writes)
            write_tile(job, system, static_cast<T *>(job.x) + of.at.x + tile.first,
                       at->plane(RHS, source(of, tile, RHS)), tile.rows, finite);
        __syncwarp();
    }
}

/* Of alike tiles a link's right-hand sides, behind what they have in common, and of the lanes that keep a joint its part. */
__device__ __forceinline__ void fold_alike_tiles(const sb_cuda_job &job, const crowd &all, const level &to,
                                                 const alike &by, queue<false> *rows)
{
    enum { HALF = LINK / 2 };
    const int lane = rows->lane, word = lane % HALF;
    const int side = word == 6    ? lane / HALF
                     : word == 11 ? 2 + lane / HALF
                                  : -1; /* which one is a lane's word of a link */
    const T in_common = by.link[min(lane, LINK - 1)];
    at_system where;
    for (turn<false> now = turn_of_alike<false>(all); now.more(); now.next()) {
        const T *from = rows->right(&where, now);
        const int64_t system = now.system(), number = first_of(all, now.number());
        rows->arrive();
        alike_chunks mine(by, rows->rows(from), lane, job.conjugate);
        rows->next();
        mine.fold(by, lane, LANES);
#pragma unroll
        for (int t = 0; t < AT_ONCE; ++t) {
            const sb_penta_pair ends = shuffled(mine.ends[t], LANES - 1),
                                heads = shuffled(mine.head[t], LANES - 1);
            if (lane < LINK)
                to.place(system, number + t)[lane] = side < 0    ? in_common
                                                     : side == 0 ? ends.at[0]
                                                     : side == 1 ? ends.at[1]
                                                     : side == 2 ? heads.at[0]
                                                                 : heads.at[1];
            if (keeps_joint(all, lane, LANES - 1))
                put(joint_at(all, system, number + t, lane, 2), mine.joint[t]);
        }
    }
}

/* What is known of alike tiles when they are swept again. */
struct alike_ends {
    sb_penta_pair left[AT_ONCE], right[AT_ONCE], joint[AT_ONCE];
};

__device__ __forceinline__ alike_ends ends_of(const crowd &all, const level &from, const turn<true> &now,
                                              int lane)
{
    const int64_t system = now.system(), number = first_of(all, now.number());
    const T *place = from.place(system, number);
    alike_ends ends = {};
#pragma unroll
    for (int t = 0; t < AT_ONCE; ++t) {
        ends.left[t] = t ? ends.right[t - 1] : get<sb_penta_pair>(place);
        ends.right[t] = get<sb_penta_pair>(place + (t + 1) * LINK);
        if (keeps_joint(all, lane, LANES - 1))
            ends.joint[t] = get<sb_penta_pair>(joint_at(all, system, number + t, lane, 2));
    }
    return ends;
}

__device__ __forceinline__ void finish_alike_tiles(const sb_cuda_job &job, const crowd &all, const level &from,
                                                   const alike &by, queue<true> *rows)
{
    const int lane = rows->lane;
    at_system where;
    bool writes = false;
    alike_ends next = {};
    turn<true> now = turn_of_alike<true>(all);
    if (now.more())
        next = ends_of(all, from, now, lane);
    while (now.more()) {
        if (where.system != now.system())
            writes = is_written(job, all, now.system(), 0);
        T *here = rows->rows(rows->right(&where, now));
        T *x = static_cast<T *>(job.x) + where.at.x + first_of(all, now.number()) * ROWS;
        const int64_t system = now.system();
        const alike_ends known = next;
        now.next();
        if (now.more())
            next = ends_of(all, from, now, lane);
        rows->arrive();
        alike_chunks mine(by, here, lane, job.conjugate);
        mine.fold(by, lane, static_cast<int>(all.every));
#pragma unroll
        for (int t = 0; t < AT_ONCE; ++t)
            if (keeps_joint(all, lane, LANES - 1))
                mine.joint[t] = known.joint[t];
        sb_penta_pair before[AT_ONCE];
        mine.unfold(by, lane, known.left, known.right, before);
        const bool finite = mine.back(by, before, here, lane, job.conjugate);
        if (writes)
            write_tile(job, system, x, here, AT_ONCE * ROWS, finite);
        __syncwarp();
        rows->next();
    }
}

/* ALIKE: of one Toeplitz matrix; see alike.cuh. */
template <bool ALIKE>
__global__ void __launch_bounds__(WARPS *LANES, 1)
    fold_lines(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
               const __grid_constant__ level to)
{
    extern __shared__ __align__(128) unsigned char shared[];
    if (!sb_has_engine)
        return;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        all.told[all.systems] = 0;
    if (!ALIKE || blockIdx.x < all.apart) {
        stage at(shared);
        fold_tiles(job, all, to, &at);
        return;
    }
    queue<false> rows(job, all, shared);
    alike *by = place_of_alike(shared);
    copy_alike(by, all.common);
    fold_alike_tiles(job, all, to, *by, &rows);
}

template <bool ALIKE>
__global__ void __launch_bounds__(WARPS *LANES, 1)
    finish_lines(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                 const __grid_constant__ level from)
{
    extern __shared__ __align__(128) unsigned char shared[];
    if (!sb_has_engine)
        return;
    if (!ALIKE || blockIdx.x < all.apart) {
        stage at(shared);
        finish_tiles(job, all, from, &at);
        return;
    }
    queue<true> rows(job, all, shared);
    alike *by = place_of_alike(shared);
    copy_alike(by, all.common);
    finish_alike_tiles(job, all, from, *by, &rows);
}

/* The last level, a warp for each system. A ring's first unknowns are known by its last ones, on both sides. */
__global__ void __launch_bounds__(WARPS *LANES)
    close_lines(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                const __grid_constant__ level at)
{
    const int64_t system = number_of_warp();
    const int lane = static_cast<int>(threadIdx.x % LANES), end = last_of(at, 0);
    if (!sb_has_engine || system >= all.systems)
        return;
    folded run = fold_run(at, system, 0, lane);
    sb_penta_left &whole = run.left;
    bool safe = __shfl_sync(~0u, whole.ends[0].b[0] == whole.ends[0].b[0], end);
    sb_met met = sb_nothing_met();
    sb_penta_pair last = {{0, 0}};
    if (lane == end) {
        if (job.periodic)
            sb_penta_take_behind(whole.ends, whole.head, &met);
        else
#pragma unroll
            for (int e = 0; e < 2; ++e)
#pragma unroll
                for (int j = 0; j < 2; ++j)
                    whole.ends[e].a[j] = whole.ends[e].c[j] = 0;
        sb_penta_close(whole.ends, 0, last.at, &met);
    }
    safe = is_safe(met) && safe;
    last = last.of_lane(end, LANES);
    if (lane == 0) {
        const int64_t matrix = sb_matrix_of(job, system);
        all.told[system] = !safe;
        if (!safe)
            all.told[all.systems] = 1; /* several may say so */
        if (safe && all.records)
            job.matrix[matrix] = {SB_CUDA_GOOD, 0, 0};
        if (safe)
            job.system[system] = SB_CUDA_GOOD;
    }
    const sb_penta_pair before = job.periodic ? last : sb_penta_pair{{0, 0}};
    const sb_penta_pair own = unfold_lanes(run.between, lane, end, before, last);
    put_ends(at, system, 0, lane, before, own);
}

unsigned blocks_of(int64_t warps)
{
    return static_cast<unsigned>((warps + WARPS - 1) / WARPS);
}

/* The kernels that have tiles, and what a block of theirs has on chip. */
struct tiled {
    void (*fold)(sb_cuda_job, crowd, level), (*finish)(sb_cuda_job, crowd, level);
    int shared;
};

tiled tiled_of(bool alike)
{
    return alike ? tiled{fold_lines<true>, finish_lines<true>, SB_ALONG_ALIKE_SHARED_BYTES(sizeof(T))}
                 : tiled{fold_lines<false>, finish_lines<false>, SB_ALONG_SHARED_BYTES(sizeof(T))};
}

/* Behind kept matrices, of both; or of one that is not kept. */
alike *alike_at(const sb_along_shape &s, const sb_cuda_job &job, bool stored)
{
    return stored ? reinterpret_cast<alike *>(static_cast<char *>(job.stored) + s.kept_at) + job.transposed
                  : reinterpret_cast<alike *>(static_cast<char *>(job.scratch) + s.alike_at);
}

cudaError_t run(const sb_cuda_call *call, const sb_cuda_job &job, bool stored)
{
    const sb_along_shape s = sb_along_prepared(call->state);
    char *scratch = static_cast<char *>(job.scratch);
    if (job.systems == 0)
        return cudaSuccess;
    const crowd all = {job.systems,
                       s.tiles,
                       s.low,
                       s.high,
                       static_cast<unsigned>(s.apart),
                       static_cast<unsigned>(s.every),
                       !stored,
                       reinterpret_cast<int32_t *>(scratch + s.told_at),
                       reinterpret_cast<T *>(scratch + s.joints_at),
                       alike_at(s, job, stored)};
    const tiled kernels = tiled_of(job.toeplitz);
    const int last = static_cast<int>(s.levels);
    const unsigned threads = WARPS * LANES, tiles = static_cast<unsigned>(s.blocks);
    level at[SB_ALONG_LEVELS];
    for (int l = 0; l <= last; ++l)
        at[l] = {reinterpret_cast<T *>(scratch + s.links_at[l]), s.count[l]};
    kernels.fold<<<tiles, threads, kernels.shared, call->stream>>>(job, all, at[0]);
    for (int l = 0; l < last; ++l)
        fold_runs<<<blocks_of(job.systems * at[l + 1].count), threads, 0, call->stream>>>(all, at[l],
                                                                                          at[l + 1]);
    close_lines<<<blocks_of(job.systems), threads, 0, call->stream>>>(job, all, at[last]);
    for (int l = last - 1; l >= 0; --l)
        unfold_runs<<<blocks_of(job.systems * at[l + 1].count), threads, 0, call->stream>>>(all, at[l + 1],
                                                                                            at[l]);
    kernels.finish<<<tiles, threads, kernels.shared, call->stream>>>(job, all, at[0]);
    cudaError_t error = cudaGetLastError();
    return error ? error : SB_NAME(bands_solve)(call, &s.teams, scratch, all.told, stored);
}

cudaError_t factor(const sb_cuda_call *call)
{
    const sb_along_shape s = sb_along_prepared(call->state);
    cudaError_t error = SB_NAME(bands_factor)(call, &s.teams, static_cast<char *>(call->job.scratch));
    sb_cuda_job job = SB_NAME(bands_stored)(call);
    job.transposed = false;
    if (s.high > s.low && job.matrices && !error) {
        find_alike<<<2, LANES, 0, call->stream>>>(job, s.low * ROWS, alike_at(s, job, true));
        error = cudaGetLastError();
    }
    return error;
}

cudaError_t solve(const sb_cuda_call *call)
{
    return call->job.n ? run(call, SB_NAME(bands_stored)(call), true) : cudaSuccess;
}

cudaError_t factor_solve(const sb_cuda_call *call)
{
    const sb_along_shape s = sb_along_prepared(call->state);
    if (!call->job.n)
        return settle_empty(call);
    if (!call->job.toeplitz &&
        call->job.matrix_at.line != 1) { /* the engine wants lines: the copies are some */
        const cudaError_t error = factor(call);
        return error ? error : solve(call);
    }
    if (s.high > s.low && call->job.systems)
        find_alike<<<1, LANES, 0, call->stream>>>(call->job, s.low * ROWS, alike_at(s, call->job, false));
    return run(call, call->job, false);
}

cudaError_t ready(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    const sb_along_shape s = sb_along_prepared(state);
    const tiled kernels = tiled_of(setup->problem->coefficients == SLIMBAND_TOEPLITZ);
    cudaError_t error = SB_NAME(bands_ready)(setup, &s.teams);
    for (auto kernel : {kernels.fold, kernels.finish})
        error = error
                    ? error
                    : cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kernels.shared);
    return error;
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_along_penta) = {factor, solve, factor_solve, ready};
