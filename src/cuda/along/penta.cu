/* Partition of long pentadiagonal lines, one or several: a tile's rows are a warp's, a chunk of them a lane's. By the arithmetic of
 * src/chunk/penta_chain.h, without pivots. Systems whose elimination grows, or has no pivot, are told, and solved by bands.cu, whose
 * kernels otherwise return at once. A tile is swept twice, but what its lanes are solved by is kept for those that are apart: where
 * nothing fades it is off by as many roundings as there are rows between them, and a residual would show whatever was rounded in
 * another way the second time (1e-14 for 100000 rows, if it were the whole tile).
 * Not launched before compute capability 9.0, which has no copy engine.
 * Words a row: 6 read, 6 read again, 1 written, and for each tile of 544 (f64) a link of 24 words and 15 joints of 10: 13.7 in all. */
#include "src/cuda/along/links.cuh"
#include "src/cuda/bands/bands.h"
#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/kernels/empty.cuh"
#include "src/cuda/kernels/view.cuh"

namespace
{

enum {
    LANE_ROWS = SB_ALONG_LANE_ROWS(sizeof(T)),
    ROWS = SB_ALONG_ROWS(sizeof(T)),
    PLANE_BYTES = SB_ALONG_PLANE_BYTES(sizeof(T)),
    STAGE_BYTES = SB_ALONG_STAGE_BYTES(sizeof(T)),
    DIAGONALS = SB_PENTA_DIAGONALS,
    PLANES = SB_PENTA_PLANES,
    RHS = SB_PENTA_RHS,
    PIECE = 16 /* bytes that the copy engine brings at least */
};

/* One system's lines. */
struct lines {
    const sb_cuda_job &job;
    int64_t system;
    places at;

    __device__ __forceinline__ lines(const sb_cuda_job &j, int64_t s) : job(j), system(s)
    {
        at.matrix = sb_matrix_of(job, system);
        at.line = sb_matrix_line(job, at.matrix);
        at.b = sb_line_of(job, job.b_at, system);
        at.x = sb_line_of(job, job.x_at, system);
    }
    /* Which of the job's diagonals is A's, or A^T's, d; none where it is outside the band. */
    __device__ __forceinline__ bool has(int d) const
    {
        const int k = job.transposed ? 2 - d : d - 2;
        return k >= -job.lower && k <= job.upper;
    }
    __device__ __forceinline__ const T *diagonal(int d) const
    {
        return static_cast<const T *>(job.diagonal[job.lower + (job.transposed ? 2 - d : d - 2)]) + at.line;
    }
    __device__ __forceinline__ const T *right() const
    {
        return static_cast<const T *>(job.b) + at.b;
    }
    /* Any entry; 0 outside an open matrix. */
    __device__ __forceinline__ T entry(int d, int64_t row) const
    {
        const int64_t column = row + d - 2;
        if (!has(d) || (!job.periodic && (column < 0 || column >= job.n)))
            return 0;
        if (job.transposed)
            row = column < 0 ? column + job.n : column >= job.n ? column - job.n : column;
        return diagonal(d)[sb_row_at(job, job.n, row)];
    }
};

/* A warp's rows on chip. */
struct stage {
    unsigned char *bytes;
    uint64_t *full;
    int lane, parity;

    __device__ __forceinline__ explicit stage(unsigned char *shared)
    {
        const int warp = static_cast<int>(threadIdx.x / LANES);
        lane = static_cast<int>(threadIdx.x % LANES);
        bytes = shared + warp * STAGE_BYTES;
        full = reinterpret_cast<uint64_t *>(shared + WARPS * STAGE_BYTES) + warp;
        parity = 0;
        if (lane == 0) {
            sb_barrier_make(full, 1);
            sb_barriers_made();
        }
        __syncwarp();
    }
    /* Where the first of a plane's rows stands, which comes from there. */
    __device__ __forceinline__ T *plane(int p, const T *from) const
    {
        return reinterpret_cast<T *>(bytes + p * PLANE_BYTES + reinterpret_cast<uintptr_t>(from) % PIECE);
    }
};

/* A tile of a system. */
struct piece {
    int64_t first;
    int rows, lanes; /* lanes: those that have a chunk */
    bool inner;      /* away from the ends of lines */

    __device__ __forceinline__ piece(const sb_cuda_job &job, int64_t tiles, int64_t tile)
    {
        first = sb_along_start(job.n, tiles, ROWS, tile);
        rows = static_cast<int>(sb_along_start(job.n, tiles, ROWS, tile + 1) - first);
        lanes = rows < 2 * LANES ? max(rows / 2, 1) : static_cast<int>(LANES);
        inner = tile > 0 && tile + 2 < tiles;
    }
    __device__ __forceinline__ int start(int lane) const
    {
        return min(lane * LANE_ROWS, rows - (lanes - lane) * 2);
    }
};

/* Where a tile's rows of plane p come from, as far as they are the lines' own; NULL: the band has none. */
__device__ __forceinline__ const T *source(const lines &of, const piece &tile, int p)
{
    if (p == RHS)
        return of.job.b ? of.right() + tile.first : nullptr;
    return of.has(p) ? of.diagonal(p) + tile.first + (of.job.transposed ? p - 2 : 0) : nullptr;
}

/* What the engine brings of a plane, which begins at `from`, in whole pieces: all and what is beside it, or away from the ends of lines.
   There two rows are left out, whose entries may leave the matrix, or stand outside of the line. */
struct run {
    const T *from;
    uintptr_t begin, end;

