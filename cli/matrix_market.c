/* The Matrix Market reader: all entries into a list, then the list into diagonals. */
#include "cli/matrix_market.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/input.h"

typedef enum sb_symmetry { GENERAL, SYMMETRIC, SKEW, HERMITIAN } sb_symmetry;

typedef struct sb_entry {
    int64_t row, column;
    double value[2]; /* real, imaginary */
} sb_entry;

typedef struct sb_market {
    const char *name;
    char *at; /* the next character */
    bool coordinate, complex;
    sb_symmetry symmetry;
    int64_t n, count; /* count: entries in the list, mirrored ones not among them */
    sb_entry *entries;
    sb_failure *failure;
} sb_market;

/* Is the rest of this line's next word one of `words`? Its index, or -1. */
static int take_word(sb_market *m, const char *const *words)
{
    m->at += strspn(m->at, " \t");
    size_t length = strcspn(m->at, " \t\r\n");
    for (int i = 0; words[i]; ++i) {
        if (strlen(words[i]) == length && !strncasecmp(words[i], m->at, length)) {
            m->at += length;
            return i;
        }
    }
    return -1;
}

static bool read_banner(sb_market *m)
{
    static const char *const banners[] = {"%%MatrixMarket", NULL}, *const objects[] = {"matrix", NULL};
    static const char *const formats[] = {"array", "coordinate", NULL};
    static const char *const fields[] = {"real", "double", "integer", "complex", NULL};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian", NULL};
    if (take_word(m, banners) < 0 || take_word(m, objects) < 0)
        return sb_fail(m->failure, "%s: does not begin with '%%%%MatrixMarket matrix'", m->name);
    int format = take_word(m, formats);
    if (format < 0)
        return sb_fail(m->failure, "%s: the format must be coordinate or array", m->name);
    int field = take_word(m, fields);
    if (field < 0)
        return sb_fail(m->failure, "%s: the entries must be real, integer or complex", m->name);
    int symmetry = take_word(m, symmetries);
    if (symmetry < 0)
        return sb_fail(m->failure, "%s: the symmetry must be general, symmetric, skew-symmetric or hermitian",
                       m->name);
    m->coordinate = format == 1;
    m->complex = field == 3;
    m->symmetry = (sb_symmetry)symmetry;
    if (m->symmetry == HERMITIAN && !m->complex)
        return sb_fail(m->failure, "%s: a hermitian matrix must be complex", m->name);
    return true;
}

/* Step over what is left of the line and over comments and blank lines behind it. */
static void skip_comments(sb_market *m)
{
    m->at += strcspn(m->at, "\n");
    for (;;) {
        m->at += strspn(m->at, " \t\r\n");
        if (*m->at != '%')
            return;
        m->at += strcspn(m->at, "\n");
    }
}

static bool take_integer(sb_market *m, int64_t *value)
{
    char *end;
    errno = 0;
    *value = strtoll(m->at, &end, 10);
    bool good = end != m->at && !errno && (!*end || isspace((unsigned char)*end));
    m->at = end;
    return good;
}

static bool take_real(sb_market *m, double *value)
{
    char *end;
    *value = strtod(m->at, &end);
    bool good = end != m->at && (!*end || isspace((unsigned char)*end));
    m->at = end;
    return good;
}

/* The size line; makes room for as many entries as it announces and the text can hold. */
static bool read_size(sb_market *m)
{
    int64_t columns = 0, stored = 0;
    skip_comments(m);
    if (!take_integer(m, &m->n) || !take_integer(m, &columns) || (m->coordinate && !take_integer(m, &stored)))
        return sb_fail(m->failure, "%s: the line of sizes cannot be read", m->name);
    if (m->n < 1 || columns < 1 || stored < 0)
        return sb_fail(m->failure, "%s: the sizes must be positive", m->name);
    if (m->n != columns)
        return sb_fail(m->failure, "%s: the matrix must be square, it is %lld x %lld", m->name, (long long)m->n,
                       (long long)columns);
    int64_t triangle = m->symmetry == SKEW ? -1 : 1;
    if (!m->coordinate && __builtin_mul_overflow(m->n, m->n, &stored))
        stored = INT64_MAX;
    if (!m->coordinate && m->symmetry != GENERAL && stored != INT64_MAX)
        stored = (stored + triangle * m->n) / 2;
    if (stored > (int64_t)strlen(m->at) / 2)
        return sb_fail(m->failure, "%s: truncated: the file has no room for %lld entries", m->name,
                       (long long)stored);
    if (stored < m->n / 2 + m->n % 2)
        return sb_fail(m->failure,
                       "%s: %lld entries leave rows of the %lld x %lld matrix empty: it is singular", m->name,
                       (long long)stored, (long long)m->n, (long long)m->n);
    m->count = stored;
    m->entries = malloc((size_t)stored * sizeof *m->entries);
    return m->entries || sb_fail(m->failure, "%s: not enough memory", m->name);
}

