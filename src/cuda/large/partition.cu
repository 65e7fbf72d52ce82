/* Partition: one or a few large systems, exact, in one launch.
 *
 * Every warp owns a run of consecutive tiles. It joins the links of its tiles to one, keeping a joint a tile; the
 * links of a block's warps are joined, then those of all blocks, which all blocks do alike. With its ends known, each
 * warp walks its tiles backwards, beginning with the one that is still on chip, sweeps them again and solves. That is done
 * without pivoting first, unless pivoting is asked for; where any tile shows that to be unsafe, all warps hear of it,
 * nothing has been written, and the same is done with pivoting.
 * Words a row: 4 read, 4 read again and 1 written (9); 5 for systems that stay on chip, and for those of no more tiles than
 * there are warps. Joints: 3 words a tile, written and read (11 with pivoting). */
#include "src/cuda/kernels/follow.cuh"
#include "src/cuda/kernels/keep.cuh"
#include "src/cuda/large/bad_row.cuh"
#include "src/cuda/large/either.cuh"
#include "src/cuda/large/plain.cuh"
#include "src/cuda/large/resident.cuh"
#include "src/cuda/large/run.cuh"

/* The exact solution, or nothing where there is a doubt and it is small. */
extern "C" cudaError_t SB_NAME(large_solve)(const sb_cuda_call *call, sb_large_doubt *doubt);
extern "C" sb_cuda_ready SB_NAME(large_ready);

namespace
{

/* Each is tried in its turn. */
struct tries {
    bool plain, pivoted;
    R limit; /* of plain elimination */
};

/* Only where the truncated method asked for it; the last block to ask, of the last launch, withdraws the question. */
__device__ bool is_wanted(sb_large_doubt *doubt, bool last_launch)
{
    __shared__ bool wanted;
    if (threadIdx.x == 0) {
        wanted = !(__int_as_float(*const_cast<volatile int *>(&doubt->bound)) <= SB_LARGE_LIMIT(R));
        __threadfence();
        const unsigned last = gridDim.x * gridDim.y - 1;
        if (last_launch && atomicInc(&doubt->asked, last) == last) {
            doubt->last = wanted ? 0 : doubt->bound;
            doubt->bound = 0;
        }
    }
    __syncthreads();
    return wanted;
}

/* A system as all threads of its blocks see it. */
struct task {
    sb_cuda_matrix *record;
    sb_cuda_outcome *outcome; /* NULL without a right-hand side */
    signs *told;
    board<plain> plain_at;
    sb_cuda_outcome known; /* of a stored matrix */
    bool try_plain, owns_record;
    bool spoilt, last; /* x has a number that is not finite; all other blocks have finished */
    board<either> pivoted_at;
    arrays in;
};

/* slice: which of the systems in this launch; each has its part of scratch. */
__host__ __device__ inline void describe(task *to, const sb_cuda_job &job, const shape &s, const tries &may,
                                         int64_t slice, int64_t system, const places &at)
{
    char *scratch = static_cast<char *>(job.scratch) + slice * s.scratch;
    to->in = arrays_at(job, at, s.columns);
    to->record = job.matrix + at.matrix;
    to->outcome = job.b ? job.system + system : nullptr;
    to->known = SB_CUDA_GOOD;
    to->try_plain = may.plain;
    to->owns_record = job.diagonal[0];
    to->spoilt = to->last = false;
    to->told = reinterpret_cast<signs *>(scratch + s.signs_at);
    to->plain_at = board_of<plain>(scratch, s.plain_at, to->told);
    to->pivoted_at = board_of<either>(scratch, s.pivoted_at, to->told);
}

/* All tasks of a launch. Those of resident systems arrive with it. */
struct tasks {
    series systems; /* from the launch's first one on */
    task first;
    int64_t first_system;
    bool resident; /* see solve_resident */
    bool last;     /* no launch for other systems comes behind this one */
};

inline tasks tasks_of(const sb_cuda_job &job, const shape &s, const tries &may, int64_t first)
{
    tasks t = {};
    t.first_system = first;
    t.systems = series_of(job, s.columns);
    t.resident = s.cluster && may.plain && t.systems.even;
    if (!t.resident)
        return t;
    const places &step = t.systems.step;
    describe(&t.first, job, s, may, 0, first, {first * step.matrix, 0, 0, 0});
    t.systems.first = arrays_of(t.systems, first);
    return t;
}

/* Plain elimination has nothing to say of a matrix that failed, or that factor has found to need pivots. */
__device__ __forceinline__ bool is_plain(const sb_cuda_matrix &known, const sb_cuda_job &job, const tries &may)
{
    return known.outcome == SB_CUDA_GOOD &&
           (job.transposed || !(known.flags & SB_CUDA_PIVOTED) || !may.pivoted);
}

__device__ __forceinline__ void take_task(task *t, const tasks &all, const sb_cuda_job &job, const shape &s,
                                          const tries &may, int slice)
{
    if (threadIdx.x == 0) {
        int64_t system = all.first_system + slice;
        describe(t, job, s, may, slice, system, places_of(job, system));
        if (!t->owns_record) {
            sb_cuda_matrix known = *t->record;
            t->known = known.outcome;
            t->try_plain = may.plain && is_plain(known, job, may);
        }
    }
    __syncthreads();
}

__device__ void tell(const task *t, bool singular, sb_cuda_outcome why, bool pivots, bool spoilt)
{
    sb_cuda_outcome matrix = t->known;
    if (singular && matrix == SB_CUDA_GOOD) {
        __threadfence();
        int64_t from_end = static_cast<int64_t>(atomicExch(&t->told->bad_from_end, 0ull));
        matrix = sb_cuda_failure(static_cast<int>(why), t->in.n - (from_end ? from_end : 1));
    }
    if (t->owns_record)
        *t->record = {matrix, 0, pivots ? static_cast<uint32_t>(SB_CUDA_PIVOTED) : 0};
    if (t->outcome)
        *t->outcome = matrix != SB_CUDA_GOOD ? matrix
                      : spoilt               ? sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1)
                                             : static_cast<sb_cuda_outcome>(SB_CUDA_GOOD);
}

