/* Loading cuSPARSE, without its headers: the harness builds where there is no CUDA. */
#include "bench/library_cusparse.h"

#include <dlfcn.h>
#include <stdio.h>

static void *open_library(void)
{
    static const char *const names[] = {"libcusparse.so.12", "/usr/local/cuda/lib64/libcusparse.so.12",
                                        "/usr/local/cuda/lib/libcusparse.so.12", "libcusparse.so"};
    void *handle = NULL;
    for (size_t k = 0; !handle && k < sizeof names / sizeof *names; ++k)
        handle = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    return handle;
}

const char *sb_sparse_open(slimband_scalar scalar, const char *name, sb_sparse *sparse)
{
    void *handle = open_library();
    char text[64];
    if (!handle)
        return "not installed";
    *sparse = (sb_sparse){
        .create = (int (*)(sb_sparse_handle *))dlsym(handle, "cusparseCreate"),
        .destroy = (int (*)(sb_sparse_handle))dlsym(handle, "cusparseDestroy"),
        .set_stream = (int (*)(sb_sparse_handle, const void *))dlsym(handle, "cusparseSetStream"),
    };
    snprintf(text, sizeof text, "cusparse%c%s", "SDCZ"[scalar], name);
    sparse->solve.symbol = dlsym(handle, text);
    snprintf(text, sizeof text, "cusparse%c%s_bufferSizeExt", "SDCZ"[scalar], name);
    sparse->size.symbol = dlsym(handle, text);
    bool whole =
        sparse->create && sparse->destroy && sparse->set_stream && sparse->solve.symbol && sparse->size.symbol;
    return whole ? NULL : "installed without this routine";
}
