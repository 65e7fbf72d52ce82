/* The methods that run on the GPU, one row each.
 * To add a method: its launchers (kernels/NAME.cu, and its line in src/CMakeLists.txt), its host side
 * (methods/NAME.c), a row here, an entry in docs/methods.md. */
#include "src/cuda/methods/methods.h"

static const char by_growth[] = "checked by element growth; pivoting auto falls back to pivoted_lu";
static const char bounded[] =
    "error bound computed in passing; where it is above rounding, partition solves again";
static const char by_dominance[] = "stable for dominant matrices; pivoting auto pivots the others";
static const char by_margin[] =
    "stable for matrices dominant by a margin of 1 %; pivoting auto pivots the others";
static const char always_stable[] =
    "partial pivoting, of wider bands orthogonal elimination: safe for every nonsingular matrix";
static const char always[] = "partial pivoting: safe for every nonsingular matrix";

const sb_method sb_cuda_methods[] = {
    {{"thomas", "cuda", "tridiagonal; one thread a system, best interleaved", by_growth, "",
      "Thomas 1949; cuThomasBatch in cupentbatch"},
     &sb_cuda_thomas_method},
    {{"lu", "cuda", "bands up to 4 + 4; one thread a system, best interleaved", by_growth, "",
      "Gaussian elimination; cuPentBatch in cupentbatch"},
     &sb_cuda_lu_method},
    {{"tile", "cuda",
      "tridiagonal and pentadiagonal, short systems of bands up to 4 + 4; whole systems on chip",
      "checked by element growth, pivoting auto falls back to pivoted_lu; short systems: partial pivoting",
      "form=alone (a lane for each short system), form=cooperating (many), pieces=P (2..128: long lines of one "
      "matrix cut into so many); by default the fastest",
      "ours"},
     &sb_cuda_tile_method},
    {{"pivoted_lu", "cuda", "any band; one thread a system", always, "", "LAPACK's gttrf and gbtrf"},
     &sb_cuda_pivoted_lu_method},
    {{"partition", "cuda", "bands up to 4 + 4; one or a few large systems", always_stable,
      "form=lines (lanes share a system), form=spare (the same in a fifth of the workspace, of more than 2 + 2 "
      "diagonals, which large systems take by themselves), form=abreast (each has its own), form=teams (few "
      "share one, of wider bands, by orthogonal elimination); by default the fastest",
      "ours; S. J. Wright 1992"},
     &sb_cuda_partition_method},
    {{"truncated", "cuda", "tridiagonal; large systems whose couplings die away over a tile", bounded, "",
      "ours"},
     &sb_cuda_truncated_method},
    {{"cr", "cuda", "tridiagonal, open ends", by_dominance, "",
      "cyclic reduction: Hockney 1965; tpr 2.2.1, lass II"},
     &sb_cuda_cr_method},
    {{"pcr", "cuda", "tridiagonal, open ends", by_margin, "",
      "parallel cyclic reduction: Hockney & Jesshope 1988; tpr 2.2.2, lass II"},
     &sb_cuda_pcr_method},
    {{"pcr_thomas", "cuda", "tridiagonal, open ends", by_margin,
      "switch=K (steps of pcr, 0..30; by default from n and the device's threads), form=plain (there is no "
      "other)",
      "PCR + Thomas: Valero-Lara et al. 2019; lass III"},
     &sb_cuda_pcr_thomas_method},
    {{"wang_mou", "cuda", "tridiagonal, open ends", by_margin, "", "Wang & Mou 1991; tpr 2.2.3"},
     &sb_cuda_wang_mou_method},
    {{"tpr", "cuda", "tridiagonal, open ends", by_margin,
      "slice=S (a power of two: rows of a slice), fast (S from n and the device, the default), stable (S = "
      "2048)",
      "tree partitioning reduction: Dieguez, Amor & Doallo 2019; tpr 4"},
     &sb_cuda_tpr_method},
    {{"cr_toeplitz", "cuda", "tridiagonal, Toeplitz but for at most one row at each end, open ends",
      by_dominance,
      "form=shared (a block solves a system on chip), form=global (a launch for each level); by default as "
      "fits",
      "cyclic reduction with precomputed coefficients; near-toeplitz 4"},
     &sb_cuda_cr_toeplitz_method},
};

const int sb_cuda_method_count = sizeof sb_cuda_methods / sizeof *sb_cuda_methods;
