/* Partition: one or a few large systems, exact, with pivoting, in one launch.
 *
 * Every warp owns a run of consecutive tiles. It joins the links of its tiles to one, keeping a joint a tile; the
 * links of a block's warps are joined, then those of all blocks, which all blocks do alike. With its ends known, each
 * warp walks its tiles backwards, beginning with the one that is still in its slot, sweeps them again and solves.
 * Words a row: 4 read, 4 read again and 1 written (9); 5 for systems of no more tiles than there are warps. Joints: 11
 * words a tile, written and read. */
#include "src/cuda/large/shape.h"
#include "src/cuda/large/system.cuh"
#include "src/cuda/large/tree.cuh"

/* The exact solution, or nothing where there is a doubt and it is small. */
extern "C" cudaError_t SB_NAME(large_solve)(const sb_cuda_call *call, sb_large_doubt *doubt);

namespace
{

struct shape {
    int64_t share, rest; /* tiles of each warp; the first `rest` warps have one more */
    int64_t scratch, links_at, flags_at;
    int warps, blocks;
};

/* A block's shared memory, and a warp's part of it. */
struct room {
    char *slot;
    sb_joint *tile_joints, *stage_joints; /* stages: see ends_of_warp */
    sb_link *links;
    ends *warp_ends;
};

/* One system's part of scratch. */
struct board {
    sb_joint *joints; /* of each tile with all before it in its warp's run */
    sb_link *links;   /* of the blocks */
    unsigned *flags;  /* of the last call in which a block published its link */
    unsigned call;
    sb_cuda_matrix *record; /* to write; else NULL */
};

__device__ room room_of(char *shared, int warps, int warp)
{
    room r;
    r.slot = shared + warp * SLOT_BYTES;
    sb_joint *joints = reinterpret_cast<sb_joint *>(shared + warps * SLOT_BYTES);
    r.stage_joints = joints;
    r.tile_joints = joints + (3 + warp) * JOINTS;
    r.links = reinterpret_cast<sb_link *>(joints + (3 + warps) * JOINTS);
    r.warp_ends = reinterpret_cast<ends *>(r.links + warps);
    return r;
}

__device__ __forceinline__ void prefetch(const void *at)
{
    asm volatile("prefetch.global.L1 [%0];" ::"l"(at));
}

__device__ __forceinline__ void publish(unsigned *flag, unsigned call)
{
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(call) : "memory");
}

__device__ __forceinline__ void await(const unsigned *flag, unsigned call)
{
    unsigned seen;
    do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    while (seen != call);
}

/* The ends of the system; its matrix's record too, if there is one to write. */
__device__ ends closed(const arrays &in, const sb_link &whole, sb_cuda_matrix *record, int lane)
{
    ends e;
    bool regular = sb_close(&whole, in.periodic, &e.left, &e.right);
    if (record && lane == 0)
        *record = {regular ? static_cast<sb_cuda_outcome>(SB_CUDA_GOOD)
                           : sb_cuda_failure(SLIMBAND_SINGULAR, in.n - 1),
                   0, SB_CUDA_PIVOTED};
    return from_lane(e, 0);
}

/* The ends of every warp's run, from the links of all. Stage 0 joins the block's runs, stage 1 up to 32
   blocks in each of several warps, stage 2 those groups of blocks. */
__device__ ends ends_of_warp(const arrays &in, const room &r, const board &at, int block, const shape &s,
                             int warp, int lane)
{
    int groups = (s.blocks + LANES - 1) / LANES, own = block / LANES;
    int last = s.blocks == 1 ? 0 : groups == 1 ? 1 : 2;
    int counts[3] = {s.warps, s.blocks < LANES ? s.blocks : LANES, groups};
    __syncthreads();
    sb_link link = sb_no_rows();
#pragma unroll 1
    for (int stage = 0; stage <= last; ++stage) {
        int count = stage == 0 ? counts[0] : stage == 1 ? counts[1] : counts[2];
        bool joins = stage == 1 ? warp < groups : warp == 0;
        if (joins) {
            link = sb_no_rows();
            int other = warp * LANES + lane;
            if (stage != 1 && lane < count)
                link = r.links[lane];
            if (stage == 1) {
                await(at.flags + block, at.call); /* warp 0 has read r.links */
                if (other < s.blocks) {
                    await(at.flags + other, at.call);
                    link = at.links[other];
                }
            }
            __syncwarp();
            link = join_lanes(link, count, stage != 1 || warp == own, r.stage_joints + stage * JOINTS, lane);
        }
        if (stage == 0 && last && threadIdx.x == 0) {
            at.links[block] = link;
            publish(at.flags + block, at.call);
        }
        if (stage == 1) {
            if (joins && lane == 0)
                r.links[warp] = link;
            __syncthreads();
        }
    }
    if (warp == 0) {
        ends e = closed(in, link, block ? nullptr : at.record, lane);
#pragma unroll 1
        for (int stage = last; stage >= 0; --stage) {
            int count = stage == 0 ? counts[0] : stage == 1 ? counts[1] : counts[2];
            e = part_lanes(e, count, r.stage_joints + stage * JOINTS, lane);
            if (stage)
                e = from_lane(e, stage == 2 ? own : block % LANES);
        }
        if (lane < s.warps)
            r.warp_ends[lane] = e;
    }
    __syncthreads();
    return r.warp_ends[warp];
}

