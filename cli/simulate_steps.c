/* The run itself: a stretch of steps at a time, and what is due between them. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/reason.h"
#include "cli/simulate.h"

/* The signal that asked the run to stop: global, since a handler gets no argument. */
static volatile sig_atomic_t asked;
static struct sigaction before_interrupt, before_terminate;

/* A second signal finds what was there before, which removes the temporary files and ends the process. */
static void ask(int signal_number)
{
    asked = signal_number;
    sigaction(signal_number, signal_number == SIGINT ? &before_interrupt : &before_terminate, NULL);
}

/* With a checkpoint to write, SIGINT and SIGTERM stop the run between two steps. */
static void listen(void)
{
    struct sigaction action = {.sa_handler = ask, .sa_flags = (int)SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, &before_interrupt);
    sigaction(SIGTERM, &action, &before_terminate);
}

static void keep(sb_simulation *run, sb_records *records, const void *numbers)
{
    if (!records->every || run->step % records->every)
        return;
    size_t bytes = (size_t)records->each * records->size;
    records->count = run->step / records->every + 1;
    memcpy(records->data + (size_t)(records->count - 1) * bytes, numbers, bytes);
}

/* One line of the picture, in double. */
static void keep_row(sb_simulation *run)
{
    sb_records *rows = &run->rows;
    if (!rows->every || run->step % rows->every)
        return;
    double *row = (double *)rows->data + run->step / rows->every * rows->each;
    int64_t first = run->settings->member * run->member_points;
    rows->count = run->step / rows->every + 1;
    for (int64_t i = 0; i < rows->each; ++i)
        row[i] = run->size == sizeof(float) ? (double)((const float *)run->state)[first + i]
                                            : ((const double *)run->state)[first + i];
}

bool sb_simulation_state(sb_simulation *run)
{
    slimband_status status = slimband_stepper_get(run->stepper, run->state);
    return !status || sb_fail(&run->settings->failure, "%s", sb_reason(status));
}

/* Keep what is due at this step. */
static bool record(sb_simulation *run)
{
    bool frame = run->frames.every && run->step % run->frames.every == 0;
    bool row = run->rows.every && run->step % run->rows.every == 0;
    if (!frame && !row)
        return true;
    if (!sb_simulation_state(run))
        return false;
    keep(run, &run->frames, run->state);
    keep_row(run);
    return true;
}

bool sb_simulation_diagnose(sb_simulation *run, double *means, double *energies)
{
    slimband_status status = slimband_stepper_means(run->stepper, means);
    if (!status && energies)
        status = slimband_stepper_energies(run->stepper, energies);
    return !status || sb_fail(&run->settings->failure, "%s", sb_reason(status));
}

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Up to the next thing that is due, and for a tenth of a second at most. */
static int64_t stretch(const sb_simulation *run)
{
    int64_t steps = run->settings->steps - run->step, done = run->step - run->first_step;
    if (run->frames.every)
        steps = sooner(steps, run->frames.every - run->step % run->frames.every);
    if (run->rows.every)
        steps = sooner(steps, run->rows.every - run->step % run->rows.every);
    double rate = run->seconds > 0 ? (double)done / run->seconds : 0, most = 0.1 * rate;
    return most < (double)steps ? sooner(steps, (int64_t)most + 1) : steps;
}

static void show(sb_simulation *run)
{
    char text[160];
    int64_t steps = run->settings->steps, done = run->step - run->first_step;
    double rate = done ? (double)done / run->seconds : 0;
    snprintf(text, sizeof text, "step %" PRId64 " of %" PRId64 ", %.3g points/s, %.0f s left", run->step, steps,
             rate * (double)run->elements, rate > 0 ? (double)(steps - run->step) / rate : 0);
    sb_progress_update(&run->progress, text, (double)run->step / (double)steps);
}

static bool interrupted(sb_simulation *run)
{
    sb_simulate *s = run->settings;
    if (!sb_simulation_save(run))
        return false;
    sb_progress_end(&run->progress);
    s->interrupted = (int)asked;
    return sb_fail(&s->failure,
                   "interrupted after step %" PRId64 " of %" PRId64 "; the same command goes on from %s",
                   run->step, s->steps, s->checkpoint);
}

static bool take(sb_simulation *run, int64_t count)
{
    double start = sb_seconds();
    slimband_status status = slimband_stepper_step(run->stepper, count);
    run->seconds += sb_seconds() - start;
    run->step += count;
    if (!status)
        return true;
    return sb_fail(&run->settings->failure, "between steps %" PRId64 " and %" PRId64 "%s: %s",
                   run->step - count, run->step,
                   status == SLIMBAND_SOLUTION_NOT_FINITE ? " a member overflowed" : "", sb_reason(status));
}

bool sb_simulation_steps(sb_simulation *run)
{
    enum { seconds_between_saves = 60 };
    const sb_simulate *s = run->settings;
    double saved = sb_seconds();
    if (s->checkpoint)
        listen();
    if (!sb_simulation_diagnose(run, run->means, run->energies) || (run->step == 0 && !record(run)))
        return false;
    while (run->step < s->steps) {
        if (asked)
            return interrupted(run);
        if (!take(run, stretch(run)) || !record(run))
            return false;
        show(run);
        if (s->checkpoint && sb_seconds() - saved > seconds_between_saves) {
            if (!sb_simulation_save(run))
                return false;
            saved = sb_seconds();
        }
    }
    return sb_simulation_state(run);
}
