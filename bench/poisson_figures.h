/* Figures 3 to 5 of the paper on fast Poisson solvers for GPUs: block cyclic reduction of both radices, on the CPU and the GPU. */
#ifndef SB_BENCH_POISSON_FIGURES_H
#define SB_BENCH_POISSON_FIGURES_H

#include "bench/poisson_race.h"

/* Squares to largest[0] and cubes to largest[1] points along each axis; given: how many of the two are told. Writes results.jsonl
   and the figures to the folder and says where. False with a sentence. */
bool sb_poisson_figures(const char *folder, const int64_t *largest, int given, int threads, int64_t repeat,
                        sb_failure *failure);

#endif