/* Both passes over a warp's run: the first, forwards, joins its tiles; the second solves them, beginning with the one
   that is still in the slot. One loop, so that what both do is there once. False if a number is not finite. */
__device__ bool solve_run(const arrays &in, const room &r, const board &at, const shape &s, int block, int warp,
                          int lane)
{
    int64_t me = static_cast<int64_t>(block) * s.warps + warp;
    int64_t begin = me * s.share + (me < s.rest ? me : s.rest), count = s.share + (me < s.rest);
    unsigned aheads = 0;
    bool finite = true;
    ends e;
    if (lane == 0)
        r.links[warp] = sb_no_rows();
    if (count)
        fetch(in, r.slot, begin * TILE_ROWS, lane);
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
        if (pass) {
            e = ends_of_warp(in, r, at, block, s, warp, lane);
            if (!in.from[RHS])
                return true;
        }
#pragma unroll 1
        for (int64_t k = 0; k < count; ++k) {
            int64_t tile = pass ? begin + count - 1 - k : begin + k;
            bool keep = pass || k + 1 == count;
            sb_link mine;
            if (pass && tile > begin && lane < 2)
                prefetch(reinterpret_cast<const char *>(at.joints + tile) + lane * 64);
            if (!pass || k) {
                arrive(in, r.slot, tile * TILE_ROWS, lane);
                mine = sweep(r.slot, lane, rows_of(in, tile, lane), keep, in.conjugate, &aheads);
                __syncwarp();
                if (!keep)
                    fetch(in, r.slot, (tile + 1) * TILE_ROWS, lane);
                mine = join_lanes(mine, LANES, keep, r.tile_joints, lane);
            }
            if (pass) {
                ends here = e;
                if (tile > begin) {
                    sb_joint joint = at.joints[tile];
                    here.left = sb_between(&joint, e.left, e.right);
                }
                e.right = here.left;
                here = part_lanes(here, LANES, r.tile_joints, lane);
                walk_back(r.slot, lane, rows_of(in, tile, lane), aheads, here.left, here.right);
                finite = store(in, r.slot, tile * TILE_ROWS, lane) && finite;
                if (tile > begin)
                    fetch(in, r.slot, (tile - 1) * TILE_ROWS, lane);
            } else if (lane == 0) {
                if (k) {
                    sb_used used;
                    sb_link before = r.links[warp];
                    mine = sb_join_links(&before, &mine, &used);
                    at.joints[tile] = sb_joint_of(&used);
                }
                r.links[warp] = mine;
            }
            __syncwarp();
        }
    }
    return finite;
}

/* Words a row: 3 read, 3 written. */
__global__ void store_matrices(const __grid_constant__ sb_cuda_job job)
{
    int64_t pitch = sb_large_pitch(job.n), all = 3 * job.n * job.matrices;
    T *to = static_cast<T *>(job.stored);
    for (int64_t t = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; t < all;
         t += gridDim.x * static_cast<int64_t>(blockDim.x)) {
        int64_t i = t % job.n, diagonal = t / job.n % 3, matrix = t / job.n / 3;
        to[(3 * matrix + diagonal) * pitch + i] =
            sb_entry(job, sb_matrix_line(job, matrix), job.n, i, static_cast<int>(diagonal) - 1);
    }
}

inline cudaError_t store(const sb_cuda_call *call)
{
    int64_t blocks = 8 * call->setup->device->processors;
    store_matrices<<<static_cast<unsigned>(blocks), 256, 0, call->stream>>>(call->job);
    return cudaGetLastError();
}

