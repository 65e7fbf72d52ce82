/* Few lines can be on their way to the first-level cache of most processors (24 on a Zen 4, 10 to 16 on Intel's), so that memory
 * and arithmetic take turns if those fetched ahead are among them: they go to the second level. A Zen 5 has room for
 * more, and is up to a fifth faster so. */
#include "src/cpu/fetch.h"

bool sb_into_first, sb_asks_twice, sb_follows_few;

#if defined __x86_64__
#include <cpuid.h>
#include <string.h>

enum { ZEN_5 = 0x1a };

/* AMD's family, or 0. */
static unsigned amd_family(void)
{
    unsigned most, version, vendor[3], unused[3];
    if (!__get_cpuid(0, &most, &vendor[0], &vendor[2], &vendor[1]) ||
        memcmp(vendor, "AuthenticAMD", sizeof vendor) != 0 ||
        !__get_cpuid(1, &version, &unused[0], &unused[1], &unused[2]))
        return 0;
    unsigned family = version >> 8 & 0xf, beyond = version >> 20 & 0xff;
    return family == 0xf ? family + beyond : family;
}

__attribute__((constructor)) static void know_processor(void)
{
    unsigned family = amd_family();
    sb_into_first = family >= ZEN_5;
    sb_asks_twice = sb_follows_few = family != 0 && family < ZEN_5;
}
#endif
