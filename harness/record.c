/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Records of cases and of answers: contract in record.h. A record is text, an empty line, and the bytes of the arrays that the text
 * lists, in its order.
 */
#include "record.h"
#include "../common/number.h"
#include "../common/shape.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the text of an answer, at most: a line for each array, or an error with its stack. Not tuned. */
enum { MAX_TEXT = 1 << 20 };

char *sb_next_line(char **at)
{
    char *line;

    do
        line = strsep(at, "\n");
    while (line != NULL && *line == '\0');
    return line;
}

char *sb_next_word(char **line)
{
    char *word;

    do
        word = strsep(line, " ");
    while (word != NULL && *word == '\0');
    return word;
}

bool sb_decimal(const char *word, uint64_t *value)
{
    char *end;

    if (word == NULL || *word < '0' || *word > '9')
        return false;
    errno = 0;
    *value = strtoull(word, &end, 10);
    return errno == 0 && *end == '\0';
}

/* NAME TYPE EXTENT... */
static void put_array(FILE *out, const sb_case *c, const sb_field *field, uint64_t length)
{
    uint64_t extents[SB_MAX_RANK] = {length};
    int rank = field->shape == NULL ? 1 : sb_shape_extents(c->algorithm, field->shape, c->parameters, extents);

    fprintf(out, " %s %s", field->name, sb_type_name(sb_field_type(c, field)));
    for (int i = 0; i < rank; i++)
        fprintf(out, " %llu", (unsigned long long)extents[i]);
    fputc('\n', out);
}

/* step NAME ELEMENTS: where a process that has arrays with gaps between rows puts the next row. */
static void put_steps(FILE *out, const sb_case *c, const sb_field *fields, size_t count)
{
    sb_layout layout;
    uint64_t length;

    for (size_t i = 0; i < count; i++)
        if (fields[i].leading != NULL && sb_layout_of(c->algorithm, &fields[i], c->parameters, &layout, &length))
            fprintf(out, "step %s %llu\n", fields[i].name, (unsigned long long)layout.step);
}

static void put_text(FILE *out, const sb_case *c, const char *name, const uint64_t capacity[SB_MAX_ARRAYS])
{
    const sb_algorithm *a = c->algorithm;

    fprintf(out, "case %s/%s\n", a->name, name);
    for (size_t i = 0; i < a->parameter_count; i++)
        if (a->parameters[i].words != NULL)
            fprintf(out, "parameter %s %s\n", a->parameters[i].name, a->parameters[i].words[c->parameters[i]]);
        else
            fprintf(out, "parameter %s %llu\n", a->parameters[i].name, (unsigned long long)c->parameters[i]);
    for (size_t i = 0; i < a->input_count; i++) {
        fputs("input", out);
        put_array(out, c, &a->inputs[i], c->inputs[i].length);
    }
    for (size_t i = 0; i < a->output_count; i++) {
        fputs("output", out);
        put_array(out, c, &a->outputs[i], capacity[i]);
    }
    put_steps(out, c, a->inputs, a->input_count);
    put_steps(out, c, a->outputs, a->output_count);
    fputc('\n', out);
}

bool sb_case_record(const sb_case *c, const char *name, const uint64_t capacity[SB_MAX_ARRAYS], sb_bytes *record)
{
    char *text = NULL, *at;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    *record = (sb_bytes){NULL, 0};
    if (out == NULL)
        return false;
    put_text(out, c, name, capacity);
    if (fclose(out) == 0) {
        record->size = length + sb_case_bytes(c);
        record->data = malloc(record->size);
    }
    if (record->data != NULL) {
        memcpy(record->data, text, length);
        at = record->data + length;
        for (size_t i = 0; i < c->algorithm->input_count; i++) {
            if (c->inputs[i].length > 0)
                memcpy(at, c->inputs[i].data, sb_array_bytes(&c->inputs[i]));
            at += sb_array_bytes(&c->inputs[i]);
        }
    }
    free(text);
    return record->data != NULL;
}

uint64_t sb_answer_most(const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS])
{
    uint64_t most = MAX_TEXT;

    /* An output of a reference may be f64, and its magnitudes are, too. */
    for (size_t i = 0; i < c->algorithm->output_count; i++)
        most += capacity[i] * 2 * sizeof(double);
    return most;
}

/* What is read, and what is left of it. */
typedef struct reading {
    const sb_case *c;
    const uint64_t *capacity;
    bool reference;
    sb_result *result;
    const char *arrays;
    size_t left; /* bytes of arrays */
    char *text;
    size_t size;
} reading;

bool sb_wrong(char *text, size_t size, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return false;
}

static double *numbers_of(const sb_array *array)
{
    double *numbers = malloc((array->length > 0 ? array->length : 1) * sizeof *numbers);

    for (uint64_t k = 0; numbers != NULL && k < array->length; k++)
        numbers[k] = sb_number_at(array, k);
    return numbers;
}

/* Takes the elements of an output, and rounds those of a reference. */
static bool take_output(reading *r, size_t index, uint32_t type, uint64_t length)
{
    sb_array given = {.type = type}, *output = &r->result->outputs[index];
    bool good = sb_array_set(&given, r->arrays, length);

    if (good && r->reference) {
        r->result->exact[index] = numbers_of(&given);
        good = r->result->exact[index] != NULL;
    }
    output->type = sb_field_type(r->c, &r->c->algorithm->outputs[index]);
    if (good && type == output->type) {
        *output = given;
        return true;
    }
    good = good && sb_array_resize(output, length);
    for (uint64_t k = 0; good && k < length; k++)
        sb_number_set(output, k, r->result->exact[index][k]);
    free(given.data);
    return good || sb_wrong(r->text, r->size, "no memory for %s", r->c->algorithm->outputs[index].name);
}