/* Only where the truncated method asked for it; the last block to ask withdraws the question. */
__device__ bool is_wanted(sb_large_doubt *doubt)
{
    __shared__ bool wanted;
    if (threadIdx.x == 0) {
        wanted = !(__int_as_float(*const_cast<volatile int *>(&doubt->bound)) <= SB_LARGE_LIMIT(R));
        __threadfence();
        if (atomicInc(&doubt->asked, gridDim.x - 1) == gridDim.x - 1) {
            doubt->last = doubt->bound;
            doubt->bound = 0;
        }
    }
    __syncthreads();
    return wanted;
}

__global__ void __launch_bounds__(SB_LARGE_WARPS(sizeof(T)) * LANES, 1)
    partition(const __grid_constant__ sb_cuda_job job, const __grid_constant__ shape s, int64_t first_system,
              sb_large_doubt *doubt)
{
    extern __shared__ __align__(128) char shared[];
    __shared__ arrays in;
    if (doubt && !is_wanted(doubt))
        return;
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    int block = static_cast<int>(blockIdx.x % s.blocks), slice = static_cast<int>(blockIdx.x / s.blocks);
    int64_t system = first_system + slice;
    char *scratch = static_cast<char *>(job.scratch) + slice * s.scratch;
    board at = {reinterpret_cast<sb_joint *>(scratch), reinterpret_cast<sb_link *>(scratch + s.links_at),
                reinterpret_cast<unsigned *>(scratch + s.flags_at), 0, nullptr};
    at.call = at.flags[block] + 1;
    sb_cuda_matrix *record = job.matrix + (job.b ? sb_matrix_of(job, system) : system);
    if (job.diagonal[0])
        at.record = record;
    else if (record->outcome != SB_CUDA_GOOD)
        return;
    if (threadIdx.x == 0) {
        in = arrays_of(job, system);
        if (block == 0 && job.b)
            job.system[system] = SB_CUDA_GOOD;
    }
    __syncthreads();
    if (!solve_run(in, room_of(shared, s.warps, warp), at, s, block, warp, lane))
        job.system[system] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

cudaError_t launch(const sb_cuda_call *call, const sb_cuda_job &job, int64_t systems, sb_large_doubt *doubt)
{
    sb_large_shape whole = sb_large_shape_of(call->setup);
    int64_t warps = whole.warps * whole.blocks;
    shape s = {whole.tiles / warps,
               whole.tiles % warps,
               whole.scratch,
               whole.links_at,
               whole.flags_at,
               static_cast<int>(whole.warps),
               static_cast<int>(whole.blocks)};
    cudaLaunchAttribute cooperative;
    cooperative.id = cudaLaunchAttributeCooperative;
    cooperative.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.blockDim = dim3(static_cast<unsigned>(s.warps * LANES));
    config.dynamicSmemBytes = static_cast<size_t>(whole.shared);
    config.stream = call->stream;
    config.attrs = &cooperative;
    config.numAttrs = s.blocks > 1;
    cudaError_t error = cudaFuncSetAttribute(partition, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(whole.shared));
    for (int64_t first = 0; first < systems && !error; first += whole.together) {
        int64_t now = systems - first < whole.together ? systems - first : whole.together;
        config.gridDim = dim3(static_cast<unsigned>(now * s.blocks));
        error = cudaLaunchKernelEx(&config, partition, job, s, first, doubt);
    }
    return error;
}

/* The first pass alone says which matrices are singular. */
cudaError_t factor(const sb_cuda_call *call)
{
    sb_cuda_job job = call->job;
    if (!job.n || !job.matrices)
        return cudaSuccess;
    cudaError_t error = store(call);
    job.b = nullptr; /* factor_solve of a shared matrix comes here with its b and x */
    job.x = nullptr;
    return error ? error : launch(call, job, job.matrices, nullptr);
}

cudaError_t solve(const sb_cuda_call *call)
{
    return call->job.n ? launch(call, call->job, call->job.systems, nullptr) : cudaSuccess;
}

} // namespace

extern "C" cudaError_t SB_NAME(large_solve)(const sb_cuda_call *call, sb_large_doubt *doubt)
{
    return launch(call, call->job, call->job.systems, doubt);
}

extern "C" const sb_cuda_launchers SB_NAME(cuda_partition) = {factor, solve, solve};
