/* The launchers of the method `tile` for own matrices. */
#include "src/cuda/tile/launch.cuh"
#include "src/cuda/tile/own.cuh"
#if !SB_COMPLEX
#include "src/cuda/tile/own_penta.cuh"
#endif

namespace
{

/* The diagonals into the order of the plan: row after row, systems by their numbers. */
template <int K>
__global__ void __launch_bounds__(256)
    sb_tile_keep(sb_tile_own job, sb_own_arrays<K> from, T *stored, int64_t systems)
{
    const sb_tile_grid &grid = job.tiles.grid;
    int64_t column = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, matrix = systems * job.tiles.cut.n;
    if (column >= grid.extent)
        return;
    for (int outer = 0; outer < grid.outer[0] * grid.outer[1]; ++outer) {
        int first = outer % grid.outer[0], second = outer / grid.outer[0];
        int64_t number = column * grid.number[0] + first * grid.number[1] + second * grid.number[2];
        int64_t at =
            column * job.matrix_at.column + first * job.matrix_at.outer[0] + second * job.matrix_at.outer[1];
        for (int64_t i = blockIdx.y; i < job.tiles.cut.n; i += gridDim.y)
#pragma unroll
            for (int a = 0; a <= 2 * K; ++a)
                stored[a * matrix + i * systems + number] = from.at[a][at + i * job.matrix_at.row];
    }
}

template <int K> struct sb_own_kernel;

template <> struct sb_own_kernel<1> {
    static auto of(const sb_tile_own &, bool bulk)
    {
        return bulk ? sb_tile_solve_own<true> : sb_tile_solve_own<false>;
    }
};

#if !SB_COMPLEX
template <> struct sb_own_kernel<2> {
    static auto of(const sb_tile_own &own, bool bulk)
    {
        constexpr int SHORT = SB_TILE_PENTA_SHORT, LONG = SB_TILE_PENTA_LONG;
        bool small = own.tiles.cut.slots == SHORT;
        return bulk    ? small ? sb_tile_solve_penta<SHORT, true> : sb_tile_solve_penta<LONG, true>
                  : small ? sb_tile_solve_penta<SHORT, false>
                       : sb_tile_solve_penta<LONG, false>;
    }
};
#endif

int threads_of(const sb_tile_own &own)
{
    return own.tiles.columns / SB_OWN_LANES * own.tiles.cut.chunks;
}

template <int K>
cudaError_t run(const sb_cuda_call *call, sb_tile_own own, const sb_own_arrays<K> &arrays, T *x)
{
    typedef sb_own_shape<K> shape;
    const sb_cuda_job &job = call->job;
    const sb_tile_plan &plan = *reinterpret_cast<const sb_tile_plan *>(call->state);
    sb_own_maps<K> maps = {};
    cudaError_t error = cudaSuccess;
    for (const T *array : arrays.at)
        own.bulk = own.bulk && sb_tile_aligned(array);
    for (int a = 0; a < shape::ARRAYS && own.bulk && error == cudaSuccess; ++a)
        /* of right-hand sides that are missing nothing is read (own_ring.cuh), but the engine wants a view */
        error = sb_tile_map(&maps.at[a], arrays.at[a] ? arrays.at[a] : arrays.at[0], own.tiles,
                            a + 1 == shape::ARRAYS ? own.tiles.grid.b_at : own.matrix_at, SB_OWN_WIDTH,
                            SB_TILE_OWN_ROWS(sizeof(T)));
    if (!own.bulk)
        own.tiles.stages = SB_TILE_OWN_EACH_STAGES;
    if (error != cudaSuccess)
        return error;
    return sb_tile_launch(sb_own_kernel<K>::of(own, own.bulk), own.tiles.cut.blocks, own.tiles.tiles,
                          threads_of(own), plan.shared_bytes, plan.resident[own.bulk != 0], call, own, maps,
                          arrays, x, job.conjugate, job.matrix, job.system);
}

template <int K> cudaError_t ready(const sb_cuda_device *device, sb_tile_plan *plan)
{
    const sb_tile_own &own = plan->own;
    cudaError_t error = cudaSuccess;
    for (int bulk = 0; bulk < 2 && error == cudaSuccess; ++bulk)
        if (!bulk || own.bulk || own.stored_bulk)
            error = sb_tile_ready(sb_own_kernel<K>::of(own, bulk), own.tiles.cut.blocks, threads_of(own),
                                  plan->shared_bytes, device, &plan->resident[bulk]);
    return error;
}

template <int K> sb_own_arrays<K> arrays_of(const sb_cuda_job &job, const void *b)
{
    sb_own_arrays<K> arrays;
    for (int a = 0; a <= 2 * K; ++a)
        arrays.at[a] = static_cast<const T *>(job.diagonal[a]);
    arrays.at[2 * K + 1] = static_cast<const T *>(b);
    return arrays;
}

template <int K> cudaError_t factor(const sb_cuda_call *call)
{
    sb_tile_own own = reinterpret_cast<const sb_tile_plan *>(call->state)->own;
    own.wary = call->job.wary;
    own.judges = 1;
    int64_t extent = own.tiles.grid.extent;
    dim3 grid(static_cast<unsigned>((extent + 255) / 256), own.tiles.cut.n);
    sb_own_arrays<K> arrays = arrays_of<K>(call->job, nullptr);
    sb_tile_keep<K>
        <<<grid, 256, 0, call->stream>>>(own, arrays, static_cast<T *>(call->job.stored), call->job.systems);
    cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? error : run<K>(call, own, arrays, nullptr);
}

/* A row of the transposed has its entries in neighbouring rows of the diagonals on the other side. */
template <int K> cudaError_t solve(const sb_cuda_call *call)
{
    const sb_cuda_job &job = call->job;
    sb_tile_own own = reinterpret_cast<const sb_tile_plan *>(call->state)->own;
    const int64_t matrix = job.systems * own.tiles.cut.n;
    const T *stored = static_cast<const T *>(job.stored);
    own.matrix_at = own.stored_at;
    own.bulk = own.stored_bulk;
    own.turned = job.transposed;
    sb_own_arrays<K> arrays;
    for (int a = 0; a <= 2 * K; ++a)
        arrays.at[a] =
            job.transposed ? stored + (2 * K - a) * matrix + (a - K) * job.systems : stored + a * matrix;
    arrays.at[2 * K + 1] = static_cast<const T *>(job.b);
    return run<K>(call, own, arrays, static_cast<T *>(job.x));
}

template <int K> cudaError_t factor_solve(const sb_cuda_call *call)
{
    sb_tile_own own = reinterpret_cast<const sb_tile_plan *>(call->state)->own;
    own.wary = call->job.wary;
    own.judges = 1;
    return run<K>(call, own, arrays_of<K>(call->job, call->job.b), static_cast<T *>(call->job.x));
}

/* Complex pentadiagonal matrices are not planned for. */
bool penta(const sb_cuda_call *call)
{
    return !SB_COMPLEX && reinterpret_cast<const sb_tile_plan *>(call->state)->own.tiles.cut.k == 2;
}

constexpr int WIDEST = SB_COMPLEX ? 1 : 2;

} // namespace

extern "C" cudaError_t SB_NAME(tile_own_ready)(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    sb_tile_plan *plan = reinterpret_cast<sb_tile_plan *>(state);
    return plan->own.tiles.cut.k == 1 ? ready<1>(setup->device, plan) : ready<WIDEST>(setup->device, plan);
}

extern "C" cudaError_t SB_NAME(tile_own_factor)(const sb_cuda_call *call)
{
    return penta(call) ? factor<WIDEST>(call) : factor<1>(call);
}

extern "C" cudaError_t SB_NAME(tile_own_solve)(const sb_cuda_call *call)
{
    return penta(call) ? solve<WIDEST>(call) : solve<1>(call);
}

extern "C" cudaError_t SB_NAME(tile_own_factor_solve)(const sb_cuda_call *call)
{
    return penta(call) ? factor_solve<WIDEST>(call) : factor_solve<1>(call);
}
