/* Loading a LAPACK and looking up its routines. */
#include "bench/library.h"

#include <dlfcn.h>
#include <stdio.h>

/* Where liblapack.so.3 is a choice among several, the reference is in its own folder. */
static const char *const lapack_names[] = {
#if defined __x86_64__
    "/usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3",
#elif defined __aarch64__
    "/usr/lib/aarch64-linux-gnu/lapack/liblapack.so.3",
#endif
    "liblapack.so.3", NULL};
static const char *const openblas_names[] = {"libopenblas.so.0", "libopenblas.so", NULL};

static void *open_first(const char *const *names)
{
    void *handle = NULL;
    for (; !handle && *names; ++names)
        handle = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return handle;
}

/* "dgtsv_" for f64 and "gtsv"; MKL also knows "ddtsvb" by that rule. */
static void *routine(void *handle, slimband_scalar scalar, const char *name)
{
    char full[16];
    snprintf(full, sizeof full, "%c%s_", "sdcz"[scalar], name);
    return dlsym(handle, full);
}

static void *open_openblas(int threads)
{
    void *handle = open_first(openblas_names);
    void (*set_threads)(int) = handle ? (void (*)(int))dlsym(handle, "openblas_set_num_threads") : NULL;
    if (set_threads)
        set_threads(threads);
    return handle;
}

static void *open_library(sb_peer_library library, int threads, const char *mkl)
{
    switch (library) {
    case SB_PEER_LAPACK:
        return open_first(lapack_names);
    case SB_PEER_OPENBLAS:
        return open_openblas(threads);
    case SB_PEER_MKL:
        return sb_library_find_mkl(mkl, threads);
    case SB_PEER_OURS:
    case SB_PEER_CUSPARSE:
        break;
    }
    return NULL;
}

const char *sb_library_open(sb_peer_library library, slimband_scalar scalar, int threads, const char *mkl,
                            sb_routines *r)
{
    void *handle = open_library(library, threads, mkl);
    if (!handle)
        return "not installed";
    *r = (sb_routines){
        .gtsv = (sb_gtsv *)routine(handle, scalar, "gtsv"),
        .dtsvb = (sb_gtsv *)routine(handle, scalar, "dtsvb"),
        .gttrf = (sb_gttrf *)routine(handle, scalar, "gttrf"),
        .gttrs = (sb_gttrs *)routine(handle, scalar, "gttrs"),
        .gbsv = (sb_gbsv *)routine(handle, scalar, "gbsv"),
        .gbtrf = (sb_gbtrf *)routine(handle, scalar, "gbtrf"),
        .gbtrs = (sb_gbtrs *)routine(handle, scalar, "gbtrs"),
        .dttrfb = (sb_dttrf *)routine(handle, scalar, "dttrfb"),
        .dttrsb = (sb_dttrs *)routine(handle, scalar, "dttrsb"),
    };
    if (!r->gtsv || !r->gttrf || !r->gttrs || !r->gbsv || !r->gbtrf || !r->gbtrs)
        return "installed without LAPACK's routines";
    return NULL;
}
