/* Statuses and their sentences: the public list, expanded. */
#include "slimband/status.h"
#include "slimband/version.h"

typedef struct status_row {
    slimband_status code;
    const char *name, *sentence;
} status_row;

static const status_row rows[] = {
#define ROW(name, number, sentence) {name, #name, sentence},
    SLIMBAND_STATUS_LIST(ROW)
#undef ROW
};

static const status_row *find(slimband_status status)
{
    static const status_row unknown = {SLIMBAND_OK, "unknown", "not a slimband status"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (rows[i].code == status)
            return &rows[i];
    return &unknown;
}

const char *slimband_status_string(slimband_status status)
{
    return find(status)->sentence;
}

const char *slimband_status_name(slimband_status status)
{
    return find(status)->name;
}

const char *slimband_version(void)
{
    return SLIMBAND_VERSION;
}
