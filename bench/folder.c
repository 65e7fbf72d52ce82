/* Making a folder and files in it. */
#include "bench/folder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

bool sb_folder_open(sb_folder *folder, const char *path, sb_failure *failure)
{
    *folder = (sb_folder){.path = path, .made = mkdir(path, 0777) == 0};
    return folder->made || errno == EEXIST || sb_fail_system(failure, path, errno);
}

bool sb_folder_file(const sb_folder *folder, sb_output *output, const char *name, const char *ending,
                    sb_failure *failure)
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/%s.%s", folder->path, name, ending) >= sizeof path)
        return sb_fail_system(failure, folder->path, ENAMETOOLONG);
    return sb_output_open(output, path, failure);
}

void sb_folder_abandon(const sb_folder *folder)
{
    if (folder->made)
        rmdir(folder->path);
}
