/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Case lines: contract in case_text.h, grammar in docs/FORMAT.md.
 */
#include "case_text.h"
#include "algorithms/table.h"
#include "generate.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Larger files and generated arrays are refused. */
static const uint64_t largest = 1ull << 32;

enum { LONGEST_ID = 128, LONGEST_NUMBER = 128 };

/* u8 arrays of at most so many elements that are not plain text are printed as a list, longer ones as hex. */
enum { SHORT_LIST = 16 };

/* ---- reading: the line and what went wrong in it ---- */

typedef struct reader {
    const char *start, *at, *end;
    const char *folder;
    char *error;
    size_t size;
} reader;

typedef struct span {
    const char *from, *to; /* from NULL: not there */
} span;

static bool fail(const reader *r, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool fail(const reader *r, const char *at, const char *format, ...)
{
    int used = snprintf(r->error, r->size, "column %zu: ", (size_t)(at - r->start) + 1);
    va_list arguments;

    va_start(arguments, format);
    if (used >= 0 && (size_t)used < r->size)
        vsnprintf(r->error + used, r->size - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

/* A piece of the line, fit for a message. */
typedef struct excerpt {
    char text[48];
} excerpt;

static excerpt quote(span s)
{
    excerpt e;
    size_t length = (size_t)(s.to - s.from), shown = length < 40 ? length : 40;

    for (size_t i = 0; i < shown; i++)
        e.text[i] = s.from[i] < ' ' || s.from[i] > '~' ? '?' : s.from[i];
    strcpy(e.text + shown, shown < length ? "..." : "");
    return e;
}

static bool span_is(span s, const char *word)
{
    size_t length = (size_t)(s.to - s.from);

    return strlen(word) == length && memcmp(s.from, word, length) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A character of ids, names and file names. */
static bool is_name(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c != '\0' && strchr("._:+-", c) != NULL);
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && is_blank(*r->at))
        r->at++;
}

static span read_name(reader *r)
{
    span name = {r->at, r->at};

    while (r->at < r->end && is_name(*r->at))
        r->at++;
    name.to = r->at;
    return name;
}

/* Takes the value that starts here, up to the blank behind it. */
static bool read_value(reader *r, span *value)
{
    value->from = r->at;
    if (r->at < r->end && *r->at == '"') {
        for (r->at++; r->at < r->end && *r->at != '"'; r->at++)
            if (*r->at == '\\' && r->at + 1 < r->end)
                r->at++;
        if (r->at == r->end)
            return fail(r, value->from, "this text has no closing quote");
        r->at++;
    } else if (r->at < r->end && *r->at == '[') {
        while (r->at < r->end && *r->at != ']')
            r->at++;
        if (r->at == r->end)
            return fail(r, value->from, "this list has no closing bracket");
        r->at++;
    } else {
        while (r->at < r->end && !is_blank(*r->at))
            r->at++;
    }
    value->to = r->at;
    if (value->from == value->to)
        return fail(r, r->at, "a value is missing after '='");
    if (r->at < r->end && !is_blank(*r->at))
        return fail(r, r->at, "a blank must follow the value");
    return true;
}

static bool at_arrow(const reader *r)
{
    return r->end - r->at >= 2 && r->at[0] == '=' && r->at[1] == '>' && (r->end - r->at == 2 || is_blank(r->at[2]));
}

/* Reads key=value up to the end or `=>`. values[i] becomes the value of names[i]. */
static bool read_items(reader *r, const char *what, const char *const *names, size_t count, span *values)
{
    for (skip_blanks(r); r->at < r->end && !at_arrow(r); skip_blanks(r)) {
        span key = read_name(r);
        size_t i = 0;

        if (key.from == key.to)
            return fail(r, key.from, "a name is expected here");
        if (r->at == r->end || *r->at != '=')
            return fail(r, r->at, "'=' is expected after '%s'", quote(key).text);
        while (i < count && !span_is(key, names[i]))
            i++;
        if (i == count)
            return fail(r, key.from, "%s has no '%s'", what, quote(key).text);
        if (values[i].from != NULL)
            return fail(r, key.from, "'%s' stands here a second time", names[i]);
        r->at++;
        if (!read_value(r, &values[i]))
            return false;
    }
    return true;
}

/* ---- reading numbers ---- */

static bool read_digits(const reader *r, span s, span digits, uint64_t most, const char *type, uint64_t *number)
{
    uint64_t value = 0;

    if (digits.from == digits.to)
        return fail(r, s.from, "'%s' is no number of type %s", quote(s).text, type);
    for (const char *c = digits.from; c < digits.to; c++) {
        if (!is_digit(*c))
            return fail(r, s.from, "'%s' is no number of type %s", quote(s).text, type);
        if (value > (most - (uint64_t)(*c - '0')) / 10)
            return fail(r, s.from, "%s is out of the range of %s", quote(s).text, type);
        value = 10 * value + (uint64_t)(*c - '0');
    }
    *number = value;
    return true;
}

static bool read_u64(const reader *r, span s, uint64_t *number)
{
    return read_digits(r, s, s, UINT64_MAX, "u64", number);
}

static bool read_integer(const reader *r, span s, uint32_t type, uint64_t *bits)
{
    bool negative = type == SB_I32 && s.from < s.to && *s.from == '-';
    span digits = {s.from + negative, s.to};
    uint64_t most = UINT64_MAX >> (64 - 8 * sb_type_size(type));

    if (type == SB_I32)
        most = most / 2 + negative;
    if (!read_digits(r, s, digits, most, sb_type_name(type), bits))
        return false;
    if (negative)
        *bits = -*bits;
    return true;
}

/* #7fc00001: the bits of the element, all digits given. */
static bool read_bits(const reader *r, span s, uint32_t type, uint64_t *bits)
{
    size_t digits = 2 * sb_type_size(type);

    *bits = 0;
    if ((size_t)(s.to - s.from) != 1 + digits)
        return fail(r, s.from, "# and %zu hexadecimal digits make the bits of %s", digits, sb_type_name(type));
    for (const char *c = s.from + 1; c < s.to; c++) {
        if (hex_digit(*c) < 0)
            return fail(r, c, "a hexadecimal digit is expected here");
        *bits = *bits << 4 | (uint64_t)hex_digit(*c);
    }
    return true;
}

/* A decimal or a C hexfloat, correctly rounded; inf and -inf. */
static bool read_float(const reader *r, span s, uint32_t type, uint64_t *bits)
{
    char text[LONGEST_NUMBER + 1], *end = text;
    size_t length = (size_t)(s.to - s.from), sign = length > 0 && *s.from == '-';
    bool infinite;
    double wide = 0;
    float narrow = 0;

    if (length > LONGEST_NUMBER)
        return fail(r, s.from, "a number of more than %d characters", LONGEST_NUMBER);
    memcpy(text, s.from, length);
    text[length] = '\0';
    infinite = strcmp(text + sign, "inf") == 0;
    if (infinite || is_digit(text[sign]) || text[sign] == '.') {
        narrow = type == SB_F32 ? strtof(text, &end) : 0;
        wide = type == SB_F64 ? strtod(text, &end) : 0;
    }
    if (end != text + length || length == 0)
        return fail(r, s.from, "'%s' is no number of type %s", quote(s).text, sb_type_name(type));
    if (!infinite && (isinf(narrow) || isinf(wide)))
        return fail(r, s.from, "%s is out of the range of %s", quote(s).text, sb_type_name(type));
    *bits = 0;
    if (type == SB_F32)
        memcpy(bits, &narrow, sizeof narrow);
    else
        memcpy(bits, &wide, sizeof wide);
    return true;
}

/* a:b */
static bool read_affine(const reader *r, span s, sb_affine *map)
{
    const char *colon = memchr(s.from, ':', (size_t)(s.to - s.from));
    uint64_t a, b;

    if (colon == NULL)
        return fail(r, s.from, "'%s' is no affine map a:b", quote(s).text);
    if (!read_integer(r, (span){s.from, colon}, SB_U32, &a) || !read_integer(r, (span){colon + 1, s.to}, SB_U32, &b))
        return false;
    if (a % 2 == 0)
        return fail(r, s.from, "the first number of an affine map must be odd");
    *map = (sb_affine){(uint32_t)a, (uint32_t)b};
    return true;
}

static bool read_element(const reader *r, span s, uint32_t type, void *element)
{
    uint64_t bits;
    bool good;

    if (type == SB_AFFINE)
        return read_affine(r, s, element);
    if (s.from < s.to && *s.from == '#')
        good = read_bits(r, s, type, &bits);
    else if (type == SB_F32 || type == SB_F64)
        good = read_float(r, s, type, &bits);
    else
        good = read_integer(r, s, type, &bits);
    if (good)
        memcpy(element, &bits, sb_type_size(type));
    return good;
}

/* ---- reading text ---- */

/* Decodes the escape at *at, a backslash, and moves past it. */
static bool read_escape(const reader *r, const char **at, const char *end, char *byte)
{
    static const char letters[] = "abfnrtv\\\"'?", meanings[] = "\a\b\f\n\r\t\v\\\"'?";
    const char *c = *at + 1;
    const char *letter = c < end && *c != '\0' ? strchr(letters, *c) : NULL;
    unsigned value = 0;

    if (letter != NULL) {
        *byte = meanings[letter - letters];
        *at = c + 1;
        return true;
    }
    if (end - c >= 3 && *c == 'x' && hex_digit(c[1]) >= 0 && hex_digit(c[2]) >= 0) {
        value = (unsigned)(16 * hex_digit(c[1]) + hex_digit(c[2]));
        c += 3;
    } else {
        const char *first = c;

        while (c < end && c < first + 3 && *c >= '0' && *c <= '7')
            value = 8 * value + (unsigned)(*c++ - '0');
        if (c == first)
            return fail(r, *at, "unknown escape; \\x takes two digits, octal one to three");
    }
    if (value > 255)
        return fail(r, *at, "an escape of more than 255");
    *byte = (char)value;
    *at = c;
    return true;
}

/* The decoded bytes of a quoted text, and a zero behind them; allocated. */
static bool read_text(const reader *r, span s, char **text, size_t *length)
{
    char *to = malloc((size_t)(s.to - s.from));

    *text = to;
    if (to == NULL)
        return fail(r, s.from, "out of memory");
    for (const char *at = s.from + 1; at < s.to - 1;) {
        if (*at != '\\') {
            if ((unsigned char)*at < ' ' || *at == 0x7f) {
                free(*text);
                return fail(r, at, "a control character; write it as an escape");
            }
            *to++ = *at++;
        } else if (!read_escape(r, &at, s.to - 1, to++)) {
            free(*text);
            return false;
        }
    }
    *to = '\0';
    *length = (size_t)(to - *text);
    return true;
}

/* ---- reading arrays ---- */

static bool read_array_text(const reader *r, span s, sb_array *array)
{
    char *text;
    size_t length;
    bool good;

    if (array->type != SB_U8)
        return fail(r, s.from, "text is for bytes; this array holds %s", sb_type_name(array->type));
    if (!read_text(r, s, &text, &length))
        return false;
    good = sb_array_set(array, text, length) || fail(r, s.from, "out of memory");
    free(text);
    return good;
}

static span trim(span s)
{
    while (s.from < s.to && is_blank(*s.from))
        s.from++;
    while (s.from < s.to && is_blank(s.to[-1]))
        s.to--;
    return s;
}

static bool read_list(const reader *r, span s, sb_array *array)
{
    span inside = trim((span){s.from + 1, s.to - 1});
    uint64_t count = inside.from < inside.to;

    for (const char *c = inside.from; c < inside.to; c++)
        count += *c == ',';
    if (!sb_array_resize(array, count))
        return fail(r, s.from, "out of memory");
    for (uint64_t i = 0; i < count; i++) {
        const char *comma = memchr(inside.from, ',', (size_t)(inside.to - inside.from));
        span element = trim((span){inside.from, comma != NULL ? comma : inside.to});

        if (!read_element(r, element, array->type, (uint8_t *)array->data + i * sb_type_size(array->type)))
            return false;
        inside.from = comma != NULL ? comma + 1 : inside.to;
    }
    return true;
}

/* A number without brackets is a list of one. */
static bool read_single(const reader *r, span s, sb_array *array)
{
    if (!sb_array_resize(array, 1))
        return fail(r, s.from, "out of memory");
    return read_element(r, s, array->type, array->data);
}

/* The digits behind hex: are the bytes of the elements as they lie in a file. */
static bool read_hex(const reader *r, span s, sb_array *array)
{
    const char *digit = s.from + strlen("hex:");
    size_t digits = (size_t)(s.to - digit), element = 2 * sb_type_size(array->type);

    if (digits % element != 0)
        return fail(r, s.from, "%zu hexadecimal digits make no whole elements of %s", digits,
                    sb_type_name(array->type));
    if (!sb_array_resize(array, digits / element))
        return fail(r, s.from, "out of memory");
    for (size_t i = 0; i < digits; i += 2, digit += 2) {
        if (hex_digit(digit[0]) < 0 || hex_digit(digit[1]) < 0)
            return fail(r, digit + (hex_digit(digit[0]) >= 0), "a hexadecimal digit is expected here");
        ((uint8_t *)array->data)[i / 2] = (uint8_t)(16 * hex_digit(digit[0]) + hex_digit(digit[1]));
    }
    return true;
}

/* File names stay below the folder. */
static bool file_name_allowed(span name)
{
    if (name.from == name.to)
        return false;
    for (const char *c = name.from; c < name.to; c++) {
        bool starts = c == name.from || c[-1] == '/';

        if (!is_name(*c) && (*c != '/' || starts))
            return false;
        if (starts && name.to - c >= 2 && c[0] == '.' && c[1] == '.' && (name.to - c == 2 || c[2] == '/'))
            return false;
    }
    return true;
}

static bool read_open_file(const reader *r, span s, FILE *in, sb_array *array)
{
    struct stat status;

    if (fstat(fileno(in), &status) != 0)
        return fail(r, s.from, "%s: %s", quote(s).text, strerror(errno));
    if ((uint64_t)status.st_size > largest)
        return fail(r, s.from, "%s: larger than 4 GiB", quote(s).text);
    if ((uint64_t)status.st_size % sb_type_size(array->type) != 0)
        return fail(r, s.from, "%s: %lld bytes make no whole elements of %s", quote(s).text, (long long)status.st_size,
                    sb_type_name(array->type));
    if (!sb_array_resize(array, (uint64_t)status.st_size / sb_type_size(array->type)))
        return fail(r, s.from, "%s: out of memory", quote(s).text);
    if (fread(array->data, 1, (size_t)status.st_size, in) != (size_t)status.st_size)
        return fail(r, s.from, "%s: could not be read", quote(s).text);
    return true;
}

static bool read_file(const reader *r, span s, sb_array *array)
{
    span name = {s.from + 1, s.to};
    struct stat status;
    char *path;
    FILE *in = NULL;
    bool good;

    if (r->folder == NULL)
        return fail(r, s.from, "no files can be named here");
    if (!file_name_allowed(name))
        return fail(r, s.from, "'%s' is no name of a file below the folder of the case", quote(name).text);
    if (asprintf(&path, "%s/%.*s", r->folder, (int)(name.to - name.from), name.from) < 0)
        return fail(r, s.from, "out of memory");
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        good = fail(r, s.from, "%s: not a regular file", path);
    else if ((in = fopen(path, "rb")) == NULL)
        good = fail(r, s.from, "%s: %s", path, strerror(errno));
    else
        good = read_open_file(r, s, in, array);
    if (in != NULL)
        fclose(in);
    free(path);
    return good;
}

static bool read_array(const reader *r, span s, sb_array *array)
{
    if (*s.from == '"')
        return read_array_text(r, s, array);
    if (*s.from == '[')
        return read_list(r, s, array);
    if (*s.from == '@')
        return read_file(r, s, array);
    if (s.to - s.from >= 4 && memcmp(s.from, "hex:", 4) == 0)
        return read_hex(r, s, array);
    if (is_digit(*s.from) || strchr("-.#", *s.from) != NULL)
        return read_single(r, s, array);
    return fail(r, s.from, "an array is \"text\", [a list], hex:digits, @file or one number");
}

/* ---- reading results ---- */

static bool read_outputs(reader *r, const sb_case *c, sb_result *result)
{
    const char *names[SB_MAX_ARRAYS];
    span values[SB_MAX_ARRAYS] = {{NULL, NULL}};
    size_t count = sb_output_count(c->algorithm);
    const char *start = r->at;

    for (size_t i = 0; i < count; i++)
        names[i] = c->algorithm->outputs[i].name;
    if (!read_items(r, c->algorithm->name, names, count, values))
        return false;
    if (r->at < r->end)
        return fail(r, r->at, "a second '=>'");
    for (size_t i = 0; i < count; i++) {
        result->outputs[i].type = sb_field_type(c, &c->algorithm->outputs[i]);
        if (values[i].from == NULL)
            return fail(r, start, "the result has no %s=", names[i]);
        if (!read_array(r, values[i], &result->outputs[i]))
            return false;
    }
    return true;
}

static bool read_result(reader *r, const sb_case *c, sb_result *result)
{
    static const char word[] = "invalid";
    const char *behind;

    memset(result, 0, sizeof *result);
    skip_blanks(r);
    behind = r->at + strlen(word);
    if ((size_t)(r->end - r->at) >= strlen(word) && memcmp(r->at, word, strlen(word)) == 0 &&
        (behind == r->end || is_blank(*behind))) {
        r->at = behind;
        skip_blanks(r);
        result->status = SB_INVALID;
        return r->at == r->end || fail(r, r->at, "nothing may follow 'invalid'");
    }
    if (read_outputs(r, c, result))
        return true;
    sb_result_free(result);
    return false;
}

bool sb_result_parse(const char *text, size_t length, const char *folder, const sb_case *c, sb_result *result,
                     char *error, size_t size)
{
    reader r = {text, text, text + length, folder, error, size};

    return read_result(&r, c, result);
}

/* ---- reading cases ---- */

/* The names of a line: these, then the parameters, then the inputs. */
enum { ID, WHY, GEN, N, SEED, HASH, FIXED };

typedef struct items {
    const char *names[FIXED + SB_MAX_PARAMETERS + SB_MAX_ARRAYS];
    span values[FIXED + SB_MAX_PARAMETERS + SB_MAX_ARRAYS];
    span *parameters, *inputs;
    size_t parameter_count, input_count;
} items;

static void items_init(items *all, const sb_algorithm *algorithm)
{
    static const char *const fixed[FIXED] = {"id", "why", "gen", "n", "seed", "hash"};

    memset(all, 0, sizeof *all);
    memcpy(all->names, fixed, sizeof fixed);
    all->parameter_count = sb_parameter_count(algorithm);
    all->input_count = sb_input_count(algorithm);
    all->parameters = all->values + FIXED;
    all->inputs = all->parameters + all->parameter_count;
    for (size_t i = 0; i < all->parameter_count; i++)
        all->names[FIXED + i] = algorithm->parameters[i].name;
    for (size_t i = 0; i < all->input_count; i++)
        all->names[FIXED + all->parameter_count + i] = algorithm->inputs[i].name;
}

static bool read_id(const reader *r, span s, sb_case *c)
{
    if (s.to - s.from > LONGEST_ID)
        return fail(r, s.from, "an id of more than %d characters", LONGEST_ID);
    for (const char *at = s.from; at < s.to; at++)
        if (!is_name(*at))
            return fail(r, at, "an id is made of letters, digits and . _ : + -");
    return sb_case_set_id(c, "%.*s", (int)(s.to - s.from), s.from) || fail(r, s.from, "out of memory");
}

static bool read_why(const reader *r, span s, sb_case *c)
{
    char *text;
    size_t length;

    if (*s.from != '"')
        return fail(r, s.from, "why is a \"text\"");
    if (!read_text(r, s, &text, &length))
        return false;
    if (strlen(text) < length) {
        free(text);
        return fail(r, s.from, "a zero byte in why");
    }
    free(c->why);
    c->why = text;
    return true;
}

static bool read_parameter(const reader *r, span s, const sb_parameter *parameter, uint64_t *value)
{
    if (parameter->words == NULL)
        return read_u64(r, s, value);
    for (uint64_t i = 0; parameter->words[i] != NULL; i++)
        if (parameter->words[i][0] != '\0' && span_is(s, parameter->words[i])) {
            *value = i;
            return true;
        }
    return fail(r, s.from, "'%s' is no value of %s", quote(s).text, parameter->name);
}

static bool read_parameters(const reader *r, const items *all, sb_case *c)
{
    const sb_parameter *parameters = c->algorithm->parameters;

    for (size_t i = 0; i < all->parameter_count; i++) {
        if (all->parameters[i].from == NULL)
            return fail(r, r->at, "%s= is missing", parameters[i].name);
        if (!read_parameter(r, all->parameters[i], &parameters[i], &c->parameters[i]))
            return false;
    }
    return true;
}

static bool read_inputs(const reader *r, const items *all, sb_case *c)
{
    uint64_t capacity[SB_MAX_ARRAYS];
    char why[256];

    for (int i = N; i <= HASH; i++)
        if (all->values[i].from != NULL)
            return fail(r, all->values[i].from, "%s= goes with gen= only", all->names[i]);
    if (all->values[ID].from == NULL)
        return fail(r, r->at, "id= is missing");
    for (size_t i = 0; i < all->input_count; i++) {
        c->inputs[i].type = sb_field_type(c, &c->algorithm->inputs[i]);
        if (all->inputs[i].from == NULL)
            return fail(r, r->at, "%s= is missing", c->algorithm->inputs[i].name);
        if (!read_array(r, all->inputs[i], &c->inputs[i]))
            return false;
    }
    return sb_case_shape(c, capacity, why, sizeof why) || fail(r, r->start, "%s", why);
}

static const char *find_generator(const sb_algorithm *algorithm, span name)
{
    const char *const *names = sb_generators(algorithm);

    while (*names != NULL && !span_is(name, *names))
        names++;
    return *names;
}

static bool check_hash(const reader *r, const items *all, const sb_case *c)
{
    span s = all->values[HASH];
    unsigned long long hash = sb_case_hash(c);
    char text[17];

    snprintf(text, sizeof text, "%016llx", hash);
    if (s.from == NULL)
        return fail(r, r->at, "hash= is missing; this case has hash=%s", text);
    return span_is(s, text) ||
           fail(r, s.from, "the case that is generated has hash=%s, not hash=%s", text, quote(s).text);
}

static bool generate_inputs(const reader *r, const items *all, sb_case *c)
{
    span name = all->values[GEN];
    const char *generator = find_generator(c->algorithm, name);
    uint64_t n = 0, seed = 0;
    sb_case made;

    for (size_t i = 0; i < all->input_count; i++)
        if (all->inputs[i].from != NULL)
            return fail(r, all->inputs[i].from, "gen= makes the inputs; %s= cannot be given too",
                        c->algorithm->inputs[i].name);
    if (generator == NULL)
        return fail(r, name.from, "%s has no generator '%s'", c->algorithm->name, quote(name).text);
    for (int i = N; i <= SEED; i++)
        if (all->values[i].from == NULL)
            return fail(r, r->at, "%s= is missing", all->names[i]);
        else if (!read_u64(r, all->values[i], i == N ? &n : &seed))
            return false;
    if (n > largest)
        return fail(r, all->values[N].from, "n is more than 2^32");
    if (!sb_generate(&made, c->algorithm, generator, n, seed, c->parameters))
        return fail(r, name.from, "no memory to generate the case");
    sb_case_free(c);
    *c = made;
    return check_hash(r, all, c);
}

static bool read_case(reader *r, const items *all, sb_case *c)
{
    if (!read_parameters(r, all, c))
        return false;
    if (!(all->values[GEN].from != NULL ? generate_inputs(r, all, c) : read_inputs(r, all, c)))
        return false;
    if (all->values[ID].from != NULL && !read_id(r, all->values[ID], c))
        return false;
    return all->values[WHY].from == NULL || read_why(r, all->values[WHY], c);
}

static const sb_algorithm *read_algorithm(reader *r)
{
    span name;
    char text[64] = "";

    skip_blanks(r);
    name = read_name(r);
    if ((size_t)(name.to - name.from) < sizeof text)
        memcpy(text, name.from, (size_t)(name.to - name.from));
    if (name.from == name.to)
        fail(r, name.from, "the name of an algorithm is expected here");
    else if (sb_algorithm_find(text) == NULL)
        fail(r, name.from, "there is no algorithm '%s'", quote(name).text);
    else if (r->at < r->end && !is_blank(*r->at))
        fail(r, r->at, "a blank must follow the name of the algorithm");
    else
        return sb_algorithm_find(text);
    return NULL;
}

bool sb_case_parse(const char *text, size_t length, const char *folder, sb_case_line *line, char *error, size_t size)
{
    reader r = {text, text, text + length, folder, error, size};
    const sb_algorithm *algorithm = read_algorithm(&r);
    items all;

    memset(line, 0, sizeof *line);
    if (algorithm == NULL)
        return false;
    items_init(&all, algorithm);
    sb_case_init(&line->c, algorithm);
    if (!read_items(&r, algorithm->name, all.names, FIXED + all.parameter_count + all.input_count, all.values) ||
        !read_case(&r, &all, &line->c)) {
        sb_case_free(&line->c);
        return false;
    }
    line->has_expected = r.at < r.end;
    if (line->has_expected) {
        r.at += strlen("=>");
        if (!read_result(&r, &line->c, &line->expected)) {
            sb_case_free(&line->c);
            return false;
        }
    }
    return true;
}

void sb_case_line_free(sb_case_line *line)
{
    sb_case_free(&line->c);
    sb_result_free(&line->expected);
    line->has_expected = false;
}

/* ---- printing ---- */

/* The shortest of a few decimal forms that is read back as the same number. */
static void float_text(char *text, size_t size, double value, bool narrow)
{
    static const int digits[2][4] = {{6, 15, 16, 17}, {6, 7, 8, 9}};

    for (int i = 0; i < 4; i++) {
        snprintf(text, size, "%.*g", digits[narrow][i], value);
        if (isinf(value) || (narrow ? (double)strtof(text, NULL) == value : strtod(text, NULL) == value))
            return;
    }
}

static const uint8_t *element_at(const sb_array *array, uint64_t index)
{
    return (const uint8_t *)array->data + index * sb_type_size(array->type);
}

void sb_element_text(char *text, size_t size, const sb_array *array, uint64_t index)
{
    uint64_t bits = 0;
    sb_affine map;
    double wide;
    float narrow;

    memcpy(&bits, element_at(array, index), sb_type_size(array->type));
    memcpy(&map, &bits, sizeof map);
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &bits, sizeof narrow);
    switch (array->type) {
    case SB_I32:
        snprintf(text, size, "%ld", (long)(int32_t)bits);
        break;
    case SB_F32:
        if (isnan(narrow))
            snprintf(text, size, "#%08llx", (unsigned long long)bits);
        else
            float_text(text, size, (double)narrow, true);
        break;
    case SB_F64:
        if (isnan(wide))
            snprintf(text, size, "#%016llx", (unsigned long long)bits);
        else
            float_text(text, size, wide, false);
        break;
    case SB_AFFINE:
        snprintf(text, size, "%lu:%lu", (unsigned long)map.a, (unsigned long)map.b);
        break;
    default:
        snprintf(text, size, "%llu", (unsigned long long)bits);
    }
}

void sb_array_print(FILE *out, const sb_array *array, uint64_t from, uint64_t limit)
{
    uint64_t left = from < array->length ? array->length - from : 0;
    uint64_t count = left < limit ? left : limit;
    char text[64];

    fputc('[', out);
    for (uint64_t i = 0; i < count; i++) {
        sb_element_text(text, sizeof text, array, from + i);
        fprintf(out, "%s%s", i > 0 ? "," : "", text);
    }
    fprintf(out, "%s]", count == left ? "" : count > 0 ? ",..." : "...");
}

static void print_text(FILE *out, const char *text, size_t length)
{
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];

        if (byte == '"' || byte == '\\')
            fprintf(out, "\\%c", byte);
        else if (byte == '\n')
            fputs("\\n", out);
        else if (byte == '\t')
            fputs("\\t", out);
        else if (byte < ' ' || byte == 0x7f)
            fprintf(out, "\\%03o", byte);
        else
            fputc(byte, out);
    }
    fputc('"', out);
}

