/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cases as lines of text: contract in case_text.h, grammar in docs/FORMAT.md.
 */
#include "case_text.h"
#include "generate.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

/* A place in the line, and where to complain. */
typedef struct reader {
    const char *text;
    size_t length, at;
    const char *folder;
    char *error;
    size_t size;
} reader;

__attribute__((format(printf, 2, 3))) static bool complain(reader *r, const char *format, ...)
{
    char what[512];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(r->error, r->size, "column %zu: %s", r->at + 1, what);
    return false;
}

static int peek(const reader *r)
{
    return r->at < r->length ? (unsigned char)r->text[r->at] : -1;
}

static void skip_spaces(reader *r)
{
    while (peek(r) == ' ' || peek(r) == '\t')
        r->at++;
}

static bool name_byte(int c)
{
    return c > 0 && (isalnum(c) || strchr("._:+-", c) != NULL);
}

/* Reads a run of name characters; false when there is none or too many. */
static bool read_name(reader *r, char *name, size_t size)
{
    size_t count = 0;

    while (name_byte(peek(r)) && count + 1 < size)
        name[count++] = r->text[r->at++];
    name[count] = '\0';
    return count > 0 && !name_byte(peek(r));
}

/* One character of a quoted string, escapes resolved; -1 at the closing quote, -2 when it is wrong. */
static int read_quoted(reader *r)
{
    static const char letters[] = "ntr0abfv\\\"'", values[] = "\n\t\r\0\a\b\f\v\\\"'";
    int c = peek(r);
    const char *found;

    if (c < 0) {
        complain(r, "the string does not end");
        return -2;
    }
    r->at++;
    if (c == '"')
        return -1;
    if (c != '\\')
        return c;
    c = peek(r);
    r->at++;
    if (c == 'x') {
        unsigned value;

        if (r->at + 2 > r->length || !isxdigit((unsigned char)r->text[r->at]) ||
            !isxdigit((unsigned char)r->text[r->at + 1]) || sscanf(r->text + r->at, "%2x", &value) != 1) {
            complain(r, "\\x needs two hexadecimal digits");
            return -2;
        }
        r->at += 2;
        return (int)value;
    }
    found = c > 0 ? strchr(letters, c) : NULL;
    if (found == NULL) {
        complain(r, "unknown escape");
        return -2;
    }
    return (unsigned char)values[found - letters];
}

/* Grows by doubling. */
static bool append(sb_array *array, const void *element)
{
    size_t size = sb_type_size(array->type);

    if (array->length == array->capacity) {
        uint64_t room = array->capacity ? 2 * array->capacity : 64;
        void *grown = realloc(array->data, room * size);

        if (grown == NULL)
            return false;
        array->data = grown;
        array->capacity = room;
    }
    memcpy((char *)array->data + array->length++ * size, element, size);
    return true;
}

static bool read_string(reader *r, sb_array *array)
{
    int c;

    if (array->type != SB_U8)
        return complain(r, "only bytes can be given as a string");
    r->at++;
    while ((c = read_quoted(r)) >= 0) {
        uint8_t byte = (uint8_t)c;

        if (!append(array, &byte))
            return complain(r, "out of memory");
    }
    return c == -1;
}

