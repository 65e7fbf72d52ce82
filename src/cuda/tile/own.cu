/* The launchers of the method `tile` for own matrices. */
#include "src/cuda/tile/launch.cuh"
#include "src/cuda/tile/own.cuh"

namespace
{

/* Three diagonals into the order of the plan: row after row, systems by their numbers. */
__global__ void __launch_bounds__(256)
    sb_tile_keep(sb_tile_own job, sb_own_arrays from, T *stored, int64_t systems)
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
        for (int64_t i = blockIdx.y; i < job.tiles.cut.n; i += gridDim.y) {
            stored[i * systems + number] = from.lower[at + i * job.matrix_at.row];
            stored[matrix + i * systems + number] = from.diagonal[at + i * job.matrix_at.row];
            stored[2 * matrix + i * systems + number] = from.upper[at + i * job.matrix_at.row];
        }
    }
}

/* The first word on all systems is that they are good; a kernel may say otherwise. */
cudaError_t run(const sb_cuda_call *call, sb_tile_own own, const sb_own_arrays &arrays, T *x)
{
    const sb_cuda_job &job = call->job;
    const sb_tile_plan &plan = *reinterpret_cast<const sb_tile_plan *>(call->state);
    const sb_tile_line *at[] = {&own.matrix_at, &own.matrix_at, &own.matrix_at, &own.tiles.grid.b_at};
    const T *from[] = {arrays.lower, arrays.diagonal, arrays.upper, arrays.b};
    sb_own_maps maps = {};
    CUtensorMap *map[] = {&maps.lower, &maps.diagonal, &maps.upper, &maps.b};
    cudaError_t error = cudaSuccess;
    for (const T *array : from)
        own.bulk = own.bulk && sb_tile_aligned(array);
    for (int a = 0; a < SB_OWN_ARRAYS && own.bulk && error == cudaSuccess; ++a)
        if (from[a])
            error = sb_tile_map(map[a], from[a], own.tiles, *at[a], SB_OWN_WIDTH, SB_OWN_ROWS);
    if (!own.bulk)
        own.tiles.stages = SB_TILE_OWN_EACH_STAGES;
    if (x && error == cudaSuccess)
        error = cudaMemsetAsync(job.system, 0, job.systems * sizeof *job.system, call->stream);
    if (error != cudaSuccess)
        return error;
    return sb_tile_launch(own.bulk ? sb_tile_solve_own<true> : sb_tile_solve_own<false>, own.tiles.cut.blocks,
                          own.tiles.tiles, own.tiles.columns / SB_OWN_LANES * own.tiles.cut.chunks,
                          plan.shared_bytes, call->setup->device->processors, call->stream, own, maps, arrays,
                          x, job.conjugate, job.matrix, job.system);
}

sb_own_arrays arrays_of(const sb_cuda_job &job, const void *b)
{
    return {static_cast<const T *>(job.diagonal[0]), static_cast<const T *>(job.diagonal[1]),
            static_cast<const T *>(job.diagonal[2]), static_cast<const T *>(b)};
}

} // namespace

extern "C" cudaError_t SB_NAME(tile_own_factor)(const sb_cuda_call *call)
{
    sb_tile_own own = reinterpret_cast<const sb_tile_plan *>(call->state)->own;
    own.wary = call->job.wary;
    own.judges = 1;
    int64_t extent = own.tiles.grid.extent;
    dim3 grid(static_cast<unsigned>((extent + 255) / 256), own.tiles.cut.n);
    sb_tile_keep<<<grid, 256, 0, call->stream>>>(own, arrays_of(call->job, nullptr),
                                                 static_cast<T *>(call->job.stored), call->job.systems);
    cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? error : run(call, own, arrays_of(call->job, nullptr), nullptr);
}

extern "C" cudaError_t SB_NAME(tile_own_solve)(const sb_cuda_call *call)
{
    const sb_cuda_job &job = call->job;
    sb_tile_own own = reinterpret_cast<const sb_tile_plan *>(call->state)->own;
    const int64_t matrix = job.systems * own.tiles.cut.n;
    const T *stored = static_cast<const T *>(job.stored);
    own.matrix_at = own.stored_at;
    own.bulk = own.stored_bulk;
    sb_own_arrays arrays = {stored, stored + matrix, stored + 2 * matrix, static_cast<const T *>(job.b)};
    if (job.transposed) {
        arrays.lower = stored + 2 * matrix - job.systems;
        arrays.upper = stored + job.systems;
        own.turned = 1;
    }
    return run(call, own, arrays, static_cast<T *>(job.x));
}

extern "C" cudaError_t SB_NAME(tile_own_factor_solve)(const sb_cuda_call *call)
{
    sb_tile_own own = reinterpret_cast<const sb_tile_plan *>(call->state)->own;
    own.wary = call->job.wary;
    own.judges = 1;
    return run(call, own, arrays_of(call->job, call->job.b), static_cast<T *>(call->job.x));
}
