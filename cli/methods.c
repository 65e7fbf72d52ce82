/* slimband methods: the list of what is built in. */
#include "cli/command.h"
#include "cli/json.h"
#include "slimband/slimband.h"

typedef struct methods {
    bool json;
    sb_failure failure;
} methods;

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Print a JSON array", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state)
{
    (void)text;
    if (key != 'j')
        return ARGP_ERR_UNKNOWN;
    ((methods *)state->input)->json = true;
    return 0;
}

static bool print_json(sb_failure *failure)
{
    cJSON *list = cJSON_CreateArray();
    slimband_method_info m;
    for (int i = 0; slimband_method(i, &m); ++i) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "name", m.name);
        cJSON_AddStringToObject(row, "place", m.place);
        cJSON_AddStringToObject(row, "solves", m.solves);
        cJSON_AddStringToObject(row, "stability", m.stability);
        cJSON_AddStringToObject(row, "options", m.options);
        cJSON_AddStringToObject(row, "source", m.source);
        cJSON_AddItemToArray(list, row);
    }
    return sb_json_print(list, failure);
}

static bool work(void *settings)
{
    methods *wanted = settings;
    if (wanted->json)
        return print_json(&wanted->failure);
    slimband_method_info m;
    for (int i = 0; slimband_method(i, &m); ++i) {
        printf("%s%s (%s)\n  solves     %s\n  stability  %s\n", i ? "\n" : "", m.name, m.place, m.solves,
               m.stability);
        if (m.options[0])
            printf("  options    %s\n", m.options);
        printf("  source     %s\n", m.source);
    }
    return true;
}

int sb_command_methods(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, NULL, "List the methods that are built in and what they can solve.", NULL, NULL, NULL};
    methods wanted = {0};
    return sb_command_run(&argp, argc, argv, &wanted, &wanted.failure, work);
}
