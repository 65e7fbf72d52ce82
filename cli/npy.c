/* Reading and writing .npy files. */
#include "cli/npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"
#include "cli/npy_header.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "data is read and written as it lies in memory");

enum { LONGEST_HEADER = 1 << 20 };

int64_t sb_npy_elements(const sb_npy *array)
{
    int64_t elements = 1;
    for (int axis = 0; axis < array->rank; ++axis)
        elements *= array->shape[axis];
    return elements;
}

void sb_npy_strides(const sb_npy *array, int64_t strides[SB_NPY_MAX_RANK])
{
    int64_t stride = 1;
    for (int k = 0; k < array->rank; ++k) {
        int axis = array->fortran ? k : array->rank - 1 - k;
        strides[axis] = stride;
        stride *= array->shape[axis];
    }
}

/* The text of the header from malloc, NUL-terminated; the stream then stands at the data. */
static char *read_header(FILE *stream, const char *name, sb_failure *failure)
{
    unsigned char start[12];
    size_t got = fread(start, 1, 10, stream);
    if (ferror(stream)) {
        sb_fail_system(failure, name, errno);
        return NULL;
    }
    if (got == 0) {
        sb_fail(failure, "%s: the file is empty", name);
        return NULL;
    }
    if (got < 10 || memcmp(start, "\x93NUMPY", 6)) {
        sb_fail(failure, "%s: not a .npy file", name);
        return NULL;
    }
    int version = start[6];
    if (version < 1 || version > 3) {
        sb_fail(failure, "%s: .npy version %d.%d is not known (1 to 3 are)", name, version, start[7]);
        return NULL;
    }
    size_t length = start[8] + 256U * start[9];
    if (version > 1) {
        if (fread(start + 10, 1, 2, stream) < 2)
            length = SIZE_MAX;
        else
            length += 65536U * start[10] + 16777216U * start[11];
    }
    if (length != SIZE_MAX && length > LONGEST_HEADER) {
        sb_fail(failure, "%s: a header of %zu bytes cannot be right", name, length);
        return NULL;
    }
    char *header = length == SIZE_MAX ? NULL : malloc(length + 1);
    if (!header || fread(header, 1, length, stream) < length) {
        sb_fail(failure, "%s: the file ends within its header", name);
        free(header);
        return NULL;
    }
    header[length] = '\0';
    return header;
}

static bool wrong_length(const char *name, bool longer, size_t bytes, sb_failure *failure)
{
    return sb_fail(failure, "%s: %s than the %zu bytes of data that its header announces", name,
                   longer ? "the file is longer" : "the file is truncated: it holds less", bytes);
}

/* Memory follows what has really been read, so that a lying header costs nothing. */
static bool read_data(sb_npy *array, size_t bytes, FILE *stream, const char *name, sb_failure *failure)
{
    long long left = sb_input_left(stream);
    if (left >= 0 && (size_t)left != bytes)
        return wrong_length(name, (size_t)left > bytes, bytes, failure);
    size_t room = left >= 0 || bytes < (1U << 20) ? bytes : 1U << 20, got = 0;
    while (got < bytes) {
        char *data = realloc(array->data, room);
        if (!data)
            return sb_fail(failure, "%s: not enough memory for %zu bytes", name, bytes);
        array->data = data;
        got += fread(data + got, 1, room - got, stream);
        if (got < room)
            return ferror(stream) ? sb_fail_system(failure, name, errno)
                                  : wrong_length(name, false, bytes, failure);
        room = room < bytes / 2 ? 2 * room : bytes;
    }
    return fgetc(stream) == EOF || wrong_length(name, true, bytes, failure);
}

bool sb_npy_read_stream(sb_npy *array, FILE *stream, const char *name, sb_failure *failure)
{
    *array = (sb_npy){0};
    size_t bytes = 0;
    char *header = read_header(stream, name, failure);
    bool good = header && sb_npy_parse_header(array, &bytes, header, name, failure) &&
                read_data(array, bytes, stream, name, failure);
    free(header);
    if (!good)
        sb_npy_free(array);
    return good;
}

bool sb_npy_read(sb_npy *array, const char *path, sb_failure *failure)
{
    *array = (sb_npy){0};
    FILE *stream = sb_input_open(path, failure);
    if (!stream)
        return false;
    bool good = sb_npy_read_stream(array, stream, path, failure);
    fclose(stream);
    return good;
}

void sb_npy_write(const sb_npy *array, sb_output *output)
{
    char header[256];
    size_t length = sb_npy_print_header(array, header, sizeof header);
    fwrite(header, 1, length, output->stream);
    size_t size = sb_number_bytes(array->scalar), elements = (size_t)sb_npy_elements(array);
    if (elements)
        fwrite(array->data, size, elements, output->stream);
}

void sb_npy_free(sb_npy *array)
{
    free(array->data);
    *array = (sb_npy){0};
}
