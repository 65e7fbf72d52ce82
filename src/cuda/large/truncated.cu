/* Truncated: one large system in one pass, where its couplings die away over a tile.
 *
 * The separator between two tiles follows from their two links alone if what lies beyond them is neglected; the
 * coefficients of what is neglected are at hand and bound the error. Both sides of a separator form it from the same links
 * in the same way. A block owns consecutive tiles, its warps take them in turn, and each tile waits for its neighbours'
 * links only; the links of the tiles on both sides of the block's are formed once more. Words a row: 4 read, 1 written
 * (5). Nothing pivots here. Where that is unsafe, or the bound too large, partition's kernels behind this one solve again;
 * b must still be there, so x == b goes to them at once. */
#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/large/plain.cuh"
#include "src/cuda/large/system.cuh"

extern "C" cudaError_t SB_NAME(large_solve)(const sb_cuda_call *call, sb_large_doubt *doubt);
extern "C" const sb_cuda_launchers SB_NAME(cuda_partition);

namespace
{

enum {
    MOST_WARPS = sizeof(T) < 16 ? 12 : 8, /* what registers allow */
    RING = 32,                            /* at least two rounds of tiles */
    ROOM_BYTES =
        SLOT_BYTES + PLANE_BYTES, /* x has a plane of its own, so that the next tile may come meanwhile */
};

/* A block's shared memory: slots, joints, and a ring of links. */
struct room {
    char *slot;
    plain::joint *joints;
    plain::link *links;
    uint64_t *there; /* barriers, whose phase ends when the link is there */
};

__device__ room room_of(char *shared, int warps, int warp)
{
    room r;
    r.slot = shared + warp * ROOM_BYTES;
    r.there = reinterpret_cast<uint64_t *>(shared + warps * ROOM_BYTES);
    plain::joint *joints = reinterpret_cast<plain::joint *>(r.there + RING);
    r.joints = joints + warp * JOINTS;
    r.links = reinterpret_cast<plain::link *>(joints + warps * JOINTS);
    return r;
}

/* Beyond an open end all unknowns are 0. */
__device__ plain::link beyond()
{
    plain::link link;
    link.head_d = link.head_before = link.head_own = link.before = link.next = link.d = 0;
    link.own = 1;
    return link;
}

__device__ void open_ring(const room &r)
{
    for (int i = threadIdx.x; i < RING; i += blockDim.x)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(sb_shared_address(r.there + i)) : "memory");
    __syncthreads();
}

__device__ __forceinline__ void publish(const room &r, unsigned step, const plain::link &link, int lane)
{
    if (lane == 0) {
        r.links[step % RING] = link;
        asm volatile("{\n.reg .b64 state;\nmbarrier.arrive.shared.b64 state, [%0];\n}" ::"r"(
                         sb_shared_address(r.there + step % RING))
                     : "memory");
    }
    __syncwarp();
}

__device__ __forceinline__ void await(const room &r, unsigned step)
{
    unsigned bar = sb_shared_address(r.there + step % RING), parity = step / RING & 1, done;
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

enum { INFINITE = 0x7f800000 };

/* The exact kernels will solve. Every warp then runs through its steps without doing more than that its neighbours need not
   wait for it. */
__device__ __forceinline__ void give_up(sb_large_doubt *doubt)
{
    atomicMax(&doubt->bound, INFINITE);
}

__device__ __forceinline__ bool is_given_up(const sb_large_doubt *doubt)
{
    int bound;
    asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(bound) : "l"(&doubt->bound) : "memory");
    return bound == INFINITE;
}

__device__ __forceinline__ float size_of(T z)
{
    return static_cast<float>(sb_abs1(z));
}

/* The separators of a tile's two sides. Lane 0 joins it to the tile before it, lane 1 the tile behind it to it; where such
   two end an open system, the last unknown is told from both, and nothing beyond is neglected. last: the step of the
   system's last tile, or none. */
__device__ ends<plain> ends_of_step(const plain &kind, const room &r, int step, int last, int lane,
                                    float *bound)
{
    unsigned first = step - 1 + (lane & 1);
    await(r, step - 1);
    await(r, step + 1);
    __syncwarp();
    plain::link both = r.links[first % RING];
    plain::joint joint;
    both = kind.join(both, r.links[(first + 1) % RING], &joint);
    T behind = 0,
      farther = 1; /* the separator behind: what is known of it, and the coefficient of what is not */
    if (first + 1 == last) {
        T inverse = T(1) / both.own;
        behind = both.d * inverse;
        farther = both.before * inverse;
    }
    float here = first == last ? 0 : size_of(joint.before) + size_of(joint.next) * size_of(farther);
    here = plain::is_given_up(both) ? NAN : here;
    *bound = here > *bound || here != here ? here : *bound;
    T separator = joint.d + joint.next * behind;
    ends<plain> e;
    e.left = from_lane(separator, 0);
    e.right = step == last ? from_lane(behind, 0) : from_lane(separator, 1);
    return e;
}

/* Step s is tile begin - 1 + s, around a ring; steps 0 and count + 1 are the neighbours'. */
__device__ int64_t tile_of(const arrays &in, int64_t begin, int step, int64_t tiles)
{
    int64_t tile = begin - 1 + step;
    return !in.periodic ? tile : tile < 0 ? tiles - 1 : tile == tiles ? 0 : tile;
}

