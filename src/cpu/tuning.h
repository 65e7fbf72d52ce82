/* What a plan tells its engine besides the numbers: threads for the inside of one system, and the method's
 * options. */
#ifndef SB_TUNING_H
#define SB_TUNING_H

#include <stdbool.h>
#include <stdint.h>

/* pcr_thomas: see there. */
typedef enum sb_form { SB_FORM_PLAIN, SB_FORM_OVERLAPPED, SB_FORM_TASKED, SB_FORM_SHUFFLED } sb_form;

enum { SB_SWITCH_CHOSEN = -1 };

typedef struct sb_tuning {
    int threads;     /* to use inside one system; 1 when the batch is what runs in parallel */
    int isa;         /* lanes, partition: number of an instruction set in wide/isa.h's list */
    bool isa_named;  /* lanes: it was asked for */
    int64_t chunk;   /* partition: rows of a chunk; 0 chooses, and after that there are no chunks */
    int64_t span;    /* truncated: rows of a chunk; 0 chooses */
    int64_t vectors; /* partition, truncated: of chunks, that make a tile, where there is a choice; 0 chooses */
    int64_t stretch; /* lanes: rows that a tile of systems side by side holds; 0 chooses */
    bool truncates;  /* one pass is tried before partition */
    int64_t slice;   /* tpr: rows of a slice, a power of two; 0 chooses */
    sb_form form;
    int switch_point; /* pcr_thomas: steps before Thomas; SB_SWITCH_CHOSEN: from n and the threads */
} sb_tuning;

#endif
