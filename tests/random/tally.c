/* Counting what was drawn. */
#include "tests/random/tally.h"

#include <stdio.h>
#include <string.h>

#include "tests/random/place.h"

static int index_of(const char *method)
{
    slimband_method_info info;
    for (int i = 0; i < MOST_METHODS && slimband_method(i, &info); ++i) {
        if (!strcmp(info.name, method) && !strcmp(info.place, place_name))
            return i;
    }
    return MOST_METHODS - 1;
}

void tally_add(tally *sum, const trial *t, const result *r)
{
    const slimband_problem *p = &t->problem;
    int method = index_of(r->method);
    ++sum->methods[method];
    sum->worst[method] = fmax(sum->worst[method], r->verdict.error / r->bound);
    ++sum->scalars[p->scalar];
    ++sum->ends[p->ends];
    ++sum->coefficients[p->coefficients];
    ++sum->pivoting[p->pivoting];
    ++sum->arrangements[t->arrangement];
    ++sum->operations[t->operation];
    sum->in_place += t->in_place;
    sum->dominant += t->dominant;
    sum->refined += p->refinements > 0;
    sum->pivoted += r->pivoted;
    sum->two_threads += t->threads == 2;
}

static void print_counts(const char *name, const int64_t *counts, int length)
{
    printf("  %-13s", name);
    for (int i = 0; i < length; ++i)
        printf(" %lld", (long long)counts[i]);
    printf("\n");
}

void tally_print(const tally *sum)
{
    slimband_method_info info;
    for (int i = 0; slimband_method(i, &info); ++i)
        if (!strcmp(info.place, place_name))
            printf("  %-13s %8lld trials, largest error %.2g of its bound\n", info.name,
                   (long long)sum->methods[i], sum->worst[i]);
    print_counts("types", sum->scalars, 4);
    print_counts("ends", sum->ends, 2);
    print_counts("coefficients", sum->coefficients, 3);
    print_counts("pivoting", sum->pivoting, 3);
    print_counts("layouts", sum->arrangements, ARRANGEMENTS);
    print_counts("operations", sum->operations, OPERATIONS);
    printf("  in place %lld, dominant %lld, refined %lld, pivoted %lld, on two threads %lld\n",
           (long long)sum->in_place, (long long)sum->dominant, (long long)sum->refined, (long long)sum->pivoted,
           (long long)sum->two_threads);
}

static bool all_drawn(const int64_t *counts, int length)
{
    for (int i = 0; i < length; ++i) {
        if (counts[i] == 0)
            return false;
    }
    return true;
}

bool tally_complete(const tally *sum)
{
    slimband_method_info info;
    for (int i = 0; slimband_method(i, &info); ++i) {
        if (!strcmp(info.place, place_name) && strcmp(info.name, SLIMBAND_AUTO) && sum->methods[i] == 0)
            return false;
    }
    return all_drawn(sum->scalars, 4) && all_drawn(sum->ends, 2) && all_drawn(sum->coefficients, 3) &&
           all_drawn(sum->pivoting, 3) && all_drawn(sum->arrangements, ARRANGEMENTS) &&
           all_drawn(sum->operations, OPERATIONS) && sum->in_place && sum->pivoted && sum->two_threads &&
           sum->refined;
}
