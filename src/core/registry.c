/* Which methods there are, and which of them a name means for a problem. Methods are rows of their backend's
 * table. */
#include <math.h>
#include <string.h>

#include "src/core/backend.h"

#define DECLARE(name) extern const sb_backend sb_##name##_backend;
SB_BACKENDS(DECLARE)
#undef DECLARE

static const sb_backend *const backends[] = {
#define MEMBER(name) &sb_##name##_backend,
    SB_BACKENDS(MEMBER)
#undef MEMBER
};

enum { backend_count = sizeof backends / sizeof *backends };

bool slimband_method(int index, slimband_method_info *info)
{
    if (!info || index < 0)
        return false;
    for (int b = 0; b < backend_count; index -= *backends[b++]->method_count)
        if (index < *backends[b]->method_count) {
            *info = backends[b]->methods[index].info;
            return true;
        }
    return false;
}

slimband_status sb_find_backend(slimband_executor executor, const sb_backend **backend)
{
    *backend = NULL;
    if ((unsigned)executor.place > SLIMBAND_ON_MPI || executor.place == 0)
        return SLIMBAND_BAD_EXECUTOR;
    if (executor.threads < 0)
        return SLIMBAND_BAD_THREADS;
    for (int b = 0; b < backend_count; ++b)
        if (backends[b]->place == executor.place)
            *backend = backends[b];
    return *backend ? SLIMBAND_OK : SLIMBAND_NOT_BUILT_IN;
}

static const sb_method *method_named(const sb_backend *backend, const char *name, size_t length)
{
    for (int m = 0; m < *backend->method_count; ++m) {
        const char *known = backend->methods[m].info.name;
        if (strlen(known) == length && !strncmp(known, name, length))
            return &backend->methods[m];
    }
    return NULL;
}

/* The cheapest method that fits; otherwise a reason why none does. */
static slimband_status cheapest(const sb_backend *backend, const slimband_problem *problem,
                                slimband_executor executor, const sb_method **best)
{
    slimband_status status = SLIMBAND_NOT_BUILT_IN;
    double least = INFINITY;
    *best = NULL;
    for (int m = 0; m < *backend->method_count; ++m) {
        const sb_method *method = &backend->methods[m];
        slimband_status fits = backend->fits(method, problem, executor, "");
        if (fits) {
            status = fits;
            continue;
        }
        double cost = backend->cost(method, problem, executor);
        if (cost < least) {
            least = cost;
            *best = method;
        }
    }
    return *best ? SLIMBAND_OK : status;
}

/* A name that is unknown here may be known elsewhere: say so. */
static slimband_status absent(const char *name, size_t length)
{
    for (int b = 0; b < backend_count; ++b)
        if (method_named(backends[b], name, length))
            return SLIMBAND_METHOD_NOT_HERE;
    return SLIMBAND_UNKNOWN_METHOD;
}

slimband_status sb_find_method(const slimband_problem *problem, slimband_executor executor, const char *name,
                               sb_choice *choice)
{
    slimband_status status = name ? slimband_validate(problem) : SLIMBAND_NULL_ARGUMENT;
    if (!status)
        status = sb_find_backend(executor, &choice->backend);
    if (status)
        return status;
    const sb_backend *backend = choice->backend;
    size_t length = strcspn(name, ":");
    const char *options = choice->options = name[length] == ':' ? name + length + 1 : "";
    if (length == strlen(SLIMBAND_AUTO) && !strncmp(name, SLIMBAND_AUTO, length))
        return *options ? SLIMBAND_UNKNOWN_OPTION : cheapest(backend, problem, executor, &choice->method);
    choice->method = method_named(backend, name, length);
    return choice->method ? backend->fits(choice->method, problem, executor, options) : absent(name, length);
}

slimband_status slimband_method_fits(const slimband_problem *problem, slimband_executor executor,
                                     const char *method)
{
    sb_choice choice;
    return sb_find_method(problem, executor, method, &choice);
}
