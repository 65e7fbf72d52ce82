/* What `slimband bench` is asked for. */
#ifndef SB_BENCH_SETTINGS_H
#define SB_BENCH_SETTINGS_H

#include <argp.h>

#include "bench/case.h"

/* Cases, as bits: an option has meaning for some of them. */
enum { SB_SINGLE = 1, SB_BATCH = 2, SB_GRID = 4, SB_CHOICE = 8, SB_LASS = 16 };

/* All of them, with those that have options of their own. */
#define SB_BENCH_CASES "single, batch, grid, choice, lass, poisson or steppers"

typedef struct sb_bench_settings {
    int kind; /* one bit; 0 until a case is named */
    sb_bench_case the_case;
    const char *methods, *against, *mkl, *output, *only;              /* NULL where not given */
    int executor;                                                     /* among sb_place_names */
    int64_t threads, repeat, largest, within, in_a_row, switch_point; /* 0 where not given; switch_point -1 */
    bool json, flush, warm, large, quick;
    unsigned given; /* which options; a number for each, from 0 */
    sb_failure failure;
} sb_bench_settings;

extern const struct argp_option sb_bench_options[];

/* As argp calls it, its input the settings. */
error_t sb_bench_parse(int key, char *text, struct argp_state *state);

/* What is not given set to what is usual; false if there is no case, or an option that has no meaning for it. */
bool sb_bench_settle(sb_bench_settings *settings);

const char *sb_bench_kind_name(int kind);

#endif
