/* Files to read. */
#include "cli/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

FILE *sb_input_open(const char *path, sb_failure *failure)
{
    FILE *stream = fopen(path, "rb");
    struct stat facts;
    if (!stream) {
        sb_fail_system(failure, path, errno);
    } else if (!fstat(fileno(stream), &facts) && S_ISDIR(facts.st_mode)) {
        sb_fail_system(failure, path, EISDIR);
        fclose(stream);
        stream = NULL;
    }
    return stream;
}

long long sb_input_left(FILE *stream)
{
    struct stat facts;
    int descriptor = fileno(stream);
    if (descriptor < 0 || fstat(descriptor, &facts) || !S_ISREG(facts.st_mode))
        return -1;
    off_t here = ftello(stream);
    return here < 0 ? -1 : facts.st_size < here ? 0 : (long long)(facts.st_size - here);
}

/* Everything to the end of the stream, or NULL with errno. */
static char *read_all(FILE *stream, size_t *length)
{
    long long left = sb_input_left(stream);
    size_t room = left > 0 ? (size_t)left + 1 : 65536;
    char *text = malloc(room + 1);
    *length = 0;
    while (text) {
        *length += fread(text + *length, 1, room - *length, stream);
        if (*length < room)
            break;
        room *= 2;
        char *larger = realloc(text, room + 1);
        if (!larger)
            free(text);
        text = larger;
    }
    if (text && ferror(stream)) {
        free(text);
        return NULL;
    }
    if (text)
        text[*length] = '\0';
    return text;
}

char *sb_input_text(FILE *stream, const char *name, sb_failure *failure)
{
    size_t length;
    char *text = read_all(stream, &length);
    if (!text)
        sb_fail_system(failure, name, errno);
    else if (length == 0)
        sb_fail(failure, "%s: the file is empty", name);
    else if (strlen(text) != length)
        sb_fail(failure, "%s: not a text file (it holds a zero byte)", name);
    else
        return text;
    free(text);
    return NULL;
}
