/* Truncated: one large system in one pass, where its couplings die away over a tile.
 *
 * The pair between two tiles follows from their two links alone if what lies beyond them is neglected; the coefficients of
 * what is neglected are at hand and bound the error. Both sides of a pair form it from the same links in the same way. A
 * block owns consecutive tiles, its warps take them in turn, and each tile waits for its neighbours' links only; the
 * links of the tiles on both sides of the block's are formed once more. Words a row: 4 read, 1 written (5). Where the
 * bound is too large, partition's kernels behind this one solve again; b must still be there, so x == b goes to them at
 * once. */
#include "src/cuda/large/system.cuh"
#include "src/cuda/large/tree.cuh"

extern "C" cudaError_t SB_NAME(large_solve)(const sb_cuda_call *call, sb_large_doubt *doubt);
extern "C" const sb_cuda_launchers SB_NAME(cuda_partition);

namespace
{

enum { MOST_WARPS = sizeof(T) < 16 ? 16 : 8 }; /* what registers allow */

/* A block's shared memory: slots, joints, and a ring of links in which each round of tiles has its half. */
struct room {
    char *slot;
    sb_joint *joints;
    sb_link *links;
    uint64_t *there; /* barriers, whose phase ends when the link is there */
    int ring;
};

__device__ room room_of(char *shared, int warps, int warp)
{
    room r;
    r.slot = shared + warp * SLOT_BYTES;
    r.ring = 2 * warps;
    r.there = reinterpret_cast<uint64_t *>(shared + warps * SLOT_BYTES);
    sb_joint *joints = reinterpret_cast<sb_joint *>(r.there + r.ring);
    r.joints = joints + warp * JOINTS;
    r.links = reinterpret_cast<sb_link *>(joints + warps * JOINTS);
    return r;
}

/* Beyond an open end, x[-1] = 0 before the first row, or x[n] = 0 after the last. */
__device__ sb_link beyond(bool before)
{
    sb_link link = sb_no_rows();
    sb_equation none = link.top;
    none.l0 = none.r0 = 0;
    link.top = link.bottom = none;
    if (before)
        link.top.l0 = link.bottom.r0 = 1;
    else
        link.top.l1 = link.bottom.r1 = 1;
    return link;
}

__device__ __forceinline__ unsigned in_shared(const void *at)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(at));
}

__device__ void open_ring(const room &r)
{
    for (int i = threadIdx.x; i < r.ring; i += blockDim.x)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(in_shared(r.there + i)) : "memory");
    __syncthreads();
}

__device__ __forceinline__ void publish(const room &r, int step, const sb_link &link, int lane)
{
    if (lane == 0) {
        r.links[step % r.ring] = link;
        asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared.b64 state, [%0];\n}" ::"r"(
                         in_shared(r.there + step % r.ring))
                     : "memory");
    }
    __syncwarp();
}

