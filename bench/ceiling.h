/* What the memory allows: streams that read and write as many words as a solver must, with the same threads. */
#ifndef SB_BENCH_CEILING_H
#define SB_BENCH_CEILING_H

#include "bench/contender.h"

enum { SB_CEILINGS = 3 };

/* Stream 0 writes over its last source, 1 writes elsewhere with stores that bypass the caches, 2 elsewhere with
   ordinary ones. The fastest is the ceiling. */
void sb_ceiling_open(sb_contender *contender, int stream);

#endif
