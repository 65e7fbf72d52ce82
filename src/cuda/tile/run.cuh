/* Lines one after another: where they are, and how the copy engine takes them. */
#ifndef SB_CUDA_TILE_RUN_CUH
#define SB_CUDA_TILE_RUN_CUH

#include "src/chunk/scalar.h"
#include "src/cuda/kernels/bulk.cuh"
#include "src/cuda/tile/strided.h"

namespace
{

/* Lines are counted along the columns first, then along the outer dimensions. */
__device__ __forceinline__ int64_t sb_tile_offset(const sb_tile_grid &grid, const sb_tile_line &at, int line)
{
    if (grid.single)
        return line * at.column;
    int extent = (int)grid.extent, column = line % extent, rest = line / extent;
    return column * at.column + rest % grid.outer[0] * at.outer[0] + rest / grid.outer[0] * at.outer[1];
}

/* Of the system. */
__device__ __forceinline__ int64_t sb_tile_number(const sb_tile_grid &grid, int line)
{
    if (grid.single)
        return line * grid.number[0];
    int extent = (int)grid.extent, column = line % extent, rest = line / extent;
    return column * grid.number[0] + rest % grid.outer[0] * grid.number[1] +
           rest / grid.outer[0] * grid.number[2];
}

/* Of an array, up to the end of its last line, strides being positive or 0. */
__device__ __forceinline__ int64_t sb_tile_elements(const sb_tile_grid &grid, const sb_tile_line &at, int n)
{
    return (grid.extent - 1) * at.column + (grid.outer[0] - 1) * at.outer[0] +
           (grid.outer[1] - 1) * at.outer[1] + n;
}

/* A run as the engine takes it: rounded out to pieces of 16 bytes, but for those that the array does not fill. */
struct sb_tile_run {
    const T *first, *begin, *end, *last; /* the run; the pieces */
    T *to;                               /* where *first goes */

    __device__ __forceinline__ uint32_t bytes() const
    {
        return begin < end ? static_cast<uint32_t>((end - begin) * sizeof(T)) : 0;
    }
    /* What the engine leaves out at the ends of an array. */
    __device__ __forceinline__ void mend() const
    {
        for (const T *at = first; at < begin && at < last; ++at)
            to[at - first] = *at;
        for (const T *at = end < begin ? begin : end; at < last; ++at)
            to[at - first] = *at;
    }
};

__device__ __forceinline__ sb_tile_run sb_tile_run_of(const T *first, int length, const T *array,
                                                      int64_t elements, T *to)
{
    const uintptr_t piece = 16;
    const T *last = first + length;
    uintptr_t begin = reinterpret_cast<uintptr_t>(first) & ~(piece - 1),
              end = (reinterpret_cast<uintptr_t>(last) + piece - 1) & ~(piece - 1);
    if (begin < reinterpret_cast<uintptr_t>(array))
        begin += piece;
    if (end > reinterpret_cast<uintptr_t>(array + elements))
        end -= piece;
    return {first, reinterpret_cast<const T *>(begin), reinterpret_cast<const T *>(end), last, to};
}

/* A run from shared memory to where it stands alike within 16 bytes: whole pieces by the engine, what is left at both ends by this
 * thread. */
__device__ __forceinline__ void sb_tile_store_run(T *to, const T *from, int length)
{
    constexpr int PIECE = 16 / sizeof(T);
    const int off = static_cast<int>(reinterpret_cast<uintptr_t>(to) / sizeof(T) % PIECE),
              begin = off == 0 ? 0 : min(PIECE - off, length), end = length - (length - begin) % PIECE;
    if (end > begin)
        sb_bulk_store_run(to + begin, from + begin, (end - begin) * sizeof(T));
#pragma unroll
    for (int i = 0; i < PIECE - 1; ++i) {
        if (i < begin)
            to[i] = from[i];
        if (end + i < length)
            to[end + i] = from[end + i];
    }
}

} // namespace

#endif
