/* The complex scalars as C and C++ write them, which are the same in memory. */
#ifndef SLIMBAND_COMPLEX_H
#define SLIMBAND_COMPLEX_H

#ifdef __cplusplus
#include <complex>
typedef std::complex<float> slimband_c64;
typedef std::complex<double> slimband_c128;
#else
typedef float _Complex slimband_c64;
typedef double _Complex slimband_c128;
#endif

#endif
