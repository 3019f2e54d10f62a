/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Matrix Market files: contract in matrix_market.h.
 */
#include "matrix_market.h"
#include "../../common/case.h"
#include <ctype.h>
#include <math.h>
#include <samebits/algorithms.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MAX_TOKEN = 64,      /* bytes of a word or number, with its end. %.17g takes 25 */
    MAX_SIDE = INT32_MAX /* rows or columns: an index of spmv.jds is an i32 */
};

/* More rows or columns than this need an element for each 1024 of them: the offsets of so many take 8 MiB. */
static const uint64_t FREE_SIDE = 1 << 20, SIDE_PER_ELEMENT = 1024;

typedef struct element {
    uint32_t row, column;
    double value;
} element;

typedef struct reader {
    FILE *in;
    unsigned long long line;
    bool line_begins; /* nothing but white space has been read of this line */
    char *why;
    size_t size;

    bool is_array, is_pattern, is_integer, is_symmetric, is_skew;
    uint32_t type; /* of the values */
    uint64_t rows, columns;
    element *elements;
    uint64_t count, capacity;
} reader;

/* Always false. */
static bool __attribute__((format(printf, 2, 3))) refuse(reader *r, const char *format, ...)
{
    int begin = snprintf(r->why, r->size, "line %llu: ", r->line);
    va_list arguments;

    va_start(arguments, format);
    if (begin > 0 && (size_t)begin < r->size)
        vsnprintf(r->why + begin, r->size - (size_t)begin, format, arguments);
    va_end(arguments);
    return false;
}

static void skip_line(reader *r)
{
    int c;

    do
        c = getc(r->in);
    while (c != '\n' && c != EOF);
    r->line++;
    r->line_begins = true;
}

/* The next word or number, without the white space and comments in front of it. Empty at the end of the file. False: it is too
 * long, or the file cannot be read. */
static bool next_token(reader *r, char token[MAX_TOKEN])
{
    size_t length = 0;
    int c;

    while ((c = getc(r->in)) != EOF && (isspace(c) || (c == '%' && r->line_begins))) {
        if (c == '%') {
            skip_line(r);
        } else if (c == '\n') {
            r->line++;
            r->line_begins = true;
        }
    }
    for (r->line_begins = false; c != EOF && !isspace(c); c = getc(r->in)) {
        if (length == MAX_TOKEN - 1)
            return refuse(r, "a word of more than %d characters", MAX_TOKEN - 1);
        token[length++] = (char)c;
    }
    token[length] = '\0';
    if (c != EOF)
        ungetc(c, r->in);
    return !ferror(r->in) || refuse(r, "the file cannot be read");
}

static bool is_word(const char *token, const char *word)
{
    return strcasecmp(token, word) == 0;
}

static bool read_header(reader *r)
{
    char banner[MAX_TOKEN], object[MAX_TOKEN], format[MAX_TOKEN], field[MAX_TOKEN], symmetry[MAX_TOKEN];

    r->line_begins = false; /* the banner begins with %, and is no comment */
    if (!next_token(r, banner) || !next_token(r, object) || !next_token(r, format) || !next_token(r, field) ||
        !next_token(r, symmetry))
        return false;
    if (!is_word(banner, "%%MatrixMarket") || r->line != 1) {
        r->line = 1;
        return refuse(r, "no Matrix Market file: it does not begin with %%%%MatrixMarket and four words");
    }
    r->is_array = is_word(format, "array");
    r->is_pattern = is_word(field, "pattern");
    r->is_integer = is_word(field, "integer");
    r->is_skew = is_word(symmetry, "skew-symmetric");
    r->is_symmetric = r->is_skew || is_word(symmetry, "symmetric");
    if (!is_word(object, "matrix"))
        return refuse(r, "'%s' is not read, only matrix", object);
    if (!r->is_array && !is_word(format, "coordinate"))
        return refuse(r, "'%s' is neither coordinate nor array", format);
    if (!r->is_pattern && !r->is_integer && !is_word(field, "real"))
        return refuse(r, "'%s' is not read, only real, integer and pattern", field);
    if (!r->is_symmetric && !is_word(symmetry, "general"))
        return refuse(r, "'%s' is not read, only general, symmetric and skew-symmetric", symmetry);
    if (r->is_pattern && (r->is_array || r->is_skew))
        return refuse(r, "a pattern is coordinate, and general or symmetric");
    skip_line(r);
    return true;
}

/* A number of 0 to `max`. */
static bool read_count(reader *r, const char *name, uint64_t max, uint64_t *count)
{
    char token[MAX_TOKEN], *end;

    if (!next_token(r, token))
        return false;
    if (token[0] == '\0')
        return refuse(r, "the file ends where the %s should be", name);
    *count = strtoull(token, &end, 10);
    if (!isdigit((unsigned char)token[0]) || *end != '\0')
        return refuse(r, "'%s' is not a %s", token, name);
    if (strlen(token) > 19 || *count > max)
        return refuse(r, "the %s, %s, is above %llu", name, token, (unsigned long long)max);
    return true;
}

/* An index of 1 to `side`, as 0 to side - 1. */
static bool read_index(reader *r, const char *name, uint64_t side, uint32_t *index)
{
    uint64_t number;

    if (!read_count(r, name, side, &number))
        return false;
    if (number == 0)
        return refuse(r, "the %s is 0, and they count from 1", name);
    *index = (uint32_t)(number - 1);
    return true;
}

