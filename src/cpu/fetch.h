/* Into which cache lines go that are fetched before they are wanted, and whether once is enough. */
#ifndef SB_FETCH_H
#define SB_FETCH_H

#include <stdbool.h>

/* Into the first level, and not only the second. Known once the library is loaded, and the same ever after. */
extern bool sb_into_first;

/* Are lines from memory asked for twice where each row has several words to be read? AMD's processors before the Zen 5 drop what they
   have no room for; on a Xeon the second wish costs more than it brings then. Rows of one word are asked for twice everywhere. Known as
   above. */
extern bool sb_asks_twice;

/* Do the prefetchers follow no more than some 16 lines at once? Taken to be so of AMD's processors before the Zen 5: a Zen 3 reads 32
   of them with half the speed (others were not tried). Known as above. */
extern bool sb_follows_few;

#endif
