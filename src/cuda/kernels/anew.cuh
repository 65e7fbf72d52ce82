/* Numbers of which nothing that is computed is worth keeping. */
#ifndef SB_CUDA_ANEW_CUH
#define SB_CUDA_ANEW_CUH

namespace
{

/* The same number, but what follows from it is computed where it is used, not once before a loop: registers are worth more. */
__device__ __forceinline__ int sb_anew(int a)
{
    asm volatile("" : "+r"(a));
    return a;
}

} // namespace

#endif
