/* Into which cache lines go that are fetched before they are wanted. */
#ifndef SB_FETCH_H
#define SB_FETCH_H

#include <stdbool.h>

/* Into the first level, and not only the second. Known once the library is loaded, and the same ever after. */
extern bool sb_into_first;

/* Are lines from memory asked for twice where sweeps want many at once? AMD's processors before the Zen 5 drop what they have no room
   for; on a Xeon the second wish costs more than it brings. Known as above. */
extern bool sb_asks_twice;

#endif
