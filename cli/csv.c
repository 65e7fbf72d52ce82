/* The CSV reader: one walk over the text, cutting labels out in place. */
#include "cli/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/input.h"

typedef struct sb_field {
    char *begin, *end; /* raw: quotes are inside */
} sb_field;

typedef struct sb_reader {
    const char *name;
    char *at;      /* the next character */
    int64_t line;  /* it stands on, from 1 */
    int64_t width; /* fields of every record */
    int64_t value_column, label_column;
    sb_failure *failure;
} sb_reader;

typedef struct sb_record {
    int64_t line, width;
    sb_field value, label;
} sb_record;

/* Find the end of the quoted part that begins at reader->at. */
static bool skip_quoted(sb_reader *reader)
{
    char *c = reader->at + 1;
    for (; *c && !(c[0] == '"' && c[1] != '"'); ++c) {
        if (*c == '"')
            ++c;
        if (*c == '\n')
            ++reader->line;
    }
    if (!*c)
        return sb_fail(reader->failure, "%s: line %lld: a quote is never closed", reader->name,
                       (long long)reader->line);
    reader->at = c + 1;
    return true;
}

static bool read_field(sb_reader *reader, sb_field *field)
{
    *field = (sb_field){reader->at, reader->at};
    if (*reader->at == '"') {
        if (!skip_quoted(reader))
            return false;
        if (!strchr(",\r\n", *reader->at))
            return sb_fail(reader->failure, "%s: line %lld: a closing quote must end its field", reader->name,
                           (long long)reader->line);
    }
    reader->at += strcspn(reader->at, ",\n");
    field->end = reader->at;
    if (*reader->at != ',' && field->end > field->begin && field->end[-1] == '\r')
        --field->end;
    return true;
}

/* One record; the reader stands behind its line's end afterwards. */
static bool read_record(sb_reader *reader, sb_record *record)
{
    *record = (sb_record){.line = reader->line};
    for (;;) {
        sb_field field;
        if (!read_field(reader, &field))
            return false;
        if (record->width == reader->value_column)
            record->value = field;
        if (record->width == reader->label_column)
            record->label = field;
        ++record->width;
        if (*reader->at != ',')
            break;
        ++reader->at;
    }
    if (*reader->at == '\n') {
        ++reader->at;
        ++reader->line;
    }
    return true;
}

/* The field without surrounding blanks and quotes. */
static sb_field bare(sb_field field)
{
    while (field.begin < field.end && strchr(" \t", *field.begin))
        ++field.begin;
    while (field.begin < field.end && strchr(" \t", field.end[-1]))
        --field.end;
    if (field.end - field.begin >= 2 && *field.begin == '"') {
        ++field.begin;
        --field.end;
        return bare(field);
    }
    return field;
}

/* A finite number, or NaN for a missing one. */
static bool read_number(sb_field field, double *value)
{
    static const char *const missing[] = {"", "na", "n/a", "nan", "null", "."};
    field = bare(field);
    size_t length = (size_t)(field.end - field.begin);
    *value = NAN;
    for (size_t i = 0; i < sizeof missing / sizeof missing[0]; ++i) {
        if (strlen(missing[i]) == length && !strncasecmp(missing[i], field.begin, length))
            return true;
    }
    char *end;
    *value = strtod(field.begin, &end);
    return end == field.end && isfinite(*value);
}

static bool is_named(sb_field field, const char *name)
{
    field = bare(field);
    size_t length = strlen(name);
    return (size_t)(field.end - field.begin) == length && !memcmp(field.begin, name, length);
}

/* The column that `text` numbers, from 0; -1 if it is no number in 1..width. */
static int64_t numbered(const char *text, int64_t width)
{
    char *end;
    long long number = strtoll(text, &end, 10);
    return end != text && !*end && number >= 1 && number <= width ? number - 1 : -1;
}

/* Which column is meant, from the first record; the reader is left where it was. */
static bool choose_columns(sb_reader *reader, const char *column, bool *named)
{
    sb_reader ahead = *reader;
    int64_t match = -1, width = 0;
    for (;;) {
        sb_field field;
        if (!read_field(&ahead, &field))
            return false;
        if (column && match < 0 && is_named(field, column))
            match = width;
        ++width;
        if (*ahead.at != ',')
            break;
        ++ahead.at;
    }
    int64_t found = column ? numbered(column, width) : width - 1;
    *named = found < 0;
    if (*named)
        found = match;
    if (found < 0)
        return sb_fail(reader->failure, "%s: no column is named '%s', and the numbers are 1..%lld",
                       reader->name, column, (long long)width);
    reader->width = width;
    reader->value_column = found;
    reader->label_column = width == 1 ? -1 : found == 0 ? 1 : 0;
    return true;
}

