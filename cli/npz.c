/* As much of the zip format as numpy.savez uses: its central directory, and stored members with their checksums. */
#include "cli/npz.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"

enum {
    END_BYTES = 22, /* of the record behind the directory, without its comment */
    MOST_COMMENT = 65535,
    ENTRY_BYTES = 46,
    LOCAL_BYTES = 30,
    MOST_NAME = 64
};

static uint32_t number(const unsigned char *at, int bytes)
{
    uint32_t value = 0;
    for (int k = bytes; k-- > 0;)
        value = value << 8 | at[k];
    return value;
}

static bool broken(const char *path, sb_failure *failure)
{
    return sb_fail(failure, "%s: not an .npz file, or damaged", path);
}

static bool read_at(FILE *file, long long offset, void *to, size_t bytes)
{
    return !fseeko(file, (off_t)offset, SEEK_SET) && fread(to, 1, bytes, file) == bytes;
}

/* Where the central directory begins, and its number of entries. */
static bool find_directory(FILE *file, long long *offset, int *entries)
{
    if (fseeko(file, 0, SEEK_END))
        return false;
    long long size = ftello(file), room = size < END_BYTES + MOST_COMMENT ? size : END_BYTES + MOST_COMMENT;
    unsigned char *tail = room >= END_BYTES ? malloc((size_t)room) : NULL;
    bool found = false;
    if (tail && read_at(file, size - room, tail, (size_t)room))
        for (long long k = room - END_BYTES; k >= 0 && !found; --k)
            if (!memcmp(tail + k, "PK\5\6", 4)) {
                found = true;
                *entries = (int)number(tail + k + 10, 2);
                *offset = number(tail + k + 16, 4);
            }
    free(tail);
    return found;
}

typedef struct member {
    int method;
    uint32_t sum, bytes; /* CRC-32 and length of what was stored */
    long long local;
} member;

/* zip's CRC-32: the remainder of the bits, lowest first, by the polynomial 0x04c11db7 read backwards. */
static uint32_t checksum(const unsigned char *bytes, size_t count)
{
    uint32_t table[256], sum = UINT32_MAX;
    for (uint32_t byte = 0; byte < 256; ++byte) {
        table[byte] = byte;
        for (int bit = 0; bit < 8; ++bit)
            table[byte] = table[byte] >> 1 ^ (table[byte] & 1 ? UINT32_C(0xedb88320) : 0);
    }
    for (size_t k = 0; k < count; ++k)
        sum = sum >> 8 ^ table[(sum ^ bytes[k]) & 0xff];
    return ~sum;
}

/* The directory's entry at *at, and its name, cut if it is longer than any that could be meant; *at moves behind it. False:
   damaged. */
static bool next_member(FILE *file, long long *at, member *m, char name[MOST_NAME])
{
    unsigned char entry[ENTRY_BYTES];
    if (!read_at(file, *at, entry, sizeof entry) || memcmp(entry, "PK\1\2", 4))
        return false;
    uint32_t length = number(entry + 28, 2), kept = length < MOST_NAME ? length : MOST_NAME - 1;
    memset(name, 0, MOST_NAME);
    *m = (member){(int)number(entry + 10, 2), number(entry + 16, 4), number(entry + 24, 4),
                  number(entry + 42, 4)};
    bool good = read_at(file, *at + ENTRY_BYTES, name, kept);
    *at += ENTRY_BYTES + length + number(entry + 30, 2) + number(entry + 32, 2);
    return good;
}

/* The directory's entry of this name. False: damaged. */
static bool find_member(FILE *file, const char *name, member *m, bool *found)
{
    long long at;
    int entries;
    *found = false;
    if (!find_directory(file, &at, &entries))
        return false;
    for (; entries > 0 && !*found; --entries) {
        char text[MOST_NAME];
        if (!next_member(file, &at, m, text))
            return false;
        *found = !strcmp(text, name);
    }
    return true;
}

/* The bytes of a stored member, from malloc. */
static unsigned char *load(FILE *file, const member *m)
{
    unsigned char local[LOCAL_BYTES];
    if (!read_at(file, m->local, local, sizeof local) || memcmp(local, "PK\3\4", 4))
        return NULL;
    long long data = m->local + LOCAL_BYTES + number(local + 26, 2) + number(local + 28, 2);
    if (fseeko(file, (off_t)data, SEEK_SET) || sb_input_left(file) < (long long)m->bytes)
        return NULL;
    unsigned char *bytes = malloc(m->bytes);
    if (bytes && fread(bytes, 1, m->bytes, file) == m->bytes)
        return bytes;
    free(bytes);
    return NULL;
}

bool sb_npz_read_stream(sb_npy *array, bool *found, FILE *file, const char *path, const char *name,
                        sb_failure *failure)
{
    *array = (sb_npy){0};
    *found = false;
    char full[MOST_NAME], called[512];
    member m = {0};
    snprintf(full, sizeof full, "%s.npy", name);
    if (!find_member(file, full, &m, found))
        return broken(path, failure);
    if (!*found)
        return true;
    if (m.method != 0)
        return sb_fail(failure, "%s: %s is compressed; write it with numpy.savez", path, full);
    unsigned char *bytes = m.bytes ? load(file, &m) : NULL;
    if (bytes && checksum(bytes, m.bytes) != m.sum) {
        free(bytes);
        return sb_fail(failure, "%s: %s is damaged: its checksum differs", path, full);
    }
    FILE *stream = bytes ? fmemopen(bytes, m.bytes, "rb") : NULL;
    snprintf(called, sizeof called, "%s: %s", path, full);
    bool good = stream ? sb_npy_read_stream(array, stream, called, failure) : broken(path, failure);
    if (stream)
        fclose(stream);
    free(bytes);
    return good;
}

bool sb_npz_read(sb_npy *array, bool *found, const char *path, const char *name, sb_failure *failure)
{
    *array = (sb_npy){0};
    FILE *file = sb_input_open(path, failure);
    if (!file)
        return false;
    bool good = sb_npz_read_stream(array, found, file, path, name, failure);
    fclose(file);
    return good;
}

static bool is_one_of(const char *name, const char *const *names)
{
    char full[MOST_NAME];
    for (; *names; ++names) {
        snprintf(full, sizeof full, "%s.npy", *names);
        if (!strcmp(full, name))
            return true;
    }
    return false;
}

static bool only_in(FILE *file, const char *path, const char *const *names, sb_failure *failure)
{
    long long at;
    int entries;
    if (!find_directory(file, &at, &entries))
        return broken(path, failure);
    for (; entries > 0; --entries) {
        member m;
        char name[MOST_NAME];
        if (!next_member(file, &at, &m, name))
            return broken(path, failure);
        if (!is_one_of(name, names))
            return sb_fail(failure, "%s: %s has no meaning here", path, name);
    }
    return true;
}

bool sb_npz_only(const char *path, const char *const *names, sb_failure *failure)
{
    FILE *file = sb_input_open(path, failure);
    if (!file)
        return false;
    bool good = only_in(file, path, names, failure);
    fclose(file);
    return good;
}
