/* FFTW under one name for both precisions. */
#ifndef SB_POISSON_FFTW_H
#define SB_POISSON_FFTW_H

#include <fftw3.h>

#include "src/chunk/scalar.h"

#if SB_IS(SB_TYPE) == SB_IS_f32
#define FFTW(name) fftwf_##name
#else
#define FFTW(name) fftw_##name
#endif

#endif
