/* Verification and turns. */
#include "bench/race.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/memory.h"
#include "bench/verify.h"
#include "cli/reason.h"
#include "gallery/random.h"

void sb_contender_excuse(sb_contender *contender, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(contender->note, sizeof contender->note, format, arguments);
    va_end(arguments);
}

void sb_contender_close(sb_contender *contender)
{
    if (contender->calls && contender->calls->close)
        contender->calls->close(contender->self);
    contender->calls = NULL;
}

double sb_race_limit(slimband_scalar scalar)
{
    const double roundings = 1000;
    bool wide = scalar == SLIMBAND_F64 || scalar == SLIMBAND_C128;
    return roundings * (wide ? DBL_EPSILON : FLT_EPSILON);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sb_race_median(double *numbers, int64_t count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

typedef struct sb_race {
    sb_bench_data *data;
    const sb_race_rules *rules;
    void *work;
    sb_broom own_broom;
    const sb_broom *broom;
} sb_race;

static sb_place *place_of(const sb_race *race, const sb_contender *c)
{
    return c->place ? c->place : race->data->place;
}

/* Before verification nothing is left that an earlier contender solved. */
static void restore(const sb_race *race, sb_contender *c, bool spoil)
{
    sb_bench_data *data = race->data;
    if (spoil) {
        sb_place *place = place_of(race, c);
        sb_bench_spoil(data->x, data->vector_bytes, data->threads);
        place->calls->spoil(place, sb_bench_data_at(data, place).x, data->vector_bytes);
    }
    if (c->calls->restore)
        c->calls->restore(c->self, race->data, race->work);
}

/* Cold or warm, the same for all. */
static void set_caches(const sb_race *race, const sb_contender *c)
{
    const sb_bench_data *data = race->data;
    sb_place *place = place_of(race, c);
    if (race->rules->flush && place == data->place) {
        place->calls->sweep(place, race->broom->array, race->broom->bytes);
        return;
    }
    place->calls->touch(place, race->work, c->work_bytes);
    if (c->brings_copies)
        return;
    sb_bench_arrays arrays = sb_bench_data_at(data, place);
    for (int d = 0; d < data->problem.lower + 1 + data->problem.upper; ++d)
        place->calls->touch(place, arrays.diagonals[d], data->diagonal_bytes);
    place->calls->touch(place, arrays.b, data->vector_bytes);
    place->calls->touch(place, arrays.x, data->vector_bytes);
}

/* Seconds of one of so many runs, one behind the other; NaN with a note when one complains. */
static double turn(const sb_race *race, sb_contender *c, int64_t runs)
{
    sb_place *place = place_of(race, c);
    const char *complaint = NULL;
    place->calls->start(place, runs);
    for (int64_t k = 0; k < runs && !complaint; ++k)
        complaint = c->calls->run(c->self, race->data, race->work);
    double seconds = place->calls->stop(place, &complaint) / (double)runs;
    if (!complaint)
        return c->share > 0 ? c->share * seconds : seconds;
    sb_contender_excuse(c, "failed: %s", complaint);
    return NAN;
}

/* Seconds of the run that was verified, 0 if it did not pass. */
static double verify(const sb_race *race, sb_contender *c)
{
    restore(race, c, true);
    double seconds = turn(race, c, 1);
    if (c->note[0])
        return 0;
    if (c->no_answer)
        return seconds;
    sb_bench_data *data = race->data;
    sb_place *place = place_of(race, c);
    if (c->calls->fetch)
        c->calls->fetch(c->self, data, race->work);
    else if (!sb_place_is_host(place))
        place->calls->copy(place, data->x, sb_bench_data_at(data, place).x, data->vector_bytes, SB_COPY_OUT);
    slimband_backward_error error = {.normwise = INFINITY};
    slimband_status status = sb_bench_backward_error(data, &error);
    c->residual = error.normwise;
    if (status)
        sb_contender_excuse(c, "failed: %s", sb_reason(status));
    else if (!(error.normwise <= sb_race_limit(data->problem.scalar)))
        sb_contender_excuse(c, "failed verification: backward error %.1e", error.normwise);
    if (c->note[0] || sb_place_is_host(place))
        return c->note[0] ? 0 : seconds;
    /* There, a first run also brings the kernels. */
    restore(race, c, false);
    seconds = turn(race, c, 1);
    return c->note[0] ? 0 : seconds;
}

/* A first run also pays for fresh memory, and a short one may have waited for a thread to wake: it is tried again. */
static void try_again(const sb_race *race, sb_contender *c, double limit, double *verified)
{
    enum { TRIES = 3 };
    const double short_run = 0.05;
    for (int k = 0; k<TRIES && * verified> limit && *verified < short_run; ++k) {
        restore(race, c, false);
        double seconds = turn(race, c, 1);
        *verified = c->note[0] ? 0 : fmin(*verified, seconds);
    }
}

/* Those whose verified run was so much longer than the fastest's that their median is not in question. */
static void send_off(const sb_race *race, sb_contender *contenders, double *verified, int count)
{
    double least = INFINITY, give_up = race->rules->give_up;
    for (int k = 0; k < count; ++k)
        least = contenders[k].note[0] || contenders[k].no_answer ? least : fmin(least, verified[k]);
    for (int k = 0; k < count && give_up > 0; ++k) {
        sb_contender *c = &contenders[k];
        if (c->note[0] || c->no_answer || c->stays)
            continue;
        try_again(race, c, give_up * least, &verified[k]);
        if (verified[k] > give_up * least)
            sb_contender_excuse(c, "not timed: %.0f times slower than the fastest", verified[k] / least);
    }
}

static int64_t choose_repeat(const sb_race_rules *rules, double round)
{
    enum { LEAST = 5, MOST = 101 };
    const double enough = rules->enough > 0 ? rules->enough : 3;
    if (rules->repeat)
        return rules->repeat;
    double turns = enough / fmax(round, 1e-9);
    return turns > MOST ? MOST : turns < LEAST ? LEAST : (int64_t)turns | 1;
}

/* Of `taken` places and the one behind them, that one changes with any. */
static void draw_place(sb_random *random, int *order, int taken)
{
    int other = (int)((double)(taken + 1) * sb_random_unit(random)), here = order[taken];
    order[taken] = order[other];
    order[other] = here;
}

/* In an order that is drawn anew each time: a short run takes less behind one that left code, or threads awake, that it needs too. */
static void take_turns(const sb_race *race, sb_contender *contenders, int count, int64_t repeat,
                       double *seconds, int *order)
{
    const int64_t runs = race->rules->in_a_row ? race->rules->in_a_row : 1;
    sb_random random = sb_random_seeded(1);
    for (int k = 0; k < count; ++k)
        order[k] = k;
    for (int64_t r = 0; r < repeat; ++r) {
        sb_progress_update(race->rules->progress, race->rules->what, (double)r / (double)repeat);
        for (int k = 1; k < count; ++k)
            draw_place(&random, order, k);
        for (int k = 0; k < count; ++k) {
            sb_contender *c = &contenders[order[k]];
            if (c->note[0])
                continue;
            restore(race, c, false);
            set_caches(race, c);
            seconds[order[k] * repeat + r] = turn(race, c, runs);
        }
    }
    for (int k = 0; k < count; ++k)
        if (!contenders[k].note[0])
            contenders[k].seconds = sb_race_median(seconds + k * repeat, repeat);
}

static bool open_race(sb_race *race, const sb_contender *contenders, int count)
{
    size_t bytes = 0;
    for (int k = 0; k < count; ++k)
        if (!contenders[k].note[0] && contenders[k].work_bytes > bytes)
            bytes = contenders[k].work_bytes;
    sb_place *place = race->data->place;
    race->work = place->calls->allocate(place, bytes, race->data->block_count);
    race->broom = race->rules->broom ? race->rules->broom : &race->own_broom;
    bool has_broom = !race->rules->flush || race->rules->broom;
    return race->work && (has_broom || sb_broom_open(&race->own_broom, place));
}

bool sb_race_run(sb_bench_data *data, sb_contender *contenders, int count, const sb_race_rules *rules,
                 sb_failure *failure)
{
    sb_race race = {.data = data, .rules = rules};
    double *verified = calloc((size_t)count, sizeof *verified), round = 0;
    bool ready = verified && open_race(&race, contenders, count);
    for (int k = 0; k < count; ++k) {
        contenders[k].residual = contenders[k].seconds = NAN;
        sb_progress_update(rules->progress, rules->what, 0);
        if (ready && !contenders[k].note[0])
            verified[k] = verify(&race, &contenders[k]);
    }
    if (ready)
        send_off(&race, contenders, verified, count);
    for (int k = 0; ready && k < count; ++k)
        round += contenders[k].note[0] ? 0 : verified[k];
    int64_t repeat = choose_repeat(rules, round);
    double *seconds = ready ? malloc((size_t)(count * repeat) * sizeof *seconds) : NULL;
    int *order = ready ? malloc((size_t)count * sizeof *order) : NULL;
    bool done = seconds && order;
    if (done)
        take_turns(&race, contenders, count, repeat, seconds, order);
    else
        sb_fail(failure, "not enough memory for copies of %.3g rows", sb_bench_rows(&data->the_case));
    free(order);
    free(seconds);
    free(verified);
    if (race.work)
        data->place->calls->release(data->place, race.work);
    sb_broom_close(&race.own_broom);
    return done;
}
