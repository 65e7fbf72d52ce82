/* Which options belong together, and what the others are. */
#include <math.h>
#include <string.h>

#include "cli/lists.h"
#include "cli/simulate.h"

typedef struct subject {
    const char *name;
    slimband_equation equation;
    int rank;
    sb_initial initial;
    double amplitude;
} subject;

static const subject subjects[] = {
    {"hyperdiffusion", SLIMBAND_HYPERDIFFUSION, 1, SB_WAVE, 1},
    {"cahn-hilliard", SLIMBAND_CAHN_HILLIARD, 1, SB_RANDOM, 0.1},
    {"heat2d", SLIMBAND_HEAT, 2, SB_BLOCK, 1},
    {"heat3d", SLIMBAND_HEAT, 3, SB_BLOCK, 1},
};

static const subject *find_subject(sb_simulate *s)
{
    for (size_t k = 0; s->what && k < sizeof subjects / sizeof *subjects; ++k)
        if (!strcmp(s->what, subjects[k].name))
            return &subjects[k];
    if (s->what)
        sb_fail(&s->failure, "unknown equation '%s': hyperdiffusion, cahn-hilliard, heat2d or heat3d", s->what);
    else
        sb_fail(&s->failure,
                "which equation? slimband simulate hyperdiffusion, cahn-hilliard, heat2d or heat3d");
    return NULL;
}

static void choose_initial(sb_simulate *s, const subject *subject)
{
    static const char *const shapes[] = {"wave", "random", "block"};
    if (!s->initial_file) {
        s->initial = subject->initial;
        s->initial_file = shapes[subject->initial];
        return;
    }
    s->initial = SB_FROM_FILE;
    for (int k = 0; k < 3; ++k)
        if (!strcmp(s->initial_file, shapes[k]))
            s->initial = (sb_initial)k;
}

/* One value stands for all axes; else there is one for each. */
static bool check_counts(sb_simulate *s)
{
    const struct {
        const char *option;
        int count;
    } lists[] = {{"--size", s->sizes}, {"--length", s->lengths}, {"--ends", s->ends}};
    for (int k = 0; k < 3; ++k)
        if (lists[k].count && !sb_list_fits(lists[k].option, lists[k].count, s->rank, &s->failure))
            return false;
    if (s->boundaries && s->boundaries != 2 * s->rank)
        return sb_fail(&s->failure, "--boundary has %d values, but %d axes have %d ends", s->boundaries,
                       s->rank, 2 * s->rank);
    for (int a = 1; a < s->rank; ++a) {
        s->size[a] = s->sizes == 1 ? s->size[0] : s->size[a];
        s->length[a] = s->lengths == 1 ? s->length[0] : s->length[a];
        s->walls[a] = s->ends == 1 ? s->walls[0] : s->walls[a];
    }
    return true;
}

/* A wave that pushes has waves and a speed; nothing else has. */
static bool check_forcing(sb_simulate *s)
{
    const char *stray = s->forcing_waves >= 0      ? "--forcing-waves"
                        : !isnan(s->forcing_speed) ? "--forcing-speed"
                                                   : NULL;
    if (stray && s->equation == SLIMBAND_HEAT)
        return sb_fail(&s->failure, "%s has no meaning for %s", stray, s->what);
    if (stray && !s->forcing.given)
        return sb_fail(&s->failure, "%s has no meaning without --forcing", stray);
    s->forcing_waves = s->forcing_waves < 0 ? 1 : s->forcing_waves;
    s->forcing_speed = isnan(s->forcing_speed) ? 0 : s->forcing_speed;
    return true;
}

static bool check_ranges(sb_simulate *s)
{
    const struct {
        const char *option;
        const sb_range *range;
    } ranges[] = {{"--gamma", &s->gamma}, {"--diffusivity", &s->diffusivity}, {"--forcing", &s->forcing}};
    for (int k = 0; k < 3; ++k)
        if (s->batch == 1 && ranges[k].range->first != ranges[k].range->last)
            return sb_fail(&s->failure, "%s %g:%g needs --batch: one member has one value", ranges[k].option,
                           ranges[k].range->first, ranges[k].range->last);
    return true;
}

static bool check_strays(sb_simulate *s)
{
    bool heat = s->equation == SLIMBAND_HEAT;
    const char *stray = NULL;
    if (!heat && s->boundaries)
        stray = "--boundary";
    if (heat)
        stray = s->gamma.given ? "--gamma" : s->forcing.given ? "--forcing" : NULL;
    if (stray)
        return sb_fail(&s->failure, "%s has no meaning for %s", stray, s->what);
    const char *missing = !s->sizes ? "--size" : s->steps < 0 ? "--steps" : isnan(s->dt) ? "--dt" : NULL;
    if (missing)
        return sb_fail(&s->failure, "%s is missing", missing);
    if (s->every && !s->output)
        return sb_fail(&s->failure, "--every needs --output: where to write the states");
    if (s->every && s->batched && s->rank == 3)
        return sb_fail(&s->failure,
                       "--every and --batch together would make heat3d's output an array of five axes; four "
                       "are the most");
    if (s->member >= s->batch)
        return sb_fail(&s->failure, "--member must lie in 0..%lld", (long long)s->batch - 1);
    return true;
}

static bool check_files(sb_simulate *s)
{
    const char *const files[] = {s->output, s->picture, s->checkpoint};
    const char *const names[] = {"--output", "--picture", "--checkpoint"};
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < a; ++b)
            if (files[a] && files[b] && sb_output_same(files[a], files[b]))
                return sb_fail(&s->failure, "%s and %s are the same file, %s", names[b], names[a], files[a]);
    return true;
}

bool sb_simulate_settle(sb_simulate *s)
{
    const subject *subject = find_subject(s);
    if (!subject)
        return false;
    s->equation = subject->equation;
    s->rank = subject->rank;
    s->amplitude = isnan(s->amplitude) ? subject->amplitude : s->amplitude;
    choose_initial(s, subject);
    return check_strays(s) && check_forcing(s) && check_ranges(s) && check_counts(s) && check_files(s);
}
