/* A GPU: copies of the arrays go there, the solution comes back. */
#include "tests/accuracy/place.h"

#include <cuda_runtime_api.h>

#include "slimband/cuda.h"

const char place_name[] = "cuda";

const char *place_missing(void)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    return error ? cudaGetErrorString(error) : count == 0 ? "no CUDA device" : NULL;
}

slimband_executor place_executor(void)
{
    return slimband_cuda(0, NULL);
}

slimband_status place_solve(slimband_plan *plan, const slimband_problem *p, const void *const *diagonals,
                            int64_t entries, void *x)
{
    enum { DIAGONALS = 3 };
    size_t size = p->scalar == SLIMBAND_F32 ? sizeof(float) : sizeof(double);
    size_t bytes = (size_t)entries * size, bytes_x = (size_t)p->n * size;
    char *memory;
    if (cudaMalloc((void **)&memory, DIAGONALS * bytes + bytes_x))
        return SLIMBAND_DEVICE_FAILED;
    const void *there[DIAGONALS];
    char *x_there = memory + DIAGONALS * bytes;
    bool copied = !cudaMemcpy(x_there, x, bytes_x, cudaMemcpyHostToDevice);
    for (int d = 0; d < DIAGONALS; ++d) {
        there[d] = memory + (size_t)d * bytes;
        copied &= !cudaMemcpy(memory + (size_t)d * bytes, diagonals[d], bytes, cudaMemcpyHostToDevice);
    }
    slimband_status status =
        copied ? slimband_factor_solve(plan, there, x_there, x_there) : SLIMBAND_DEVICE_FAILED;
    if (!status)
        status = slimband_cuda_wait(plan);
    if (cudaMemcpy(x, x_there, bytes_x, cudaMemcpyDeviceToHost))
        status = SLIMBAND_DEVICE_FAILED;
    cudaFree(memory);
    return status;
}
