/* Checkpoints: three lines of text, the numbers, and a checksum of all that.
 *
 *     slimband simulation 1
 *     equation=heat2d type=f64 ...                     all that decides over bits
 *     step 120 frames 3 rows 61 bytes 81920            reached, kept, and how many bytes of numbers follow */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/input.h"
#include "cli/reason.h"
#include "cli/simulate.h"

static const char magic[] = "slimband simulation 1\n";

/* FNV-1a of 64 bits. */
static uint64_t add_to_sum(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *c = bytes;
    for (size_t i = 0; i < count; ++i)
        sum = (sum ^ c[i]) * UINT64_C(1099511628211);
    return sum;
}

static const uint64_t empty_sum = UINT64_C(14695981039346656037);

static void put(FILE *out, uint64_t *sum, const void *bytes, size_t count)
{
    *sum = add_to_sum(*sum, bytes, count);
    fwrite(bytes, 1, count, out);
}

static size_t kept_bytes(const sb_records *records, int64_t count)
{
    return (size_t)(count * records->each) * records->size;
}

/* The three lines, from malloc. */
static char *print_header(const sb_simulation *run, int64_t step, int64_t frames, int64_t rows)
{
    char *text = NULL;
    size_t bytes =
        (size_t)run->elements * run->size + kept_bytes(&run->frames, frames) + kept_bytes(&run->rows, rows);
    int length = asprintf(&text, "%s%s\nstep %" PRId64 " frames %" PRId64 " rows %" PRId64 " bytes %zu\n",
                          magic, run->parameters, step, frames, rows, bytes);
    return length < 0 ? NULL : text;
}

bool sb_simulation_save(sb_simulation *run)
{
    sb_simulate *s = run->settings;
    sb_output output;
    if (!sb_simulation_state(run))
        return false;
    char *header = print_header(run, run->step, run->frames.count, run->rows.count);
    if (!header)
        return sb_fail(&s->failure, "%s: not enough memory to write it", s->checkpoint);
    if (!sb_output_open(&output, s->checkpoint, &s->failure)) {
        free(header);
        return false;
    }
    uint64_t sum = empty_sum;
    put(output.stream, &sum, header, strlen(header));
    put(output.stream, &sum, run->state, (size_t)run->elements * run->size);
    put(output.stream, &sum, run->frames.data, kept_bytes(&run->frames, run->frames.count));
    put(output.stream, &sum, run->rows.data, kept_bytes(&run->rows, run->rows.count));
    fwrite(&sum, sizeof sum, 1, output.stream);
    free(header);
    return sb_output_commit(&output, &s->failure);
}

/* The first word of the parameters that is not this run's. */
static bool tell_difference(const sb_simulation *run, const char *theirs)
{
    sb_simulate *s = run->settings;
    const char *ours = run->parameters;
    size_t start = 0;
    for (size_t i = 0; ours[i] && ours[i] == theirs[i]; ++i)
        start = ours[i] == ' ' ? i + 1 : start;
    return sb_fail(&s->failure, "%s: belongs to another run: it has %.*s, this one %.*s", s->checkpoint,
                   (int)strcspn(theirs + start, " \n"), theirs + start, (int)strcspn(ours + start, " "),
                   ours + start);
}

static bool damaged(const sb_simulation *run)
{
    return sb_fail(&run->settings->failure, "%s: the checkpoint is damaged or cut short",
                   run->settings->checkpoint);
}

/* Records there must be exactly those that are due up to `step`. */
static bool right_count(const sb_records *records, int64_t step, int64_t count)
{
    return count == (records->every ? step / records->every + 1 : 0);
}

static bool get(FILE *in, uint64_t *sum, void *bytes, size_t count)
{
    bool good = fread(bytes, 1, count, in) == count;
    *sum = add_to_sum(*sum, bytes, good ? count : 0);
    return good;
}

static bool read_numbers(sb_simulation *run, FILE *in, uint64_t *sum)
{
    return get(in, sum, run->state, (size_t)run->elements * run->size) &&
           get(in, sum, run->frames.data, kept_bytes(&run->frames, run->frames.count)) &&
           get(in, sum, run->rows.data, kept_bytes(&run->rows, run->rows.count));
}

/* lines: the three lines. What they say must be what this run would have written at that step. */
static bool read_rest(sb_simulation *run, FILE *in, char *const lines[3])
{
    int64_t step = 0, frames = 0, rows = 0;
    if (sscanf(lines[2], "step %" SCNd64 " frames %" SCNd64 " rows %" SCNd64, &step, &frames, &rows) != 3 ||
        step < 0 || step > run->settings->steps || !right_count(&run->frames, step, frames) ||
        !right_count(&run->rows, step, rows))
        return damaged(run);
    char *expected = print_header(run, step, frames, rows);
    uint64_t sum = empty_sum, stored = 0;
    bool good = expected && strlen(expected) > strlen(lines[2]) &&
                !strcmp(expected + strlen(expected) - strlen(lines[2]), lines[2]);
    if (good)
        sum = add_to_sum(sum, expected, strlen(expected));
    free(expected);
    run->frames.count = frames;
    run->rows.count = rows;
    good = good && read_numbers(run, in, &sum) && fread(&stored, sizeof stored, 1, in) == 1 && fgetc(in) == EOF;
    if (!good || sum != stored)
        return damaged(run);
    run->step = run->first_step = step;
    slimband_status status = slimband_stepper_set(run->stepper, run->state, step);
    return !status || sb_fail(&run->settings->failure, "%s", sb_reason(status));
}

static bool read_checkpoint(sb_simulation *run, FILE *in)
{
    sb_simulate *s = run->settings;
    char first[sizeof magic + 1] = "", second[sizeof run->parameters + 2] = "", third[200] = "";
    char *const lines[] = {first, second, third};
    if (!fgets(first, sizeof first, in) || strcmp(first, magic))
        return sb_fail(&s->failure, "%s: not a checkpoint of slimband simulate", s->checkpoint);
    if (!fgets(second, sizeof second, in) || !fgets(third, sizeof third, in))
        return damaged(run);
    size_t length = strlen(run->parameters);
    if (strncmp(second, run->parameters, length) || strcmp(second + length, "\n"))
        return tell_difference(run, second);
    return read_rest(run, in, lines);
}

/* That the place can be written is found out now, not when it is needed. */
static bool try_to_write(sb_simulate *s)
{
    sb_output output;
    if (!sb_output_open(&output, s->checkpoint, &s->failure))
        return false;
    sb_output_discard(&output);
    return true;
}

bool sb_simulation_resume(sb_simulation *run)
{
    sb_simulate *s = run->settings;
    if (access(s->checkpoint, F_OK) && errno == ENOENT)
        return try_to_write(s);
    FILE *in = sb_input_open(s->checkpoint, &s->failure);
    if (!in)
        return false;
    bool good = read_checkpoint(run, in);
    fclose(in);
    return good && try_to_write(s);
}