/* Text that reads as such: ASCII, of the controls only newline and tab. */
static bool is_plain(const sb_array *array)
{
    const uint8_t *bytes = array->data;
    uint64_t i = 0;

    while (i < array->length && ((bytes[i] >= ' ' && bytes[i] <= '~') || bytes[i] == '\n' || bytes[i] == '\t'))
        i++;
    return i == array->length;
}

static void print_inline(FILE *out, const sb_array *array)
{
    const uint8_t *bytes = array->data;

    if (array->type != SB_U8 || (array->length <= SHORT_LIST && !is_plain(array))) {
        sb_array_print(out, array, 0, array->length);
    } else if (is_plain(array)) {
        print_text(out, array->data, array->length);
    } else {
        fputs("hex:", out);
        for (uint64_t i = 0; i < array->length; i++)
            fprintf(out, "%02x", bytes[i]);
    }
}

static bool write_file(const char *folder, const char *id, const char *name, const sb_array *array)
{
    char *path;
    FILE *file;
    bool good;

    if (asprintf(&path, "%s/%s.%s", folder, id, name) < 0)
        return false;
    file = fopen(path, "wb");
    good = file != NULL && (array->length == 0 || fwrite(array->data, sb_array_bytes(array), 1, file) == 1);
    if (file != NULL && fclose(file) != 0)
        good = false;
    free(path);
    return good;
}

