/* Printing a report as JSON. */
#include "cli/json.h"

#include <stdio.h>

bool sb_json_print(cJSON *tree, sb_failure *failure)
{
    char *text = tree ? cJSON_PrintUnformatted(tree) : NULL;
    cJSON_Delete(tree);
    if (!text)
        return sb_fail(failure, "not enough memory for the report");
    puts(text);
    cJSON_free(text);
    return true;
}
