/* What tests of many like systems leave out where sanitizers watch, half of whose time they would take: there is no more memory in
 * the others. */
#ifndef SB_TEST_SPARING_H
#define SB_TEST_SPARING_H

/* One in so many: prime, so that what it leaves of rows has no step in common with blocks. */
#ifdef SB_CHECKED
enum { ONE_IN = 7 };
#else
enum { ONE_IN = 1 };
#endif

#endif
