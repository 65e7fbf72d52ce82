/* What the subcommands have in common: argp with its errors made one line, and the values of options. */
#include "cli/command.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "slimband/version.h"

enum { KEY_USAGE = 0x101 };

static const struct argp_option common_options[] = {
    {"help", '?', NULL, 0, "Show this text", -1},
    {"usage", KEY_USAGE, NULL, 0, "Show all options in short", -1},
    {"version", 'V', NULL, 0, "Show the version", -1},
    {0},
};

typedef struct sb_parse {
    void *settings;
    bool answered;        /* --help, --usage or --version */
    const char *argument; /* the last that is no option; getopt hands these out when no option is left */
} sb_parse;

static error_t answer(sb_parse *parse, const struct argp_state *state, unsigned flags)
{
    argp_help(state->root_argp, stdout, flags, state->name);
    parse->answered = true;
    return ECANCELED;
}

/* The parser around the command's own. */
static error_t common_option(int key, char *text, struct argp_state *state)
{
    sb_parse *parse = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = parse->settings;
        return 0;
    case '?':
        return answer(parse, state, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK);
    case KEY_USAGE:
        return answer(parse, state, ARGP_HELP_USAGE);
    case 'V':
        printf("slimband %s\n", slimband_version());
        parse->answered = true;
        return ECANCELED;
    case ARGP_KEY_ARG:
        parse->argument = text;
        return ARGP_ERR_UNKNOWN;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* As argp has it: titles of groups are entries without a name. */
static bool is_last(const struct argp_option *option)
{
    return !option->name && !option->key && !option->doc && !option->group;
}

/* True: `name` up to `length` is one of the table. Else *count is raised by those that begin so, of which *found is the last. */
static bool look_up(const struct argp_option *option, const char *name, size_t length,
                    const struct argp_option **found, int *count)
{
    for (; !is_last(option); ++option) {
        if (!option->name || strncmp(option->name, name, length))
            continue;
        *found = option;
        ++*count;
        if (strlen(option->name) == length)
            return true;
    }
    return false;
}

/* How many options `name` ("lower", "lower=3", "low") may mean, and the one if it is one. */
static int find_long(const struct argp *argp, const char *name, const struct argp_option **found)
{
    size_t length = strcspn(name, "=");
    int count = 0;
    bool whole = look_up(argp->options, name, length, found, &count) ||
                 look_up(common_options, name, length, found, &count);
    return whole ? 1 : count;
}

static const struct argp_option *find_letter(const struct argp_option *option, char letter)
{
    while (!is_last(option) && (!option->name || option->key != letter))
        ++option;
    return is_last(option) ? NULL : option;
}

static const struct argp_option *find_short(const struct argp *argp, char letter)
{
    const struct argp_option *own = find_letter(argp->options, letter);
    return own ? own : find_letter(common_options, letter);
}

/* A fault was told of; the next word is an option or an argument; or it is the value of this one. */
typedef enum sb_word { WORD_IS_WRONG, WORD_IS_ALL, WORD_TAKES_NEXT } sb_word;

static sb_word check_long(const struct argp *argp, const char *word, bool is_end, const char *command,
                          sb_failure *failure)
{
    const struct argp_option *option = NULL;
    int count = find_long(argp, word + 2, &option), length = (int)strcspn(word, "=");
    bool has_value = word[length];
    if (count > 1)
        sb_fail(failure, "option %.*s is ambiguous; %s --help shows the options", length, word, command);
    else if (!count)
        sb_fail(failure, "unknown option '%s'; %s --help shows the options", word, command);
    else if (option->arg && !has_value && is_end)
        sb_fail(failure, "option %s needs a value", word);
    else if (!option->arg && has_value)
        sb_fail(failure, "option %.*s takes no value", length, word);
    else
        return option->arg && !has_value ? WORD_TAKES_NEXT : WORD_IS_ALL;
    return WORD_IS_WRONG;
}

/* Letters up to the first that has a value, which is the rest of the word or the next. An unknown first letter is more likely a
   long option with a minus too few. */
static sb_word check_short(const struct argp *argp, const char *word, bool is_end, const char *command,
                           sb_failure *failure)
{
    for (int k = 1; word[k]; ++k) {
        const struct argp_option *option = find_short(argp, word[k]);
        if (!option && k == 1)
            sb_fail(failure, "unknown option '%s'; %s --help shows the options", word, command);
        else if (!option)
            sb_fail(failure, "unknown option '-%c' in '%s'; %s --help shows the options", word[k], word,
                    command);
        else if (option->arg && !word[k + 1] && is_end)
            sb_fail(failure, "option -%c needs a value", word[k]);
        else if (option->arg)
            return word[k + 1] ? WORD_IS_ALL : WORD_TAKES_NEXT;
        else
            continue;
        return WORD_IS_WRONG;
    }
    return WORD_IS_ALL;
}

/* getopt is kept silent, and where it stopped does not say at which letter: its way is gone once more. */
static void explain(const struct argp *argp, int argc, char **argv, const sb_parse *parse, sb_failure *failure)
{
    if (parse->argument) {
        sb_fail(failure, "unexpected argument '%s'; %s --help shows the options", parse->argument, argv[0]);
        return;
    }
    for (int k = 1; k < argc && strcmp(argv[k], "--"); ++k) {
        const char *word = argv[k];
        if (word[0] != '-' || !word[1])
            continue;
        bool is_end = k + 1 == argc;
        sb_word found = word[1] == '-' ? check_long(argp, word, is_end, argv[0], failure)
                                       : check_short(argp, word, is_end, argv[0], failure);
        if (found == WORD_IS_WRONG)
            return;
        k += found == WORD_TAKES_NEXT;
    }
    sb_fail(failure, "the options cannot be read; %s --help shows them", argv[0]);
}

int sb_command_run(const struct argp *argp, int argc, char **argv, void *settings, sb_failure *failure,
                   bool (*work)(void *settings))
{
    const struct argp_child children[] = {{argp, 0, NULL, 0}, {0}};
    const struct argp whole = {common_options, common_option, NULL, NULL, children, NULL, NULL};
    sb_parse parse = {.settings = settings};
    failure->text[0] = '\0';
    error_t error = argp_parse(&whole, argc, argv, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &parse);
    if (parse.answered)
        return SB_EXIT_GOOD;
    if (error && !failure->text[0])
        explain(argp, argc, argv, &parse, failure);
    if (!error && work(settings))
        return SB_EXIT_GOOD;
    fprintf(stderr, "%s: %s\n", argv[0], failure->text);
    return SB_EXIT_BAD;
}

error_t sb_option_integer(const char *option, const char *text, int64_t low, int64_t high, int64_t *value,
                          sb_failure *failure)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end != text && !*end && !errno && number >= low && number <= high) {
        *value = number;
        return 0;
    }
    if (high == INT64_MAX)
        sb_fail(failure, "%s must be a whole number of at least %lld, not '%s'", option, (long long)low, text);
    else
        sb_fail(failure, "%s must be a whole number in %lld..%lld, not '%s'", option, (long long)low,
                (long long)high, text);
    return EINVAL;
}

error_t sb_option_positive(const char *option, const char *text, double *value, sb_failure *failure)
{
    char *end;
    double number = strtod(text, &end);
    if (end != text && !*end && isfinite(number) && number > 0) {
        *value = number;
        return 0;
    }
    sb_fail(failure, "%s must be a positive number, not '%s'", option, text);
    return EINVAL;
}

error_t sb_option_word(const char *option, const char *text, const char *const *words, int *index,
                       sb_failure *failure)
{
    char list[256] = "";
    for (int i = 0; words[i]; ++i) {
        if (!strcmp(text, words[i])) {
            *index = i;
            return 0;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    sb_fail(failure, "%s must be one of %s, not '%s'", option, list, text);
    return EINVAL;
}

char *sb_help_with(int key, const char *text, void (*write)(FILE *stream))
{
    char *list = NULL;
    size_t bytes;
    FILE *stream = key == ARGP_KEY_HELP_EXTRA ? open_memstream(&list, &bytes) : NULL;
    if (!stream)
        return (char *)text;
    write(stream);
    fclose(stream);
    return list;
}
