/* What a plan tells its engine besides the numbers: threads for the inside of one system, and the method's
 * options. */
#ifndef SB_TUNING_H
#define SB_TUNING_H

#include <stdint.h>

typedef struct sb_tuning {
    int threads;   /* to use inside one system; 1 when the batch is what runs in parallel */
    int64_t slice; /* tpr: rows of a slice, a power of two; 0 chooses */
} sb_tuning;

#endif
