/* Which method, among all that say they fit. */
#include <stdio.h>
#include <string.h>

#include "tests/random/place.h"

enum { CHOICES = 8 };

/* What may follow a method's name; "" is as good as any, and what a place does not know counts as that. A method without
   options needs no row. */
static const struct {
    const char *method, *options[CHOICES];
} choices[] = {
    {"tpr", {"", "", ":slice=2", ":slice=8", ":slice=32", ":slice=256", ":stable", ":fast"}},
    {"lanes",
     {"", "", ":stretch=16", ":stretch=40", "", ":isa=portable", ":isa=portable", ":isa=portable,stretch=16"}},
    {"tile", {"", "", "", ":form=alone", ":form=alone", ":form=cooperating", ":form=cooperating", ":pieces=3"}},
    {"truncated",
     {"", ":chunk=5", ":chunk=7,isa=portable", ":isa=portable", ":chunk=11", ":chunk=64", ":chunk=300",
      ":isa=portable,chunk=20"}},
    {"partition",
     {"", ":chunk=5", ":chunk=7,isa=portable", ":isa=portable", ":form=abreast", ":form=teams", ":form=lines",
      ":form=spare"}},
    {"pcr_thomas",
     {"", "", ":form=plain", ":form=tasked,switch=3", ":form=shuffled", ":switch=0", ":switch=3",
      ":form=shuffled,switch=2"}},
    {"cr_toeplitz", {"", "", ":form=shared", ":form=shared", ":form=global", ":form=global", "", ""}},
};

static const char *draw_options(const char *method, sb_random *random)
{
    for (size_t k = 0; k < sizeof choices / sizeof *choices; ++k) {
        if (!strcmp(choices[k].method, method))
            return choices[k].options[pick(random, CHOICES)];
    }
    return "";
}

void draw_method(trial *t, sb_random *random)
{
    slimband_method_info info, chosen = {.name = SLIMBAND_AUTO};
    slimband_executor executor = place_executor(t);
    int fitting = 1;
    for (int i = 0; slimband_method(i, &info); ++i) {
        if (!strcmp(info.name, SLIMBAND_AUTO) || strcmp(info.place, place_name) ||
            slimband_method_fits(&t->problem, executor, info.name))
            continue;
        if (one_in(random, ++fitting))
            chosen = info;
    }
    snprintf(t->method, sizeof t->method, "%s%s", chosen.name, draw_options(chosen.name, random));
    if (slimband_method_fits(&t->problem, executor, t->method)) /* options of its namesake elsewhere */
        snprintf(t->method, sizeof t->method, "%s", chosen.name);
}
