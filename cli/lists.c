/* Values of options that are lists. */
#include "cli/lists.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"

enum { ENTRY = 64 };

/* The next entry, up to a comma, into `entry`; *text moves behind it. False: none is left, or there are too many, or one
   is longer than any that could be meant. */
static bool next_entry(const char **text, int count, int most, char entry[ENTRY])
{
    size_t length = strcspn(*text, ",");
    if (count == most || length >= ENTRY)
        return false;
    memcpy(entry, *text, length);
    entry[length] = '\0';
    *text += length;
    return true;
}

static error_t too_many(const char *option, const char *text, int most, sb_failure *failure)
{
    sb_fail(failure, "%s takes 1 to %d entries, not '%s'", option, most, text);
    return EINVAL;
}

error_t sb_option_integers(const char *option, const char *text, int64_t low, int64_t high, int most,
                           int64_t *values, int *count, sb_failure *failure)
{
    const char *at = text;
    char entry[ENTRY];
    for (*count = 0; next_entry(&at, *count, most, entry); ++at) {
        error_t error = sb_option_integer(option, entry, low, high, &values[*count], failure);
        if (error)
            return error;
        ++*count;
        if (!*at)
            return 0;
    }
    return too_many(option, text, most, failure);
}

error_t sb_option_numbers(const char *option, const char *text, bool positive, int most, double *values,
                          int *count, sb_failure *failure)
{
    const char *at = text;
    char entry[ENTRY];
    for (*count = 0; next_entry(&at, *count, most, entry); ++at) {
        char *end;
        double number = strtod(entry, &end);
        if (end == entry || *end || !isfinite(number) || (positive && number <= 0)) {
            sb_fail(failure, "%s must be %s, not '%s'", option, positive ? "positive numbers" : "numbers",
                    entry);
            return EINVAL;
        }
        values[(*count)++] = number;
        if (!*at)
            return 0;
    }
    return too_many(option, text, most, failure);
}

error_t sb_option_words(const char *option, const char *text, const char *const *words, int most, int *indices,
                        int *count, sb_failure *failure)
{
    const char *at = text;
    char entry[ENTRY];
    for (*count = 0; next_entry(&at, *count, most, entry); ++at) {
        error_t error = sb_option_word(option, entry, words, &indices[*count], failure);
        if (error)
            return error;
        ++*count;
        if (!*at)
            return 0;
    }
    return too_many(option, text, most, failure);
}

bool sb_list_fits(const char *option, int count, int axes, sb_failure *failure)
{
    if (count == axes || count == 1)
        return true;
    return sb_fail(failure, "%s has %d entries, but there %s %d ax%s", option, count, axes == 1 ? "is" : "are",
                   axes, axes == 1 ? "is" : "es");
}