static bool take_magnitude(reading *r, size_t index, uint64_t length)
{
    sb_array given = {.type = SB_F64};

    if (!sb_array_set(&given, r->arrays, length))
        return sb_wrong(r->text, r->size, "no memory for the magnitudes");
    r->result->magnitude[index] = length > 0 ? given.data : malloc(1);
    return true;
}

/* A line of an answer: output NAME TYPE LENGTH, or magnitude NAME f64 LENGTH. */
static bool read_line(reading *r, char *line, bool seen[2][SB_MAX_ARRAYS])
{
    const sb_algorithm *a = r->c->algorithm;
    const char *kind = sb_next_word(&line), *name = sb_next_word(&line), *type_name = sb_next_word(&line);
    const bool magnitude = kind != NULL && strcmp(kind, "magnitude") == 0;
    uint64_t length;
    uint32_t type;
    size_t i = 0;

    if (kind == NULL || (!magnitude && strcmp(kind, "output") != 0) || type_name == NULL ||
        !sb_decimal(sb_next_word(&line), &length))
        return sb_wrong(
            r->text, r->size,
            "its answer has a line '%.40s %.40s ...', which is neither output NAME TYPE LENGTH nor magnitude",
            kind ? kind : "", name ? name : "");
    while (i < a->output_count && strcmp(a->outputs[i].name, name) != 0)
        i++;
    if (i == a->output_count)
        return sb_wrong(r->text, r->size, "its answer has %s '%.40s', which %s does not have", kind, name, a->name);
    if (seen[magnitude][i])
        return sb_wrong(r->text, r->size, "its answer has %s %s twice", kind, name);
    seen[magnitude][i] = true;
    type = sb_type_find(type_name);
    if (magnitude ? type != SB_F64 || !r->reference
                  : type != sb_field_type(r->c, &a->outputs[i]) && !(r->reference && type == SB_F64))
        return sb_wrong(r->text, r->size, "its answer has %s %s of type %.40s, and not %s", kind, name, type_name,
                        magnitude      ? "f64"
                        : r->reference ? "f64 or the type of the contract"
                                       : sb_type_name(sb_field_type(r->c, &a->outputs[i])));
    if (length > r->capacity[i] || (r->reference && a->outputs[i].shape != NULL && length != r->capacity[i]))
        return sb_wrong(r->text, r->size, "its answer has %llu elements of %s; %llu are %s", (unsigned long long)length,
                        name, (unsigned long long)r->capacity[i], r->reference ? "right" : "the most");
    if (length > r->left / sb_type_size(type))
        return sb_wrong(r->text, r->size, "its answer ends within the elements of %s", name);
    if (!(magnitude ? take_magnitude(r, i, length) : take_output(r, i, type, length)))
        return false;
    r->arrays += length * sb_type_size(type);
    r->left -= length * sb_type_size(type);
    return true;
}

static bool read_arrays(reading *r, char *lines)
{
    bool seen[2][SB_MAX_ARRAYS] = {{false}};
    char *line;

    while ((line = sb_next_line(&lines)) != NULL)
        if (!read_line(r, line, seen))
            return false;
    for (size_t i = 0; i < r->c->algorithm->output_count; i++) {
        const sb_field *field = &r->c->algorithm->outputs[i];

        if (!seen[false][i])
            return sb_wrong(r->text, r->size, "its answer lacks the output %s", field->name);
        if (r->reference && !seen[true][i] && sb_needs_magnitude(field))
            return sb_wrong(r->text, r->size, "its answer lacks the magnitude of %s, which is judged by it",
                            field->name);
    }
    return r->left == 0 || sb_wrong(r->text, r->size, "its answer has %zu bytes behind the last array", r->left);
}

bool sb_answer_read(sb_bytes *answer, const sb_case *c, const uint64_t capacity[SB_MAX_ARRAYS], bool reference,
                    sb_result *result, char *text, size_t size)
{
    reading r = {.c = c, .capacity = capacity, .reference = reference, .result = result, .text = text, .size = size};
    size_t first = strcspn(answer->data, " \n");
    char *end;

    memset(result, 0, sizeof *result);
    text[0] = '\0';
    result->status = SB_FAILED;
    if (first == 2 && memcmp(answer->data, "ok", 2) == 0) {
        end = memmem(answer->data, answer->size, "\n\n", 2);
        if (end == NULL)
            return sb_wrong(r.text, r.size, "its answer has no empty line behind its text");
        *end = '\0';
        r.arrays = end + 2;
        r.left = answer->size - (size_t)(r.arrays - answer->data);
        result->status = SB_OK;
        return read_arrays(&r, answer->data + first + (answer->data[first] != '\0'));
    }
    end = answer->data + answer->size;
    while (end > answer->data && end[-1] == '\n')
        *--end = '\0';
    if (strcmp(answer->data, "invalid") == 0) {
        result->status = SB_INVALID;
    } else if (first == 7 && memcmp(answer->data, "refused", first) == 0) {
        result->status = SB_UNSUPPORTED;
        snprintf(result->message, sizeof result->message, "%s", answer->data + first + (answer->data[first] == ' '));
    } else if (first == 5 && memcmp(answer->data, "error", first) == 0) {
        snprintf(text, size, "%s", answer->data + first + (answer->data[first] == ' '));
    } else {
        return sb_wrong(r.text, r.size, "its answer begins with '%.40s'; it begins with ok, invalid, refused or error",
                        answer->data);
    }
    return true;
}
