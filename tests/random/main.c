/* random [SEED [COUNT [FIRST]]]: COUNT random problems, solved through the public interface and judged in long
 * double. Problem number i depends on SEED and i only, so that any one of them can be had again by itself. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/random/place.h"
#include "tests/random/tally.h"

#ifndef RANDOM_COUNT
#define RANDOM_COUNT 100000
#endif

enum { MOST_FAILURES = 10, ENOUGH_FOR_EVERYTHING = 5000 };

static uint64_t seed_of(uint64_t seed, int64_t number)
{
    sb_random random = sb_random_seeded(seed + (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15));
    return sb_random_bits(&random);
}

static char reproduction[80]; /* of the trial that is running, for the signal handler too */

static void crashed(int signal)
{
    ssize_t written = write(STDOUT_FILENO, reproduction, strlen(reproduction));
    _exit(written < 0 ? signal : 128 + signal);
}

/* One trial; false when the library broke its word. */
static bool run(uint64_t seed, int64_t number, bool loud, tally *sum)
{
    trial t;
    snprintf(reproduction, sizeof reproduction,
             "    reproduce on the %s: test-random %" PRIu64 " 1 %" PRId64 "\n", place_name, seed, number);
    result r = {.complaint = "the problem could not be drawn: a layout helper refused it, or memory is short"};
    if (trial_draw(&t, seed_of(seed, number)))
        check_trial(&t, &r);
    bool good = r.complaint[0] == '\0';
    if (good)
        tally_add(sum, &t, &r);
    else
        printf("FAILED: %s\n", r.complaint);
    if (!good || loud) {
        trial_print(&t);
        fputs(reproduction, stdout);
        printf("    ran %s, error %.3g of bound %.3g\n", r.method, r.verdict.error, r.bound);
    }
    trial_free(&t);
    return good;
}

static uint64_t argument(int argc, char **argv, int index, uint64_t otherwise)
{
    return argc > index ? strtoull(argv[index], NULL, 0) : otherwise;
}

int main(int argc, char **argv)
{
    uint64_t seed = argument(argc, argv, 1, 20240229);
    int64_t count = (int64_t)argument(argc, argv, 2, RANDOM_COUNT), first = (int64_t)argument(argc, argv, 3, 0);
    tally sum = {0};
    const char *missing = place_missing();
    if (missing) {
        printf("skipped: %s\n", missing);
        return 77;
    }
    int failures = 0;
    signal(SIGSEGV, crashed);
    signal(SIGABRT, crashed);
    printf("seed %" PRIu64 ", %" PRId64 " problems from number %" PRId64 "\n", seed, count, first);
    for (int64_t i = 0; i < count && failures < MOST_FAILURES; ++i)
        failures += !run(seed, first + i, count == 1, &sum);
    place_release();
    tally_print(&sum);
    if (!failures && count >= ENOUGH_FOR_EVERYTHING && !tally_complete(&sum)) {
        printf("FAILED: something was never drawn\n");
        ++failures;
    }
    printf("%s\n", failures ? "FAILED" : "passed");
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
