/* Is it an answer? */
#ifndef SB_BENCH_VERIFY_H
#define SB_BENCH_VERIFY_H

#include "bench/data.h"
#include "slimband/residual.h"

/* Of data->x; as slimband_residual, the systems shared out among the threads. Infinite at once, `system` 0, where x holds
   NaN or Inf. */
slimband_status sb_bench_backward_error(const sb_bench_data *data, slimband_backward_error *error);

#endif