/* One element token, as a C string, into *element. False: not one of that type. */
static bool parse_element(const char *token, uint32_t type, void *element)
{
    char *end;
    uint64_t u;
    int64_t i;

    errno = 0;
    if (token[0] == '#' && (type == SB_F32 || type == SB_F64)) {
        u = strtoull(token + 1, &end, 16);
        if (end == token + 1 || *end != '\0' || errno != 0 || (type == SB_F32 && u > UINT32_MAX))
            return false;
        memcpy(element, &u, sb_type_size(type)); /* little-endian host */
        return true;
    }
    switch (type) {
    case SB_F32: {
        float f = strtof(token, &end);

        memcpy(element, &f, sizeof f);
        return end != token && *end == '\0' && !isnan(f) && (!isinf(f) || strstr(token, "inf") != NULL);
    }
    case SB_F64: {
        double d = strtod(token, &end);

        memcpy(element, &d, sizeof d);
        return end != token && *end == '\0' && !isnan(d) && (!isinf(d) || strstr(token, "inf") != NULL);
    }
    case SB_I32:
        i = strtoll(token, &end, 0);
        if (end == token || *end != '\0' || errno != 0 || i < INT32_MIN || i > INT32_MAX)
            return false;
        memcpy(element, &(int32_t){(int32_t)i}, sizeof(int32_t));
        return true;
    case SB_AFFINE: {
        uint64_t a = strtoull(token, &end, 0), b;

        if (end == token || *end != ':' || errno != 0 || a > UINT32_MAX || !isdigit((unsigned char)token[0]))
            return false;
        token = end + 1;
        b = strtoull(token, &end, 0);
        if (end == token || *end != '\0' || errno != 0 || b > UINT32_MAX || !isdigit((unsigned char)token[0]))
            return false;
        memcpy(element, &(sb_affine){(uint32_t)a, (uint32_t)b}, sizeof(sb_affine));
        return true;
    }
    default:
        u = strtoull(token, &end, 0);
        if (end == token || *end != '\0' || errno != 0 || !isdigit((unsigned char)token[0]))
            return false;
        if (sb_type_size(type) < 8 && u >> 8 * sb_type_size(type) != 0)
            return false;
        memcpy(element, &u, sb_type_size(type));
        return true;
    }
}

static bool read_list(reader *r, sb_array *array)
{
    uint64_t element;
    char token[80];

    r->at++;
    if (peek(r) == ']') {
        r->at++;
        return true;
    }
    for (;;) {
        size_t count = 0;

        while (peek(r) >= 0 && peek(r) != ',' && peek(r) != ']' && count + 1 < sizeof token)
            token[count++] = r->text[r->at++];
        token[count] = '\0';
        if (peek(r) != ',' && peek(r) != ']')
            return complain(r, "the list does not end");
        if (!parse_element(token, array->type, &element))
            return complain(r, "'%s' is no %s", token, sb_type_name(array->type));
        if (!append(array, &element))
            return complain(r, "out of memory");
        if (r->text[r->at++] == ']')
            return true;
    }
}

static bool fill_raw(reader *r, sb_array *array, const uint8_t *bytes, uint64_t count)
{
    size_t size = sb_type_size(array->type);

    if (count % size != 0)
        return complain(r, "%" PRIu64 " bytes are no whole number of %s", count, sb_type_name(array->type));
    return sb_array_set(array, bytes, count / size) || complain(r, "out of memory");
}

static bool read_hex(reader *r, sb_array *array)
{
    sb_array bytes = {.type = SB_U8};
    bool good = true;

    r->at += strlen("hex:");
    while (good && isxdigit(peek(r) < 0 ? 0 : peek(r))) {
        unsigned value = 0;

        if (r->at + 1 >= r->length || !isxdigit((unsigned char)r->text[r->at + 1]))
            good = complain(r, "an odd number of hexadecimal digits");
        else if (sscanf(r->text + r->at, "%2x", &value) == 1 && append(&bytes, &(uint8_t){(uint8_t)value}))
            r->at += 2;
        else
            good = complain(r, "out of memory");
    }
    good = good && fill_raw(r, array, bytes.data, bytes.length);
    free(bytes.data);
    return good;
}

static bool read_file_value(reader *r, sb_array *array)
{
    char name[256], path[PATH_MAX];
    sb_array bytes = {.type = SB_U8};
    uint8_t piece[4096];
    size_t got;
    bool good = true;
    FILE *in;

    r->at++;
    if (!read_name(r, name, sizeof name))
        return complain(r, "@ needs a file name of letters, digits and ._:+-");
    snprintf(path, sizeof path, "%s/%s", r->folder ? r->folder : ".", name);
    in = fopen(path, "rb");
    if (in == NULL)
        return complain(r, "%s: %s", path, strerror(errno));
    while (good && (got = fread(piece, 1, sizeof piece, in)) > 0)
        for (size_t i = 0; good && i < got; i++)
            good = append(&bytes, &piece[i]) || complain(r, "out of memory");
    if (good && ferror(in))
        good = complain(r, "%s: %s", path, strerror(errno));
    fclose(in);
    good = good && fill_raw(r, array, bytes.data, bytes.length);
    free(bytes.data);
    return good;
}