__device__ __forceinline__ void await(const room &r, int step)
{
    unsigned bar = in_shared(r.there + step % r.ring), parity = step / r.ring & 1, done;
    do
#if __CUDA_ARCH__ >= 900
        asm volatile(
            "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
#else
        asm volatile(
            "{\n.reg .pred p;\nmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
#endif
            : "=r"(done)
            : "r"(bar), "r"(parity)
            : "memory");
    while (!done);
}

__device__ __forceinline__ float size_of(T z)
{
    return static_cast<float>(sb_abs1(z));
}

/* How much the pairs around may move this one. */
__device__ __forceinline__ float neglected(const sb_joint &j)
{
    float second = size_of(j.second.l0) + size_of(j.second.l1) + size_of(j.second.r0) + size_of(j.second.r1);
    float first = size_of(j.first.l0) + size_of(j.first.l1) + size_of(j.first.r0) + size_of(j.first.r1);
    float both = first + size_of(j.next) * second;
    return both > second || both != both ? both : second;
}

/* The ends of the tile of a step: lane 0 forms the left pair, lane 1 the right one. */
__device__ ends ends_of_step(const room &r, int step, int lane, float *bound)
{
    int first = step - 1 + (lane & 1);
    await(r, step - 1);
    await(r, step + 1);
    __syncwarp();
    sb_link a = r.links[first % r.ring], b = r.links[(first + 1) % r.ring];
    sb_used used;
    sb_join_links(&a, &b, &used);
    sb_joint joint = sb_joint_of(&used);
    float here = neglected(joint);
    *bound = here > *bound || here != here ? here : *bound;
    const T zero = 0;
    sb_pair nothing = {zero, zero}, pair = sb_between(&joint, nothing, nothing);
    ends e;
    e.left = from_lane(pair, 0);
    e.right = from_lane(pair, 1);
    return e;
}

/* Step s is tile begin - 1 + s, around a ring; steps 0 and count + 1 are the neighbours'. */
__device__ int64_t tile_of(const arrays &in, int64_t begin, int step, int64_t tiles)
{
    int64_t tile = begin - 1 + step;
    return !in.periodic ? tile : tile < 0 ? tiles - 1 : tile == tiles ? 0 : tile;
}

__global__ void __launch_bounds__(MOST_WARPS *LANES, 1)
    truncated(const __grid_constant__ sb_cuda_job job, int64_t tiles, sb_large_doubt *doubt)
{
    extern __shared__ __align__(128) char shared[];
    __shared__ arrays in;
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, warps = blockDim.x / LANES;
    room r = room_of(shared, warps, warp);
    if (!job.diagonal[0] && job.matrix[0].outcome != SB_CUDA_GOOD)
        return;
    if (threadIdx.x == 0)
        in = arrays_of(job, 0);
    open_ring(r);
    int64_t begin = tiles * blockIdx.x / gridDim.x;
    int count = static_cast<int>(tiles * (blockIdx.x + 1) / gridDim.x - begin);
    float bound = 0;
    bool finite = true, fetched = false;
#pragma unroll 1
    for (int step = warp; step < count + 2; step += warps) {
        int64_t tile = tile_of(in, begin, step, tiles), next = tile_of(in, begin, step + warps, tiles);
        bool there = tile >= 0 && tile<tiles, own = step> 0 && step <= count;
        sb_link mine;
        unsigned aheads;
        if (there) {
            if (!fetched)
                fetch(in, r.slot, tile * TILE_ROWS, lane);
            arrive(in, r.slot, tile * TILE_ROWS, lane);
            mine = sweep(r.slot, lane, rows_of(in, tile, lane), own, in.conjugate, &aheads);
            __syncwarp();
            mine = join_lanes(mine, LANES, own, r.joints, lane);
        } else
            mine = beyond(tile < 0);
        publish(r, step, mine, lane);
        if (own) {
            ends e = part_lanes(ends_of_step(r, step, lane, &bound), LANES, r.joints, lane);
            walk_back(r.slot, lane, rows_of(in, tile, lane), aheads, e.left, e.right);
            finite = store(in, r.slot, tile * TILE_ROWS, lane) && finite;
        }
        fetched = step + warps < count + 2 && next >= 0 && next < tiles;
        if (fetched)
            fetch(in, r.slot, next * TILE_ROWS, lane);
    }
    int worst = __reduce_max_sync(ALL, finite && bound == bound ? __float_as_int(bound) : 0x7f800000);
    if (lane == 0 && worst)
        atomicMax(&doubt->bound, worst);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        job.system[0] = SB_CUDA_GOOD;
        if (job.diagonal[0])
            job.matrix[0] = {SB_CUDA_GOOD, 0, SB_CUDA_PIVOTED};
    }
}

cudaError_t solve(const sb_cuda_call *call)
{
    sb_large_shape s = sb_large_shape_of(call->setup);
    sb_large_doubt *doubt =
        reinterpret_cast<sb_large_doubt *>(static_cast<char *>(call->job.scratch) + s.scratch);
    if (call->job.b == call->job.x || call->job.systems != 1 || s.tiles < 2)
        return SB_NAME(large_solve)(call, nullptr);
    const sb_cuda_device *device = call->setup->device;
    int64_t warp = SLOT_BYTES + JOINTS * sizeof(sb_joint) + 2 * (sizeof(sb_link) + sizeof(uint64_t));
    int64_t room = (device->shared_block - SB_LARGE_STATIC) / warp,
            warps = room < MOST_WARPS ? room : static_cast<int64_t>(MOST_WARPS);
    int64_t needed = (s.tiles + warps - 1) / warps,
            blocks = needed < device->processors ? needed : device->processors;
    int64_t shared = warps * warp;
    cudaError_t error =
        cudaFuncSetAttribute(truncated, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    if (error)
        return error;
    truncated<<<static_cast<unsigned>(blocks), static_cast<unsigned>(warps * LANES),
                static_cast<size_t>(shared), call->stream>>>(call->job, s.tiles, doubt);
    error = cudaGetLastError();
    return error ? error : SB_NAME(large_solve)(call, doubt);
}

cudaError_t factor(const sb_cuda_call *call)
{
    return SB_NAME(cuda_partition).factor(call);
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_truncated) = {factor, solve, solve};
