/* What `slimband solve` says when it is done. */
#include "cli/json.h"
#include "cli/solve.h"

/* Bytes that have to move between memory and core, whatever the method: every diagonal, right-hand side and
   solution once. */
static double necessary_bytes(const slimband_problem *problem)
{
    double systems = (double)slimband_systems(problem);
    double matrices =
        problem->coefficients == SLIMBAND_OWN ? systems : problem->coefficients == SLIMBAND_SHARED;
    double words = (2 * systems + (problem->lower + 1 + problem->upper) * matrices) * (double)problem->n;
    return words * (double)sb_number_bytes(problem->scalar);
}

static const char *coefficients_name(const slimband_problem *problem)
{
    static const char *const names[] = {
        [SLIMBAND_OWN] = "own", [SLIMBAND_SHARED] = "shared", [SLIMBAND_TOEPLITZ] = "toeplitz"};
    return names[problem->coefficients];
}

static bool print_json(const sb_solve *s, const sb_solve_result *r, double rate, sb_failure *failure)
{
    const slimband_problem *p = r->problem;
    cJSON *tree = cJSON_CreateObject();
    cJSON_AddNumberToObject(tree, "n", (double)p->n);
    cJSON_AddNumberToObject(tree, "batch", (double)slimband_systems(p));
    cJSON_AddStringToObject(tree, "type", sb_scalar_name(p->scalar));
    cJSON_AddNumberToObject(tree, "lower", p->lower);
    cJSON_AddNumberToObject(tree, "upper", p->upper);
    cJSON_AddStringToObject(tree, "ends", p->ends == SLIMBAND_PERIODIC ? "periodic" : "open");
    cJSON_AddStringToObject(tree, "coefficients", coefficients_name(p));
    cJSON_AddStringToObject(tree, "method", r->report.method);
    cJSON_AddNumberToObject(tree, "threads", r->report.threads);
    cJSON_AddNumberToObject(tree, "seconds", r->seconds);
    cJSON_AddNumberToObject(tree, "gb_per_s", rate);
    cJSON_AddNumberToObject(tree, "backward_error", r->error.normwise);
    cJSON_AddNumberToObject(tree, "componentwise_error", r->error.componentwise);
    cJSON_AddNumberToObject(tree, "pivoted", (double)r->report.pivoted);
    cJSON_AddStringToObject(tree, "output", s->output);
    return sb_json_print(tree, failure);
}

bool sb_solve_print(sb_solve *s, const sb_solve_result *r)
{
    const slimband_problem *p = r->problem;
    double rate = r->seconds > 0 ? 1e-9 * necessary_bytes(p) / r->seconds : 0;
    if (s->json)
        return print_json(s, r, rate, &s->failure);
    printf("n               %lld\n"
           "batch           %lld\n"
           "matrix          %s, lower %d, upper %d, %s, %s\n"
           "method          %s\n"
           "threads         %d\n"
           "time            %.6f s\n"
           "traffic         %.2f GB/s\n"
           "backward error  %.1e (componentwise %.1e)\n",
           (long long)p->n, (long long)slimband_systems(p), sb_scalar_name(p->scalar), p->lower, p->upper,
           p->ends == SLIMBAND_PERIODIC ? "periodic" : "open", coefficients_name(p), r->report.method,
           r->report.threads, r->seconds, rate, r->error.normwise, r->error.componentwise);
    if (r->report.pivoted)
        printf("pivoted         %lld of %lld matrices\n", (long long)r->report.pivoted,
               (long long)r->report.matrices);
    printf("output          %s\n", s->output);
    return true;
}
