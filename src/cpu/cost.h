/* What `auto` goes by: how long a method would take, from the words that it moves, the arithmetic that waits for
 * arithmetic, and the machine's cores and caches.
 *
 *     time = max(traffic, arithmetic) + start-up
 *
 * where vectors advance, or all is in a core's own cache; of a row's chain, which has little to do while words come from farther away,
 * their sum counts.
 *
 * A model and not a measurement: the same machine and problem give the same answer in every run. */
#ifndef SB_COST_H
#define SB_COST_H

#include "slimband/problem.h"

/* each + diagonal (lower + upper) + product lower upper: how words and times grow with the band. */
typedef struct sb_band_sum {
    double each, diagonal, product;
} sb_band_sum;

/* What advances together: one row; a vector of rows of one system; a row of as many systems as a tile holds. */
typedef enum sb_side { SB_ROW, SB_ROWS_IN_VECTORS, SB_SYSTEMS_IN_TILES } sb_side;

typedef struct sb_cost_facts sb_cost_facts;

/* A method's row of facts. Times are nanoseconds on one core at 3 GHz or so, for real numbers of 64 bits: of a row,
   or of one vector where vectors advance. Words are those of one row of one system. `visits` and `steps` may be
   NULL: one visit; all threads start and end once. */
struct sb_cost_facts {
    sb_side side;
    bool inside;                       /* threads can share one system */
    bool joins;                        /* lines may go together as one: sb_lines_joined */
    sb_band_sum eliminate, substitute; /* time of a row: for its matrix; for its right-hand side, by visit */
    double (*visits)(int64_t n, int cores); /* how often a solve comes to a row, all levels taken together */
    double (*steps)(int64_t n);             /* how often threads wait for one another in a solve */
    double passes;                          /* over the batch, where it lies */
    sb_band_sum factors; /* words of one matrix's kept factors that a solve reads, unless rows are alike */
    sb_band_sum kept;    /* words of the working set, */
    sb_band_sum between_eliminate, between_substitute; /* and those moved to it and from it; by visit */
    double times_complex; /* that a substitution takes as long with complex numbers; 0: as cost.c says */
    double pivoting;      /* time that a row takes besides where partial pivoting is asked for */
    sb_band_sum start, start_kept; /* nanoseconds of a system, however short: to be factored too, or
                                      factored before */
    double doubt; /* the share of matrices expected to be refused, which are then solved by another method: */
    const sb_cost_facts *refuge; /* NULL: pivoted_lu */
};

typedef struct sb_cost_machine {
    int cores;
    int vector_bytes;
    int64_t cache_bytes[3]; /* as in slimband_machine; 0 where unknown */
    bool follows_few;       /* sb_follows_few, and vectors are no wider than its were where it was measured */
} sb_cost_machine;

/* Seconds of one slimband_factor_solve where every system has its own matrix and `one_pass` says that nothing else is called, of one
   slimband_solve elsewhere; without what `doubt` may add. */
double sb_cost_seconds(const sb_cost_facts *facts, const slimband_problem *problem,
                       const sb_cost_machine *machine);

/* Has one thread done it before so many have, on this machine? */
bool sb_cost_is_for_one(const sb_cost_facts *facts, const slimband_problem *problem, int threads);

/* This machine. Its cores count, not a plan's threads, because they must not change the bits of an answer. */
sb_cost_machine sb_cost_machine_here(void);

#endif
