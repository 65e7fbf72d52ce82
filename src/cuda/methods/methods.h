/* The methods' own parts, for the table in methods.c. */
#ifndef SB_CUDA_METHODS_H
#define SB_CUDA_METHODS_H

#include "src/cuda/method.h"

extern const sb_cuda_method sb_cuda_thomas_method, sb_cuda_lu_method, sb_cuda_pivoted_lu_method,
    sb_cuda_partition_method, sb_cuda_truncated_method, sb_cuda_tile_method, sb_cuda_cr_method,
    sb_cuda_pcr_method, sb_cuda_pcr_thomas_method, sb_cuda_wang_mou_method, sb_cuda_tpr_method,
    sb_cuda_cr_toeplitz_method, sb_cuda_bands_method, sb_cuda_bands_plain_method, sb_cuda_abreast_method,
    sb_cuda_abreast_penta_method, sb_cuda_along_penta_method, sb_cuda_pieces_method, sb_cuda_short_method;

#endif