__global__ void __launch_bounds__(MOST_WARPS *LANES, 1)
    truncated(const __grid_constant__ sb_cuda_job job, int64_t tiles, R limit, sb_large_doubt *doubt)
{
    extern __shared__ __align__(128) char shared[];
    __shared__ arrays in;
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, warps = blockDim.x / LANES;
    room r = room_of(shared, warps, warp);
    if (!job.diagonal[0]) {
        if (job.matrix[0].outcome != SB_CUDA_GOOD)
            return;
        if (job.matrix[0].flags & SB_CUDA_PIVOTED && !job.transposed) {
            give_up(doubt);
            return;
        }
    }
    if (threadIdx.x == 0)
        in = arrays_of(job, 0, COLUMNS);
    open_ring(r);
    char *part = part_of(in, r.slot, lane);
    int64_t begin = tiles * blockIdx.x / gridDim.x;
    int count = static_cast<int>(tiles * (blockIdx.x + 1) / gridDim.x - begin);
    int last = in.periodic || tiles - begin > INT_MAX / 2 ? INT_MAX : static_cast<int>(tiles - begin);
    plain kind = {limit};
    float bound = 0;
    bool finite = true, fetched = false;
#pragma unroll 1
    for (int step = warp; step < count + 2; step += warps) {
        int64_t tile = tile_of(in, begin, step, tiles), next = tile_of(in, begin, step + warps, tiles);
        bool hopeless = is_given_up(doubt);
        bool there = tile >= 0 && tile < tiles && !hopeless, own = step > 0 && step <= count && !hopeless;
        bool goes_on = step + warps < count + 2 && next >= 0 && next < tiles && !hopeless;
        plain::link mine;
        plain::kept kept;
        if (there) {
            if (!fetched)
                fetch(in, r.slot, tile * in.tile_rows, lane);
            arrive(in, r.slot, tile * in.tile_rows, lane);
            mine = kind.sweep(part, rows_of(in, tile, lane), own, in.conjugate, &kept);
            __syncwarp();
            if (goes_on)
                fetch(in, r.slot, next * in.tile_rows, lane);
            mine = join_lanes(kind, mine, lanes_of(in, tile), own, r.joints, lane);
            if (lane == 0 && plain::is_given_up(mine))
                give_up(doubt);
        } else
            mine = beyond();
        publish(r, step, mine, lane);
        if (own) {
            ends<plain> e = ends_of_step(kind, r, step, last, lane, &bound);
            if (lane < 2 && !(bound <= SB_LARGE_LIMIT(R)))
                give_up(doubt);
            e = part_lanes(e, lanes_of(in, tile), r.joints, lane);
            plain::walk_back(part, part + SLOT_BYTES, rows_of(in, tile, lane), kept, e);
            finite = store(in, r.slot + SLOT_BYTES, tile * in.tile_rows, lane) && finite;
        }
        fetched = there && goes_on;
    }
    drain();
    int worst = __reduce_max_sync(ALL, finite && bound == bound ? __float_as_int(bound) : INFINITE);
    if (lane == 0 && worst)
        atomicMax(&doubt->bound, worst);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        job.system[0] = SB_CUDA_GOOD;
        if (job.diagonal[0])
            job.matrix[0] = {SB_CUDA_GOOD, 0, 0};
    }
}

cudaError_t solve(const sb_cuda_call *call)
{
    sb_large_shape s = sb_large_prepared(call);
    int64_t parts = s.together < call->job.systems ? s.together : call->job.systems;
    sb_large_doubt *doubt =
        reinterpret_cast<sb_large_doubt *>(static_cast<char *>(call->job.scratch) + parts * s.scratch);
    slimband_pivoting pivoting = call->setup->problem->pivoting;
    const int64_t tile_rows = LANES * LANE_ROWS;
    int64_t tiles = (call->job.n + tile_rows - 1) / tile_rows;
    if (call->job.b == call->job.x || call->job.systems != 1 || tiles < 2 ||
        pivoting == SLIMBAND_PIVOT_PARTIAL) {
        cudaError_t error = cudaMemsetAsync(&doubt->last, 0, sizeof doubt->last, call->stream);
        return error ? error : SB_NAME(large_solve)(call, nullptr);
    }
    const sb_cuda_device *device = call->setup->device;
    int64_t ring = RING * (sizeof(plain::link) + sizeof(uint64_t)),
            warp = ROOM_BYTES + JOINTS * sizeof(plain::joint);
    int64_t room = (device->shared_block - SB_LARGE_STATIC - ring) / warp,
            warps = room < MOST_WARPS ? room : static_cast<int64_t>(MOST_WARPS);
    int64_t needed = (tiles + warps - 1) / warps,
            blocks = needed < device->processors ? needed : device->processors;
    int64_t shared = warps * warp + ring;
    cudaError_t error =
        cudaFuncSetAttribute(truncated, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
    if (error)
        return error;
    truncated<<<static_cast<unsigned>(blocks), static_cast<unsigned>(warps * LANES),
                static_cast<size_t>(shared), call->stream>>>(
        call->job, tiles, pivoting == SLIMBAND_PIVOT_NONE ? SB_PLAIN_UNLIMITED : SB_PLAIN_LIMIT, doubt);
    error = cudaGetLastError();
    return error ? error : SB_NAME(large_solve)(call, doubt);
}

cudaError_t factor(const sb_cuda_call *call)
{
    return SB_NAME(cuda_partition).factor(call);
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_truncated) = {factor, solve, solve};
