/* Words are counted from the kernels. Times were measured with one thread where all of it stays in a core's cache
 * (`slimband bench batch --size 500 --batch 64 --threads 1 --methods all`): they are the latency of each row's chain
 * where rows follow one another, and what the instructions take where vectors do. */
#include "src/cpu/cost_facts.h"

#include <math.h>

#include "src/cpu/kernels/switch_point.h"

/* Matrices that elimination would do for, but that fail a test of dominance by rows. */
static const double undominated = 0.1;

static double halvings(int64_t n)
{
    return ceil(log2((double)n));
}

static double there_and_back(int64_t n)
{
    return 2 * halvings(n);
}

static double each_halving(int64_t n, int cores)
{
    (void)cores;
    return fmax(1, halvings(n));
}

/* Rows are assembled, eliminated where they stand, and read twice: w words each time, and two of x in cache. */
const sb_cost_facts sb_thomas_cost = {.side = SB_ROW,
                                      .eliminate = {.each = 10},
                                      .substitute = {.each = 4.5},
                                      .passes = 1,
                                      .kept = {.each = 4},
                                      .between_eliminate = {.each = 9},
                                      .between_substitute = {.each = 8}};
/* Two such chains side by side; of matrices that are solved once, matrix and right-hand side are read once, and two words of a row wait,
 * or three of a pentadiagonal one. Tridiagonal as a Xeon took (`Xeon, 480` in docs/performance.md) before they were two lanes, and a fifth
 * more, for others; pentadiagonal in the proportion to it that a Zen 3 and another Xeon show since. lu's elimination is from the first too; thomas's and pivoted_lu's are from before |x| lost its jump (sb_abs1). */
const sb_cost_facts sb_twisted_cost = {.side = SB_ROW,
                                       .eliminate = {.each = 2.4, .product = 0.4},
                                       .substitute = {.each = 1.9, .diagonal = 0.15},
                                       .passes = 1,
                                       .kept = {.each = 2, .diagonal = 1},
                                       .between_eliminate = {.diagonal = 0.5},
                                       .between_substitute = {.each = 3, .diagonal = 1}};
const sb_cost_facts sb_lu_cost = {.side = SB_ROW,
                                  .eliminate = {.each = 5, .diagonal = 0.5, .product = 1.1},
                                  .substitute = {.each = 7, .diagonal = 0.4},
                                  .passes = 1,
                                  .kept = {.each = 2, .diagonal = 1},
                                  .between_eliminate = {.each = 3, .diagonal = 3},
                                  .between_substitute = {.each = 4, .diagonal = 2}};
const sb_cost_facts sb_pivoted_lu_cost = {.side = SB_ROW,
                                          .eliminate = {.each = 10, .diagonal = 1.5, .product = 0.6},
                                          .substitute = {.each = 6, .diagonal = 1.2},
                                          .passes = 1,
                                          .kept = {.each = 3, .diagonal = 1.5},
                                          .between_eliminate = {.each = 6, .diagonal = 4.5},
                                          .between_substitute = {.each = 6, .diagonal = 3}};

/* Only x, and of a matrix's own factors what the way back wants, one word of a tridiagonal row, wait for it. */
const sb_cost_facts sb_lanes_cost = {.side = SB_SYSTEMS_IN_TILES,
                                     .eliminate = {.each = 4, .diagonal = 1.5, .product = 1},
                                     .substitute = {.each = 2.8, .diagonal = 0.4},
                                     .passes = 1,
                                     .kept = {.each = 1, .diagonal = 0.5},
                                     .between_eliminate = {.diagonal = 1},
                                     .between_substitute = {.each = 2}};

/* Matrix and right-hand side are read twice, the solution written once; U and right-hand sides of a tile wait in a core's
 * cache. Factors of one matrix are read down, and down and up again. Chunks that pivot do so in both passes. The reduced system is a
 * tenth of a percent of the rows, but most of what a short system takes: start-up times and those of kept factors are what one system
 * of 300 to 4000 unknowns of one to four diagonals on a side takes on that Xeon in doubles, beside twisted and lu (docs/performance.md, "Short
 * systems"); somewhat less, since a Zen with AVX2 and another Xeon took less. */
