/* slimband: which subcommand is meant. */
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "slimband/version.h"

static const sb_command commands[] = {
    {"solve", "solve banded systems from .npy or Matrix Market files", sb_command_solve},
    {"smooth", "smooth a column of a CSV file (Whittaker, Hodrick-Prescott)", sb_command_smooth},
    {"poisson", "solve Poisson's and Helmholtz' equation on a rectangle or a box", sb_command_poisson},
    {"simulate", "implicit time steps of hyperdiffusion, Cahn-Hilliard and heat", sb_command_simulate},
    {"generate", "write one of the test matrices", sb_command_generate},
    {"info", "what this machine and this build offer", sb_command_info},
    {"methods", "the methods that are built in and what they can solve", sb_command_methods},
    {"bench", "how fast, beside other libraries and what the memory allows", sb_command_bench},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int help(void)
{
    puts("Usage: slimband COMMAND [OPTION...]\n"
         "Solve narrow-banded linear systems, directly and fast.\n");
    for (int i = 0; i < COMMANDS; ++i)
        printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    puts("\n  --help     this text; slimband COMMAND --help tells about a command\n"
         "  --version  the version");
    return SB_EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        fputs("slimband: which command? slimband --help lists them\n", stderr);
        return SB_EXIT_BAD;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?") || !strcmp(argv[1], "help"))
        return help();
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        printf("slimband %s\n", slimband_version());
        return SB_EXIT_GOOD;
    }
    for (int i = 0; i < COMMANDS; ++i) {
        if (strcmp(argv[1], commands[i].name))
            continue;
        char name[64];
        snprintf(name, sizeof name, "slimband %s", commands[i].name);
        argv[1] = name;
        return commands[i].run(argc - 1, argv + 1);
    }
    sb_failure failure;
    sb_fail(&failure, "unknown command '%s'; slimband --help lists them", argv[1]);
    fprintf(stderr, "slimband: %s\n", failure.text);
    return SB_EXIT_BAD;
}

int main(int argc, char **argv)
{
    int code = run(argc, argv);
    bool lost = ferror(stdout) != 0;
    if ((fclose(stdout) || lost) && code == SB_EXIT_GOOD) {
        sb_failure failure;
        sb_fail_system(&failure, "standard output", errno);
        fprintf(stderr, "slimband: %s\n", failure.text);
        code = SB_EXIT_BAD;
    }
    return code;
}
