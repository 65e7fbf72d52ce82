/* Truncated: large systems in one pass, where their couplings die away over a tile.
 *
 * The separator between two tiles follows from their two links alone if what lies beyond them is neglected; the
 * coefficients of what is neglected are at hand and bound the error. Both sides of a separator form it from the same links
 * in the same way. The tiles of all systems are one row, of which a block owns a part; its warps take them in turn, and
 * each tile waits for its neighbours' links only; the links of the tiles on both sides of the block's are formed once more,
 * and in a ring those of its last tile before the first one and of its first behind the last. Words a row: 4 read, 1
 * written (5). Nothing pivots here. Where that is unsafe, or the bound too large, partition's kernels behind this one solve
 * all systems again; b must still be there, so x == b goes to them at once. */
#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/large/plain.cuh"
#include "src/cuda/large/system.cuh"
#include "src/cuda/large/turned.cuh"

extern "C" cudaError_t SB_NAME(large_solve)(const sb_cuda_call *call, sb_large_doubt *doubt);
extern "C" sb_cuda_ready SB_NAME(large_ready);
extern "C" const sb_cuda_launchers SB_NAME(cuda_partition);

namespace
{

enum {
    MOST_WARPS = sizeof(T) < 16 ? 12 : 8, /* what registers allow */
    RING = 32, /* two rounds of tiles and more, so that warps seldom wait for room in it */
    ROOM_BYTES =
        SLOT_BYTES + PLANE_BYTES, /* x has a plane of its own, so that the next tile may come meanwhile */
};

/* A block's shared memory: slots, joints, and a ring of links; behind it what is beyond an open end, where all unknowns are
   0. */
struct room {
    char *slot;
    plain::joint *joints;
    plain::link *links;
    uint64_t *there;     /* barriers, whose phase ends when the link is there */
    int *done;           /* of each warp, the last step that is behind it */
    unsigned readers[2]; /* of what a link of this warp replaces in the ring: where their `done` is */
};

enum { BEYOND = RING }; /* its place among the links */

__device__ room room_of(char *shared, int warps, int warp)
{
    room r;
    r.slot = shared + warp * ROOM_BYTES;
    r.there = reinterpret_cast<uint64_t *>(shared + warps * ROOM_BYTES);
    plain::joint *joints = reinterpret_cast<plain::joint *>(r.there + RING);
    r.joints = joints + warp * JOINTS;
    r.links = reinterpret_cast<plain::link *>(joints + warps * JOINTS);
    r.done = reinterpret_cast<int *>(r.links + BEYOND + 1);
    for (int side = 0; side < 2; ++side) /* step - RING -+ 1, and steps of this warp are `warps` apart */
        r.readers[side] = sb_shared_address(r.done + (warp + RING * warps - RING + 2 * side - 1) % warps);
    return r;
}

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
    if (threadIdx.x == 0)
        r.links[BEYOND] = beyond();
    if (threadIdx.x < MOST_WARPS)
        r.done[threadIdx.x] = -1;
    __syncthreads();
}

/* All that a step reads has arrived before it ends: what it has computed from that is stored. So relaxed accesses do, and no
   warp waits until its stores of x are seen by others. */
__device__ __forceinline__ void put_behind(const room &r, int warp, int step, int lane)
{
    __syncwarp();
    if (lane == 0)
        asm volatile("st.relaxed.cta.shared.s32 [%0], %1;" ::"r"(sb_shared_address(r.done + warp)), "r"(step)
                     : "memory");
}

/* A warp may lag behind by any number of rounds: its direct neighbours wait for it, theirs for these. */
__device__ __forceinline__ void await_behind(unsigned reader, int step)
{
    for (int done = -1; step >= 0 && done < step;)
        asm volatile("ld.relaxed.cta.shared.s32 %0, [%1];" : "=r"(done) : "r"(reader) : "memory");
}

