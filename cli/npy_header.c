/* Parsing and printing the dictionary in front of a .npy file's data. */
#include "cli/npy_header.h"

#include <ctype.h>
#include <string.h>

static const char *const descriptions[] = {"<f4", "<f8", "<c8", "<c16"};

typedef struct sb_kind {
    char letter;
    const char *words;
} sb_kind;

static const sb_kind kinds[] = {
    {'i', "integers"},
    {'u', "unsigned integers"},
    {'b', "booleans"},
    {'O', "Python objects"},
    {'f', "real numbers of another width or byte order"},
    {'c', "complex numbers of another width or byte order"},
    {'S', "byte strings"},
    {'U', "strings"},
    {'M', "dates"},
    {'m', "time spans"},
    {0, "something else"},
};

static bool refuse_type(const char *description, const char *name, sb_failure *failure)
{
    char letter = description[0] ? description[1] : '\0';
    const sb_kind *kind = kinds;
    while (kind->letter && kind->letter != letter)
        ++kind;
    return sb_fail(failure,
                   "%s: holds %s ('%.20s'); accepted are float32, float64, complex64 and complex128, "
                   "little-endian ('<f4', '<f8', '<c8', '<c16')",
                   name, kind->words, description);
}

static void skip_blanks(const char **at)
{
    *at += strspn(*at, " \t\n\r");
}

/* Is the next thing `word`? Then step over it. */
static bool take(const char **at, const char *word)
{
    skip_blanks(at);
    size_t length = strlen(word);
    if (strncmp(*at, word, length))
        return false;
    *at += length;
    return true;
}

/* A quoted string of at most 63 characters without escapes. */
static bool take_string(const char **at, char text[64])
{
    skip_blanks(at);
    char quote = **at;
    if (quote != '\'' && quote != '"')
        return false;
    size_t length = strcspn(*at + 1, quote == '"' ? "\"\\" : "'\\");
    if (length > 63 || (*at)[1 + length] != quote)
        return false;
    memcpy(text, *at + 1, length);
    text[length] = '\0';
    *at += length + 2;
    return true;
}

static bool take_type(const char **at, sb_npy *array, const char *name, sb_failure *failure)
{
    char text[64];
    skip_blanks(at);
    if (**at == '[')
        return sb_fail(failure, "%s: holds records; accepted are arrays of plain numbers", name);
    if (!take_string(at, text))
        return sb_fail(failure, "%s: the header's type cannot be read", name);
    for (int scalar = SLIMBAND_F32; scalar <= SLIMBAND_C128; ++scalar) {
        if (!strcmp(text, descriptions[scalar])) {
            array->scalar = (slimband_scalar)scalar;
            return true;
        }
    }
    return refuse_type(text, name, failure);
}

static bool take_order(const char **at, sb_npy *array, const char *name, sb_failure *failure)
{
    array->fortran = take(at, "True");
    return array->fortran || take(at, "False") ||
           sb_fail(failure, "%s: the header's fortran_order is neither True nor False", name);
}

/* One extent; digits, and the L that Python 2 put behind long ones. */
static bool take_extent(const char **at, int64_t *extent, const char *name, sb_failure *failure)
{
    if (take(at, "-"))
        return sb_fail(failure, "%s: the header's shape has a negative size", name);
    if (!isdigit((unsigned char)**at))
        return sb_fail(failure, "%s: the header's shape cannot be read", name);
    for (*extent = 0; isdigit((unsigned char)**at); ++*at) {
        if (__builtin_mul_overflow(*extent, 10, extent) || __builtin_add_overflow(*extent, **at - '0', extent))
            return sb_fail(failure, "%s: the header's shape overflows 64 bits", name);
    }
    take(at, "L");
    return true;
}

static bool take_shape(const char **at, sb_npy *array, const char *name, sb_failure *failure)
{
    array->rank = 0;
    if (!take(at, "("))
        return sb_fail(failure, "%s: the header's shape cannot be read", name);
    while (!take(at, ")")) {
        int64_t extent = 0;
        if (!take_extent(at, &extent, name, failure))
            return false;
        if (array->rank == SB_NPY_MAX_RANK)
            return sb_fail(failure, "%s: wrong rank: has more than %d axes", name, SB_NPY_MAX_RANK);
        array->shape[array->rank++] = extent;
        skip_blanks(at);
        if (!take(at, ",") && **at != ')')
            return sb_fail(failure, "%s: the header's shape cannot be read", name);
    }
    return true;
}

/* Bytes of data; even an array without elements must have extents whose strides fit. */
static bool count_bytes(const sb_npy *array, size_t *bytes, const char *name, sb_failure *failure)
{
    int64_t product = (int64_t)sb_number_bytes(array->scalar);
    bool empty = false;
    for (int axis = 0; axis < array->rank; ++axis) {
        int64_t extent = array->shape[axis];
        empty |= extent == 0;
        if (__builtin_mul_overflow(product, extent ? extent : 1, &product))
            return sb_fail(failure, "%s: the header's shape overflows 64 bits", name);
    }
    *bytes = empty ? 0 : (size_t)product;
    return true;
}

enum { TYPE = 1, ORDER = 2, SHAPE = 4 };

bool sb_npy_parse_header(sb_npy *array, size_t *bytes, const char *header, const char *name,
                         sb_failure *failure)
{
    const char *at = header;
    unsigned seen = 0, key;
    if (!take(&at, "{"))
        return sb_fail(failure, "%s: the header is not a dictionary", name);
    for (; !take(&at, "}"); seen |= key) {
        char text[64];
        if (!take_string(&at, text) || !take(&at, ":"))
            return sb_fail(failure, "%s: the header cannot be read", name);
        key = !strcmp(text, "descr") ? TYPE : !strcmp(text, "fortran_order") ? ORDER : SHAPE;
        if ((seen & key) || (key == SHAPE && strcmp(text, "shape")))
            return sb_fail(failure, "%s: the header's key '%s' is unknown or appears twice", name, text);
        if (!(key == TYPE    ? take_type(&at, array, name, failure)
              : key == ORDER ? take_order(&at, array, name, failure)
                             : take_shape(&at, array, name, failure)))
            return false;
        skip_blanks(&at);
        if (!take(&at, ",") && *at != '}')
            return sb_fail(failure, "%s: the header cannot be read", name);
    }
    skip_blanks(&at);
    if (*at || seen != (TYPE | ORDER | SHAPE))
        return sb_fail(failure, "%s: the header must hold descr, fortran_order and shape and no more", name);
    return count_bytes(array, bytes, name, failure);
}

size_t sb_npy_print_header(const sb_npy *array, char *header, size_t room)
{
    int used = 10 + snprintf(header + 10, room - 10, "{'descr': '%s', 'fortran_order': %s, 'shape': (",
                             descriptions[array->scalar], array->fortran ? "True" : "False");
    for (int axis = 0; axis < array->rank; ++axis)
        used += snprintf(header + used, room - (size_t)used, "%s%lld", axis ? ", " : "",
                         (long long)array->shape[axis]);
    used += snprintf(header + used, room - (size_t)used, array->rank == 1 ? ",), }" : "), }");
    while ((used + 1) % 64)
        header[used++] = ' ';
    header[used++] = '\n';
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    header[8] = (char)((used - 10) & 0xff);
    header[9] = (char)((used - 10) >> 8);
    return (size_t)used;
}