    __device__ __forceinline__ run(const T *plane, const piece &tile) : from(plane), begin(0), end(0)
    {
        const int aside = tile.inner ? 0 : 2;
        const uintptr_t out = tile.inner ? 0 : PIECE - 1, in = PIECE - 1 - out;
        if (!from || tile.rows <= 2 * aside)
            return;
        begin = (reinterpret_cast<uintptr_t>(from + aside) + out) / PIECE * PIECE;
        end = (reinterpret_cast<uintptr_t>(from + tile.rows - aside) + in) / PIECE * PIECE;
        if (end <= begin)
            begin = end = 0;
    }
    __device__ __forceinline__ uint32_t bytes() const
    {
        return static_cast<uint32_t>(end - begin);
    }
    /* Rows in front of it, and where those behind it begin. */
    __device__ __forceinline__ int front(int rows) const
    {
        return bytes() ? static_cast<int>(reinterpret_cast<const T *>(begin) - from) : rows;
    }
    __device__ __forceinline__ int back(int rows) const
    {
        return bytes() ? static_cast<int>(reinterpret_cast<const T *>(end) - from) : rows;
    }
};

__device__ __forceinline__ T element(const lines &of, const piece &tile, int p, int i)
{
    return p == RHS ? of.right()[tile.first + i] : of.entry(p, tile.first + i);
}

/* Asks for a tile's rows; the stage has been read by all lanes. Await with arrive. */
__device__ __forceinline__ void bring(const lines &of, const piece &tile, stage *to)
{
    const T *from = nullptr;
#pragma unroll
    for (int p = 0; p < PLANES; ++p)
        from = to->lane == p ? source(of, tile, p) : from;
    const run mine(from, tile);
    const uint32_t all = __reduce_add_sync(~0u, mine.bytes());
    sb_bulk_fence();
    __syncwarp();
    if (to->lane == 0)
        sb_barrier_expect(to->full, all);
    __syncwarp();
    if (mine.bytes() > 0)
        sb_bulk_load_run(reinterpret_cast<unsigned char *>(to->plane(to->lane, from)) +
                             (mine.begin - reinterpret_cast<uintptr_t>(from)),
                         reinterpret_cast<const void *>(mine.begin), mine.bytes(), to->full);
    if (tile.inner)
        return;
#pragma unroll 1
    for (int p = 0; p < PLANES; ++p) {
        const T *plane = source(of, tile, p);
        const run middle(plane, tile);
        const int i = to->lane < middle.front(tile.rows)
                          ? to->lane
                          : to->lane - middle.front(tile.rows) + middle.back(tile.rows);
        if (plane && i < tile.rows)
            to->plane(p, plane)[i] = element(of, tile, p, i);
    }
    __syncwarp();
}

__device__ __forceinline__ void arrive(stage *at)
{
    sb_barrier_wait<SB_BLOCK>(at->full, at->parity);
    at->parity ^= 1;
}

/* This lane's chunk. */
__device__ __forceinline__ sb_penta_rows chunk_of(const lines &of, const piece &tile, const stage &at)
{
    const int lane = min(at.lane, tile.lanes - 1), start = tile.start(lane);
    sb_penta_rows mine = {{}, nullptr, tile.start(lane + 1) - start, 0, of.job.b != nullptr, of.job.conjugate};
#pragma unroll
    for (int p = 0; p < PLANES; ++p) {
        const T *from = source(of, tile, p);
        mine.at[p] = at.plane(p, from) + start;
        mine.band |= (from != nullptr) << p;
    }
    mine.x = mine.at[RHS];
    return mine;
}

/* Tiles of all systems, one after another, in turns; or from the last one on, which the cache may still have. */
template <bool BACK> struct turn {
    int64_t system, tile, number, step, count;

    __device__ __forceinline__ explicit turn(const crowd &all)
    {
        number = number_of_warp();
        step = gridDim.x * static_cast<int64_t>(WARPS);
        count = all.systems * all.tiles;
        place(all);
    }
    __device__ __forceinline__ void place(const crowd &all)
    {
        const int64_t at = BACK ? count - 1 - number : number;
        system = at / all.tiles;
        tile = at % all.tiles;
    }
    __device__ __forceinline__ bool more() const
    {
        return number < count;
    }
    __device__ __forceinline__ void next(const crowd &all)
    {
        number += step;
        place(all);
    }
};

__global__ void __launch_bounds__(WARPS *LANES, 1)
    fold_lines(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
               const __grid_constant__ level to)
{
    extern __shared__ __align__(128) unsigned char shared[];
    if (blockIdx.x == 0 && threadIdx.x == 0)
        all.told[all.systems] = 0;
    stage at(shared);
    turn<false> now(all);
    if (now.more())
        bring(lines(job, now.system), piece(job, all.tiles, now.tile), &at);
    while (now.more()) {
        const int64_t system = now.system, number = now.tile;
        const lines of(job, system);
        const piece tile(job, all.tiles, number);
        const int end = tile.lanes - 1;
        swept mine = {{}, sb_nothing_met()};
        arrive(&at);
        mine.left = chunk_of(of, tile, at).sweep(0, false, &mine.met); /* lanes too many do as the last one */
        now.next(all);
        __syncwarp();
        if (now.more())
            bring(lines(job, now.system), piece(job, all.tiles, now.tile), &at);
        folded run = fold_lanes(mine, at.lane, end);
        if (!is_safe(run.met))
            poison(&run.left);
        if (keeps_joint(at.lane, end))
            put(joint_at(all, system, number, at.lane), run.between);
        if (at.lane == end)
            put_link(to.place(system, number), run.left);
    }
}

__global__ void __launch_bounds__(WARPS *LANES, 1)
    finish_lines(const __grid_constant__ sb_cuda_job job, const __grid_constant__ crowd all,
                 const __grid_constant__ level from)
{
    extern __shared__ __align__(128) unsigned char shared[];
    stage at(shared);
    for (turn<true> now(all); now.more(); now.next(all)) {
        const lines of(job, now.system);
        const piece tile(job, all.tiles, now.tile);
        bring(of, tile, &at);
        const bool writes = !all.told[now.system] && job.matrix[of.at.matrix].outcome == SB_CUDA_GOOD;
        const T *place = from.place(now.system, now.tile);
        const sb_penta_pair left = get<sb_penta_pair>(place), right = get<sb_penta_pair>(place + LINK);
        const int end = tile.lanes - 1;
        joint kept = {};
        if (keeps_joint(at.lane, end))
            kept = get<joint>(joint_at(all, now.system, now.tile, at.lane));
        arrive(&at);
        const sb_penta_rows chunk = chunk_of(of, tile, at);
        swept mine = {{}, sb_nothing_met()};
        if (at.lane <= end)
            mine.left = chunk.sweep(0, true, &mine.met);
        __syncwarp();
        const folded run = fold_lanes(mine, at.lane, end, SB_ALONG_APART(sizeof(T)));
        if (!keeps_joint(at.lane, end))
            kept = run.between;
        const sb_penta_pair own = unfold_lanes(kept, at.lane, end, left, right);
        sb_penta_pair before = own.of_lane(max(at.lane - 1, 0), LANES);
        if (at.lane == 0)
            before = left;
        const bool finite = at.lane > end || chunk.back(before, own), whole = __all_sync(~0u, finite);
        T *x = static_cast<T *>(job.x) + of.at.x + tile.first;
        const T *solved = at.plane(RHS, source(of, tile, RHS));
        __syncwarp();
        for (int i = at.lane; writes && i < tile.rows; i += LANES)
            x[i] = solved[i];
        if (writes && !whole && at.lane == 0)
            job.system[now.system] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
        __syncwarp();
    }
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

cudaError_t run(const sb_cuda_call *call, const sb_cuda_job &job, bool stored)
{
    const sb_along_shape s = sb_along_prepared(call->state);
    char *scratch = static_cast<char *>(job.scratch);
    if (job.systems == 0)
        return cudaSuccess;
    const crowd all = {job.systems, s.tiles, !stored, reinterpret_cast<int32_t *>(scratch + s.told_at),
                       reinterpret_cast<T *>(scratch + s.joints_at)};
    const int last = static_cast<int>(s.levels), processors = call->setup->device->processors;
    const unsigned threads = WARPS * LANES, shared = SB_ALONG_SHARED_BYTES(sizeof(T));
    unsigned tiles = blocks_of(job.systems * s.tiles);
    level at[SB_ALONG_LEVELS];
    for (int l = 0; l <= last; ++l)
        at[l] = {reinterpret_cast<T *>(scratch + s.links_at[l]), s.count[l]};
    tiles = tiles < static_cast<unsigned>(processors) ? tiles : static_cast<unsigned>(processors);
    fold_lines<<<tiles, threads, shared, call->stream>>>(job, all, at[0]);
    for (int l = 0; l < last; ++l)
        fold_runs<<<blocks_of(job.systems * at[l + 1].count), threads, 0, call->stream>>>(all, at[l],
                                                                                          at[l + 1]);
    close_lines<<<blocks_of(job.systems), threads, 0, call->stream>>>(job, all, at[last]);
    for (int l = last - 1; l >= 0; --l)
        unfold_runs<<<blocks_of(job.systems * at[l + 1].count), threads, 0, call->stream>>>(all, at[l + 1],
                                                                                            at[l]);
    finish_lines<<<tiles, threads, shared, call->stream>>>(job, all, at[0]);
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
    const int shared = SB_ALONG_SHARED_BYTES(sizeof(T));
    cudaError_t error = SB_NAME(bands_ready)(setup, &s.teams);
    for (auto kernel : {fold_lines, finish_lines})
        error =
            error ? error : cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    return error;
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_along_penta) = {factor, solve, factor_solve, ready};
