/* A warp's window on 32 lines: ROWS rows of each, in shared memory. Where consecutive elements of a line lie side
 * by side, lanes fetch along the lines; otherwise each lane fetches its own line, and neighbouring lines are what
 * lies side by side. Either way what is asked for between two waits is under way together. */
#ifndef SB_CUDA_WINDOW_CUH
#define SB_CUDA_WINDOW_CUH

#include "src/cuda/kernels/view.cuh"

namespace
{

/* Rows of a window: few, so that many warps have room, or 128 bytes of each line (64 in f32), which is what memory likes to be asked for
   where lines are what lies side by side. */
enum { SB_WARP = 32, SB_ROWS = 8, SB_ROWS_ALONG = sizeof(T) == 16 ? SB_ROWS : 2 * SB_ROWS };

/* Blocks of a warp that a processor is to have room for, of kernels that need many registers: told of none, the compiler has 32 of them
   share what there are, and keeps what is left over in memory. */
enum { SB_FEW_WARPS = 8 };

/* So far apart those of the lanes that fetch along lines whose 128 bytes go to memory together hit different banks; of complex doubles
   further, for a fifth warp that has room then is but in the way of four (a sixth more time). */
template <int ROWS> using sb_window = T[ROWS][SB_WARP + (sizeof(T) == 16 ? 32 : 128 / sizeof(T)) / ROWS];

/* A line as its lane sees it: rows begin .. end - 1 of it may be touched, the others read as 0. */
template <class P> struct sb_gpu_line {
    P *at;
    int64_t step, begin, end;
};

__device__ __forceinline__ int sb_lane()
{
    return threadIdx.x % SB_WARP;
}

template <class P> __device__ __forceinline__ P *sb_line_of_lane(P *at, int lane)
{
    return reinterpret_cast<P *>(__shfl_sync(~0u, reinterpret_cast<unsigned long long>(at), lane));
}

/* Rows of a window that a line has, first .. last - 1, of those that begin at `from`. */
struct sb_rows {
    int first, last;
};

template <int ROWS, class P>
__device__ __forceinline__ sb_rows sb_rows_from(const sb_gpu_line<P> &line, int64_t from)
{
    int64_t first = line.begin - from, last = line.end - from;
    return {first < 0      ? 0
            : first > ROWS ? ROWS
                           : static_cast<int>(first),
            last < 0      ? 0
            : last > ROWS ? ROWS
                          : static_cast<int>(last)};
}

/* Along lines, a lane moves one row of ROWS lines: that of this owner in step p. */
template <int ROWS> __device__ __forceinline__ int sb_owner(int p)
{
    return sb_lane() / ROWS + p * (SB_WARP / ROWS);
}

__device__ __forceinline__ bool sb_has_row(sb_rows mine, int owner, int row)
{
    int both = __shfl_sync(~0u, mine.first | mine.last << 8, owner);
    return row >= (both & 255) && row < both >> 8;
}

/* A scalar to shared memory, or of 0 bytes 0, where nothing is read. */
__device__ __forceinline__ void sb_ask_bytes(T *to, const T *from, int bytes)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "n"(sizeof(T)), "r"(bytes)
                 : "memory");
}

__device__ __forceinline__ void sb_ask(T *to, const T *from, bool there)
{
    sb_ask_bytes(to, from, there ? static_cast<int>(sizeof(T)) : 0);
}

