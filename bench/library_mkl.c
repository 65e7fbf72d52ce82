/* Finding MKL: where its maker's scripts say, where environments of Python and Conda keep it, where it is asked
   for. */
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/library.h"

/* The newest libmkl_rt of a folder, or NULL. */
static void *open_in(const char *folder, const char *below)
{
    char pattern[PATH_MAX];
    glob_t found;
    if ((size_t)snprintf(pattern, sizeof pattern, "%s%s/libmkl_rt.so*", folder, below) >= sizeof pattern ||
        glob(pattern, 0, NULL, &found))
        return NULL;
    void *handle = NULL;
    for (size_t k = found.gl_pathc; !handle && k > 0; --k)
        handle = dlopen(found.gl_pathv[k - 1], RTLD_NOW | RTLD_LOCAL);
    globfree(&found);
    return handle;
}

static void *open_below_variable(const char *variable, const char *below)
{
    const char *folder = getenv(variable);
    return folder && *folder ? open_in(folder, below) : NULL;
}

/* PyPI's package keeps its libraries in lib/ of the interpreter's prefix, or of the user's. */
static void *open_of_python(void)
{
    FILE *answer =
        popen("python3 -c 'import sys, site; print(sys.prefix); print(site.USER_BASE)' 2>/dev/null", "r");
    char folder[PATH_MAX];
    void *handle = NULL;
    while (answer && fgets(folder, sizeof folder, answer)) {
        folder[strcspn(folder, "\n")] = '\0';
        if (!handle)
            handle = open_in(folder, "/lib");
    }
    if (answer)
        pclose(answer);
    return handle;
}

static void *find(const char *where)
{
    void *handle = NULL;
    if (where && (handle = dlopen(where, RTLD_NOW | RTLD_LOCAL)))
        return handle;
    if (where)
        return open_in(where, "");
    static const char *const places[][2] = {
        {"MKLROOT", "/lib"}, {"MKLROOT", "/lib/intel64"}, {"VIRTUAL_ENV", "/lib"}, {"CONDA_PREFIX", "/lib"}};
    for (size_t k = 0; !handle && k < sizeof places / sizeof places[0]; ++k)
        handle = open_below_variable(places[k][0], places[k][1]);
    static const char *const names[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so"};
    for (size_t k = 0; !handle && k < sizeof names / sizeof names[0]; ++k)
        handle = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    return handle ? handle : open_of_python();
}

void *sb_library_find_mkl(const char *where, int threads)
{
    enum { LP64 = 0, GNU = 3 };
    void *handle = find(where);
    if (!handle)
        return NULL;
    /* Unless it is told which threads to use, it looks for an OpenMP library of its own and ends the process
       where there is none. It listens once in a process. */
    int (*set_interface)(int) = (int (*)(int))dlsym(handle, "MKL_Set_Interface_Layer");
    int (*set_threading)(int) = (int (*)(int))dlsym(handle, "MKL_Set_Threading_Layer");
    void (*set_threads)(int) = (void (*)(int))dlsym(handle, "MKL_Set_Num_Threads");
    if (!set_interface || !set_threading || !set_threads)
        return NULL;
    set_interface(LP64);
    set_threading(GNU);
    set_threads(threads);
    return handle;
}
