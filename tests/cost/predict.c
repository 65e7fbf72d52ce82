/* What the cost model expects: a line of JSON, nanoseconds a row by method, for each case of `slimband bench choice`,
 * and for those by which docs/performance.md compares numbers of cores.
 *
 *     slimband-predict [CORES [VECTOR_BYTES [L1 L2 L3]]]
 *
 * For a machine of which so much is told; the rest is that of the machine it runs on. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/grid_cases.h"
#include "src/cpu/workspace.h"

static void print_costs(const char *family, const char *label, const sb_bench_case *c,
                        const sb_cost_machine *machine)
{
    slimband_problem p;
    if (sb_bench_problem(c, &p))
        return;
    const char *best = "", *comma = "";
    double least = INFINITY, rows = sb_bench_rows(c);
    printf("{\"family\":\"%s\",\"label\":\"%s\",\"cores\":%d,\"ns_per_row\":{", family, label, machine->cores);
    for (int m = 0; m < sb_cpu_method_count; ++m) {
        const sb_cpu_method *method = sb_cpu_methods[m].data;
        if (method->fits(&p) || !method->cost || (method->worth && !method->worth(&p)))
            continue;
        double choosing = sb_cpu_cost(method, &p, machine);
        printf("%s\"%s\":%.4g", comma, sb_cpu_methods[m].info.name,
               1e9 * sb_cost_seconds(method->cost, &p, machine) / rows);
        comma = ",";
        if (choosing < least) {
            least = choosing;
            best = sb_cpu_methods[m].info.name;
        }
    }
    printf("},\"choice\":\"%s\"}\n", best);
}

static void print_scaling(const sb_cost_machine *machine)
{
    const struct {
        const char *label;
        int64_t n, systems;
        slimband_coefficients coefficients;
    } cases[] = {{"one system of 2^24", INT64_C(1) << 24, 1, SLIMBAND_OWN},
                 {"one system of 2^16", INT64_C(1) << 16, 1, SLIMBAND_OWN},
                 {"1024 systems of 16384", INT64_C(1) << 14, 1024, SLIMBAND_OWN},
                 {"2048 systems of 16384, one matrix", INT64_C(1) << 14, 2048, SLIMBAND_SHARED}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const sb_bench_case c = {.batch = cases[k].systems > 1,
                                 .scalar = SLIMBAND_F64,
                                 .n = cases[k].n,
                                 .systems = cases[k].systems,
                                 .lower = 1,
                                 .upper = 1,
                                 .coefficients = cases[k].coefficients};
        print_costs("scaling", cases[k].label, &c, machine);
    }
}

int main(int argc, char **argv)
{
    sb_cost_machine machine = sb_cost_machine_here();
    const sb_grid_case *c;
    if (argc > 1)
        machine.cores = atoi(argv[1]);
    if (argc > 2)
        machine.vector_bytes = atoi(argv[2]);
    for (int level = 0; level < 3 && argc > 3 + level; ++level)
        machine.cache_bytes[level] = atoll(argv[3 + level]);
    for (int k = 0; (c = sb_grid_case_at(k)); ++k)
        print_costs(c->family, c->label, &c->the_case, &machine);
    for (int k = 0; (c = sb_grid_case_between(k)); ++k)
        print_costs(c->family, c->label, &c->the_case, &machine);
    print_scaling(&machine);
    return 0;
}
