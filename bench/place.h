/* Where contenders compute: the host, or a GPU and its memory. */
#ifndef SB_BENCH_PLACE_H
#define SB_BENCH_PLACE_H

#include <stddef.h>

#include "cli/fail.h"
#include "slimband/executor.h"

typedef enum sb_copy_way { SB_COPY_WITHIN, SB_COPY_IN, SB_COPY_OUT } sb_copy_way; /* in: from the host */

enum { SB_PLACE_TEXT = 128 };

typedef struct sb_place sb_place;

typedef struct sb_place_calls {
    const char *name; /* as in --executor and in slimband_method_info.place */
    bool cold;        /* caches are swept before every run unless something else is asked for */
    /* Fills executor, machine and self; false with a sentence. */
    bool (*open)(sb_place *place, sb_failure *failure);
    void (*close)(sb_place *place);
    double (*memory)(sb_place *place);                            /* bytes, all there are */
    void *(*allocate)(sb_place *place, size_t bytes, int number); /* as sb_bench_allocate, perhaps not zeroed */
    void (*release)(sb_place *place, void *array);                /* NULL is fine */
    void (*copy)(sb_place *place, void *to, const void *from, size_t bytes, sb_copy_way way);
    void (*spoil)(sb_place *place, void *array, size_t bytes);       /* every byte 0xff */
    void (*touch)(sb_place *place, const void *array, size_t bytes); /* read it all */
    size_t (*broom_bytes)(sb_place *place);                          /* of an array that fills all caches */
    void (*sweep)(sb_place *place, void *broom, size_t bytes);
    /* Around a number of runs: stop waits for the end of their work. Errors of work queued before are told as well. */
    void (*start)(sb_place *place, int64_t runs);
    double (*stop)(sb_place *place, const char **complaint); /* seconds; a complaint, or NULL as it was */
} sb_place_calls;

struct sb_place {
    const sb_place_calls *calls;
    slimband_executor executor;
    int threads;                 /* of the host */
    char machine[SB_PLACE_TEXT]; /* ", NVIDIA H200", to follow what is said of the host; "" */
    double started;
    void *self;
};

/* The names of --executor, NULL past the last. */
extern const char *const sb_place_names[];

/* By its index among the names, with this many threads of the host; 0: as in slimband_cpu. False, with a sentence, if there is no
   such thing here. A place lies still while it is used. */
bool sb_place_open(sb_place *place, int index, int threads, sb_failure *failure);
void sb_place_close(sb_place *place); /* an empty struct is fine */

/* Something to sweep a place's caches with. */
typedef struct sb_broom {
    sb_place *place;
    void *array;
    size_t bytes;
} sb_broom;

bool sb_broom_open(sb_broom *broom, sb_place *place); /* false without memory */
void sb_broom_close(sb_broom *broom);                 /* an empty struct is fine */

extern const sb_place_calls sb_place_host, sb_place_cuda;

static inline bool sb_place_is_host(const sb_place *place)
{
    return place->calls == &sb_place_host;
}

#endif