/* What became of the system, told by the last of its blocks. Where it failed, all of x is NaN. */
__device__ void settle(task *t, bool singular, sb_cuda_outcome why, bool pivots, const shape &s,
                       const place &me)
{
    if (singular && t->outcome)
        fill_with_nan(t->in, static_cast<int64_t>(me.block) * blockDim.x + threadIdx.x,
                      static_cast<int64_t>(s.blocks) * blockDim.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        bool spoilt = t->spoilt;
        t->last = s.blocks == 1;
        if (s.blocks > 1) {
            __threadfence();
            unsigned before = atomicAdd(&t->told->done, spoilt ? SPOILT + 1u : 1u);
            t->last = static_cast<int>(before % SPOILT) == s.blocks - 1;
            spoilt = spoilt || before >= SPOILT;
        }
        if (t->last) {
            tell(t, singular, why, pivots, spoilt);
            t->told->done = 0;
            t->last = spoilt;
        }
    }
    __syncthreads();
    if (t->last)
        fill_with_nan(t->in, threadIdx.x, blockDim.x);
}

__device__ __forceinline__ void tell_success(const tasks &all, int slice)
{
    if (all.first.owns_record)
        all.first.record[slice * all.systems.step.matrix] = {SB_CUDA_GOOD, 0, 0};
    all.first.outcome[slice] = SB_CUDA_GOOD;
}

