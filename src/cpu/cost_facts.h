/* What the cost model knows of each method. */
#ifndef SB_COST_FACTS_H
#define SB_COST_FACTS_H

#include "src/cpu/cost.h"

extern const sb_cost_facts sb_thomas_cost, sb_twisted_cost, sb_lu_cost, sb_lanes_cost, sb_pivoted_lu_cost,
    sb_partition_cost, sb_truncated_cost, sb_cr_cost, sb_pcr_cost, sb_wang_mou_cost, sb_tpr_cost,
    sb_pcr_thomas_cost, sb_cr_toeplitz_cost;

#endif
