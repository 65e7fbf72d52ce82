/* Large arrays: allocated, copied and read by all threads. */
#ifndef SB_BENCH_MEMORY_H
#define SB_BENCH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed, each thread its part, as the parts are used later; NULL without memory. Array `number` begins
   elsewhere in its page than its neighbours, since streams that are equal modulo 4096 bytes hinder each other.
   `bytes` may be 0. Freed by sb_bench_release. */
void *sb_bench_allocate(size_t bytes, int number, int threads);
void sb_bench_release(void *array);

/* Of the machine. */
double sb_bench_machine_bytes(void);

void sb_bench_copy(void *to, const void *from, size_t bytes, int threads);

/* Every byte 0xff: NaN in every scalar type. */
void sb_bench_spoil(void *array, size_t bytes, int threads);

/* Read it all, so that as much of it as fits lies in the caches. */
void sb_bench_touch(const void *array, size_t bytes, int threads);

/* A broom is an array larger than all caches together, to be swept through. */
size_t sb_bench_broom_bytes(int threads);
void sb_bench_sweep(void *broom, size_t bytes, int threads);

#endif
