/* Solves with the columns of lu.cuh. `column` may be another system's too, where matrices are shared. */
#ifndef SB_CUDA_LU_SOLVE_CUH
#define SB_CUDA_LU_SOLVE_CUH

#include "src/cuda/kernels/lu.cuh"

namespace
{

/* Rings have six sweeps, which take 2 % longer so (of one tridiagonal matrix 5 %); complex doubles a tenth less to 3 % longer. */
template <bool RING> constexpr bool sb_calls = RING || sizeof(T) == 16;

/* A system on its way. n is 0 for lanes without one. */
template <int K, bool RING> struct sb_solving {
    const sb_cuda_job &job;
    sb_window<SB_ROWS> &window;
    const sb_column<K> &column;
    int64_t n, inner;
    sb_gpu_line<const T> b;
    sb_gpu_line<T> x;
    bool b_along, x_along;
    mutable bool finite;

    __device__ sb_gpu_line<const T> x_read() const
    {
        return {x.at, x.step, x.begin, x.end};
    }
    __device__ T given(T value) const
    {
        return job.conjugate ? sb_conj(value) : value;
    }
    __device__ T answer(T value) const
    {
        finite = finite && sb_finite(value);
        return given(value);
    }
};

template <int K> __device__ __forceinline__ void sb_push(T (&last)[K], T value)
{
#pragma unroll
    for (int k = K - 1; k > 0; --k)
        last[k] = last[k - 1];
    last[0] = value;
}

template <int K> __device__ __forceinline__ void sb_clear(T (&last)[K])
{
#pragma unroll
    for (int k = 0; k < K; ++k)
        last[k] = 0;
}

/* x = A11^-1 b, the border's unknowns copied. */
template <int K, bool RING> __device__ void sb_substitute(const sb_solving<K, RING> &s)
{
    T last[K];
    const int64_t pitch = s.column.map.pitch, step = s.column.WIDTH * pitch;
    const T *row = &s.column.entry(0, 0); /* its pivot */
    sb_clear(last);
    sb_sweep_up<sb_calls<RING>>(s.window, s.b, s.b_along, s.x, s.x_along, [&](int64_t i, T value) {
        T y = s.given(value);
        if (i < s.inner) {
#pragma unroll
            for (int k = K; k > 0; --k)
                y -= row[-k * pitch] * last[k - 1];
            sb_push(last, y);
            row += step;
        }
        return y;
    });
    sb_clear(last);
    sb_sweep_down<sb_calls<RING>>(s.window, s.x_read(), s.x_along, s.x, s.x_along, [&](int64_t i, T y) {
        if (i < s.inner) {
            row -= step;
#pragma unroll
            for (int k = K; k > 0; --k)
                y -= row[k * pitch] * last[k - 1];
            y *= row[0];
            sb_push(last, y);
        }
        return RING ? y : s.answer(y);
    });
}

/* x = A11^-T in; U of the rows above, then L of the rows below. */
template <int K, bool RING>
__device__ void sb_substitute_transposed(const sb_solving<K, RING> &s, sb_gpu_line<const T> in, bool along,
                                         bool given)
{
    T last[K];
    const int64_t pitch = s.column.map.pitch, step = s.column.WIDTH * pitch;
    const T *row = &s.column.entry(0, 0);
    sb_clear(last);
    sb_sweep_up<sb_calls<RING>>(s.window, in, along, s.x, s.x_along, [&](int64_t i, T value) {
        T y = given ? s.given(value) : value;
        if (i < s.inner) {
#pragma unroll
            for (int k = K; k > 0; --k)
                if (k <= i)
                    y -= row[k * (pitch - step)] * last[k - 1];
            y *= row[0];
            sb_push(last, y);
            row += step;
        }
        return y;
    });
    sb_clear(last);
    sb_sweep_down<sb_calls<RING>>(s.window, s.x_read(), s.x_along, s.x, s.x_along, [&](int64_t i, T y) {
        if (i < s.inner) {
            row -= step;
#pragma unroll
            for (int k = K; k > 0; --k)
                if (k < s.inner - i)
                    y -= row[k * (step - pitch)] * last[k - 1];
            sb_push(last, y);
        }
        return s.answer(y);
    });
}

/* S x2 = b2 - A21 y, x1 = y - W x2. */
template <int K, bool RING> __device__ void sb_close(const sb_solving<K, RING> &s)
{
    T border[K];
    sb_clear(border);
    if (s.n) {
        sb_solve_border(s.column.border(s.inner), s.x.at, s.x.step);
#pragma unroll
        for (int r = 0; r < K; ++r)
            border[r] = s.x.at[(s.inner + r) * s.x.step];
    }
    __syncwarp();
    const int64_t pitch = s.column.map.pitch;
    const T *spikes = &s.column.spike(0, 0);
    sb_sweep_up<sb_calls<RING>>(s.window, s.x_read(), s.x_along, s.x, s.x_along, [&](int64_t i, T y) {
        if (i < s.inner) {
#pragma unroll
            for (int c = 0; c < K; ++c)
                y -= spikes[c * pitch] * border[c];
            spikes += K * pitch;
        }
        return s.answer(y);
    });
}

/* x2 = S^-T (b2 - W^T b1) and b1 - A21^T x2, left in x. */
template <int K, bool RING> __device__ void sb_open(const sb_solving<K, RING> &s)
{
    T border[K];
    sb_clear(border);
    const int64_t pitch = s.column.map.pitch;
    const T *spikes = &s.column.spike(0, 0);
    sb_sweep_up<sb_calls<RING>>(s.window, s.b, s.b_along, s.x, s.x_along, [&](int64_t i, T value) {
        T y = s.given(value);
        if (i < s.inner) {
#pragma unroll
            for (int c = 0; c < K; ++c)
                border[c] -= spikes[c * pitch] * y;
            spikes += K * pitch;
        }
        return y;
    });
    if (s.n) {
#pragma unroll
        for (int r = 0; r < K; ++r)
            s.x.at[(s.inner + r) * s.x.step] += border[r];
        sb_solve_border_transposed(s.column.border(s.inner), s.x.at, s.x.step);
    }
    __syncwarp();
}

/* Solves the lane's system, if n is not 0, with all lanes of the warp. Returns its record. */
template <int K, bool RING>
__device__ sb_cuda_outcome sb_solve_column(const sb_cuda_job &job, sb_window<SB_ROWS> &window, int64_t system,
                                           int64_t n, const sb_column<K> &column)
{
    sb_solving<K, RING> s = {job,
                             window,
                             column,
                             n,
                             RING && n ? n - K : n,
                             sb_rhs_line(job, system, n),
                             sb_solution_line(job, system, n),
                             sb_runs_along(job, job.b_at),
                             sb_runs_along(job, job.x_at),
                             true};
    if (!job.transposed) {
        sb_substitute(s);
        if (RING)
            sb_close(s);
    } else if (RING) {
        sb_open(s);
        sb_substitute_transposed(s, s.x_read(), s.x_along, false);
    } else
        sb_substitute_transposed(s, s.b, s.b_along, true);
    return s.finite ? SB_CUDA_GOOD : sb_cuda_failure(SLIMBAND_SOLUTION_NOT_FINITE, -1);
}

} // namespace

#endif
