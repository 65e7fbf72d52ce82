/* What the library knows of the machine it runs on. */
#include <omp.h>
#include <unistd.h>

#include "src/core/backend.h"

#if defined __x86_64__
static const char *instruction_sets(void)
{
    /* From the widest down: the first that is there implies those behind it on every processor made. */
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return "sse2 avx avx2 fma avx512f avx512dq";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return "sse2 avx avx2 fma";
    return __builtin_cpu_supports("avx") ? "sse2 avx" : "sse2";
}
#elif defined __aarch64__
static const char *instruction_sets(void)
{
    return "neon";
}
#else
static const char *instruction_sets(void)
{
    return "scalar";
}
#endif

static int64_t cache(int name)
{
    long bytes = sysconf(name);
    return bytes > 0 ? bytes : 0;
}

void slimband_machine_facts(slimband_machine *machine)
{
    if (!machine)
        return;
#define NAME(name) " " #name
    static const char backends[] = SB_BACKENDS(NAME);
#undef NAME
    *machine = (slimband_machine){
        .version = slimband_version(),
        .instruction_sets = instruction_sets(),
        .backends = backends + 1,
        .cores = omp_get_num_procs(), /* the process's: OMP_PROC_BIND may leave a thread only one of them */
        .threads = omp_get_max_threads(),
#ifdef _SC_LEVEL1_DCACHE_SIZE
        .cache_bytes = {cache(_SC_LEVEL1_DCACHE_SIZE), cache(_SC_LEVEL2_CACHE_SIZE),
                        cache(_SC_LEVEL3_CACHE_SIZE)},
#endif
    };
}
