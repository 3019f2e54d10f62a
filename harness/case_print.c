/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Printing case lines: contract in case_text.h, grammar in docs/FORMAT.md.
 */
#include "case_text.h"
#include "../common/number.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Elements of the longest u8 array, other than plain text, that is printed as a list; longer ones are printed as hex. A
 * list of 16 fits on a line of a terminal. */
enum { MAX_LIST = 16 };

/* The shortest of a few decimal forms that is read back as the same number. */
static void float_text(char *text, size_t size, uint32_t type, double value)
{
    static const int digits[3][4] = {
        {6, 15, 16, 17}, {6, 7, 8, 9}, {5, 6, 7, 8}}; /* of f64, of f32, of narrower types */
    int row = type == SB_F64 ? 0 : type == SB_F32 ? 1 : 2;

    for (int i = 0; i < 4; i++) {
        double back;

        snprintf(text, size, "%.*g", digits[row][i], value);
        back = type == SB_F32 ? (double)strtof(text, NULL) : strtod(text, NULL);
        if (isinf(value) || sb_bits_to_number(type, sb_number_to_bits(type, back)) == value)
            return;
    }
}

static const uint8_t *element_at(const sb_array *array, uint64_t index)
{
    return (const uint8_t *)array->data + index * sb_type_size(array->type);
}

void sb_element_text(char *text, size_t size, const sb_array *array, uint64_t index)
{
    int width = 8 * (int)sb_type_size(array->type);
    uint64_t bits = 0;
    sb_affine map;
    double number;

    memcpy(&bits, element_at(array, index), sb_type_size(array->type));
    memcpy(&map, &bits, sizeof map);
    switch (sb_type_kind(array->type)) {
    case SB_KIND_SIGNED:
        snprintf(text, size, "%lld", (long long)(bits << (64 - width)) >> (64 - width));
        break;
    case SB_KIND_FLOAT:
        number = sb_bits_to_number(array->type, bits);
        if (isnan(number))
            snprintf(text, size, "#%0*llx", width / 4, (unsigned long long)bits);
        else
            float_text(text, size, array->type, number);
        break;
    case SB_KIND_MAP:
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

/* Is it printable ASCII, apart from newlines and tabs? */
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

    if (array->type != SB_U8 || (array->length <= MAX_LIST && !is_plain(array))) {
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

/* Where the arrays of a line are written. */
typedef struct sink {
    FILE *out;
    const char *id, *folder;
    uint64_t inline_bytes;
} sink;

static bool print_array(const sink *s, const char *name, const sb_array *array)
{
    bool in_file = s->folder != NULL && (s->inline_bytes == 0 || sb_array_bytes(array) > s->inline_bytes);

    fprintf(s->out, " %s=", name);
    if (!in_file)
        print_inline(s->out, array);
    else
        fprintf(s->out, "@%s.%s", s->id, name);
    return !in_file || write_file(s->folder, s->id, name, array);
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
    for (size_t i = 0; result->status == SB_OK && good && i < c->algorithm->output_count; i++)
        good = print_array(s, c->algorithm->outputs[i].name, &result->outputs[i]);
    return good;
}

bool sb_result_print(FILE *out, const sb_case *c, const sb_result *result)
{
    if (result->status == SB_INVALID)
        fputs("invalid", out);
    for (size_t i = 0; result->status == SB_OK && i < c->algorithm->output_count; i++) {
        fprintf(out, "%s%s=", i > 0 ? " " : "", c->algorithm->outputs[i].name);
        print_inline(out, &result->outputs[i]);
    }
    fputc('\n', out);
    return !ferror(out);
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
    for (size_t i = 0; i < c->algorithm->parameter_count; i++)
        print_parameter(out, &c->algorithm->parameters[i], c->parameters[i]);
    for (size_t i = 0; good && i < c->algorithm->input_count; i++)
        good = print_array(&s, c->algorithm->inputs[i].name, &c->inputs[i]);
    if (good && expected != NULL)
        good = print_result(&s, c, expected);
    fputc('\n', out);
    return good && !ferror(out);
}
