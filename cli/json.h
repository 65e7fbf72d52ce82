/* Printing a report as JSON. */
#ifndef SB_JSON_H
#define SB_JSON_H

#include <cjson/cJSON.h>

#include "cli/fail.h"

/* Print the tree on standard output and free it. NULL, or no memory to print it: false. */
bool sb_json_print(cJSON *tree, sb_failure *failure);

#endif
