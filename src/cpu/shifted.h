/* The CPU as a place of systems that differ by a shift. */
#ifndef SB_CPU_SHIFTED_H
#define SB_CPU_SHIFTED_H

#include "src/core/backend.h"

extern const sb_shifted_place sb_cpu_shifted_f32, sb_cpu_shifted_f64;

#endif
