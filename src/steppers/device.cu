/* Compiled for each type: SB_TYPE. */
#include "src/steppers/device.h"

#include "src/steppers/point.h"

namespace
{

/* AHEAD: points fetched at once on long runs, so that enough of memory is asked for at a time. */
enum { THREADS = 256, AHEAD = 4 };

/* Points i - 2 .. i + 2 of a line are v[0] .. v[4]. */
__device__ __forceinline__ T increment(const sb_device_lines &l, const T *v, T rate, T stiffness)
{
    if (l.law == SB_LAW_HEAT2)
        return rate * sb_bend(v[1], v[2], v[3]);
    if (l.law == SB_LAW_HEAT4)
        return sb_heat4(rate / 12, v[0], v[1], v[2], v[3], v[4]);
    bool cubic = l.law == SB_LAW_CUBIC;
    return rate * sb_bend(sb_potential(cubic, stiffness, v[0], v[1], v[2]),
                          sb_potential(cubic, stiffness, v[1], v[2], v[3]),
                          sb_potential(cubic, stiffness, v[2], v[3], v[4]));
}

/* The arrays of a line, each at its point 0; d and steady may be NULL. */
struct line_arrays {
    const T *SB_RESTRICT u, *SB_RESTRICT d, *SB_RESTRICT steady;
};

/* u + d - steady. */
__device__ __forceinline__ T value_at(const line_arrays &a, int64_t at)
{
    T value = a.d ? a.u[at] + a.d[at] : a.u[at];
    return a.steady ? value - a.steady[at] : value;
}

/* That of point j, or what stands for it beyond a wall. */
__device__ __forceinline__ T point(const sb_device_lines &l, const line_arrays &a, int64_t j)
{
    sb_image image = sb_fold(l.walls, l.centring, l.n, j);
    T value = value_at(a, image.row * l.stride);
    return image.sign == 1 ? value : image.sign ? -value : T(0);
}

/* Points from .. from + MANY - 1, all fetched before any is used; far from walls without a question. */
template <int MANY>
__device__ __forceinline__ void fetch(const sb_device_lines &l, const line_arrays &a, int64_t from, T v[MANY])
{
    if (from + MANY <= l.n) {
#pragma unroll
        for (int k = 0; k < MANY; ++k)
            v[k] = value_at(a, (from + k) * l.stride);
        return;
    }
#pragma unroll
    for (int k = 0; k < MANY; ++k)
        v[k] = from + k < l.n + 2 ? point(l, a, from + k) : T(0);
}

/* A thread marches along its run of a line; neighbouring threads have neighbouring lines, or where lines are contiguous
   neighbouring points of one. */
template <int MANY>
__global__ void __launch_bounds__(THREADS, 3)
    advance_lines(const __grid_constant__ sb_device_lines l, const __grid_constant__ sb_device_wave wave,
                  const T *SB_RESTRICT u, const T *SB_RESTRICT d, T *SB_RESTRICT sum, T *SB_RESTRICT next)
{
    int64_t thread = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    int64_t runs = (l.n + l.run - 1) / l.run, line = thread % l.across, rest = thread / l.across;
    int64_t first = rest % runs * l.run, group = rest / runs;
    if (group >= l.groups)
        return;
    int64_t offset = group * l.group_stride + line, end = first + l.run < l.n ? first + l.run : l.n;
    int64_t member = l.groups_of_member ? group / l.groups_of_member : line;
    T rate = static_cast<const T *>(l.rate)[member];
    T stiffness = l.stiffness ? static_cast<const T *>(l.stiffness)[member] : T(0);
    T force = wave.cosine ? static_cast<const T *>(l.force)[member] : T(0);
    T gain = l.gain ? static_cast<const T *>(l.gain)[member] : T(0);
    line_arrays a = {u + offset, d ? d + offset : d, nullptr};
    if (l.steady)
        a.steady = static_cast<const T *>(l.steady) + offset - member * l.groups_of_member * l.group_stride;
    T v[4 + MANY];
#pragma unroll
    for (int k = 0; k < 4; ++k)
        v[k] = point(l, a, first + k - 2);
    for (int64_t from = first; from < end; from += MANY) {
        fetch<MANY>(l, a, from + 2, v + 4);
#pragma unroll
        for (int k = 0; k < MANY; ++k) {
            int64_t i = from + k, at = i * l.stride;
            if (i >= end)
                break;
            T fresh = increment(l, v + k, rate, stiffness);
            if (wave.cosine)
                fresh += force * sb_phase(wave.cosine[i], wave.sine[i], wave.along, wave.across);
            next[offset + at] = l.gain ? fresh + gain : fresh;
            if (d)
                sum[offset + at] = a.steady ? a.u[at] + a.d[at] : v[k + 2];
        }
#pragma unroll
        for (int k = 0; k < 4; ++k)
            v[k] = v[k + MANY];
    }
}

__global__ void __launch_bounds__(THREADS) add_all(int64_t count, const T *SB_RESTRICT d, T *SB_RESTRICT u)
{
    int64_t i = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x;
    if (i < count)
        u[i] += d[i];
}

/* Numbers of `width` side by side, `from_line` and `from_column` apart, to others. */
struct move {
    int64_t height, width, from_line, from_column, to_line, to_column;
};

__global__ void __launch_bounds__(THREADS)
    move_all(const __grid_constant__ move m, const T *SB_RESTRICT from, T *SB_RESTRICT to)
{
    int64_t t = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x, i = t / m.width, j = t % m.width;
    if (i < m.height)
        to[i * m.to_line + j * m.to_column] = from[i * m.from_line + j * m.from_column];
}

/* blockDim: members x threads of each. */
__global__ void __launch_bounds__(THREADS)
    sum_members(const __grid_constant__ sb_device_members m, const T *SB_RESTRICT u, double *SB_RESTRICT sums)
{
    __shared__ double part[THREADS];
    int64_t member = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, slice = blockIdx.y;
    int64_t first = slice * m.points / m.slices, end = (slice + 1) * m.points / m.slices;
    double sum = 0;
    const T *at = u + member * m.member;
    for (int64_t i = first + threadIdx.y; member < m.members && i < end; i += blockDim.y) {
        double here = at[i * m.point];
        sum += m.gamma ? sb_energy_of(here, at[(i + 1 < m.points ? i + 1 : 0) * m.point], m.h, m.gamma[member])
                       : here;
    }
    part[threadIdx.y * blockDim.x + threadIdx.x] = sum;
    for (unsigned half = blockDim.y / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.y < half)
            part[threadIdx.y * blockDim.x + threadIdx.x] +=
                part[(threadIdx.y + half) * blockDim.x + threadIdx.x];
    }
    if (threadIdx.y == 0 && member < m.members)
        sums[member * m.slices + slice] = part[threadIdx.x];
}