/* Cut a field off as a string; what stood behind it has been read. */
static const char *cut(sb_field field)
{
    if (field.begin)
        *field.end = '\0';
    return field.begin;
}

static bool is_blank_line(const char *c)
{
    return *c == '\n' || (c[0] == '\r' && (c[1] == '\n' || !c[1]));
}

/* Skip blank lines that carry nothing: all of them, or in a file of one column those at the end. */
static void skip_blank_lines(sb_reader *reader)
{
    char *c = reader->at;
    int64_t lines = 0;
    while (is_blank_line(c)) {
        c += strcspn(c, "\n");
        c += *c == '\n';
        ++lines;
    }
    if (reader->width == 1 && *c)
        return;
    reader->at = c;
    reader->line += lines;
}

static bool grow(sb_csv *csv, int64_t *room, const sb_reader *reader)
{
    if (csv->rows < *room)
        return true;
    *room = *room ? 2 * *room : 1024;
    double *values = realloc(csv->values, (size_t)*room * sizeof *values);
    if (values)
        csv->values = values;
    const char **labels =
        reader->label_column < 0 || !values ? NULL : realloc(csv->labels, (size_t)*room * sizeof *labels);
    if (labels)
        csv->labels = labels;
    if (!values || (reader->label_column >= 0 && !labels))
        return sb_fail(reader->failure, "%s: not enough memory", reader->name);
    return true;
}

static bool read_rows(sb_csv *csv, sb_reader *reader)
{
    int64_t room = 0;
    for (skip_blank_lines(reader); *reader->at; skip_blank_lines(reader)) {
        sb_record record;
        double value;
        if (!read_record(reader, &record) || !grow(csv, &room, reader))
            return false;
        if (record.width != reader->width)
            return sb_fail(reader->failure, "%s: line %lld has %lld fields where the first line has %lld",
                           reader->name, (long long)record.line, (long long)record.width,
                           (long long)reader->width);
        if (!read_number(record.value, &value))
            return sb_fail(
                reader->failure, "%s: line %lld: '%.*s' is not a finite number", reader->name,
                (long long)record.line,
                (int)(record.value.end - record.value.begin < 40 ? record.value.end - record.value.begin : 40),
                record.value.begin);
        csv->values[csv->rows] = value;
        csv->missing += isnan(value);
        if (csv->labels)
            csv->labels[csv->rows] = cut(record.label);
        ++csv->rows;
    }
    if (csv->rows == 0)
        return sb_fail(reader->failure, "%s: no rows of numbers", reader->name);
    return true;
}

/* Take the header line if there is one. */
static bool read_header(sb_csv *csv, sb_reader *reader, const char *column)
{
    bool named;
    if (!choose_columns(reader, column, &named))
        return false;
    sb_reader ahead = *reader;
    sb_record record;
    double number;
    if (!read_record(&ahead, &record))
        return false;
    if (named || !read_number(record.value, &number)) {
        *reader = ahead;
        csv->value_name = cut(record.value);
        csv->label_name = cut(record.label);
    }
    return true;
}

bool sb_csv_read_stream(sb_csv *csv, FILE *stream, const char *name, const char *column, sb_failure *failure)
{
    *csv = (sb_csv){.text = sb_input_text(stream, name, failure)};
    if (!csv->text)
        return false;
    sb_reader reader = {.name = name, .at = csv->text, .line = 1, .failure = failure};
    if (!strncmp(reader.at, "\xef\xbb\xbf", 3))
        reader.at += 3;
    skip_blank_lines(&reader);
    if (*reader.at ? read_header(csv, &reader, column) && read_rows(csv, &reader)
                   : sb_fail(failure, "%s: no rows of numbers", name))
        return true;
    sb_csv_free(csv);
    return false;
}

bool sb_csv_read(sb_csv *csv, const char *path, const char *column, sb_failure *failure)
{
    *csv = (sb_csv){0};
    FILE *stream = sb_input_open(path, failure);
    if (!stream)
        return false;
    bool good = sb_csv_read_stream(csv, stream, path, column, failure);
    fclose(stream);
    return good;
}

void sb_csv_free(sb_csv *csv)
{
    free(csv->values);
    free(csv->labels);
    free(csv->text);
    *csv = (sb_csv){0};
}