static bool read_value(reader *r, double *value)
{
    char token[MAX_TOKEN], *end;

    if (r->is_pattern) {
        *value = 1;
        return true;
    }
    if (!next_token(r, token))
        return false;
    if (token[0] == '\0')
        return refuse(r, "the file ends where a value should be");
    if (token[strspn(token, r->is_integer ? "+-0123456789" : "+-.0123456789eE")] != '\0')
        return refuse(r, "'%s' is not %s", token, r->is_integer ? "an integer" : "a number");
    *value = r->type == SB_F32 ? (double)strtof(token, &end) : strtod(token, &end);
    if (end == token || *end != '\0')
        return refuse(r, "'%s' is not %s", token, r->is_integer ? "an integer" : "a number");
    return isfinite(*value) || refuse(r, "%s is too large", token);
}

static bool keep(reader *r, uint32_t row, uint32_t column, double value)
{
    if (r->count == r->capacity) {
        uint64_t capacity = r->capacity > 0 ? 2 * r->capacity : 1024;
        element *more = capacity <= SIZE_MAX / sizeof *more ? realloc(r->elements, capacity * sizeof *more) : NULL;

        if (more == NULL)
            return refuse(r, "out of memory");
        r->elements = more;
        r->capacity = capacity;
    }
    r->elements[r->count++] = (element){row, column, value};
    return true;
}

static bool keep_with_mirror(reader *r, uint32_t row, uint32_t column, double value)
{
    if (!keep(r, row, column, value))
        return false;
    if (!r->is_symmetric || row == column)
        return true;
    return keep(r, column, row, r->is_skew ? -value : value);
}

static bool read_coordinates(reader *r)
{
    uint64_t announced;

    if (!read_count(r, "number of elements", UINT64_MAX / 4, &announced))
        return false;
    for (uint64_t i = 0; i < announced; i++) {
        uint32_t row = 0, column = 0;
        double value = 0;

        if (!read_index(r, "row", r->rows, &row) || !read_index(r, "column", r->columns, &column) ||
            !read_value(r, &value))
            return false;
        if (r->is_symmetric && (row < column || (r->is_skew && row == column)))
            return refuse(r, "an element %s the diagonal of a %s matrix", row < column ? "above" : "on",
                          r->is_skew ? "skew-symmetric" : "symmetric");
        if (!keep_with_mirror(r, row, column, value))
            return false;
    }
    return true;
}

/* Column by column; of a symmetric matrix only the lower triangle, of a skew-symmetric one without the diagonal. */
static bool read_array(reader *r)
{
    for (uint64_t column = 0; r->rows > 0 && column < r->columns; column++)
        for (uint64_t row = r->is_symmetric ? column + r->is_skew : 0; row < r->rows; row++) {
            double value = 0;

            if (!read_value(r, &value) || !keep_with_mirror(r, (uint32_t)row, (uint32_t)column, value))
                return false;
        }
    return true;
}

static bool read_matrix(reader *r)
{
    char token[MAX_TOKEN];

    if (!read_header(r) || !read_count(r, "number of rows", MAX_SIDE, &r->rows) ||
        !read_count(r, "number of columns", MAX_SIDE, &r->columns))
        return false;
    if (r->is_symmetric && r->rows != r->columns)
        return refuse(r, "a symmetric matrix is square");
    if (!(r->is_array ? read_array(r) : read_coordinates(r)) || !next_token(r, token))
        return false;
    if (token[0] != '\0')
        return refuse(r, "'%s' behind the last element that was announced", token);
    if ((r->rows > FREE_SIDE && r->rows / SIDE_PER_ELEMENT > r->count) ||
        (r->columns > FREE_SIDE && r->columns / SIDE_PER_ELEMENT > r->count))
        return refuse(r, "%llu rows and %llu columns for %llu elements are too many", (unsigned long long)r->rows,
                      (unsigned long long)r->columns, (unsigned long long)r->count);
    return true;
}

/* Sorts the elements by row, stable, by counting. row_offset has rows + 1 zeros. */
static void store(const reader *r, uint64_t *row_offset, uint32_t *column, sb_array *value)
{
    for (uint64_t i = 0; i < r->count; i++)
        row_offset[r->elements[i].row + 1]++;
    for (uint64_t row = 0; row < r->rows; row++)
        row_offset[row + 1] += row_offset[row];
    for (uint64_t i = 0; i < r->count; i++) {
        uint64_t to = row_offset[r->elements[i].row]++;

        column[to] = r->elements[i].column;
        if (value->type == SB_F32)
            ((float *)value->data)[to] = (float)r->elements[i].value;
        else
            ((double *)value->data)[to] = r->elements[i].value;
    }
    /* Each offset has moved to the end of its row: the begin of the next. */
    memmove(row_offset + 1, row_offset, r->rows * sizeof *row_offset);
    row_offset[0] = 0;
}

bool sb_matrix_read(FILE *in, sb_array inputs[], uint64_t *columns, char *why, size_t size)
{
    reader r = {.in = in, .line = 1, .why = why, .size = size, .type = inputs[SB_CSR_VALUE].type};
    sb_array *row_offset = &inputs[SB_CSR_ROW_OFFSET];
    bool read = read_matrix(&r);

    if (read && (!sb_array_set(row_offset, NULL, r.rows + 1) || !sb_array_set(&inputs[SB_CSR_COLUMN], NULL, r.count) ||
                 !sb_array_set(&inputs[SB_CSR_VALUE], NULL, r.count)))
        read = refuse(&r, "out of memory");
    if (read) {
        store(&r, row_offset->data, inputs[SB_CSR_COLUMN].data, &inputs[SB_CSR_VALUE]);
        *columns = r.columns;
    }
    free(r.elements);
    return read;
}