unsigned blocks_for(int64_t threads)
{
    return static_cast<unsigned>((threads + THREADS - 1) / THREADS);
}

cudaError_t advance(const sb_device_lines *lines, const sb_device_wave *wave, const void *u, const void *d,
                    void *sum, void *next, cudaStream_t stream)
{
    int64_t threads = (lines->n + lines->run - 1) / lines->run * lines->across * lines->groups;
    auto kernel = lines->run >= AHEAD ? advance_lines<AHEAD> : advance_lines<1>;
    kernel<<<blocks_for(threads), THREADS, 0, stream>>>(*lines, *wave, static_cast<const T *>(u),
                                                        static_cast<const T *>(d), static_cast<T *>(sum),
                                                        static_cast<T *>(next));
    return cudaGetLastError();
}

cudaError_t add(int64_t count, const void *d, void *u, cudaStream_t stream)
{
    add_all<<<blocks_for(count), THREADS, 0, stream>>>(count, static_cast<const T *>(d), static_cast<T *>(u));
    return cudaGetLastError();
}

cudaError_t launch_move(move m, const void *from, void *to, cudaStream_t stream)
{
    move_all<<<blocks_for(m.height * m.width), THREADS, 0, stream>>>(m, static_cast<const T *>(from),
                                                                     static_cast<T *>(to));
    return cudaGetLastError();
}

cudaError_t interleave(int64_t n, int64_t members, int64_t pitch, const void *from, void *to,
                       cudaStream_t stream)
{
    return launch_move({n, members, 1, n, pitch, 1}, from, to, stream);
}

cudaError_t separate(int64_t n, int64_t members, int64_t pitch, const void *from, void *to, cudaStream_t stream)
{
    return launch_move({n, members, pitch, 1, 1, n}, from, to, stream);
}

cudaError_t repeat(int64_t n, int64_t width, const void *row, void *to, cudaStream_t stream)
{
    return launch_move({n, width, 0, 1, width, 1}, row, to, stream);
}

/* Members that lie side by side share a block. */
cudaError_t sums(const sb_device_members *members, const void *u, double *to, cudaStream_t stream)
{
    dim3 block = members->member == 1 ? dim3(32, THREADS / 32) : dim3(1, THREADS);
    dim3 grid(static_cast<unsigned>((members->members + block.x - 1) / block.x),
              static_cast<unsigned>(members->slices));
    sum_members<<<grid, block, 0, stream>>>(*members, static_cast<const T *>(u), to);
    return cudaGetLastError();
}

} // namespace

extern "C" const sb_device_kernels SB_NAME(device_kernels) = {advance, add, interleave, separate, repeat, sums};
