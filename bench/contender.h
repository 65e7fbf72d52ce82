/* Somebody who takes part in a race: a method of the library, a peer, a stream. */
#ifndef SB_BENCH_CONTENDER_H
#define SB_BENCH_CONTENDER_H

#include "bench/data.h"

/* work: memory of the contender's work_bytes. It is lent to one contender after the other, so what must last
   from one restore to the end of fetch may lie there, and nothing else. */
typedef struct sb_contender_calls {
    void (*restore)(void *self, sb_bench_data *data, void *work); /* what run overwrites, as it was; not timed.
                                                                     May be NULL */
    const char *(*run)(void *self, sb_bench_data *data, void *work); /* timed; NULL, or what went wrong */
    /* The answer into data->x; NULL where run leaves it in x of its place. */
    void (*fetch)(void *self, sb_bench_data *data, void *work);
    void (*close)(void *self); /* may be NULL */
} sb_contender_calls;

typedef struct sb_contender {
    char name[SB_BENCH_NAME];
    char about[SB_BENCH_NAME]; /* what an automatic choice came out as; "" otherwise */
    char note[SB_BENCH_TEXT];  /* why it is not timed; "" where it is */
    const sb_contender_calls *calls;
    void *self;
    sb_place *place;        /* where it computes; NULL: the data's own */
    size_t work_bytes;      /* in that place's memory */
    bool brings_copies;     /* run reads only its work, nothing of the data */
    bool no_answer;         /* a stream: nothing to verify */
    bool no_memory;         /* there was none for its plan */
    bool stays;             /* timed however slow it is: others are compared with it */
    double share;           /* of the run's time that is the case's; 0: all of it */
    size_t workspace_bytes; /* of a plan, as are its levels; 0 where there is none */
    int levels;
    double residual; /* normwise backward error; NaN until verified */
    double seconds;  /* the median of a run; NaN where not timed */
} sb_contender;

/* Takes no part, for this reason. */
__attribute__((format(printf, 2, 3))) void sb_contender_excuse(sb_contender *contender, const char *format,
                                                               ...);

void sb_contender_close(sb_contender *contender);

#endif