/* One element without brackets: a list of one. */
static bool read_single(reader *r, sb_array *array)
{
    uint64_t element;
    char token[80];
    size_t count = 0;

    while (peek(r) > ' ' && count + 1 < sizeof token)
        token[count++] = r->text[r->at++];
    token[count] = '\0';
    if (!parse_element(token, array->type, &element))
        return complain(r, "an array is \"text\", [list], hex:, @file or one element; '%s' is no %s", token,
                        sb_type_name(array->type));
    return append(array, &element) || complain(r, "out of memory");
}

static bool read_array(reader *r, sb_array *array)
{
    bool good;

    if (peek(r) == '"')
        good = read_string(r, array);
    else if (peek(r) == '[')
        good = read_list(r, array);
    else if (peek(r) == '@')
        good = read_file_value(r, array);
    else if (r->at + 4 <= r->length && memcmp(r->text + r->at, "hex:", 4) == 0)
        good = read_hex(r, array);
    else
        good = read_single(r, array);
    array->capacity = array->length;
    if (good && peek(r) >= 0 && peek(r) != ' ' && peek(r) != '\t')
        return complain(r, "a blank must follow the value");
    return good;
}

static bool read_text_value(reader *r, char **value)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    int c = -1;

    if (out == NULL)
        return complain(r, "out of memory");
    if (peek(r) == '"') {
        r->at++;
        while ((c = read_quoted(r)) >= 0)
            fputc(c, out);
    } else {
        while (peek(r) > ' ')
            fputc(r->text[r->at++], out);
    }
    if (fclose(out) != 0 || c == -2) {
        free(text);
        return c == -2 ? false : complain(r, "out of memory");
    }
    free(*value);
    *value = text;
    return true;
}

static bool read_number(reader *r, const char *what, int base, uint64_t *value)
{
    char token[80], *end;

    if (!read_name(r, token, sizeof token))
        return complain(r, "%s needs a value", what);
    errno = 0;
    *value = strtoull(token, &end, base);
    if (*end != '\0' || errno != 0 || token[0] == '-' || token[0] == '+')
        return complain(r, "%s: '%s' is no number", what, token);
    return true;
}

static bool read_parameter(reader *r, const sb_parameter *parameter, uint64_t *value)
{
    char token[80];

    if (parameter->words == NULL)
        return read_number(r, parameter->name, 0, value);
    if (!read_name(r, token, sizeof token))
        return complain(r, "%s needs a value", parameter->name);
    for (uint64_t i = 0; parameter->words[i] != NULL; i++)
        if (strcmp(parameter->words[i], token) == 0) {
            *value = i;
            return true;
        }
    return complain(r, "%s: there is no '%s'", parameter->name, token);
}

/* What has been seen of a line. */
typedef struct seen {
    bool id, why, parameters[SB_MAX_PARAMETERS], inputs[SB_MAX_ARRAYS];
    bool gen, n, seed, hash;
    char generator[64];
    uint64_t n_value, seed_value, hash_value;
    size_t input_column[SB_MAX_ARRAYS];
} seen;

static int field_index(const sb_field *fields, const char *name)
{
    for (int i = 0; fields[i].name != NULL; i++)
        if (strcmp(fields[i].name, name) == 0)
            return i;
    return -1;
}

static bool once(reader *r, bool *flag, const char *key)
{
    if (*flag)
        return complain(r, "%s stands twice", key);
    *flag = true;
    return true;
}

/* Steps over a value without reading it: inputs are read once the type parameter is known, wherever it stands. */
static bool skip_value(reader *r)
{
    if (peek(r) == '"') {
        int c;

        r->at++;
        while ((c = read_quoted(r)) >= 0)
            continue;
        return c == -1;
    }
    while (peek(r) > ' ')
        r->at++;
    return true;
}

