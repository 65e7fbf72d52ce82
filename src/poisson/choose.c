/* Which of kernels.h's kernels this processor runs. */
#include <string.h>

#include "slimband/method.h"
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