__device__ __forceinline__ void tell_spoilt(const tasks &all, int slice)
{
    all.first.outcome[slice] = sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

/* The same for a resident system whose x has no bound: success is told before its first block says that it has stored, and no
   block waits for another's stores but one that knows better. */
__device__ __forceinline__ void settle_near(const tasks &all, const arrays &in, int slice, bool spoilt,
                                            signs *told, const shape &s)
{
    spoilt = __syncthreads_or(spoilt);
    const bool one_cluster = s.blocks == s.cluster;
    const unsigned long long blocks = static_cast<unsigned long long>(s.blocks);
    unsigned long long stored = 0;
    if (one_cluster && s.cluster > 1)
        sb_cluster_arrive();
    else if (!one_cluster && threadIdx.x == 0) {
        __threadfence();
        stored = atomicAdd(&told->stored, 1ull);
    }
    if (!spoilt)
        return;
    if (one_cluster && s.cluster > 1)
        sb_cluster_wait();
    if (threadIdx.x == 0) {
        const unsigned long long all_of_them = (stored / blocks + 1) * blocks;
        while (!one_cluster && *const_cast<volatile unsigned long long *>(&told->stored) < all_of_them)
            ;
        __threadfence();
        tell_spoilt(all, slice);
    }
    __syncthreads();
    for (int64_t i = threadIdx.x; i < in.n; i += blockDim.x)
        in.x[i * in.x_step] = static_cast<R>(NAN);
}

enum way { RUNS, RESIDENT, RESIDENT_DEEP };

/* Two ways without pivots in one kernel would leave neither the registers that it needs. */
template <way WAY>
__global__ void __launch_bounds__(SB_LARGE_WARPS(sizeof(T)) * LANES, 1)
    partition(const __grid_constant__ tasks all, const __grid_constant__ shape s,
              const __grid_constant__ tries may, sb_large_doubt *doubt, const __grid_constant__ sb_cuda_job job)
{
    extern __shared__ __align__(128) char shared[];
    __shared__ task t;
    if (WAY == RESIDENT_DEEP && !sb_has_engine)
        return;
    if (WAY != RUNS)
        sb_precede();
    sb_follow();
    if (doubt && !is_wanted(doubt, all.last))
        return;
    const bool alone = s.blocks == 1;
    const int slice = static_cast<int>(alone ? blockIdx.x : blockIdx.y);
    const place me = {alone ? 0 : static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x / LANES),
                      static_cast<int>(threadIdx.x % LANES)};
    bool regular = false, pivots = false, spoilt = false;
    if (WAY != RUNS &&
        (all.first.owns_record || is_plain(all.first.record[slice * all.systems.step.matrix], job, may))) {
        const arrays in = arrays_of(all.systems, slice);
        char *messages = reinterpret_cast<char *>(all.first.plain_at.messages) + slice * s.scratch;
        signs *told = reinterpret_cast<signs *>(reinterpret_cast<char *>(all.first.told) + slice * s.scratch);
        const bool is_bounded = may.limit == SB_PLAIN_LIMIT;
        const bounded kind = {may.limit, is_bounded ? SB_PLAIN_LARGEST : INT_MAX};
        regular = solve_resident<WAY == RESIDENT_DEEP>(
            kind, in, shared, reinterpret_cast<message<sb_plain_link> *>(messages), s, me, &spoilt);
        if (regular) {
            if (me.block == 0 && threadIdx.x == 0)
                tell_success(all, slice);
            if (!is_bounded)
                settle_near(all, in, slice, spoilt, told, s);
            return;
        }
        if (!is_bounded && s.blocks != s.cluster && threadIdx.x == 0)
            atomicAdd(&told->stored, 1ull);
    }
    take_task(&t, all, job, s, may, slice);
    const bool known = t.known != SB_CUDA_GOOD;
    if (WAY == RUNS && t.try_plain && !known)
        regular = solve_run(plain{may.limit}, t.in, shared, t.plain_at, s, me, &t.spoilt);
    if (!regular && may.pivoted && !known) {
        pivots = true;
        regular = solve_run(either{}, t.in, shared, t.pivoted_at, s, me, &t.spoilt);
    }
    if (!regular && !known) {
        char *slot = shared + me.warp * SLOT_BYTES;
        int64_t row = job.n;
        if (s.blocks > 1 || t.in.periodic)
            row = pivots ? bad_row(pivoted{}, t.in, slot, s, me) : bad_row(plain{may.limit}, t.in, slot, s, me);
        else if (threadIdx.x == 0)
            row = first_bad_row(t.in, pivots);
        if (row < job.n && me.lane == 0)
            atomicMax(&t.told->bad_from_end, static_cast<unsigned long long>(job.n - row));
    }
    settle(&t, !regular, pivots ? SLIMBAND_SINGULAR : SLIMBAND_BREAKDOWN, pivots, s, me);
}

