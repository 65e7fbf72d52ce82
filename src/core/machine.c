/* What the library knows of the machine it runs on. */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "slimband/version.h"
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

#if defined _SC_LEVEL1_DCACHE_SIZE
static int64_t cache(int level)
{
    static const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
    long bytes = sysconf(names[level]);
    return bytes > 0 ? bytes : 0;
}
#else
static int64_t cache(int level)
{
    (void)level;
    return 0;
}
#endif

/* Processors in a list as the kernel prints it: "0-3,8,10-11". */
static int listed(FILE *file)
{
    int count = 0, first, last;
    char mark = ',';
    while (mark == ',' && fscanf(file, "%d%c", &first, &mark) >= 1) {
        last = first;
        if (mark == '-' && fscanf(file, "%d%c", &last, &mark) < 1)
            break;
        count += last - first + 1;
    }
    return count;
}

/* Of as many caches as the process' processors fill, all being as the first one's; 0 where the kernel does not say. */
static int64_t read_last_level(void)
{
    FILE *size = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "re"),
         *list = fopen("/sys/devices/system/cpu/cpu0/cache/index3/shared_cpu_list", "re");
    long kilobytes = 0;
    int sharers = list ? listed(list) : 0;
    if (!size || fscanf(size, "%ldK", &kilobytes) != 1)
        kilobytes = 0;
    if (size)
        fclose(size);
    if (list)
        fclose(list);
    int caches = sharers > 0 ? (omp_get_num_procs() + sharers - 1) / sharers : 0;
    return (int64_t)kilobytes * 1024 * caches;
}

/* Asked once: every plan wants to know. What sysconf says comes second, since it may be the sum over a package, of which few
   parts are ours. A virtual machine is shown its host's, of which others have their part: two processors with 260 MiB had use
   of some 40. */
static int64_t last_level(void)
{
    enum { most_for_each = 1 << 24 };
    static _Atomic int64_t known;
    int64_t bytes = atomic_load_explicit(&known, memory_order_relaxed);
    if (bytes == 0) {
        bytes = read_last_level();
        bytes = bytes > 0 ? bytes : cache(2);
        int64_t most = (int64_t)most_for_each * omp_get_num_procs();
        bytes = bytes < most ? bytes : most;
        atomic_store_explicit(&known, bytes, memory_order_relaxed);
    }
    return bytes;
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
        .cache_bytes = {cache(0), cache(1), last_level()},
    };
}