static bool read_pair(reader *r, sb_case *c, seen *s)
{
    char key[64];
    int index;

    if (!read_name(r, key, sizeof key))
        return complain(r, "expected NAME=VALUE");
    if (peek(r) != '=')
        return complain(r, "'%s' needs a = and a value", key);
    r->at++;
    if (strcmp(key, "id") == 0) {
        char id[256];

        if (!once(r, &s->id, key) || !read_name(r, id, sizeof id))
            return s->id && complain(r, "an id is made of letters, digits and ._:+-");
        return sb_case_set_id(c, "%s", id) || complain(r, "out of memory");
    }
    if (strcmp(key, "why") == 0)
        return once(r, &s->why, key) && read_text_value(r, &c->why);
    if (strcmp(key, "gen") == 0)
        return once(r, &s->gen, key) && (read_name(r, s->generator, sizeof s->generator) || complain(r, "gen needs a name"));
    if (strcmp(key, "n") == 0)
        return once(r, &s->n, key) && read_number(r, key, 0, &s->n_value);
    if (strcmp(key, "seed") == 0)
        return once(r, &s->seed, key) && read_number(r, key, 0, &s->seed_value);
    if (strcmp(key, "hash") == 0)
        return once(r, &s->hash, key) && read_number(r, key, 16, &s->hash_value);
    index = sb_parameter_index(c->algorithm, key);
    if (index >= 0)
        return once(r, &s->parameters[index], key) &&
               read_parameter(r, &c->algorithm->parameters[index], &c->parameters[index]);
    index = field_index(c->algorithm->inputs, key);
    if (index >= 0) {
        s->input_column[index] = r->at;
        return once(r, &s->inputs[index], key) && skip_value(r);
    }
    return complain(r, "%s has no '%s'", c->algorithm->name, key);
}

static bool read_inputs(reader *r, sb_case *c, const seen *s)
{
    size_t end = r->at;

    for (size_t i = 0; i < sb_input_count(c->algorithm); i++) {
        if (!s->inputs[i])
            return complain(r, "%s is missing", c->algorithm->inputs[i].name);
        c->inputs[i].type = sb_field_type(c, &c->algorithm->inputs[i]);
        r->at = s->input_column[i];
        if (!read_array(r, &c->inputs[i]))
            return false;
    }
    r->at = end;
    return true;
}

static bool make_generated(reader *r, sb_case *c, const seen *s)
{
    sb_case made;
    uint64_t hash;

    for (size_t i = 0; i < sb_input_count(c->algorithm); i++)
        if (s->inputs[i])
            return complain(r, "gen= and %s= exclude each other", c->algorithm->inputs[i].name);
    if (!s->n || !s->seed || !s->hash)
        return complain(r, "gen= needs n=, seed= and hash=");
    if (!sb_generate(&made, c->algorithm, s->generator, s->n_value, s->seed_value, c->parameters))
        return complain(r, "there is no generator '%s' for %s, or no memory", s->generator, c->algorithm->name);
    hash = sb_case_hash(&made);
    if (hash != s->hash_value) {
        sb_case_free(&made);
        return complain(r, "hash=%016" PRIx64 ", but what is generated has %016" PRIx64, s->hash_value, hash);
    }
    if (s->id && !sb_case_set_id(&made, "%s", c->id)) {
        sb_case_free(&made);
        return complain(r, "out of memory");
    }
    made.why = c->why;
    c->why = NULL;
    sb_case_free(c);
    *c = made;
    return true;
}