static bool check_entry(const sb_market *m, const sb_entry *e, int64_t number)
{
    if (e->row < 0 || e->row >= m->n || e->column < 0 || e->column >= m->n)
        return sb_fail(m->failure, "%s: entry %lld lies outside the matrix", m->name, (long long)number);
    if (m->symmetry == GENERAL)
        return true;
    if (e->row < e->column)
        return sb_fail(m->failure, "%s: entry %lld: a symmetric file holds the lower triangle only", m->name,
                       (long long)number);
    if (e->row == e->column && ((m->symmetry == SKEW && (e->value[0] != 0 || e->value[1] != 0)) ||
                                (m->symmetry == HERMITIAN && e->value[1] != 0)))
        return sb_fail(m->failure, "%s: entry %lld does not fit the symmetry", m->name, (long long)number);
    return true;
}

/* Where the next entry of an array file stands: down the columns, below the diagonal if only that is stored. */
static void advance(const sb_market *m, sb_entry *place)
{
    if (++place->row < m->n)
        return;
    ++place->column;
    place->row = m->symmetry == GENERAL ? 0 : place->column + (m->symmetry == SKEW);
}

static bool read_entries(sb_market *m)
{
    sb_entry place = {.row = m->symmetry == SKEW};
    for (int64_t i = 0; i < m->count; ++i) {
        sb_entry *e = &m->entries[i];
        *e = place;
        bool good = !m->coordinate || (take_integer(m, &e->row) && take_integer(m, &e->column));
        good = good && take_real(m, &e->value[0]) && (!m->complex || take_real(m, &e->value[1]));
        if (!good)
            return sb_fail(m->failure,
                           *m->at ? "%s: entry %lld cannot be read" : "%s: truncated: ends at entry %lld",
                           m->name, (long long)(i + 1));
        if (m->coordinate) {
            --e->row;
            --e->column;
        }
        if (!check_entry(m, e, i + 1))
            return false;
        advance(m, &place);
    }
    m->at += strspn(m->at, " \t\r\n");
    return !*m->at || sb_fail(m->failure, "%s: something follows the last of the %lld entries", m->name,
                              (long long)m->count);
}

/* The diagonal that an entry belongs to: the nearest of those that coincide in a ring, given limits first. */
static int64_t diagonal_of(const sb_market *m, const sb_band *band, bool periodic, int64_t row, int64_t column)
{
    int64_t k = column - row, other = k > 0 ? k - m->n : k + m->n;
    if (!periodic)
        return k;
    if (band->lower >= 0 && (k < -band->lower || k > band->upper))
        return other;
    if (band->lower >= 0)
        return k;
    return llabs(other) < llabs(k) ? other : k;
}

static bool detect_band(const sb_market *m, sb_band *band, bool periodic)
{
    int64_t lower = band->lower < 0 ? 0 : band->lower, upper = band->upper < 0 ? 0 : band->upper;
    for (int64_t i = 0; i < m->count; ++i) {
        const sb_entry *e = &m->entries[i];
        if (e->value[0] == 0 && e->value[1] == 0)
            continue;
        int64_t k[2] = {diagonal_of(m, band, periodic, e->row, e->column),
                        diagonal_of(m, band, periodic, e->column, e->row)};
        for (int side = 0; side < (m->symmetry == GENERAL ? 1 : 2); ++side) {
            lower = -k[side] > lower ? -k[side] : lower;
            upper = k[side] > upper ? k[side] : upper;
        }
    }
    if (band->lower >= 0 && (lower > band->lower || upper > band->upper))
        return sb_fail(m->failure, "%s: the matrix has lower bandwidth %lld and upper %lld, not %d and %d",
                       m->name, (long long)lower, (long long)upper, band->lower, band->upper);
    if (!sb_band_fits(lower, upper, m->name, m->failure))
        return false;
    band->lower = (int)lower;
    band->upper = (int)upper;
    return true;
}

static void add_entry(const sb_market *m, sb_band *band, int64_t k, int64_t row, double real, double imaginary)
{
    double *numbers = band->diagonals;
    int64_t at = (band->lower + k) * m->n + row;
    if (!m->complex) {
        numbers[at] += real;
        return;
    }
    numbers[2 * at] += real;
    numbers[2 * at + 1] += imaginary;
}

static void fill(const sb_market *m, sb_band *band, bool periodic)
{
    for (int64_t i = 0; i < m->count; ++i) {
        const sb_entry *e = &m->entries[i];
        double re = e->value[0], im = e->value[1];
        if (re == 0 && im == 0)
            continue;
        add_entry(m, band, diagonal_of(m, band, periodic, e->row, e->column), e->row, re, im);
        if (m->symmetry == GENERAL || e->row == e->column)
            continue;
        double sign = m->symmetry == SKEW ? -1 : 1, turn = m->symmetry == SYMMETRIC ? 1 : -1;
        add_entry(m, band, diagonal_of(m, band, periodic, e->column, e->row), e->column, sign * re, turn * im);
    }
}

bool sb_matrix_market_read(sb_band *band, FILE *stream, const char *name, bool periodic, sb_failure *failure)
{
    char *text = sb_input_text(stream, name, failure);
    sb_market m = {.name = name, .at = text, .failure = failure};
    bool good = text && read_banner(&m) && read_size(&m) && read_entries(&m) && detect_band(&m, band, periodic);
    if (good) {
        band->scalar = m.complex ? SLIMBAND_C128 : SLIMBAND_F64;
        band->n = m.n;
        band->matrices = 1;
        good = sb_band_allocate(band, name, failure);
    }
    if (good)
        fill(&m, band, periodic);
    else
        *band = (sb_band){0};
    free(m.entries);
    free(text);
    return good;
}