/* What this lane has asked for is there. */
__device__ __forceinline__ void sb_asked_for()
{
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/* Asks for the rows from .. from + ROWS - 1 of all lines. All lanes of the warp take part. */
template <int ROWS>
__device__ __forceinline__ void sb_ask_for(sb_window<ROWS> &window, sb_gpu_line<const T> line, int64_t from,
                                           bool along)
{
    sb_rows mine = sb_rows_from<ROWS>(line, from);
    const T *at = line.at + from * line.step;
    if (along) {
        int row = sb_lane() % ROWS;
#pragma unroll
        for (int p = 0; p < ROWS; ++p) {
            int owner = sb_owner<ROWS>(p);
            const T *other = sb_line_of_lane(at, owner);
            sb_ask(&window[row][owner], other + row * line.step, sb_has_row(mine, owner, row));
        }
    } else {
#pragma unroll
        for (int row = 0; row < ROWS; ++row, at += line.step)
            sb_ask(&window[row][sb_lane()], at, row >= mine.first && row < mine.last);
    }
}

/* What all lanes have asked for is there. */
__device__ __forceinline__ void sb_arrived()
{
    sb_asked_for();
    __syncwarp();
}

template <int ROWS>
__device__ __forceinline__ void sb_fetch(sb_window<ROWS> &window, sb_gpu_line<const T> line, int64_t from,
                                         bool along)
{
    sb_ask_for(window, line, from, along);
    sb_arrived();
}

template <int ROWS>
__device__ __forceinline__ void sb_store(const sb_window<ROWS> &window, sb_gpu_line<T> line, int64_t from,
                                         bool along)
{
    sb_rows mine = sb_rows_from<ROWS>(line, from);
    T *at = line.at + from * line.step;
    __syncwarp();
    if (along) {
        int row = sb_lane() % ROWS;
#pragma unroll
        for (int p = 0; p < ROWS; ++p) {
            int owner = sb_owner<ROWS>(p);
            T *other = sb_line_of_lane(at, owner);
            if (sb_has_row(mine, owner, row))
                other[row * line.step] = window[row][owner];
        }
    } else {
#pragma unroll
        for (int row = 0; row < ROWS; ++row, at += line.step)
            if (row >= mine.first && row < mine.last)
                *at = window[row][sb_lane()];
    }
    __syncwarp();
}

/* Are neighbours along a line nearer to each other than neighbouring lines are? */
__host__ __device__ __forceinline__ bool sb_runs_along(const sb_cuda_job &job, const slimband_layout &at)
{
    int64_t between = 0;
#pragma unroll
    for (int d = 0; d < SLIMBAND_MAX_BATCH_RANK; ++d)
        between = d < job.rank && at.batch[d] != 0 ? at.batch[d] : between;
    return job.offsets || at.line < between;
}

/* b's and x's line of a system; n: its length, or 0 to leave it alone. */
__device__ __forceinline__ sb_gpu_line<const T> sb_rhs_line(const sb_cuda_job &job, int64_t system, int64_t n)
{
    const T *b = static_cast<const T *>(job.b);
    return {n ? b + sb_line_of(job, job.b_at, system) : b, job.b_at.line, 0, n};
}

__device__ __forceinline__ sb_gpu_line<T> sb_solution_line(const sb_cuda_job &job, int64_t system, int64_t n)
{
    T *x = static_cast<T *>(job.x);
    return {n ? x + sb_line_of(job, job.x_at, system) : x, job.x_at.line, 0, n};
}

/* The warp's longest line. */
__device__ __forceinline__ int64_t sb_longest_of_warp(int64_t n)
{
    for (int distance = SB_WARP / 2; distance > 0; distance /= 2) {
        int64_t other = __shfl_xor_sync(~0u, n, distance);
        n = other > n ? other : n;
    }
    return n;
}

/* Not inlined, for kernels of many sweeps, which are long to compile. */
template <int ROWS>
__device__ __noinline__ void sb_call_fetch(sb_window<ROWS> &window, sb_gpu_line<const T> line, int64_t from,
                                           bool along)
{
    sb_fetch(window, line, from, along);
}

template <int ROWS>
__device__ __noinline__ void sb_call_store(const sb_window<ROWS> &window, sb_gpu_line<T> line, int64_t from,
                                           bool along)
{
    sb_store(window, line, from, along);
}

/* Rows upwards or downwards: what `step(i, value)` makes of `in` goes to `out`, window by window. The two may be the
   same line. CALLS: whether windows are moved by calls, which takes up to a tenth longer. */
template <bool CALLS, int ROWS, class F>
__device__ __forceinline__ void sb_sweep_up(sb_window<ROWS> &window, sb_gpu_line<const T> in, bool in_along,
                                            sb_gpu_line<T> out, bool out_along, F step)
{
    int64_t longest = sb_longest_of_warp(in.end);
    for (int64_t from = 0; from < longest; from += ROWS) {
        CALLS ? sb_call_fetch(window, in, from, in_along) : sb_fetch(window, in, from, in_along);
        int last = sb_rows_from<ROWS>(in, from).last;
#pragma unroll 4
        for (int row = 0; row < ROWS; ++row)
            if (row < last)
                window[row][sb_lane()] = step(from + row, window[row][sb_lane()]);
        CALLS ? sb_call_store(window, out, from, out_along) : sb_store(window, out, from, out_along);
    }
}

template <bool CALLS, int ROWS, class F>
__device__ __forceinline__ void sb_sweep_down(sb_window<ROWS> &window, sb_gpu_line<const T> in, bool in_along,
                                              sb_gpu_line<T> out, bool out_along, F step)
{
    int64_t longest = sb_longest_of_warp(in.end);
    for (int64_t from = (longest - 1) / ROWS * ROWS; from >= 0 && longest > 0; from -= ROWS) {
        CALLS ? sb_call_fetch(window, in, from, in_along) : sb_fetch(window, in, from, in_along);
        int last = sb_rows_from<ROWS>(in, from).last;
#pragma unroll 4
        for (int row = ROWS - 1; row >= 0; --row)
            if (row < last)
                window[row][sb_lane()] = step(from + row, window[row][sb_lane()]);
        CALLS ? sb_call_store(window, out, from, out_along) : sb_store(window, out, from, out_along);
    }
}

} // namespace

#endif
