/* Temporary name, rename, and nothing left behind. */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a signal handler has to remove: the one state that must be global, since a handler gets no argument. */
enum { PENDING = 4 };
static char *volatile pending[PENDING];
static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

static void remove_pending(int signal_number)
{
    for (int i = 0; i < PENDING; ++i) {
        if (pending[i])
            unlink(pending[i]);
    }
    raise(signal_number); /* SA_RESETHAND: now with the default action */
}

static void watch_signals(void)
{
    struct sigaction action = {.sa_handler = remove_pending, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; ++i) {
        struct sigaction old;
        if (!sigaction(deadly[i], NULL, &old) && old.sa_handler == SIG_DFL)
            sigaction(deadly[i], &action, NULL);
    }
}

/* Give `temporary` a place in the table, or with NULL clear the place of `old`. */
static bool set_pending(const char *old, char *temporary)
{
    for (int i = 0; i < PENDING; ++i) {
        if (pending[i] == old) {
            pending[i] = temporary;
            return true;
        }
    }
    return false;
}

static ssize_t write_through(void *cookie, const char *bytes, size_t size)
{
    sb_output *output = cookie;
    size_t done = 0;
    while (done < size && !output->error) {
        ssize_t step = write(output->descriptor, bytes + done, size - done);
        if (step >= 0)
            done += (size_t)step;
        else if (errno != EINTR)
            output->error = errno;
    }
    return (ssize_t)done;
}

/* Open a new file beside output->path for writing; -1 with errno. */
static int open_temporary(sb_output *output)
{
    const char *slash = strrchr(output->path, '/');
    int directory = slash ? (int)(slash - output->path) + 1 : 0;
    for (int attempt = 0; attempt < 1000; ++attempt) {
        if (asprintf(&output->temporary, "%.*s.slimband-%ld-%d.part", directory, output->path, (long)getpid(),
                     attempt) < 0) {
            output->temporary = NULL;
            errno = ENOMEM;
            return -1;
        }
        int descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0)
            return descriptor;
        free(output->temporary);
        output->temporary = NULL;
        if (errno != EEXIST)
            return -1;
    }
    return -1;
}

/* Signals wait while the file exists and the table does not know it yet. */
static int open_watched_temporary(sb_output *output)
{
    sigset_t block, before;
    sigemptyset(&block);
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; ++i)
        sigaddset(&block, deadly[i]);
    sigprocmask(SIG_BLOCK, &block, &before);
    int descriptor = open_temporary(output);
    int error = errno;
    if (descriptor >= 0 && !set_pending(NULL, output->temporary)) {
        unlink(output->temporary);
        close(descriptor);
        descriptor = -1;
        error = EMFILE;
    }
    if (descriptor >= 0)
        watch_signals();
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return descriptor;
}

/* What a link says, as seen from where `path` was, from malloc; NULL with errno, EINVAL where it is no link. */
static char *read_link(const char *path)
{
    char target[PATH_MAX], *next;
    ssize_t length = readlink(path, target, sizeof target);
    if (length < 0)
        return NULL;
    const char *slash = strrchr(path, '/');
    int directory = slash && target[0] != '/' ? (int)(slash - path) + 1 : 0;
    return asprintf(&next, "%.*s%.*s", directory, path, (int)length, target) < 0 ? NULL : next;
}

/* Where writing to `path` would write, from malloc; NULL with errno. A link to a file that is not there yet is followed as well,
   as open and the shell's > do: who made it wants the file where it leads, and the link to stay. */
static char *follow(const char *path)
{
    enum { most_links = 40 }; /* as Linux has it */
    char *end = realpath(path, NULL);
    if (end || errno != ENOENT)
        return end;
    end = strdup(path);
    for (int links = 0; end; ++links) {
        char *next = read_link(end);
        if (!next && (errno == EINVAL || errno == ENOENT))
            return end;
        free(end);
        end = next;
        if (links == most_links) {
            free(end);
            errno = ELOOP;
            return NULL;
        }
    }
    return NULL;
}

/* Decide what `path` is and open it; -1 with errno. A rename would replace a link, so links are followed first.
 */
