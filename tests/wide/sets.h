/* The instruction sets to force. */
#ifndef SB_WIDE_SETS_H
#define SB_WIDE_SETS_H

#include "slimband/slimband.h"
#include "src/cpu/wide/wide.h"

typedef struct set {
    char method[32];    /* "lanes:isa=avx2" */
    char stretched[32]; /* the same in the shortest stretches, where systems lie side by side */
    char whole[40];     /* and in tiles that hold all rows, however few or many there are */
    const sb_wide *wide;
} set;

enum { MOST_SETS = 4 };

/* Those that this processor has; returns how many. */
int sets_here(set *sets);

#endif