/* Once both steps that have read what stood there before are over. */
__device__ __forceinline__ void publish(const room &r, int step, const plain::link &link, int lane)
{
    await_behind(r.readers[0], step - RING - 1);
    await_behind(r.readers[1], step - RING + 1);
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

/* The tiles of all systems in a row, each ring with one more at both ends. */
struct row_of_tiles {
    int64_t systems;
    int64_t tiles, units; /* of a system: tiles, and these with the ones at the ends */
};

/* Where a step stands in that row. */
struct spot {
    int64_t system, unit;
};

__device__ __forceinline__ spot spot_of(const row_of_tiles &all, int64_t at)
{
    spot s = {(at + all.units) / all.units - 1, (at + all.units) % all.units};
    return s;
}

__device__ __forceinline__ void move_on(const row_of_tiles &all, spot *s, int by)
{
    for (s->unit += by; s->unit >= all.units; s->unit -= all.units)
        ++s->system;
}

__device__ __forceinline__ bool exists(const row_of_tiles &all, const spot &s)
{
    return s.system >= 0 && s.system < all.systems;
}

__device__ __forceinline__ int64_t tile_of(const row_of_tiles &all, const spot &s)
{
    int64_t tile = s.unit - (all.units > all.tiles);
    return tile < 0 ? all.tiles - 1 : tile == all.tiles ? 0 : tile;
}

__device__ __forceinline__ bool is_owned(const row_of_tiles &all, const spot &s)
{
    bool ring = all.units > all.tiles;
    return exists(all, s) && (!ring || (s.unit > 0 && s.unit <= all.tiles));
}

/* The separators of a tile's two sides. Lane 0 joins it to the tile before it, lane 1 the tile behind it to it; where such
   two end an open system, the last unknown is told from both, and nothing beyond is neglected. first: the tile begins an
   open system; to_last: how many tiles its last one is away, if it has one. */
__device__ ends<T> ends_of_step(const plain &kind, const room &r, int step, bool first, int to_last, int lane,
                                float *bound)
{
    const int odd = lane & 1, left = step - 1 + odd, right = left + 1;
    await(r, step - 1);
    await(r, step + 1);
    __syncwarp();
    const bool ends_here = odd && to_last == 0;
    plain::link both = r.links[first && !odd ? BEYOND : left % RING];
    plain::joint joint;
    both = kind.join(both, r.links[ends_here ? BEYOND : right % RING], &joint);
    T behind = 0,
      farther = 1; /* the separator behind: what is known of it, and the coefficient of what is not */
    if (odd == to_last) {
        T inverse = T(1) / both.own;
        behind = both.d * inverse;
        farther = both.before * inverse;
    }
    float here = ends_here ? 0 : size_of(joint.before) + size_of(joint.next) * size_of(farther);
    here = plain::is_given_up(both) ? NAN : here;
    *bound = here > *bound || here != here ? here : *bound;
    T separator = joint.d + joint.next * behind;
    ends<T> e;
    e.left = from_lane(separator, 0);
    e.right = to_last == 0 ? from_lane(behind, 0) : from_lane(separator, 1);
    return e;
}

/* A system's arrays, as a warp last saw them; -1: none yet. */
struct seen {
    arrays in;
    int64_t system;
    bool turned; /* see turned.cuh */
};

/* In one lane. Gives up where elimination without pivoting has nothing to say of the matrix. Not inline: it is large, it
   happens once a system, and the tiles' code is better kept together. */
__device__ __noinline__ void see(const sb_cuda_job &job, const series &systems, int64_t system, seen *last,
                                 sb_large_doubt *doubt)
{
    if (systems.even)
        last->in = arrays_of(systems, system);
    else
        last->in = arrays_of(job, system, COLUMNS);
    last->turned = is_turned(last->in);
    last->system = system;
    if (job.diagonal[0])
        return;
    const sb_cuda_matrix known =
        job.matrix[systems.even ? system * systems.step.matrix : sb_matrix_of(job, system)];
    if (known.outcome != SB_CUDA_GOOD || (known.flags & SB_CUDA_PIVOTED && !job.transposed))
        give_up(doubt);
}

__device__ __forceinline__ void look_at(const sb_cuda_job &job, const series &systems, const spot &s,
                                        seen *last, sb_large_doubt *doubt, int lane)
{
    if (last->system == s.system)
        return;
    __syncwarp();
    if (lane == 0)
        see(job, systems, s.system, last, doubt);
    __syncwarp();
}

/* Until somebody knows better. */
__device__ void tell_success(const sb_cuda_job &job)
{
    int64_t thread = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x;
    int64_t threads = gridDim.x * static_cast<int64_t>(blockDim.x);
    for (int64_t i = thread; i < job.systems; i += threads)
        job.system[i] = SB_CUDA_GOOD;
    for (int64_t i = thread; i < job.matrices && job.diagonal[0]; i += threads)
        job.matrix[i] = {SB_CUDA_GOOD, 0, 0};
}

/* Levels of a warp's tile are written out, but for c64's, whose text is then more than the caches of instructions hold (3000 unknowns:
   2.0 floors or, so, 1.8; f64 1.41 and 1.46). */
struct kind_of_lanes : plain {
    enum { LEVELS = SB_COMPLEX && sizeof(T) == 8 ? 1 : +plain::LEVELS };
};

/* The last tile of an open system is padded, so that one text does for all tiles: two of them, in turns, are more than those caches
   hold. A ring's last row is coupled to its first. */
__device__ __forceinline__ int swept_rows(const arrays &in, int64_t tile, bool ring, int lane)
{
    return ring ? rows_of(in, tile, lane) : static_cast<int>(LANE_ROWS);
}

__device__ __forceinline__ int joined_lanes(const arrays &in, int64_t tile, bool ring)
{
    return ring ? lanes_of(in, tile) : static_cast<int>(LANES);
}

/* ANYWHERE: arrays may begin anywhere. Where none does, the code for that is but in the way (0.5 % of a large system, 1 to 2 % of lines in f32). */
template <bool ANYWHERE>
__global__ void __launch_bounds__(MOST_WARPS *LANES, 1)
    truncated(const __grid_constant__ sb_cuda_job job, const __grid_constant__ series systems,
              const __grid_constant__ row_of_tiles all, R limit, sb_large_doubt *doubt)
{
    extern __shared__ __align__(128) char shared[];
    __shared__ seen last_seen[MOST_WARPS][2];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, warps = blockDim.x / LANES;
    room r = room_of(shared, warps, warp);
    const int64_t units = all.systems * all.units, begin = units * blockIdx.x / gridDim.x;
    __shared__ int count; /* of tiles; there, for all registers are in use */
    if (threadIdx.x == 0)
        count = static_cast<int>(units * (blockIdx.x + 1) / gridDim.x - begin);
    spot here = spot_of(all, begin - 1 + warp);
    if (lane < 2) { /* the systems of the first two steps, at once */
        seen *first = &last_seen[warp][lane];
        spot mine = here;
        first->system = -1;
        move_on(all, &mine, lane * warps);
        if (exists(all, mine))
            see(job, systems, mine.system, first, doubt);
    }
    open_ring(r);
    const plain kind = {limit};
    const kind_of_lanes by_lanes = {kind};
    float bound = 0;
    bool finite = true, fetched = false;
    int turn = 0;
#pragma unroll 1
    for (int step = warp; step < count + 2; step += warps, turn ^= 1) {
        bool hopeless = is_given_up(doubt);
        bool there = exists(all, here) && !hopeless,
             own = step > 0 && step <= count && is_owned(all, here) && !hopeless;
        spot next = here;
        move_on(all, &next, warps);
        bool goes_on = step + warps < count + 2 && exists(all, next) && !hopeless;
        const seen &now = last_seen[warp][turn], &coming = last_seen[warp][turn ^ 1];
        const arrays &in = now.in;
        const bool turned = ANYWHERE && now.turned;
        const int64_t tile = tile_of(all, here);
        if (there && !fetched) {
            look_at(job, systems, here, &last_seen[warp][turn], doubt, lane);
            fetch_tile(in, turned, r.slot, tile * in.tile_rows, lane);
        }
        if (there && goes_on)
            look_at(job, systems, next, &last_seen[warp][turn ^ 1], doubt, lane);
        plain::link mine;
        plain::kept kept;
        if (there) {
            char *part = part_of(in, r.slot, lane);
            arrive_tile(in, turned, r.slot, tile * in.tile_rows, lane);
            if (!job.periodic && tile == all.tiles - 1)
                pad_end(in, r.slot, tile * in.tile_rows, lane);
            mine = kind.sweep(part, swept_rows(in, tile, job.periodic, lane), own, in.conjugate, &kept);
            __syncwarp();
            if (goes_on)
                fetch_tile(coming.in, ANYWHERE && coming.turned, r.slot, tile_of(all, next) * in.tile_rows,
                           lane);
            mine = join_lanes(by_lanes, mine, joined_lanes(in, tile, job.periodic), own, r.joints, lane);
            if (lane == 0 && plain::is_given_up(mine))
                give_up(doubt);
        } else
            mine = r.links[BEYOND];
        publish(r, step, mine, lane);
        if (own) {
            int to_last = job.periodic || all.tiles - 1 - tile > INT_MAX
                              ? INT_MAX
                              : static_cast<int>(all.tiles - 1 - tile);
            ends<T> e = ends_of_step(kind, r, step, tile == 0 && !job.periodic, to_last, lane, &bound);
            if (lane < 2 && !(bound <= SB_LARGE_LIMIT(R)))
                give_up(doubt);
            char *part = part_of(in, r.slot, lane);
            e = part_lanes<kind_of_lanes>(e, joined_lanes(in, tile, job.periodic), r.joints, lane);
            plain::walk_back(part, part + SLOT_BYTES, swept_rows(in, tile, job.periodic, lane), kept, e);
            finite = (ANYWHERE ? store_tile(in, r.slot + SLOT_BYTES, tile * in.tile_rows, lane)
                               : store(in, r.slot + SLOT_BYTES, tile * in.tile_rows, lane)) &&
                     finite;
        } else if (step > 0)
            await(r, step - 1); /* no barrier goes on to another phase unseen */
        put_behind(r, warp, step, lane);
        fetched = there && goes_on;
        here = next;
    }
    drain();
    int worst = __reduce_max_sync(ALL, finite && bound == bound ? __float_as_int(bound) : INFINITE);
    if (lane == 0 && worst)
        atomicMax(&doubt->bound, worst);
    tell_success(job);
}

enum {
    STATIC_BYTES =
        MOST_WARPS * 2 * sizeof(seen) + SB_LARGE_STATIC, /* what the kernel has besides, and some more */
    RING_BYTES =
        RING * (sizeof(plain::link) + sizeof(uint64_t)) + sizeof(plain::link) + MOST_WARPS * sizeof(int),
    WARP_BYTES = ROOM_BYTES + JOINTS * sizeof(plain::joint)
};

int64_t warps_on(const sb_cuda_device *device)
{
    int64_t room = (device->shared_block - STATIC_BYTES - RING_BYTES) / WARP_BYTES;
    return room < MOST_WARPS ? room : static_cast<int64_t>(MOST_WARPS);
}

int64_t bytes_of(int64_t warps)
{
    return warps * WARP_BYTES + RING_BYTES;
}

typedef void kernel(const sb_cuda_job, const series, const row_of_tiles, R, sb_large_doubt *);

/* Of elements that fill granules, one does. */
kernel *kernel_for(bool anywhere)
{
    return anywhere ? truncated<(IN_GRANULE > 1)> : truncated<false>;
}

/* Whether all arrays of all systems begin with a granule. */
bool is_aligned(const series &all)
{
    const int64_t steps = all.step.line | all.step.b | all.step.x;
    return all.even && all.lines && all.first.wide && all.first.x_wide && steps % IN_GRANULE == 0;
}

cudaError_t ready(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    cudaError_t error = cudaSuccess;
    for (bool anywhere : {false, true})
        error = error ? error
                      : cudaFuncSetAttribute(kernel_for(anywhere), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(bytes_of(warps_on(setup->device))));
    return error ? error : SB_NAME(large_ready)(setup, state);
}

cudaError_t solve(const sb_cuda_call *call)
{
    sb_large_shape s = sb_large_prepared(call->state);
    int64_t parts = s.together < call->job.systems ? s.together : call->job.systems;
    sb_large_doubt *doubt =
        reinterpret_cast<sb_large_doubt *>(static_cast<char *>(call->job.scratch) + parts * s.scratch);
    slimband_pivoting pivoting = call->setup->problem->pivoting;
    const int64_t tile_rows = LANES * LANE_ROWS, tiles = (call->job.n + tile_rows - 1) / tile_rows;
    const row_of_tiles all = {call->job.systems, tiles, tiles + (call->job.periodic ? 2 : 0)};
    if (call->job.b == call->job.x || !call->job.systems || tiles < 2 || pivoting == SLIMBAND_PIVOT_PARTIAL) {
        cudaError_t error = cudaMemsetAsync(&doubt->last, 0, sizeof doubt->last, call->stream);
        return error ? error : SB_NAME(large_solve)(call, nullptr);
    }
    const sb_cuda_device *device = call->setup->device;
    const int64_t warps = warps_on(device), needed = (all.systems * all.units + warps - 1) / warps;
    const int64_t blocks = needed < device->processors ? needed : device->processors;
    const series systems = series_of(call->job, COLUMNS);
    kernel_for(!is_aligned(systems))<<<static_cast<unsigned>(blocks), static_cast<unsigned>(warps * LANES),
                                       static_cast<size_t>(bytes_of(warps)), call->stream>>>(
        call->job, systems, all, pivoting == SLIMBAND_PIVOT_NONE ? SB_PLAIN_UNLIMITED : SB_PLAIN_LIMIT, doubt);
    cudaError_t error = cudaGetLastError();
    return error ? error : SB_NAME(large_solve)(call, doubt);
}

cudaError_t factor(const sb_cuda_call *call)
{
    return SB_NAME(cuda_partition).factor(call);
}

} // namespace

extern "C" const sb_cuda_launchers SB_NAME(cuda_truncated) = {factor, solve, solve, ready};
