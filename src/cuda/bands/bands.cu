/* Partition of systems that are wider than tridiagonal: one or many, exact, by orthogonal elimination.
 *
 * A strip of rows is swept, by the lanes of a team (chunks.cuh) or by two teams from its ends to its middle (halves.cuh), and
 * leaves a link: 2 K equations in the states at its ends. Links are joined eight at a time, level after level, until a run of
 * them is left (links.cuh); that run's equations and the system's ends give the states at both ends. From there the way back:
 * each level's states from those above, and in the strips the unknowns. What was swept on the way up is swept again on the
 * way back, since keeping it would take as much memory as the system.
 * Words a row, w = 2 K + 1 diagonals, strips of q rows: w + 1 read, w + 1 read again and 1 written; links: 2 (2 K (4 K + 1)) / q
 * written and read twice, 8/7 times as much with all levels. Pentadiagonal: 13 + 1. */
#include <limits.h>

#include "src/cuda/bands/bands.h"
#include "src/cuda/bands/chunks.cuh"
#include "src/cuda/bands/halves.cuh"
#include "src/cuda/kernels/empty.cuh"
#include "src/cuda/kernels/kept.h"

namespace
{

/* The copies of diagonals that factor makes: one matrix behind another, each with its diagonals one behind another. */
struct copies {
    int64_t rows; /* of a diagonal */
};

/* The row that a stored one stands for; of a Toeplitz matrix' rows that are alike, one that has entry k if any of them has. */
__device__ int64_t row_stored_at(const sb_cuda_job &job, int64_t i, int k)
{
    if (!job.toeplitz || i < job.first)
        return i;
    return i > job.first ? job.n - job.last + i - job.first - 1 : k < 0 ? job.n - job.last - 1 : job.first;
}

/* Words a row: w read, w written. Entries outside an open matrix are never read. */
__global__ void store_matrices(const __grid_constant__ sb_cuda_job job, const __grid_constant__ copies as)
{
    const int64_t all = as.rows * job.diagonals * job.matrices;
    T *to = static_cast<T *>(job.stored);
    for (int64_t e = blockIdx.x * static_cast<int64_t>(blockDim.x) + threadIdx.x; e < all;
         e += gridDim.x * static_cast<int64_t>(blockDim.x)) {
        int64_t i = e % as.rows, diagonal = e / as.rows % job.diagonals, matrix = e / as.rows / job.diagonals;
        int k = static_cast<int>(diagonal) - job.lower;
        int64_t column = row_stored_at(job, i, k) + k;
        bool inside = job.periodic || (column >= 0 && column < job.n);
        const T *line = static_cast<const T *>(job.diagonal[diagonal]) + sb_matrix_line(job, matrix);
        to[e] = inside ? line[i * job.matrix_at.line] : T(0);
    }
}

/* The call's matrices where factor has put them. */
sb_cuda_job stored_job(const sb_cuda_call *call)
{
    sb_cuda_job job = call->job;
    const int64_t rows = sb_bands_stored_rows(call->setup);
    for (int d = 0; d < job.diagonals; ++d)
        job.diagonal[d] = static_cast<const T *>(job.stored) + d * rows;
    job.matrix_at = kept_layout(job, 1, rows * job.diagonals, -1);
    return job;
}

level level_of(const sb_cuda_job &job, const sb_bands_shape &shape, int64_t l)
{
    return {reinterpret_cast<T *>(static_cast<char *>(job.scratch) + shape.links_at[l]), shape.count[l]};
}

/* count: strips or runs of a system; sharing: teams that share one. most: blocks; the kernel takes fewer than there is work for. */
template <int K, class... Taken, class... Given>
cudaError_t start(void (*kernel)(Taken...), const sb_cuda_call *call, const sb_cuda_job &job, crowd all,
                  int64_t count, int sharing, unsigned most, int64_t words, Given... given)
{
    const int64_t teams = SB_BANDS_WARPS * team<K>::OF_WARP / sharing;
    all.count = count;
    all.blocks = static_cast<unsigned>((all.systems * count + teams - 1) / teams);
    const unsigned blocks = all.blocks < most ? all.blocks : most;
    kernel<<<blocks, SB_BANDS_WARPS * LANES, static_cast<size_t>(sb_bands_shared(K, words, sizeof(T))),
             call->stream>>>(job, all, given...);
    return cudaGetLastError();
}

/* How strips are folded and finished. */
template <int K> struct strips {
    typedef void kernel(const sb_cuda_job, const crowd, const level);
    enum { IN_TURNS = K == SB_BANDS_NARROW, SHARING = IN_TURNS ? 1 : 2 }; /* teams a strip */

    static kernel *fold(bool in_turns)
    {
        if constexpr (K == SB_BANDS_NARROW)
            return in_turns ? fold_chunks<K, true> : fold_chunks<K, false>;
        else
            return fold_halves<K>;
    }
    static kernel *finish(bool in_turns)
    {
        if constexpr (K == SB_BANDS_NARROW)
            return in_turns ? finish_chunks<K, true> : finish_chunks<K, false>;
        else
            return finish_halves<K>;
    }
};

/* From the strips' links up to the system's ends; and, for a right-hand side, back to the states between strips. */
template <int K>
cudaError_t between(const sb_cuda_call *call, const sb_cuda_job &job, const sb_bands_shape &shape, crowd all)
{
    const unsigned any = UINT_MAX;
    const int last = static_cast<int>(shape.levels);
    level at[SB_BANDS_LEVELS];
    for (int l = 0; l <= last; ++l)
        at[l] = level_of(job, shape, l);
    cudaError_t error = cudaSuccess;
    for (int l = 0; l < last && !error; ++l)
        error = start<K>(fold_links<K>, call, job, all, at[l + 1].count, 1, any, room_for_links<K>, at[l],
                         at[l + 1]);
    if (!error)
        error = start<K>(close_systems<K>, call, job, all, 1, 1, any, room_to_close<K>, at[last]);
    for (int l = last - 1; l >= 0 && job.b && !error; --l)
        error = start<K>(unfold_links<K>, call, job, all, at[l + 1].count, 1, any, room_for_links<K>, at[l + 1],
                         at[l]);
    return error;
}

/* Strips there and back. Where there may be nothing to do they have few blocks, as many as processors take at once and more: 16384
   that but come and go take 12 microseconds. */
template <int K>
cudaError_t run(const sb_cuda_call *call, const sb_cuda_job &job, const sb_bands_shape &shape, crowd all)
{
    enum { OF_PROCESSOR = 16 };
    const bool few = strips<K>::IN_TURNS && all.any;
    const unsigned most =
        few ? OF_PROCESSOR * static_cast<unsigned>(call->setup->device->processors) : UINT_MAX;
    const level at = level_of(job, shape, 0);
    cudaError_t error = start<K>(strips<K>::fold(few), call, job, all, at.count, strips<K>::SHARING, most,
                                 sb_bands_room_to_fold(K, all.rows), at);
    error = error ? error : between<K>(call, job, shape, all);
    if (job.b && !error)
        error = start<K>(strips<K>::finish(few), call, job, all, at.count, strips<K>::SHARING, most,
                         sb_bands_room_to_finish(K, all.rows), at);
    return error;
}

crowd crowd_of(const sb_cuda_job &job, const sb_bands_shape &shape, int64_t systems, bool records,
               const int32_t *only)
{
    return {systems,
            0,
            shape.rows,
            0,
            shape.across,
            records,
            reinterpret_cast<unsigned long long *>(static_cast<char *>(job.scratch) + shape.zeros_at),
            only,
            only ? only + systems : nullptr};
}

cudaError_t launch(const sb_cuda_call *call, const sb_bands_shape &shape, const sb_cuda_job &job,
                   int64_t systems, bool records, const int32_t *only)
{
    const crowd all = crowd_of(job, shape, systems, records, only);
    if (systems == 0)
        return cudaSuccess;
    return shape.half == SB_BANDS_NARROW ? run<SB_BANDS_NARROW>(call, job, shape, all)
                                         : run<SB_BANDS_WIDE>(call, job, shape, all);
}

/* The way up alone says which matrices are singular. */
cudaError_t factor_as(const sb_cuda_call *call, const sb_bands_shape &shape, char *scratch)
{
    if (!call->job.n || !call->job.matrices)
        return settle_empty(call);
    const copies as = {sb_bands_stored_rows(call->setup)};
    store_matrices<<<8 * call->setup->device->processors, 256, 0, call->stream>>>(call->job, as);
    cudaError_t error = cudaGetLastError();
    sb_cuda_job job = stored_job(call);
    job.scratch = scratch;
    job.b = nullptr; /* factor_solve of a shared matrix comes here with its b and x */
    job.x = nullptr;
    return error ? error : launch(call, shape, job, job.matrices, true, nullptr);
}

cudaError_t factor(const sb_cuda_call *call)
{
    return factor_as(call, sb_bands_prepared(call->state), static_cast<char *>(call->job.scratch));
}

cudaError_t solve(const sb_cuda_call *call)
{
    return call->job.n ? launch(call, sb_bands_prepared(call->state), stored_job(call), call->job.systems,
                                false, nullptr)
                       : cudaSuccess;
}

cudaError_t factor_solve(const sb_cuda_call *call)
{
    return call->job.n
               ? launch(call, sb_bands_prepared(call->state), call->job, call->job.systems, true, nullptr)
               : settle_empty(call);
}

/* As much shared memory as there is, so that plans do not take from one another what they have asked for. */
template <int K> cudaError_t allow_all(const sb_cuda_device *device)
{
    const void *const kernels[] = {reinterpret_cast<const void *>(strips<K>::fold(false)),
                                   reinterpret_cast<const void *>(strips<K>::fold(true)),
                                   reinterpret_cast<const void *>(fold_links<K>),
                                   reinterpret_cast<const void *>(close_systems<K>),
                                   reinterpret_cast<const void *>(unfold_links<K>),
                                   reinterpret_cast<const void *>(strips<K>::finish(false)),
                                   reinterpret_cast<const void *>(strips<K>::finish(true))};
    cudaError_t error = cudaSuccess;
    for (const void *kernel : kernels)
        if (!error)
            error =
                cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, device->shared_block);
    return error;
}

