/* The subcommands of `slimband`, and what they have in common: options by argp, one line and exit code 2 when
 * something is wrong. */
#ifndef SB_COMMAND_H
#define SB_COMMAND_H

#include <argp.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/fail.h"

enum { SB_EXIT_GOOD = 0, SB_EXIT_BAD = 2 };

/* A row of main.c's table. run: argv[0] is "slimband NAME", the options follow; returns the exit code. */
typedef struct sb_command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
} sb_command;

int sb_command_solve(int argc, char **argv);
int sb_command_smooth(int argc, char **argv);
int sb_command_poisson(int argc, char **argv);
int sb_command_simulate(int argc, char **argv);
int sb_command_generate(int argc, char **argv);
int sb_command_info(int argc, char **argv);
int sb_command_methods(int argc, char **argv);
int sb_command_bench(int argc, char **argv);

/* The body of every run function: parse, then work(settings), then complain if need be ("slimband NAME:
   <sentence>"). Adds --help, --usage and --version, which are answered without working. argp's parser gets
   `settings` as state->input; on a bad value it fills *failure and returns EINVAL (the readers below do), and
   an option or argument that it does not know is ARGP_ERR_UNKNOWN as usual. It must not call argp_error,
   argp_usage or exit. Returns the exit code. */
int sb_command_run(const struct argp *argp, int argc, char **argv, void *settings, sb_failure *failure,
                   bool (*work)(void *settings));

/* Values of options: 0, or EINVAL with the failure "--lower must be a whole number in 0..8, not 'x'". */
error_t sb_option_integer(const char *option, const char *text, int64_t low, int64_t high, int64_t *value,
                          sb_failure *failure);
error_t sb_option_positive(const char *option, const char *text, double *value, sb_failure *failure);

/* One of the words of a NULL-terminated list; its index. */
error_t sb_option_word(const char *option, const char *text, const char *const *words, int *index,
                       sb_failure *failure);

/* The body of a help filter for argp: --help ends with what `write` writes. */
char *sb_help_with(int key, const char *text, void (*write)(FILE *stream));

#endif
