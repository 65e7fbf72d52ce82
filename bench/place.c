/* The places by name, and the host. */
#include "bench/place.h"

#include "bench/memory.h"
#include "cli/progress.h"
#include "slimband/method.h"

const char *const sb_place_names[] = {"cpu", "cuda", NULL};

bool sb_place_open(sb_place *place, int index, int threads, sb_failure *failure)
{
    static const sb_place_calls *const calls[] = {&sb_place_host, &sb_place_cuda};
    slimband_machine machine;
    slimband_machine_facts(&machine);
    *place = (sb_place){.calls = calls[index],
                        .threads = threads ? threads : machine.threads,
                        .executor = slimband_cpu(threads)};
    return place->calls->open(place, failure);
}

void sb_place_close(sb_place *place)
{
    if (place->calls)
        place->calls->close(place);
    *place = (sb_place){0};
}

bool sb_broom_open(sb_broom *broom, sb_place *place)
{
    *broom = (sb_broom){.place = place, .bytes = place->calls->broom_bytes(place)};
    broom->array = place->calls->allocate(place, broom->bytes, 0);
    return broom->array != NULL;
}

void sb_broom_close(sb_broom *broom)
{
    if (broom->array)
        broom->place->calls->release(broom->place, broom->array);
    *broom = (sb_broom){0};
}

static bool open(sb_place *place, sb_failure *failure)
{
    (void)place, (void)failure;
    return true;
}

static void close(sb_place *place)
{
    (void)place;
}

static double memory(sb_place *place)
{
    (void)place;
    return sb_bench_machine_bytes();
}

static void *allocate(sb_place *place, size_t bytes, int number)
{
    return sb_bench_allocate(bytes, number, place->threads);
}

static void release(sb_place *place, void *array)
{
    (void)place;
    sb_bench_release(array);
}

static void copy(sb_place *place, void *to, const void *from, size_t bytes, sb_copy_way way)
{
    (void)way;
    sb_bench_copy(to, from, bytes, place->threads);
}

static void spoil(sb_place *place, void *array, size_t bytes)
{
    sb_bench_spoil(array, bytes, place->threads);
}

static void touch(sb_place *place, const void *array, size_t bytes)
{
    sb_bench_touch(array, bytes, place->threads);
}

static size_t broom_bytes(sb_place *place)
{
    return sb_bench_broom_bytes(place->threads);
}

static void sweep(sb_place *place, void *broom, size_t bytes)
{
    sb_bench_sweep(broom, bytes, place->threads);
}

static void start(sb_place *place, int64_t runs)
{
    (void)runs;
    place->started = sb_seconds();
}

static double stop(sb_place *place, const char **complaint)
{
    (void)complaint;
    return sb_seconds() - place->started;
}

const sb_place_calls sb_place_host = {.name = "cpu",
                                      .cold = false,
                                      .open = open,
                                      .close = close,
                                      .memory = memory,
                                      .allocate = allocate,
                                      .release = release,
                                      .copy = copy,
                                      .spoil = spoil,
                                      .touch = touch,
                                      .broom_bytes = broom_bytes,
                                      .sweep = sweep,
                                      .start = start,
                                      .stop = stop};
