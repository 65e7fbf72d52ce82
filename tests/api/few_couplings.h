/* Dominant rings, half of whose couplings are none: what has decayed on the way around stands among the last equations' entries then. */
#ifndef SB_FEW_COUPLINGS_H
#define SB_FEW_COUPLINGS_H

#include "slimband/slimband.h"

enum { FEW_COUPLINGS_BYTES = 15 * 40 * 101 * 8 };

/* f64 and f32, bands from 0 + 3 to 4 + 8, as far as the method takes them: backward errors are roundings. memory: of the executor's, which
   the host reads and writes as well. */
void check_few_couplings(slimband_executor executor, const char *method, void *memory);

#endif
