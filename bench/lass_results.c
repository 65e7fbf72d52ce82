/* Looking up what was measured, and what the paper says of it. */
#include "bench/lass_results.h"

#include <math.h>
#include <string.h>

const int64_t sb_lass_sizes[SB_LASS_SIZES] = {8388608, 16777216, 33554432, 67108864};

static const sb_lass_variant variants[] = {
    {"P+T", "pcr_thomas:form=plain", true, 12},
    {"P+TO", "pcr_thomas:form=overlapped", true, 12},
    {"P+TT", "pcr_thomas:form=tasked", true, 12},
    {"SP+T", "pcr_thomas:form=shuffled", true, 8},
    {"CR", "cr", false, 4},
    {"PCR", "pcr", false, 8},
    {"Thomas", "thomas", false, -1},
    {"partition", "partition", false, -1},
    {"truncated", "truncated", false, -1},
};

const sb_lass_variant *sb_lass_variant_at(int index)
{
    return index >= 0 && index < (int)(sizeof variants / sizeof *variants) ? &variants[index] : NULL;
}

const sb_bench_entry *sb_lass_best(const sb_lass_size *size, int variant)
{
    const sb_bench_entry *best = NULL;
    for (int k = 0; k < size->result.methods; ++k) {
        const sb_bench_entry *e = &size->result.method[k];
        if (size->variant[k] == variant && !e->note[0] && (!best || e->seconds < best->seconds))
            best = e;
    }
    return best;
}

const sb_bench_entry *sb_lass_at(const sb_lass_size *size, int variant, int steps)
{
    for (int k = 0; k < size->result.methods; ++k)
        if (size->variant[k] == variant && size->steps[k] == steps && !size->result.method[k].note[0])
            return &size->result.method[k];
    return NULL;
}

const sb_lass_apart *sb_lass_apart_of(const sb_lass_size *size, const sb_bench_entry *entry)
{
    return entry ? size->apart[entry - size->result.method] : NULL;
}

const sb_bench_entry *sb_lass_peer(const sb_lass_size *size, const char *name)
{
    for (int k = 0; k < size->result.peers; ++k)
        if (!strcmp(size->result.peer[k].name, name) && !size->result.peer[k].note[0])
            return &size->result.peer[k];
    return NULL;
}

double sb_lass_operations(int64_t n, int cores, int steps)
{
    double systems = exp2(steps);
    return 12.0 * (double)n / cores * steps + 8 * (double)n / systems * ceil(systems / cores);
}
