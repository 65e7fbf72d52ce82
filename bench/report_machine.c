/* The machine and the day, in a line. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/report.h"
#include "slimband/method.h"

/* As the system calls it; "" where it does not say. */
static void processor_name(char name[SB_BENCH_TEXT])
{
    char line[SB_BENCH_TEXT];
    FILE *facts = fopen("/proc/cpuinfo", "r");
    name[0] = '\0';
    while (facts && !name[0] && fgets(line, sizeof line, facts)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        snprintf(name, SB_BENCH_TEXT, ", %.*s", (int)strcspn(colon + 1 + strspn(colon + 1, " "), "\n"),
                 colon + 1 + strspn(colon + 1, " "));
    }
    if (facts)
        fclose(facts);
}

void sb_bench_describe_machine(char text[2 * SB_BENCH_TEXT], const sb_bench_result *result)
{
    int threads = result->threads;
    char name[SB_BENCH_TEXT], day[32] = "";
    slimband_machine machine;
    time_t now = time(NULL);
    struct tm parts;
    slimband_machine_facts(&machine);
    processor_name(name);
    if (gmtime_r(&now, &parts))
        strftime(day, sizeof day, "%Y-%m-%d", &parts);
    snprintf(text, 2 * SB_BENCH_TEXT, "slimband %s, %s%s (%s), %d core%s, %d thread%s%s", machine.version, day,
             name, machine.instruction_sets, machine.cores, machine.cores == 1 ? "" : "s", threads,
             threads == 1 ? "" : "s", result->device);
}