static int open_target(sb_output *output, const char *path)
{
    struct stat facts;
    bool exists = !stat(path, &facts);
    bool direct = exists && !S_ISREG(facts.st_mode);
    if (exists && S_ISDIR(facts.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    output->path = direct ? strdup(path) : follow(path);
    if (!output->path)
        return -1;
    if (direct)
        return open(path, O_WRONLY | O_CLOEXEC);
    if (exists && access(path, W_OK))
        return -1;
    int descriptor = open_watched_temporary(output);
    if (descriptor >= 0 && exists)
        (void)fchmod(descriptor,
                     facts.st_mode & 07777); /* where modes do not exist, the default one has to do */
    return descriptor;
}

bool sb_output_open(sb_output *output, const char *path, sb_failure *failure)
{
    *output = (sb_output){.descriptor = -1};
    int error = *path ? 0 : ENOENT;
    if (!error && (output->descriptor = open_target(output, path)) < 0)
        error = errno;
    if (!error) {
        output->stream = fopencookie(output, "w", (cookie_io_functions_t){.write = write_through});
        error = output->stream ? 0 : ENOMEM;
    }
    if (!error)
        return true;
    sb_output_discard(output);
    if (error == ENOSPC)
        return sb_fail_system(failure, path, error);
    return sb_fail(failure, "%s: cannot be created: %s", path, strerror(error));
}

bool sb_output_finish(sb_output *output, sb_failure *failure)
{
    if (!output->stream)
        return true;
    bool lost = fclose(output->stream) != 0;
    output->stream = NULL;
    int error = output->error;
    if (!error && lost)
        error = EIO;
    if (close(output->descriptor) && !error)
        error = errno;
    output->descriptor = -1;
    if (!error)
        return true;
    sb_fail_system(failure, output->path, error);
    sb_output_discard(output);
    return false;
}

bool sb_output_commit(sb_output *output, sb_failure *failure)
{
    if (!sb_output_finish(output, failure))
        return false;
    bool good = !output->temporary || !rename(output->temporary, output->path);
    if (!good)
        sb_fail_system(failure, output->path, errno);
    if (good && output->temporary) {
        set_pending(output->temporary, NULL);
        free(output->temporary);
        output->temporary = NULL;
    }
    sb_output_discard(output);
    return good;
}

void sb_output_discard(sb_output *output)
{
    if (!output->path)
        return;
    if (output->stream)
        fclose(output->stream);
    if (output->descriptor >= 0)
        close(output->descriptor);
    if (output->temporary) {
        unlink(output->temporary);
        set_pending(output->temporary, NULL);
        free(output->temporary);
    }
    free(output->path);
    *output = (sb_output){0};
}

/* Closed where nothing was written is lost as well: the command is going to fail for it. */
static bool report_is_out(sb_failure *failure)
{
    errno = 0;
    if (!ferror(stdout) && !fflush(stdout) && fcntl(STDOUT_FILENO, F_GETFD) >= 0)
        return true;
    return sb_fail_system(failure, "standard output", errno ? errno : EIO);
}

bool sb_output_commit_reported(sb_output *first, sb_output *second, sb_failure *failure)
{
    return report_is_out(failure) && sb_output_commit(first, failure) &&
           (!second || sb_output_commit(second, failure));
}

/* Where a path leads: its directory, and its name there, from malloc. */
typedef struct place {
    dev_t device;
    ino_t directory;
    char *name;
} place;

/* False: there is no such directory. */
static bool find_place(const char *path, place *p)
{
    struct stat facts;
    char *end = follow(path);
    char *slash = end ? strrchr(end, '/') : NULL;
    p->name = end ? strdup(slash ? slash + 1 : end) : NULL;
    if (slash)
        slash[slash == end] = '\0';
    bool found = p->name && !stat(slash ? end : ".", &facts);
    free(end);
    if (found) {
        p->device = facts.st_dev;
        p->directory = facts.st_ino;
    }
    return found;
}

bool sb_output_same(const char *a, const char *b)
{
    place at = {0}, other = {0};
    bool same = !strcmp(a, b) || (find_place(a, &at) && find_place(b, &other) && at.device == other.device &&
                                  at.directory == other.directory && !strcmp(at.name, other.name));
    free(at.name);
    free(other.name);
    return same;
}
