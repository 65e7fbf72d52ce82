/* Memory by all threads, each its own part of every array. */
#include "bench/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "slimband/method.h"

enum { PAGE = 4096, STAGGER = 832, CACHE_LINE = 64, LARGEST_TILE = 1 << 20 };

typedef void sb_tile_work(char *to, const char *from, size_t bytes);

static void each_tile(sb_tile_work *work, void *to, const void *from, size_t bytes, int threads)
{
    size_t tile = (bytes / (size_t)threads / PAGE + 1) * PAGE;
    tile = tile < LARGEST_TILE ? tile : LARGEST_TILE;
    int64_t tiles = (int64_t)((bytes + tile - 1) / tile);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t t = 0; t < tiles; ++t) {
        size_t start = (size_t)t * tile;
        work((char *)to + start, (const char *)from + start, bytes - start < tile ? bytes - start : tile);
    }
}

static void copy_tile(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

static void clear_tile(char *to, const char *from, size_t bytes)
{
    (void)from;
    memset(to, 0, bytes);
}

static void spoil_tile(char *to, const char *from, size_t bytes)
{
    (void)from;
    memset(to, 0xff, bytes);
}

static void touch_tile(char *to, const char *from, size_t bytes)
{
    (void)to;
    const volatile char *at = from;
    for (size_t i = 0; i < bytes; i += CACHE_LINE)
        (void)at[i];
}

void *sb_bench_allocate(size_t bytes, int number, int threads)
{
    size_t places = (PAGE - CACHE_LINE) / CACHE_LINE;
    size_t offset = CACHE_LINE * (1 + (size_t)number * (STAGGER / CACHE_LINE) % places), whole;
    if (__builtin_add_overflow(bytes, offset + PAGE, &whole))
        return NULL;
    char *block = aligned_alloc(PAGE, whole / PAGE * PAGE);
    if (!block)
        return NULL;
    char *array = block + offset;
    memcpy(array - sizeof block, &block, sizeof block);
    each_tile(clear_tile, array, array, bytes, threads);
    return array;
}

void sb_bench_release(void *array)
{
    void *block;
    if (!array)
        return;
    memcpy(&block, (char *)array - sizeof block, sizeof block);
    free(block);
}

double sb_bench_machine_bytes(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

void sb_bench_copy(void *to, const void *from, size_t bytes, int threads)
{
    each_tile(copy_tile, to, from, bytes, threads);
}

void sb_bench_spoil(void *array, size_t bytes, int threads)
{
    each_tile(spoil_tile, array, array, bytes, threads);
}

void sb_bench_touch(const void *array, size_t bytes, int threads)
{
    each_tile(touch_tile, (void *)array, array, bytes, threads);
}

/* Four times the caches that the machine admits to, and no less than a server's usually are. */
size_t sb_bench_broom_bytes(int threads)
{
    enum { LEAST = 256 << 20 };
    slimband_machine machine;
    slimband_machine_facts(&machine);
    size_t bytes = (size_t)(4 * (machine.cache_bytes[2] + threads * machine.cache_bytes[1]));
    return bytes < LEAST ? LEAST : bytes;
}

/* It is only read: lines that were written would have to go back to memory while somebody is timed. */
void sb_bench_sweep(void *broom, size_t bytes, int threads)
{
    sb_bench_touch(broom, bytes, threads);
}