static bool read_case(reader *r, sb_case *c)
{
    seen s = {0};
    char why[256];
    uint64_t capacity[SB_MAX_ARRAYS];

    skip_spaces(r);
    while (peek(r) >= 0 && !(peek(r) == '=' && r->at + 1 < r->length && r->text[r->at + 1] == '>')) {
        if (!read_pair(r, c, &s))
            return false;
        skip_spaces(r);
    }
    for (size_t i = 0; i < sb_parameter_count(c->algorithm); i++)
        if (!s.parameters[i])
            return complain(r, "%s is missing", c->algorithm->parameters[i].name);
    if (!s.id && !s.gen)
        return complain(r, "id is missing");
    if (!(s.gen ? make_generated(r, c, &s) : read_inputs(r, c, &s)))
        return false;
    return sb_case_shape(c, capacity, why, sizeof why) || complain(r, "%s", why);
}

static bool read_result(reader *r, const sb_case *c, sb_result *result)
{
    bool given[SB_MAX_ARRAYS] = {false};
    char key[64];
    int index;

    memset(result, 0, sizeof *result);
    skip_spaces(r);
    if (r->length - r->at >= 7 && memcmp(r->text + r->at, "invalid", 7) == 0) {
        r->at += 7;
        skip_spaces(r);
        result->status = SB_INVALID;
        return peek(r) < 0 || complain(r, "nothing may follow 'invalid'");
    }
    while (peek(r) >= 0) {
        if (!read_name(r, key, sizeof key) || peek(r) != '=')
            return complain(r, "expected NAME=VALUE or 'invalid'");
        r->at++;
        index = field_index(c->algorithm->outputs, key);
        if (index < 0)
            return complain(r, "%s gives no '%s'", c->algorithm->name, key);
        result->outputs[index].type = sb_field_type(c, &c->algorithm->outputs[index]);
        if (!once(r, &given[index], key) || !read_array(r, &result->outputs[index]))
            return false;
        skip_spaces(r);
    }
    for (size_t i = 0; i < sb_output_count(c->algorithm); i++)
        if (!given[i])
            return complain(r, "%s is missing", c->algorithm->outputs[i].name);
    return true;
}

void sb_case_line_free(sb_case_line *line)
{
    sb_case_free(&line->c);
    sb_result_free(&line->expected);
}

bool sb_case_parse(const char *text, size_t length, const char *folder, sb_case_line *line, char *error, size_t size)
{
    reader r = {text, length, 0, folder, error, size};
    const sb_algorithm *algorithm;
    char name[64];
    bool good;

    memset(line, 0, sizeof *line);
    skip_spaces(&r);
    if (!read_name(&r, name, sizeof name))
        return complain(&r, "a case begins with the name of its algorithm");
    algorithm = sb_algorithm_find(name);
    if (algorithm == NULL)
        return complain(&r, "there is no algorithm '%s'", name);
    sb_case_init(&line->c, algorithm);
    good = read_case(&r, &line->c);
    if (good && peek(&r) == '=') {
        r.at += 2;
        line->has_expected = true;
        good = read_result(&r, &line->c, &line->expected);
    }
    if (!good)
        sb_case_line_free(line);
    return good;
}

bool sb_result_parse(const char *text, size_t length, const char *folder, const sb_case *c, sb_result *result,
                     char *error, size_t size)
{
    reader r = {text, length, 0, folder, error, size};
    bool good = read_result(&r, c, result);

    if (!good)
        sb_result_free(result);
    return good;
}

/* ---- printing ---- */

static void print_f64(char *text, size_t size, double value, uint64_t bits, int digits, int hex)
{
    char *end;

    if (isnan(value)) {
        snprintf(text, size, "#%0*" PRIx64, hex, bits);
        return;
    }
    snprintf(text, size, "%.*g", digits, value);
    if (strtod(text, &end) != value)
        snprintf(text, size, "%a", value);
}

void sb_element_text(char *text, size_t size, const sb_array *array, uint64_t index)
{
    const char *at = (const char *)array->data + index * sb_type_size(array->type);
    uint64_t u = 0;
    sb_affine affine;
    int32_t i;
    float f;
    double d;

    memcpy(&u, at, sb_type_size(array->type));
    switch (array->type) {
    case SB_I32:
        memcpy(&i, at, sizeof i);
        snprintf(text, size, "%d", (int)i);
        break;
    case SB_F32:
        memcpy(&f, at, sizeof f);
        print_f64(text, size, (double)f, u, 9, 8);
        break;
    case SB_F64:
        memcpy(&d, at, sizeof d);
        print_f64(text, size, d, u, 17, 16);
        break;
    case SB_AFFINE:
        memcpy(&affine, at, sizeof affine);
        snprintf(text, size, "%u:%u", (unsigned)affine.a, (unsigned)affine.b);
        break;
    default:
        snprintf(text, size, "%" PRIu64, u);
    }
}

