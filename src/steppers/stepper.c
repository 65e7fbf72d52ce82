/* The public calls: arguments checked, the rest is the place's. */
#include <stdlib.h>
#include <string.h>

#include "src/apps/memory.h"
#include "src/steppers/stepper.h"

static const sb_stepper_place *const places[] = {
    &sb_stepper_on_cpu,
#ifdef SB_HAS_CUDA
    &sb_stepper_on_cuda,
#endif
};

static slimband_status find_place(slimband_executor executor, const sb_stepper_place **place)
{
    if (executor.place != SLIMBAND_ON_CPU && executor.place != SLIMBAND_ON_CUDA &&
        executor.place != SLIMBAND_ON_MPI)
        return SLIMBAND_BAD_EXECUTOR;
    for (size_t k = 0; k < sizeof places / sizeof *places; ++k)
        if (places[k]->place == executor.place) {
            *place = places[k];
            return SLIMBAND_OK;
        }
    return executor.place == SLIMBAND_ON_CUDA ? SLIMBAND_NOT_BUILT_IN : SLIMBAND_STEPPER_NOT_HERE;
}

/* True unless memory ran out. */
static bool copy_values(const double **values, int64_t members, size_t *bytes)
{
    if (!*values)
        return true;
    double *copy = sb_app_allocate((size_t)members, sizeof *copy, bytes);
    if (copy && members)
        memcpy(copy, *values, (size_t)members * sizeof *copy);
    *values = copy;
    return copy;
}

static slimband_status fill(slimband_stepper *s)
{
    slimband_evolution *e = &s->evolution;
    bool gamma = copy_values(&e->gamma, e->members, &s->bytes);
    bool diffusivity = copy_values(&e->diffusivity, e->members, &s->bytes);
    bool forcing = copy_values(&e->forcing, e->members, &s->bytes);
    return gamma && diffusivity && forcing ? s->place->create(s) : SLIMBAND_OUT_OF_MEMORY;
}

slimband_status slimband_stepper_create(slimband_stepper **stepper, const slimband_evolution *evolution,
                                        slimband_executor executor)
{
    if (!stepper)
        return SLIMBAND_NULL_ARGUMENT;
    *stepper = NULL;
    const sb_stepper_place *place = NULL;
    slimband_status status = slimband_evolution_validate(evolution);
    if (!status)
        status = find_place(executor, &place);
    if (status)
        return status;
    size_t bytes = 0;
    slimband_stepper *s = sb_app_allocate(1, sizeof *s, &bytes);
    if (!s)
        return SLIMBAND_OUT_OF_MEMORY;
    *s = (slimband_stepper){.evolution = *evolution, .executor = executor, .place = place, .bytes = bytes};
    status = fill(s);
    if (status)
        slimband_stepper_destroy(s);
    else
        *stepper = s;
    return status;
}

void slimband_stepper_destroy(slimband_stepper *s)
{
    if (!s)
        return;
    s->place->destroy(s);
    free((void *)s->evolution.gamma);
    free((void *)s->evolution.diffusivity);
    free((void *)s->evolution.forcing);
    free(s);
}

slimband_status slimband_stepper_set(slimband_stepper *s, const void *state, int64_t steps)
{
    if (!s || !state)
        return SLIMBAND_NULL_ARGUMENT;
    if (steps < 0)
        return SLIMBAND_BAD_STEPS;
    slimband_status status = s->place->set(s, state);
    s->steps = status ? s->steps : steps;
    return status;
}

slimband_status slimband_stepper_get(const slimband_stepper *s, void *state)
{
    if (!s || !state)
        return SLIMBAND_NULL_ARGUMENT;
    return s->place->get(s, state);
}

slimband_status slimband_stepper_step(slimband_stepper *s, int64_t count)
{
    if (!s)
        return SLIMBAND_NULL_ARGUMENT;
    if (count < 0 || count > INT64_MAX - s->steps)
        return SLIMBAND_BAD_STEPS;
    slimband_status status = s->place->step(s, count);
    s->steps += count;
    return status;
}

slimband_status slimband_stepper_means(const slimband_stepper *s, double *means)
{
    if (!s || !means)
        return SLIMBAND_NULL_ARGUMENT;
    return s->place->means(s, means);
}

slimband_status slimband_stepper_energies(const slimband_stepper *s, double *energies)
{
    if (!s || !energies)
        return SLIMBAND_NULL_ARGUMENT;
    if (s->evolution.equation != SLIMBAND_CAHN_HILLIARD)
        return SLIMBAND_NO_ENERGY;
    return s->place->energies(s, energies);
}

slimband_status slimband_stepper_report(const slimband_stepper *s, slimband_stepper_facts *facts)
{
    static const char *const schemes[] = {
        [SLIMBAND_HYPERDIFFUSION] = "Crank-Nicolson",
        [SLIMBAND_CAHN_HILLIARD] = "semi-implicit: the fourth derivative implicit, the rest explicit",
        [SLIMBAND_HEAT] = "alternating directions: Crank-Nicolson along one axis after the other",
    };
    if (!s || !facts)
        return SLIMBAND_NULL_ARGUMENT;
    *facts = (slimband_stepper_facts){.scheme = schemes[s->evolution.equation],
                                      .steps = s->steps,
                                      .time = (double)s->steps * s->evolution.dt,
                                      .workspace_bytes = s->bytes};
    s->place->report(s, facts);
    return SLIMBAND_OK;
}
