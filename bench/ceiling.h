/* What the memory allows: on the host, streams that read and write as many words as a solver must, with the same threads;
 * on a GPU, a copy within its memory. */
#ifndef SB_BENCH_CEILING_H
#define SB_BENCH_CEILING_H

#include "bench/contender.h"

enum { SB_CEILINGS = 3 };

/* How many there are in this place, at most SB_CEILINGS; the fastest is the ceiling. */
int sb_ceilings(const sb_place *place);

/* Number `index` of the data's place. On the host, one writes over its last source, one elsewhere with stores that bypass
   the caches, one elsewhere with ordinary ones. */
void sb_ceiling_open(sb_contender *contender, const sb_bench_data *data, int index);

#endif
