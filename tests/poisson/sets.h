/* The row kernels of every instruction set, of one scalar type; the last ones are portable. */
#ifndef POISSON_SETS_H
#define POISSON_SETS_H

#include "slimband/method.h"
#include "src/poisson/kernels.h"
#include "tests/poisson/support.h"

#define DECLARE2(type, isa) extern const sb_poisson_kernels sb_poisson_kernels_##type##_##isa;
#define DECLARE(type, isa, words) DECLARE2(type, isa)
#define ROW2(type, isa, words) {#isa, words, &sb_poisson_kernels_##type##_##isa},
#define ROW(type, isa, words) ROW2(type, isa, words)
SB_APP_ISAS(DECLARE, SB_TYPE)

static const struct {
    const char *name, *words;
    const sb_poisson_kernels *kernels;
} all[] = {SB_APP_ISAS(ROW, SB_TYPE)};
enum { ALL = sizeof all / sizeof *all };

static const double unit = sizeof(T) == 4 ? (double)FLT_EPSILON : DBL_EPSILON;

/* Does the processor? */
static inline bool has(const char *words)
{
    slimband_machine machine;
    slimband_machine_facts(&machine);
    return strstr(machine.instruction_sets, words);
}

#endif
