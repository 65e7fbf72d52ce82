/* The library's methods as contenders. */
#ifndef SB_BENCH_OURS_H
#define SB_BENCH_OURS_H

#include "bench/contender.h"

/* method: as for slimband_plan_create. Own matrices: slimband_factor_solve is timed. Others: factored here, and
   slimband_solve is timed. Excuses the contender where there is no plan or no factors. */
void sb_ours_open(sb_contender *contender, sb_bench_data *data, const char *method);

/* The same in this place, which may be another than the data's: the host. */
void sb_ours_open_at(sb_contender *contender, sb_bench_data *data, const char *method, sb_place *place);

#endif