cudaError_t ready(const sb_cuda_setup *setup, int64_t state[SB_CUDA_STATE])
{
    const sb_bands_shape shape = sb_bands_prepared(state);
    return SB_NAME(bands_ready)(setup, &shape);
}

} // namespace

cudaError_t SB_NAME(bands_ready)(const sb_cuda_setup *setup, const sb_bands_shape *shape)
{
    return shape->half == SB_BANDS_NARROW ? allow_all<SB_BANDS_NARROW>(setup->device)
                                          : allow_all<SB_BANDS_WIDE>(setup->device);
}

cudaError_t SB_NAME(bands_factor)(const sb_cuda_call *call, const sb_bands_shape *shape, char *scratch)
{
    return factor_as(call, *shape, scratch);
}

sb_cuda_job SB_NAME(bands_stored)(const sb_cuda_call *call)
{
    return stored_job(call);
}

cudaError_t SB_NAME(bands_solve)(const sb_cuda_call *call, const sb_bands_shape *shape, char *scratch,
                                 const int32_t *only, bool stored)
{
    sb_cuda_job job = stored ? stored_job(call) : call->job;
    job.scratch = scratch;
    return launch(call, *shape, job, job.systems, !stored, only);
}

cudaError_t SB_NAME(bands_between)(const sb_cuda_call *call, const sb_cuda_job *job,
                                   const sb_bands_shape *shape, bool records)
{
    const crowd all = crowd_of(*job, *shape, job->systems, records, nullptr);
    return shape->half == SB_BANDS_NARROW ? between<SB_BANDS_NARROW>(call, *job, *shape, all)
                                          : between<SB_BANDS_WIDE>(call, *job, *shape, all);
}

extern "C" const sb_cuda_launchers SB_NAME(cuda_bands) = {factor, solve, factor_solve, ready};
