/* Plans on an NVIDIA GPU.
 *
 * The same problems, plans and calls; diagonals, b and x are then pointers to the device's memory. Every call
 * that computes puts its work on the executor's stream and returns: slimband_factor, _solve and the rest allocate
 * nothing, wait for nothing and copy nothing to or from the host, so that they can be captured in a CUDA graph
 * and replayed. The arrays must stay until the work is done, and be
 * aligned to their elements (16 bytes for c128).
 *
 * Failure: SLIMBAND_OK from such a call says that the work was queued. What became of the systems is kept on the
 * device: slimband_cuda_wait, slimband_plan_report and slimband_system_status wait for the stream and tell.
 * A failed system's unknowns are NaN, as on the CPU.
 *
 * Threads: one plan may be used by one thread at a time, and its work runs on its one stream; plans of different
 * threads and streams do not touch one another. A call leaves the thread's current device as it was. */
#ifndef SLIMBAND_CUDA_H
#define SLIMBAND_CUDA_H

#include "slimband/executor.h"
#include "slimband/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st; /* cudaStream_t is a pointer to it; so no header of CUDA's is needed here */

/* Device number `device`, work on `stream` (NULL: the default stream), a live stream of that device: CUDA itself
   cannot tell one that was destroyed. Creating a plan checks the rest: NOT_BUILT_IN when the library was built without
   CUDA, NO_DEVICE, BAD_STREAM for another device's stream or one that is being captured. place_data is the stream. */
SLIMBAND_API slimband_executor slimband_cuda(int device, struct CUstream_st *stream);

/* Bytes of device memory that a plan would need, for slimband_cuda_plan_create. Errors as there. */
SLIMBAND_API slimband_status slimband_cuda_workspace(const slimband_problem *problem,
                                                     slimband_executor executor, const char *method,
                                                     size_t *bytes);

/* slimband_plan_create in device memory of the caller's, aligned to 256 bytes, which must stay and not be touched
   until the plan is destroyed. Creating a plan queues work on the stream and may wait for it. */
SLIMBAND_API slimband_status slimband_cuda_plan_create(slimband_plan **plan, const slimband_problem *problem,
                                                       slimband_executor executor, const char *method,
                                                       void *workspace, size_t bytes);

/* Wait for the plan's stream; the status that the last call would have returned on the CPU: that of the
   lowest-numbered failed system, or DEVICE_FAILED. */
SLIMBAND_API slimband_status slimband_cuda_wait(const slimband_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
