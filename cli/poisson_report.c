/* What `slimband poisson` says and draws when it is done. */
#include <math.h>
#include <stdlib.h>

#include "cli/json.h"
#include "cli/picture.h"
#include "cli/poisson.h"

/* The last two axes of the first field; of three axes the middle plane. */
bool sb_poisson_draw(const sb_poisson_job *job, FILE *out)
{
    const slimband_poisson_problem *p = &job->problem;
    sb_poisson *s = job->settings;
    sb_picture picture = {
        .rows = p->axis[p->rank - 2].n, .columns = p->axis[p->rank - 1].n, .low = NAN, .high = NAN};
    int64_t plane = picture.rows * picture.columns, first = p->rank == 3 ? p->axis[0].n / 2 * plane : 0;
    double *values = malloc((size_t)plane * sizeof *values);
    if (!values)
        return sb_fail(&s->failure, "%s: not enough memory for the picture", s->picture);
    sb_copy_numbers((sb_run){SLIMBAND_F64, values, 1}, sb_run_at((sb_run){p->scalar, job->u.data, 1}, first),
                    plane);
    picture.values = values;
    bool good = sb_picture_write(out, &picture, s->picture, &s->failure);
    free(values);
    return good;
}

static double ns_per_point(const sb_poisson_job *job)
{
    return 1e9 * job->seconds / (double)(job->points * job->problem.fields);
}

static void add_axes(const sb_poisson_job *job, cJSON *tree)
{
    const slimband_poisson_problem *p = &job->problem;
    cJSON *size = cJSON_AddArrayToObject(tree, "size"), *length = cJSON_AddArrayToObject(tree, "length"),
          *ends = cJSON_AddArrayToObject(tree, "ends");
    for (int a = 0; a < p->rank; ++a) {
        cJSON_AddItemToArray(size, cJSON_CreateNumber((double)p->axis[a].n));
        cJSON_AddItemToArray(length, cJSON_CreateNumber(p->axis[a].length));
        cJSON_AddItemToArray(ends, cJSON_CreateString(sb_poisson_walls[p->axis[a].walls - SLIMBAND_WALLS_DD]));
    }
}

static bool tell_json(const sb_poisson_job *job)
{
    const sb_poisson *s = job->settings;
    const slimband_poisson_problem *p = &job->problem;
    cJSON *tree = cJSON_CreateObject();
    add_axes(job, tree);
    cJSON_AddStringToObject(tree, "centring", sb_poisson_centrings[p->axis[0].centring]);
    cJSON_AddNumberToObject(tree, "lambda", p->lambda);
    cJSON_AddNumberToObject(tree, "fields", (double)p->fields);
    cJSON_AddStringToObject(tree, "type", sb_scalar_name(p->scalar));
    cJSON_AddStringToObject(tree, "method", job->report.method);
    cJSON_AddNumberToObject(tree, "threads", job->report.threads);
    cJSON_AddNumberToObject(tree, "seconds", job->seconds);
    cJSON_AddNumberToObject(tree, "ns_per_point", ns_per_point(job));
    cJSON_AddNumberToObject(tree, "backward_error", job->error.normwise);
    cJSON_AddBoolToObject(tree, "singular", job->report.singular);
    cJSON_AddNumberToObject(tree, "projected", job->report.projected);
    if (!s->rhs) {
        cJSON_AddNumberToObject(tree, "error", job->known_error);
        cJSON_AddNumberToObject(tree, "largest", job->known_size);
    }
    if (s->output)
        cJSON_AddStringToObject(tree, "output", s->output);
    if (s->picture)
        cJSON_AddStringToObject(tree, "picture", s->picture);
    return sb_json_print(tree, &job->settings->failure);
}

static void tell_size(const sb_poisson_job *job)
{
    const slimband_poisson_problem *p = &job->problem;
    printf("size            ");
    for (int a = 0; a < p->rank; ++a)
        printf("%s%lld", a ? " x " : "", (long long)p->axis[a].n);
    printf(" at %ss, %s, ends", sb_poisson_centrings[p->axis[0].centring], sb_scalar_name(p->scalar));
    for (int a = 0; a < p->rank; ++a)
        printf(" %s", sb_poisson_walls[p->axis[a].walls - SLIMBAND_WALLS_DD]);
    printf(", length");
    for (int a = 0; a < p->rank; ++a)
        printf("%s%g", a ? " x " : " ", p->axis[a].length);
    printf("\n");
    if (p->fields > 1)
        printf("fields          %lld\n", (long long)p->fields);
}

bool sb_poisson_tell(const sb_poisson_job *job)
{
    const sb_poisson *s = job->settings;
    if (s->json)
        return tell_json(job);
    tell_size(job);
    printf("equation        (%g - Laplacian) u = f\n"
           "method          %s\n"
           "threads         %d\n"
           "time            %.6f s, %.2f ns a point\n"
           "backward error  %.1e\n",
           job->problem.lambda, job->report.method, job->report.threads, job->seconds, ns_per_point(job),
           job->error.normwise);
    if (job->report.singular)
        printf("singular        %.6g was taken off the right-hand side, the mean of u set to %g\n",
               job->report.projected, job->problem.mean);
    if (!s->rhs)
        printf("error           %.3e beside the exact solution, whose largest value is %.3g%s\n",
               job->known_error, job->known_size, job->report.singular ? " (constants do not count)" : "");
    if (s->output)
        printf("output          %s\n", s->output);
    if (s->picture)
        printf("picture         %s\n", s->picture);
    return true;
}
