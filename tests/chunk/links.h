/* A whole system solved by the links of src/chunk/link.h on the host, as warps and blocks do it on the GPU. */
#ifndef SB_TEST_LINKS_H
#define SB_TEST_LINKS_H

#include <stdint.h>

#include "src/chunk/link.h"

typedef struct tridiagonal {
    int64_t n;
    T *lower, *diagonal, *upper, *b, *x;
    bool periodic;
    int64_t run; /* rows swept at once; longer runs are joined from two */
} tridiagonal;

/* False if the matrix is singular; x is then without meaning. */
bool solve_by_links(const tridiagonal *s);

#endif
