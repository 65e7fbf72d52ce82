/* Scalars that lanes pass to each other, and what is asked of many of them. */
#ifndef SB_CUDA_SCALARS_CUH
#define SB_CUDA_SCALARS_CUH

#include "src/chunk/scalar.h"

namespace
{

/* A scalar from another lane, of the same `width` lanes; lanes: those of the warp that take part. */
#if SB_COMPLEX
#define SB_SHUFFLE(name, how)                                                         \
    __device__ __forceinline__ T name(T a, int lane, int width, unsigned lanes = ~0u) \
    {                                                                                 \
        return T(how(lanes, a.re, lane, width), how(lanes, a.im, lane, width));       \
    }
#else
#define SB_SHUFFLE(name, how)                                                         \
    __device__ __forceinline__ T name(T a, int lane, int width, unsigned lanes = ~0u) \
    {                                                                                 \
        return how(lanes, a, lane, width);                                            \
    }
#endif
SB_SHUFFLE(sb_shuffle, __shfl_sync)
SB_SHUFFLE(sb_shuffle_up, __shfl_up_sync)
SB_SHUFFLE(sb_shuffle_down, __shfl_down_sync)
#undef SB_SHUFFLE

/* Of many values, whether any is NaN or Inf: the largest exponent so far. */
struct sb_exponent {
    unsigned largest = 0;

    __device__ __forceinline__ void see(float a)
    {
        largest = max(largest, __float_as_uint(a) & 0x7f800000u);
    }
    __device__ __forceinline__ void see(double a)
    {
        largest = max(largest, (unsigned)__double2hiint(a) & 0x7ff00000u);
    }
#if SB_COMPLEX
    __device__ __forceinline__ void see(T a)
    {
        see(a.re);
        see(a.im);
    }
#endif
    __device__ __forceinline__ bool broken() const
    {
        return largest == (sizeof(R) == 4 ? 0x7f800000u : 0x7ff00000u);
    }
};

} // namespace

#endif