const sb_cost_facts sb_partition_cost = {.side = SB_ROWS_IN_VECTORS,
                                         .inside = true,
                                         .eliminate = {.each = 14, .diagonal = 0, .product = 2},
                                         .substitute = {.each = 6, .diagonal = 1, .product = 1},
                                         .passes = 1.8,
                                         .factors = {.each = 1, .diagonal = 2},
                                         .kept = {.each = 0.01},
                                         .between_substitute = {.each = 0.1},
                                         .pivoting = 30,
                                         .start = {.each = 2300, .product = 580},
                                         .start_kept = {.each = 700, .diagonal = 250}};

/* Everything once. Where couplings do not decay, the first rows show it; what lanes then takes of joined lines counts as partition's. Kept
 * factors' start is from one matrix of 4000 on another Xeon (`Xeon, 16`). */
const sb_cost_facts sb_truncated_cost = {.side = SB_ROWS_IN_VECTORS,
                                         .inside = true,
                                         .joins = true,
                                         .eliminate = {.each = 9, .diagonal = 0, .product = 1},
                                         .substitute = {.each = 3, .diagonal = 2, .product = 1},
                                         .passes = 1,
                                         .factors = {.each = 1, .diagonal = 1},
                                         .kept = {.each = 0.01},
                                         .between_substitute = {.each = 0.1},
                                         .start = {.each = 2000, .diagonal = 1150},
                                         .start_kept = {.each = 2200, .diagonal = 250},
                                         .doubt = 0.1,
                                         .refuge = &sb_partition_cost};

/* Four words a row: assembled, reduced in halves, and substituted in halves. From the second step on, a cache line
 * that is fetched holds one row that is wanted, and no prefetcher sees it coming: that counts as twice the words. */
const sb_cost_facts sb_cr_cost = {.side = SB_ROW,
                                  .inside = true,
                                  .eliminate = {.each = 2},
                                  .substitute = {.each = 14},
                                  .steps = there_and_back,
                                  .passes = 1,
                                  .kept = {.each = 4},
                                  .between_substitute = {.each = 72},
                                  .doubt = undominated};
const sb_cost_facts sb_pcr_cost = {.side = SB_ROW,
                                   .inside = true,
                                   .eliminate = {.each = 2},
                                   .substitute = {.each = 4.5},
                                   .visits = each_halving,
                                   .steps = halvings,
                                   .passes = 1,
                                   .kept = {.each = 8},
                                   .between_substitute = {.each = 8},
                                   .doubt = undominated};
const sb_cost_facts sb_wang_mou_cost = {.side = SB_ROW,
                                        .inside = true,
                                        .eliminate = {.each = 2},
                                        .substitute = {.each = 3},
                                        .visits = each_halving,
                                        .steps = there_and_back,
                                        .passes = 1,
                                        .kept = {.each = 4},
                                        .between_substitute = {.each = 8},
                                        .doubt = undominated};

/* Slices of 64 rows stay in the first cache while they shrink; the tree is 64 times smaller. */
static double slices_and_tree(int64_t n)
{
    return 4 + there_and_back(n / 64 + 1);
}

const sb_cost_facts sb_tpr_cost = {.side = SB_ROW,
                                   .inside = true,
                                   .eliminate = {.each = 2},
                                   .substitute = {.each = 14},
                                   .steps = slices_and_tree,
                                   .passes = 1,
                                   .kept = {.each = 8},
                                   .between_substitute = {.each = 24},
                                   .doubt = undominated};

/* Operations of the busiest core, in units of Thomas's, by all cores: below four cores, one does all. */
static double switched(int64_t n, int cores)
{
    return (double)cores * (double)sb_switch_cost(n, cores, sb_switch_point(n, cores)) / (8 * (double)n);
}

const sb_cost_facts sb_pcr_thomas_cost = {.side = SB_ROW,
                                          .inside = true,
                                          .eliminate = {.each = 2},
                                          .substitute = {.each = 10},
                                          .visits = switched,
                                          .steps = halvings,
                                          .passes = 1,
                                          .kept = {.each = 8},
                                          .between_substitute = {.each = 6},
                                          .doubt = undominated};

/* Coefficients are a few numbers a level: only the right-hand side is reduced and substituted. Systems of 1000 take 1.8 to 2.3 ns a row
 * (Zen, Xeon), of which what doubt adds is nearly half. */
const sb_cost_facts sb_cr_toeplitz_cost = {.side = SB_ROW,
                                           .inside = true,
                                           .substitute = {.each = 1},
                                           .times_complex = 4,
                                           .steps = there_and_back,
                                           .passes = 1,
                                           .kept = {.each = 1},
                                           .between_substitute = {.each = 6},
                                           .doubt = undominated};
