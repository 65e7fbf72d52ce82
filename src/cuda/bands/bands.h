/* What other methods have bands.cu do for them, of one scalar type. */
#ifndef SB_BANDS_BANDS_H
#define SB_BANDS_BANDS_H

#include "src/chunk/scalar.h"
#include "src/cuda/bands/shape.h"

extern "C" {
cudaError_t SB_NAME(bands_ready)(const sb_cuda_setup *setup, const sb_bands_shape *shape);
/* Keeps matrices and says which are singular; scratch: its own, of that shape. */
cudaError_t SB_NAME(bands_factor)(const sb_cuda_call *call, const sb_bands_shape *shape, char *scratch);
/* The call's job with the matrices that it has kept. */
sb_cuda_job SB_NAME(bands_stored)(const sb_cuda_call *call);
/* Of these systems those that are told, one int each and behind them whether there are any; stored: of kept matrices. */
cudaError_t SB_NAME(bands_solve)(const sb_cuda_call *call, const sb_bands_shape *shape, char *scratch,
                                 const int32_t *only, bool stored);
/* Of links of strips that others have put where this shape has them, up and back to the states between the strips. The job's scratch,
   and records, as above; records: it tells of matrices. */
cudaError_t SB_NAME(bands_between)(const sb_cuda_call *call, const sb_cuda_job *job,
                                   const sb_bands_shape *shape, bool records);
}

#endif
