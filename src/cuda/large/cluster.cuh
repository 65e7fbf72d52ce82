/* The barrier of a cluster's blocks. Devices without clusters compile this, and are never asked for one. */
#ifndef SB_LARGE_CLUSTER_CUH
#define SB_LARGE_CLUSTER_CUH

namespace
{

__device__ __forceinline__ void cluster_arrive()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}

__device__ __forceinline__ void cluster_wait()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

} // namespace

#endif
