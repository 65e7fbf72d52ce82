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
    int next;             /* argv's index at or behind what was wrong */
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
    case ARGP_KEY_ERROR:
        parse->next = state->next;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* How many options `word` ("--lower", "--lower=3", "--low", "-l3") may mean, and the one if it is one. */
static int find_option(const struct argp_option *option, const char *word, const struct argp_option **found)
{
    bool is_long = word[1] == '-';
    size_t length = strcspn(word, "=") - (is_long ? 2 : 0);
    int count = 0;
    for (; option->name; ++option) {
        bool match = is_long ? !strncmp(option->name, word + 2, length) : option->key == word[1];
        if (match)
            *found = option;
        if (match && is_long && strlen(option->name) == length)
            return 1;
        count += match;
    }
    return count;
}

/* getopt is kept silent and tells only where it stopped: find out what was wrong there. */
static void explain(const struct argp *argp, int argc, char **argv, const sb_parse *parse, sb_failure *failure)
{
    if (parse->argument) {
        sb_fail(failure, "unexpected argument '%s'; %s --help shows the options", parse->argument, argv[0]);
        return;
    }
    const struct argp_option *option = NULL;
    const char *word = argv[parse->next > 1 ? parse->next - 1 : 1];
    /* It stays at a group of short options until the last of them. */
    if (parse->next < argc && argv[parse->next][0] == '-' &&
        (word[0] != '-' || (word[1] != '-' && find_option(argp->options, word, &option))))
        word = argv[parse->next];
    int count = find_option(argp->options, word, &option);
    int length = (int)strcspn(word, "=");
    if (count > 1)
        sb_fail(failure, "option %.*s is ambiguous; %s --help shows the options", length, word, argv[0]);
    else if (count && option->arg && !word[length])
        sb_fail(failure, "option %s needs a value", word);
    else if (count && !option->arg && word[length])
        sb_fail(failure, "option %.*s takes no value", length, word);
    else
        sb_fail(failure, "unknown option '%s'; %s --help shows the options", word, argv[0]);
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
