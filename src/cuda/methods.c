/* The methods that run on the GPU, one row each.
 * To add a method: its launchers (kernels/NAME.cu, and its line in src/CMakeLists.txt), its host side
 * (methods/NAME.c), a row here, an entry in docs/methods.md. */
#include "src/cuda/methods/methods.h"

static const char by_growth[] = "checked by element growth; pivoting auto falls back to pivoted_lu";
static const char bounded[] =
    "error bound computed in passing; where it is above rounding, partition solves again";
static const char always[] = "partial pivoting: safe for every nonsingular matrix";

const sb_method sb_cuda_methods[] = {
    {{"thomas", "cuda", "tridiagonal; one thread a system, best interleaved", by_growth, "",
      "Thomas 1949; cuThomasBatch in cupentbatch"},
     &sb_cuda_thomas_method},
    {{"lu", "cuda", "bands up to 4 + 4; one thread a system, best interleaved", by_growth, "",
      "Gaussian elimination; cuPentBatch in cupentbatch"},
     &sb_cuda_lu_method},
    {{"tile", "cuda", "tridiagonal and pentadiagonal, shared matrix; whole systems on chip", by_growth, "",
      "ours"},
     &sb_cuda_tile_method},
    {{"pivoted_lu", "cuda", "any band; one thread a system", always, "", "LAPACK's gttrf and gbtrf"},
     &sb_cuda_pivoted_lu_method},
    {{"partition", "cuda", "tridiagonal; one or a few large systems", always, "", "ours; S. J. Wright 1992"},
     &sb_cuda_partition_method},
    {{"truncated", "cuda", "tridiagonal; one large system whose couplings die away over a tile", bounded, "",
      "ours"},
     &sb_cuda_truncated_method},
};

const int sb_cuda_method_count = sizeof sb_cuda_methods / sizeof *sb_cuda_methods;
