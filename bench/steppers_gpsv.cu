/* Compiled for f64 and, with SB_SINGLE, for f32. */
#include "bench/steppers_gpsv.h"

#if SB_SINGLE
typedef float T;
#define KERNELS sb_gpsv_kernels_f32
#else
typedef double T;
#define KERNELS sb_gpsv_kernels_f64
#endif

namespace
{

enum { THREADS = 256 };

__global__ void __launch_bounds__(THREADS) form_rows(const sb_gpsv_ring r)
{
    int64_t t = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x, i = t / r.members, j = t % r.members;
    if (i >= r.n)
        return;
    const T *c = static_cast<const T *>(r.c) + j;
    T s = static_cast<const T *>(r.sigma)[j * r.own];
    int64_t lo = i > 0 ? i - 1 : r.n - 1, lo2 = lo > 0 ? lo - 1 : r.n - 1, hi = i + 1 < r.n ? i + 1 : 0,
            hi2 = hi + 1 < r.n ? hi + 1 : 0, step = r.members;
    static_cast<T *>(r.x)[t] =
        (1 - 6 * s) * c[i * step] + 4 * s * (c[lo * step] + c[hi * step]) - s * (c[lo2 * step] + c[hi2 * step]);
    if (i >= r.n - 2)
        return;
    const T row[5] = {i < 2 ? T(0) : s, i < 1 ? T(0) : -4 * s, 1 + 6 * s, i >= r.n - 3 ? T(0) : -4 * s,
                      i >= r.n - 4 ? T(0) : s};
    for (int k = 0; k < 5; ++k)
        static_cast<T *>(r.diagonal[k])[t] = row[k];
}

__global__ void __launch_bounds__(THREADS) close_rows(const sb_gpsv_ring r)
{
    int64_t t = static_cast<int64_t>(blockIdx.x) * THREADS + threadIdx.x, i = t / r.members, j = t % r.members;
    if (i >= r.n)
        return;
    const T *x = static_cast<const T *>(r.x) + j, *q = static_cast<const T *>(r.inverse) + 4 * j * r.own;
    T s = static_cast<const T *>(r.sigma)[j * r.own];
    int64_t step = r.members, last = r.n - 3;
    T f = x[(r.n - 2) * step] - s * (x[0] + x[(last - 1) * step] - 4 * x[last * step]);
    T g = x[(r.n - 1) * step] - s * (x[last * step] + x[step] - 4 * x[0]);
    T y = q[0] * f + q[1] * g, z = q[2] * f + q[3] * g;
    int64_t at = r.own ? t : i;
    static_cast<T *>(r.c)[t] = i == r.n - 2   ? y
                               : i == r.n - 1 ? z
                                              : x[i * step] - static_cast<const T *>(r.w[0])[at] * y -
                                                    static_cast<const T *>(r.w[1])[at] * z;
}

unsigned blocks(const sb_gpsv_ring *r)
{
    return static_cast<unsigned>((r->n * r->members + THREADS - 1) / THREADS);
}

cudaError_t form(const sb_gpsv_ring *r)
{
    form_rows<<<blocks(r), THREADS>>>(*r);
    return cudaGetLastError();
}

cudaError_t close(const sb_gpsv_ring *r)
{
    close_rows<<<blocks(r), THREADS>>>(*r);
    return cudaGetLastError();
}

} // namespace

extern "C" const sb_gpsv_kernels KERNELS = {form, close};