void sb_array_print(FILE *out, const sb_array *array, uint64_t from, uint64_t limit)
{
    char text[64];

    fputc('[', out);
    for (uint64_t i = from; i < array->length && i - from < limit; i++) {
        sb_element_text(text, sizeof text, array, i);
        fprintf(out, "%s%s", i > from ? "," : "", text);
    }
    fputs(array->length > from && array->length - from > limit ? ",...]" : "]", out);
}

static void print_quoted(FILE *out, const char *text, uint64_t length)
{
    fputc('"', out);
    for (uint64_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];

        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", out);
        else if (c < 0x20 || c > 0x7e)
            fprintf(out, "\\x%02x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* Bytes that are mostly text stand as text. */
static bool looks_like_text(const sb_array *array)
{
    const uint8_t *bytes = array->data;
    uint64_t printable = 0;

    if (array->type != SB_U8)
        return false;
    for (uint64_t i = 0; i < array->length; i++)
        printable += bytes[i] == '\n' || (bytes[i] >= 0x20 && bytes[i] < 0x7f);
    return printable * 4 >= array->length * 3;
}

static bool write_file(const char *folder, const char *name, const sb_array *array)
{
    char path[PATH_MAX];
    FILE *out;
    bool good;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    out = fopen(path, "wb");
    if (out == NULL)
        return false;
    good = array->length == 0 || fwrite(array->data, sb_type_size(array->type), array->length, out) == array->length;
    return fclose(out) == 0 && good;
}

static bool print_array(FILE *out, const char *id, const char *field, const sb_array *array, const char *folder,
                        uint64_t inline_bytes)
{
    char name[512];

    fprintf(out, " %s=", field);
    if (folder != NULL && sb_array_bytes(array) > inline_bytes) {
        snprintf(name, sizeof name, "%s.%s", id, field);
        fprintf(out, "@%s", name);
        return write_file(folder, name, array);
    }
    if (looks_like_text(array))
        print_quoted(out, array->data, array->length);
    else
        sb_array_print(out, array, 0, UINT64_MAX);
    return true;
}

bool sb_case_print(FILE *out, const sb_case *c, const sb_result *expected, const char *folder, uint64_t inline_bytes)
{
    const sb_algorithm *algorithm = c->algorithm;
    const char *id = c->id ? c->id : "case";
    bool good = true;

    fprintf(out, "%s id=%s", algorithm->name, id);
    if (c->why != NULL) {
        fputs(" why=", out);
        print_quoted(out, c->why, strlen(c->why));
    }
    for (size_t i = 0; i < sb_parameter_count(algorithm); i++) {
        if (algorithm->parameters[i].words != NULL)
            fprintf(out, " %s=%s", algorithm->parameters[i].name, algorithm->parameters[i].words[c->parameters[i]]);
        else
            fprintf(out, " %s=%" PRIu64, algorithm->parameters[i].name, c->parameters[i]);
    }
    for (size_t i = 0; i < sb_input_count(algorithm); i++)
        good &= print_array(out, id, algorithm->inputs[i].name, &c->inputs[i], folder, inline_bytes);
    if (expected != NULL && expected->status == SB_INVALID)
        fputs(" => invalid", out);
    if (expected != NULL && expected->status == SB_OK) {
        fputs(" =>", out);
        for (size_t i = 0; i < sb_output_count(algorithm); i++)
            good &= print_array(out, id, algorithm->outputs[i].name, &expected->outputs[i], folder, inline_bytes);
    }
    fputc('\n', out);
    return good && !ferror(out);
}