typedef void kernel(const tasks, const shape, const tries, sb_large_doubt *, const sb_cuda_job);

/* Attributes of a launch: room for all of them. */
struct attributes {
    cudaLaunchAttribute at[3];
    unsigned count;
};

void add(attributes *to, cudaLaunchAttributeID id, int value)
{
    cudaLaunchAttribute *a = to->at + to->count++;
    *a = {};
    a->id = id;
    if (id == cudaLaunchAttributeClusterDimension) {
        a->val.clusterDim.x = static_cast<unsigned>(value);
        a->val.clusterDim.y = a->val.clusterDim.z = 1;
    } else if (id == cudaLaunchAttributeCooperative)
        a->val.cooperative = value;
    else
        a->val.programmaticStreamSerializationAllowed = value;
}

/* A launch with the attributes in `room`; cooperative where blocks wait for others than those of their cluster. */
cudaLaunchConfig_t launch_of(const sb_large_shape &whole, attributes *room, int major, cudaStream_t stream)
{
    room->count = 0;
    add(room, cudaLaunchAttributeCooperative, whole.blocks > (whole.cluster ? whole.cluster : 1));
    if (whole.cluster > 1)
        add(room, cudaLaunchAttributeClusterDimension, static_cast<int>(whole.cluster));
    if (major >= 9)
        add(room, cudaLaunchAttributeProgrammaticStreamSerialization, 1);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(whole.blocks));
    config.blockDim = dim3(static_cast<unsigned>(whole.warps * LANES));
    config.dynamicSmemBytes = static_cast<size_t>(whole.shared);
    config.stream = stream;
    config.attrs = room->at;
    config.numAttrs = room->count;
    return config;
}

/* The one for resident systems of this shape. */
kernel *resident_kernel(const sb_large_shape &whole)
{
    return whole.tiles > whole.warps * whole.blocks ? partition<RESIDENT_DEEP> : partition<RESIDENT>;
}

