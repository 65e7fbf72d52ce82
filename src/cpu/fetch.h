/* Into which cache lines go that are fetched before they are wanted. */
#ifndef SB_FETCH_H
#define SB_FETCH_H

#include <stdbool.h>

/* Into the first level, and not only the second. Known once the library is loaded, and the same ever after. */
extern bool sb_into_first;

#endif