/* Where arrays of a line go. */
typedef struct sink {
    FILE *out;
    const char *id, *folder;
    uint64_t inline_bytes;
} sink;

static bool print_array(const sink *s, const char *name, const sb_array *array)
{
    bool apart = s->folder != NULL && (s->inline_bytes == 0 || sb_array_bytes(array) > s->inline_bytes);

    fprintf(s->out, " %s=", name);
    if (!apart)
        print_inline(s->out, array);
    else
        fprintf(s->out, "@%s.%s", s->id, name);
    return !apart || write_file(s->folder, s->id, name, array);
}

static void print_parameter(FILE *out, const sb_parameter *parameter, uint64_t value)
{
    if (parameter->words != NULL)
        fprintf(out, " %s=%s", parameter->name, parameter->words[value]);
    else
        fprintf(out, " %s=%llu", parameter->name, (unsigned long long)value);
}

static bool print_result(const sink *s, const sb_case *c, const sb_result *result)
{
    bool good = true;

    if (result->status == SB_INVALID)
        fputs(" => invalid", s->out);
    if (result->status == SB_OK)
        fputs(" =>", s->out);
    for (size_t i = 0; result->status == SB_OK && good && i < sb_output_count(c->algorithm); i++)
        good = print_array(s, c->algorithm->outputs[i].name, &result->outputs[i]);
    return good;
}

bool sb_case_print(FILE *out, const sb_case *c, const sb_result *expected, const char *folder, uint64_t inline_bytes)
{
    sink s = {out, c->id != NULL ? c->id : "case", folder, inline_bytes};
    bool good = true;

    fprintf(out, "%s id=%s", c->algorithm->name, s.id);
    if (c->why != NULL) {
        fputs(" why=", out);
        print_text(out, c->why, strlen(c->why));
    }
    for (size_t i = 0; i < sb_parameter_count(c->algorithm); i++)
        print_parameter(out, &c->algorithm->parameters[i], c->parameters[i]);
    for (size_t i = 0; good && i < sb_input_count(c->algorithm); i++)
        good = print_array(&s, c->algorithm->inputs[i].name, &c->inputs[i]);
    if (good && expected != NULL)
        good = print_result(&s, c, expected);
    fputc('\n', out);
    return good && !ferror(out);
}