/* As much shared memory as there is, so that plans do not take from one another what they have asked for. */
cudaError_t allow(kernel *of, const sb_cuda_device *device)
{
    cudaFuncAttributes has;
    cudaError_t error = cudaFuncGetAttributes(&has, reinterpret_cast<const void *>(of));
    if (!error)
        error = cudaFuncSetAttribute(reinterpret_cast<const void *>(of),
                                     cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     device->shared_block - static_cast<int>(has.sharedSizeBytes));
    if (!error && device->major >= 9)
        error = cudaFuncSetAttribute(reinterpret_cast<const void *>(of),
                                     cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    return error;
}

/* Whether as many clusters run at once as have to wait for each other. */
bool clusters_fit(kernel *of, const sb_large_shape &whole, int major)
{
    attributes room;
    cudaLaunchConfig_t config = launch_of(whole, &room, major, nullptr);
    int most = 0;
    cudaError_t error = cudaOccupancyMaxActiveClusters(&most, of, &config);
    if (error)
        (void)cudaGetLastError();
    return !error && most >= whole.blocks / whole.cluster;
}

cudaError_t launch(const sb_cuda_call *call, const sb_cuda_job &job, int64_t systems, sb_large_doubt *doubt)
{
    sb_large_shape whole = sb_large_prepared(call->state);
    int64_t warps = whole.warps * whole.blocks;
    shape s = {
        whole.tiles / warps,
        whole.tiles % warps,
        whole.scratch,
        whole.plain_at,
        whole.pivoted_at,
        whole.signs_at,
        static_cast<int>(whole.columns),
        static_cast<int>(whole.warps),
        static_cast<int>(whole.blocks),
        static_cast<int>(whole.tiles < warps ? whole.tiles : warps),
        static_cast<int>(whole.tiles < warps ? (whole.tiles + whole.warps - 1) / whole.warps : whole.blocks),
        static_cast<int>(whole.cluster)};
    slimband_pivoting pivoting = call->setup->problem->pivoting;
    tries may = {pivoting != SLIMBAND_PIVOT_PARTIAL, pivoting != SLIMBAND_PIVOT_NONE,
                 pivoting == SLIMBAND_PIVOT_NONE ? SB_PLAIN_UNLIMITED : SB_PLAIN_LIMIT};
    const bool stays = tasks_of(job, s, may, 0).resident;
    if (whole.cluster > 1 && !(stays ? whole.stays_fit : whole.runs_fit)) {
        int64_t fit = call->setup->device->processors / whole.blocks;
        whole.together = fit < 1 ? 1 : fit < whole.together ? fit : whole.together;
        whole.cluster = s.cluster = 0;
    }
    attributes room;
    cudaLaunchConfig_t config = launch_of(whole, &room, call->setup->device->major, call->stream);
    kernel *of = stays && whole.cluster ? resident_kernel(whole) : partition<RUNS>;
    cudaError_t error = cudaSuccess;
    for (int64_t first = 0; first < systems && !error; first += whole.together) {
        int64_t now = systems - first < whole.together ? systems - first : whole.together;
        tasks all = tasks_of(job, s, may, first);
        all.last = first + now == systems;
        config.gridDim = s.blocks == 1 ? dim3(static_cast<unsigned>(now))
                                       : dim3(static_cast<unsigned>(s.blocks), static_cast<unsigned>(now));
        error = cudaLaunchKernelEx(&config, of, all, s, may, doubt, job);
    }
    return error;
}

/* The first pass alone says which matrices are singular. */
cudaError_t factor(const sb_cuda_call *call)
{
    sb_cuda_job job = call->job;
    if (!job.n || !job.matrices)
        return cudaSuccess;
    const int64_t pitch = sb_large_pitch(job.n);
    cudaError_t error = keep(call, {kept_layout(job, 1, 3 * pitch, -1), pitch});
    job.b = nullptr; /* factor_solve of a shared matrix comes here with its b and x */
    job.x = nullptr;
    if (!error)
        error = launch(call, job, job.matrices, nullptr);
    return error ? error : tell_all(call);
}

cudaError_t solve(const sb_cuda_call *call)
{
    return call->job.n ? launch(call, call->job, call->job.systems, nullptr) : cudaSuccess;
}

} // namespace

extern "C" cudaError_t SB_NAME(large_ready)(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    sb_large_shape whole = sb_large_prepared(state);
    cudaError_t error = allow(partition<RUNS>, setup->device);
    if (!error && whole.cluster)
        error = allow(resident_kernel(whole), setup->device);
    if (!error && whole.cluster > 1) {
        whole.runs_fit = clusters_fit(partition<RUNS>, whole, setup->device->major);
        whole.stays_fit = clusters_fit(resident_kernel(whole), whole, setup->device->major);
        memcpy(state, &whole, sizeof whole);
    }
    return error;
}

extern "C" cudaError_t SB_NAME(large_solve)(const sb_cuda_call *call, sb_large_doubt *doubt)
{
    return launch(call, call->job, call->job.systems, doubt);
}

extern "C" const sb_cuda_launchers SB_NAME(cuda_partition) = {factor, solve, solve, SB_NAME(large_ready)};
