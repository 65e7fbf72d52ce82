/* Partition of long pentadiagonal lines, one or several: a tile's rows are a warp's, a chunk of them a lane's. By the arithmetic of
 * src/chunk/penta_chain.h, without pivots. Systems whose elimination grows, or has no pivot, are told, and solved by bands.cu, whose
 * kernels otherwise return at once. A tile is swept twice, but what its lanes are solved by is kept for those that are apart: where
 * nothing fades it is off by as many roundings as there are rows between them, and a residual would show whatever was rounded in
 * another way the second time (1e-14 for 100000 rows, if it were the whole tile).
 * Not launched before compute capability 9.0, which has no copy engine.
 * Words a row: 6 read, 6 read again, 1 written, and for each tile of 544 (f64) a link of 24 words and 15 joints of 10: 13.7 in all. */
#include "src/cuda/along/alike.cuh"
#include "src/cuda/bands/bands.h"
#include "src/cuda/kernels/empty.cuh"

namespace
{

/* Tiles that have rows of their own to their links. */
__device__ __forceinline__ void fold_tiles(const sb_cuda_job &job, const crowd &all, const level &to, stage *at)
{
    turn<false> now(all.tiles - all.alike_tiles(), all.systems);
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
        if (keeps_joint(at->lane, end))
            put(joint_at(all, system, number, at->lane), run.between);
        if (at->lane == end)
            put_link(to.place(system, number), run.left);
    }
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
    for (turn<true> now(all.tiles - all.alike_tiles(), all.systems); now.more(); now.next()) {
        const int64_t system = now.system(), number = all.other(now.number());
        const lines of(job, system);
        const piece tile(job, all.tiles, number);
        bring(of, tile, at);
        const bool writes = is_written(job, all, system, of.at.matrix);
        const T *place = from.place(system, number);
        const sb_penta_pair left = get<sb_penta_pair>(place), right = get<sb_penta_pair>(place + LINK);
        const int end = tile.lanes - 1;
        joint kept = {};
        if (keeps_joint(at->lane, end))
            kept = get<joint>(joint_at(all, system, number, at->lane));
        arrive(at);
        const sb_penta_rows chunk = chunk_of(of, tile, *at);
        swept mine = {{}, sb_nothing_met()};
        if (at->lane <= end)
            mine.left = chunk.sweep(0, true, &mine.met);
        __syncwarp();
        const folded run = fold_lanes(mine, at->lane, end, SB_ALONG_APART(sizeof(T)));
        if (!keeps_joint(at->lane, end))
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
    const int lane = rows->lane;
    /* Which right-hand side is a lane's word of a link. */
    const int side = lane % (LINK / 2) == 6    ? lane / (LINK / 2)
                     : lane % (LINK / 2) == 11 ? 2 + lane / (LINK / 2)
                                               : -1;
    at_system where;
    for (turn<false> now(all.alike_tiles(), all.systems); now.more(); now.next()) {
        const T *from = rows->right(&where, now);
        const int64_t system = now.system(), number = all.low + now.number();
        rows->arrive();
        alike_chunk mine(by, rows->plane(from) + lane * LANE_ROWS, job.conjugate);
        rows->next();
        mine.fold(by, lane, LANES);
        const sb_penta_pair ends = shuffled(mine.ends, LANES - 1), heads = shuffled(mine.head, LANES - 1);
        if (lane < LINK)
            to.place(system, number)[lane] = side < 0    ? by.link[lane]
                                             : side == 0 ? ends.at[0]
                                             : side == 1 ? ends.at[1]
                                             : side == 2 ? heads.at[0]
                                                         : heads.at[1];
        if (keeps_joint(lane, LANES - 1))
            put(joint_at(all, system, number, lane, 2), mine.joint);
    }
}

/* What is known of an alike tile when it is swept again. */
struct alike_ends {
    sb_penta_pair left, right, joint;
    bool writes;
};

__device__ __forceinline__ alike_ends ends_of(const sb_cuda_job &job, const crowd &all, const level &from,
                                              const turn<true> &now, int lane)
{
    const int64_t system = now.system(), number = all.low + now.number();
    const T *place = from.place(system, number);
    alike_ends ends = {
        get<sb_penta_pair>(place), get<sb_penta_pair>(place + LINK), {}, is_written(job, all, system, 0)};
    if (keeps_joint(lane, LANES - 1))
        ends.joint = get<sb_penta_pair>(joint_at(all, system, number, lane, 2));
    return ends;
}

__device__ __forceinline__ void finish_alike_tiles(const sb_cuda_job &job, const crowd &all, const level &from,
                                                   const alike &by, queue<true> *rows)
{
    const int lane = rows->lane;
    at_system where;
    alike_ends next = {};
    turn<true> now(all.alike_tiles(), all.systems);
    if (now.more())
        next = ends_of(job, all, from, now, lane);
    while (now.more()) {
        const T *b = rows->right(&where, now);
        const int64_t system = now.system();
        T *x = static_cast<T *>(job.x) + where.at.x + all.first_row(now.number(), ROWS),
          *plane = rows->plane(b);
        const alike_ends here = next;
        now.next();
        if (now.more())
            next = ends_of(job, all, from, now, lane);
        rows->arrive();
        alike_chunk mine(by, plane + lane * LANE_ROWS, job.conjugate);
        mine.fold(by, lane, SB_ALONG_APART(sizeof(T)));
        if (keeps_joint(lane, LANES - 1))
            mine.joint = here.joint;
        sb_penta_pair before;
        mine.unfold(by, lane, here.left, here.right, &before);
        const bool finite = mine.back(by, before, plane + lane * LANE_ROWS, job.conjugate);
        if (here.writes)
            write_tile(job, system, x, plane, ROWS, finite);
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
    if (blockIdx.x == 0 && threadIdx.x == 0)
        all.told[all.systems] = 0;
    stage at(shared);
    fold_tiles(job, all, to, &at);
    if (!ALIKE || all.alike_tiles() == 0)
        return;
    queue<false> rows(job, all, at, shared);
    alike *by = place_of_alike(shared);
    if (threadIdx.x / LANES == WARPS - 1)
        find_alike(lines(job, 0), all.first_row(0, ROWS), by);
    __syncthreads();
    if (blockIdx.x == 0)
        copy_alike(reinterpret_cast<alike *>(all.alike), by);
    fold_alike_tiles(job, all, to, *by, &rows);
}

template <bool ALIKE>
__global__ void __launch_bounds__(WARPS *LANES, 1)
    finish_lines(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                 const __grid_constant__ level from)
{
    extern __shared__ __align__(128) unsigned char shared[];
    stage at(shared);
    finish_tiles(job, all, from, &at);
    if (!ALIKE || all.alike_tiles() == 0)
        return;
    queue<true> rows(job, all, at, shared);
    alike *by = place_of_alike(shared);
    copy_alike(by, reinterpret_cast<const alike *>(all.alike));
    finish_alike_tiles(job, all, from, *by, &rows);
}

/* The last level, a warp for each system. A ring's first unknowns are known by its last ones, on both sides. */
__global__ void __launch_bounds__(WARPS *LANES)
    close_lines(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                const __grid_constant__ level at)
{
    const int64_t system = number_of_warp();
    const int lane = static_cast<int>(threadIdx.x % LANES), end = last_of(at, 0);
    if (system >= all.systems)
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
                       !stored,
                       reinterpret_cast<int32_t *>(scratch + s.told_at),
                       reinterpret_cast<T *>(scratch + s.joints_at),
                       reinterpret_cast<T *>(scratch + s.alike_at)};
    const tiled kernels = tiled_of(job.toeplitz);
    const int last = static_cast<int>(s.levels), processors = call->setup->device->processors;
    const unsigned threads = WARPS * LANES;
    unsigned tiles = blocks_of(job.systems * s.tiles);
    level at[SB_ALONG_LEVELS];
    for (int l = 0; l <= last; ++l)
        at[l] = {reinterpret_cast<T *>(scratch + s.links_at[l]), s.count[l]};
    tiles = tiles < static_cast<unsigned>(processors) ? tiles : static_cast<unsigned>(processors);
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
    return SB_NAME(bands_factor)(call, &s.teams, static_cast<char *>(call->job.scratch));
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
