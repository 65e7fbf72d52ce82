/* Tridiagonal lines whose rows differ, a thread for each half of a line: inwards, where halves meet, and
 * outwards. 4 words a point: in, out, and in, out again. */
#include "src/cuda/shifted/launch.h"

namespace
{

enum { ahead = 16 }; /* rows whose loads are under way */

/* A half of a line, row 0 at its end. */
struct half {
    T *u; /* of row 0 */
    int64_t step, rows, stored;
    const T *outer, *inner, *pivot; /* couplings by row, in steps of `sign`; pivots of the stored rows */
    int sign;
};

struct rows {
    T value[ahead], pivot[ahead];
};

__device__ void fetch(const half &h, int64_t first, rows &r)
{
    const T *u = h.u + first * h.step, *pivot = h.pivot + first * SB_PIVOT_GROUP;
    if (first >= 0 && first + ahead <= h.rows) {
#pragma unroll
        for (int k = 0; k < ahead; ++k, u += h.step)
            r.value[k] = *u;
    } else {
#pragma unroll
        for (int k = 0; k < ahead; ++k)
            if (first + k >= 0 && first + k < h.rows)
                r.value[k] = u[k * h.step];
    }
    if (first >= 0 && first < h.stored) {
#pragma unroll
        for (int k = 0; k < ahead; ++k)
            r.pivot[k] =
                first + k < h.stored ? pivot[k * SB_PIVOT_GROUP] : h.pivot[(h.stored - 1) * SB_PIVOT_GROUP];
    }
}

/* Returns the eliminated last row, 0 where there is none. */
__device__ T inwards(const half &h, T converged)
{
    rows now, next;
    T y = 0;
    fetch(h, 0, next);
    for (int64_t first = 0; first < h.rows; first += ahead) {
        now = next;
        fetch(h, first + ahead, next);
        T *u = h.u + first * h.step;
#pragma unroll
        for (int k = 0; k < ahead; ++k, u += h.step) {
            if (first + k < h.rows) {
                T w = first < h.stored ? now.pivot[k] : converged;
                *u = y = now.value[k] * w - __ldg(h.outer + (first + k) * h.sign) * w * y;
            }
        }
    }
    return y;
}

__device__ void outwards(const half &h, T converged, T x)
{
    rows now, next;
    int64_t first = (h.rows - 1) / ahead * ahead;
    if (h.rows > 0)
        fetch(h, first, next);
    for (; first >= 0 && h.rows > 0; first -= ahead) {
        now = next;
        if (first > 0)
            fetch(h, first - ahead, next);
        T *u = h.u + (first + ahead - 1) * h.step;
#pragma unroll
        for (int k = ahead - 1; k >= 0; --k, u -= h.step) {
            if (first + k < h.rows) {
                T w = first < h.stored ? now.pivot[k] : converged;
                *u = x = now.value[k] - __ldg(h.inner + (first + k) * h.sign) * w * x;
            }
        }
    }
}

__device__ half half_of(const sb_cuda_lines &l, int which, int64_t group, int lane, T *u)
{
    int64_t begin = l.row[2 * group + which], end = l.row[2 * group + which + 1], last = l.n - 1;
    half h;
    h.u = which ? u + last * l.after : u;
    h.step = which ? -l.after : l.after;
    h.rows = which ? last - l.n / 2 : l.n / 2;
    h.stored = end - begin;
    h.outer = which ? l.upper + last : l.lower;
    h.inner = which ? l.lower + last : l.upper;
    h.pivot = l.table + begin * SB_PIVOT_GROUP + lane;
    h.sign = which ? -1 : 1;
    return h;
}

/* Two warps: the upper and the lower halves of a group of lines. */
__global__ void __launch_bounds__(2 * SB_PIVOT_GROUP) solve(const __grid_constant__ sb_cuda_lines l, T *u)
{
    __shared__ T end[2][SB_PIVOT_GROUP];
    int lane = static_cast<int>(threadIdx.x) % SB_PIVOT_GROUP,
        which = static_cast<int>(threadIdx.x) / SB_PIVOT_GROUP;
    int64_t group = blockIdx.x, mode = group * SB_PIVOT_GROUP + lane, middle = l.n / 2;
    bool there = mode < l.modes;
    T pivot = there ? l.middle[mode] : T(0);
    for (int64_t field = blockIdx.y; field < l.fields; field += gridDim.y) {
        T *line = u + field * l.modes * l.n + mode / l.after * l.after * l.n + mode % l.after, f = 0;
        half h = half_of(l, which, group, lane, line);
        T converged = h.stored > 0 ? h.pivot[(h.stored - 1) * SB_PIVOT_GROUP] : T(0);
        if (there) {
            end[which][lane] = inwards(h, converged);
            f = h.u[h.rows * h.step]; /* of the row between the halves */
        }
        __syncthreads();
        T x = (f - l.lower[middle] * end[0][lane] - l.upper[middle] * end[1][lane]) * pivot;
        if (there) {
            outwards(h, converged, x);
            if (which == 0)
                h.u[h.rows * h.step] = x;
        }
        __syncthreads();
    }
}

} // namespace

extern "C" cudaError_t SB_NAME(shifted_lines)(const sb_cuda_lines *l, T *u, cudaStream_t stream)
{
    constexpr int64_t most_fields = 65535;
    int64_t groups = (l->modes + SB_PIVOT_GROUP - 1) / SB_PIVOT_GROUP;
    unsigned fields = static_cast<unsigned>(l->fields < most_fields ? l->fields : most_fields);
    solve<<<dim3(static_cast<unsigned>(groups), fields), 2 * SB_PIVOT_GROUP, 0, stream>>>(*l, u);
    return cudaGetLastError();
}
