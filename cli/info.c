/* slimband info: what this machine and this build offer. */
#include "cli/command.h"
#include "cli/json.h"
#include "slimband/slimband.h"

typedef struct info {
    bool json;
    sb_failure failure;
} info;

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Print one JSON object", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    (void)text;
    if (key != 'j')
        return ARGP_ERR_UNKNOWN;
    ((info *)state->input)->json = true;
    return 0;
}

static bool print_json(const slimband_machine *m, sb_failure *failure)
{
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddStringToObject(tree, "version", m->version);
    cJSON_AddStringToObject(tree, "instruction_sets", m->instruction_sets);
    cJSON_AddStringToObject(tree, "backends", m->backends);
    cJSON_AddNumberToObject(tree, "cores", m->cores);
    cJSON_AddNumberToObject(tree, "threads", m->threads);
    cJSON *caches = cJSON_AddArrayToObject(tree, "cache_bytes");
    for (int level = 0; level < 3; ++level)
        cJSON_AddItemToArray(caches, cJSON_CreateNumber((double)m->cache_bytes[level]));
    return sb_json_print(tree, failure);
}

static bool work(void *settings)
{
    info *i = settings;
    slimband_machine m;
    slimband_machine_facts(&m);
    if (i->json)
        return print_json(&m, &i->failure);
    printf("version           %s\n"
           "cores             %d\n"
           "threads           %d\n"
           "instruction sets  %s\n"
           "built in          %s\n",
           m.version, m.cores, m.threads, m.instruction_sets, m.backends);
    static const char *const levels[] = {"L1", "L2", "last level"};
    for (int level = 0; level < 3; ++level) {
        if (m.cache_bytes[level])
            printf("cache %-11s %lld KiB\n", levels[level], (long long)m.cache_bytes[level] / 1024);
    }
    return true;
}

int sb_command_info(int argc, char **argv)
{
    static const struct argp argp = {options, parse, NULL, "Show what this machine and this build offer.",
                                     NULL,    NULL,  NULL};
    info i = {0};
    return sb_command_run(&argp, argc, argv, &i, &i.failure, work);
}
