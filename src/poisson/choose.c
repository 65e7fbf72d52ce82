/* Which of kernels.h's kernels this processor runs, and their tables. */
#include <string.h>

#include "slimband/method.h"
#include "src/apps/memory.h"
#include "src/poisson/kernels.h"

#define DECLARE2(type, isa) extern const sb_poisson_kernels sb_poisson_kernels_##type##_##isa;
#define DECLARE(type, isa, words) DECLARE2(type, isa)
#define CHOOSE2(type, isa, words)                \
    if (strstr(machine.instruction_sets, words)) \
        return &sb_poisson_kernels_##type##_##isa;
#define CHOOSE(type, isa, words) CHOOSE2(type, isa, words)
SB_APP_ISAS(DECLARE, SB_TYPE)

const sb_poisson_kernels *SB_NAME(kernels)(void)
{
    slimband_machine machine;
    slimband_machine_facts(&machine);
    SB_APP_ISAS(CHOOSE, SB_TYPE)
    return NULL;
}

T *SB_NAME(make_turns)(int64_t quarter, int64_t lanes, size_t *bytes)
{
    const double pi = 3.14159265358979323846;
    int64_t blocks = (quarter / 2 + lanes - 1) / lanes;
    T *turn = sb_app_allocate((size_t)(4 * blocks * lanes), sizeof *turn, bytes);
    for (int64_t k = 0; turn && k < blocks * lanes; ++k) {
        T *at = turn + k / lanes * 4 * lanes + k % lanes;
        double angle = pi * (double)(k + 1) / (double)(4 * quarter);
        at[0] = (T)(0.5 * cos(angle));
        at[lanes] = (T)(0.5 * sin(angle));
        at[2 * lanes] = (T)(-0.5 * sin(5 * angle));
        at[3 * lanes] = (T)(0.5 * cos(5 * angle));
    }
    return turn;
}
