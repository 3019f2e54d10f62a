/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cases as byte strings: contract in case_bytes.h, layout in docs/FORMAT.md.
 */
#include "case_bytes.h"
#include <stdlib.h>
#include <string.h>

/* The first byte of a number. Below SMALL it selects an interesting value, where there are any. From SMALL to LITERAL it is
 * the number itself, less SMALL. From LITERAL on it says how many bytes of a literal follow. For lengths, the codes from
 * SHARE on ask for an equal share of the bytes that are left. */
enum { SMALL = 0x80, LITERAL = 0xc0, SHARE = 0xc8 };

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

/* Past the end there are zeros. */
static uint8_t next_byte(input *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

static uint64_t next_literal(input *in, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)next_byte(in) << 8 * i;
    return value;
}

static uint64_t count_words(const sb_parameter *parameter)
{
    uint64_t count = 0;

    while (parameter->words[count] != NULL)
        count++;
    return count;
}

static uint64_t next_parameter(input *in, const sb_parameter *parameter)
{
    uint8_t code = next_byte(in);

    if (parameter->words != NULL)
        return code % count_words(parameter);
    if (code < SMALL)
        return parameter->interesting_count > 0 ? parameter->interesting[code % parameter->interesting_count] : code;
    return code < LITERAL ? code - (uint64_t)SMALL : next_literal(in, 1u + code % 8);
}

/* UINT64_MAX: a share. */
static uint64_t next_length(input *in)
{
    uint8_t code = next_byte(in);

    if (code >= SHARE)
        return UINT64_MAX;
    return code < LITERAL ? code : next_literal(in, 1u + code % 8);
}

static bool take_array(input *in, sb_array *array, uint64_t length, uint64_t share)
{
    size_t element = sb_type_size(array->type);
    uint64_t max = in->left / element;

    length = length == UINT64_MAX ? share : length;
    length = length < max ? length : max;
    if (!sb_array_set(array, in->at, length))
        return false;
    in->at += length * element;
    in->left -= length * element;
    return true;
}

static bool take_arrays(input *in, sb_case *c)
{
    size_t count = c->algorithm->input_count, elements = 0;
    uint64_t lengths[SB_MAX_ARRAYS], share;

    for (size_t i = 0; i < count; i++) {
        lengths[i] = i + 1 < count ? next_length(in) : in->left;
        elements += sb_type_size(c->inputs[i].type);
    }
    for (size_t i = 0; i < count; i++) {
        share = in->left / elements;
        elements -= sb_type_size(c->inputs[i].type);
        if (!take_array(in, &c->inputs[i], lengths[i], share))
            return false;
    }
    return true;
}

bool sb_case_decode(const sb_algorithm *algorithm, const uint8_t *bytes, size_t size, sb_case *c)
{
    input in = {bytes, size};
    uint64_t given[SB_MAX_PARAMETERS];
    sb_case made;
    bool good;

    sb_case_init(&made, algorithm);
    for (size_t i = 0; i < algorithm->parameter_count; i++)
        made.parameters[i] = next_parameter(&in, &algorithm->parameters[i]);
    memcpy(given, made.parameters, sizeof given);
    good = sb_case_normalise(&made); /* so that the arrays have their types */
    for (size_t i = 0; i < algorithm->parameter_count; i++)
        if (algorithm->parameters[i].words == NULL)
            made.parameters[i] = given[i];
    good = good && take_arrays(&in, &made) && sb_case_normalise(&made) && sb_case_set_id(&made, "bytes");
    if (good)
        *c = made;
    else
        sb_case_free(&made);
    return good;
}

/* ---- encoding ---- */

static uint8_t *put_literal(uint8_t *to, uint64_t value)
{
    uint8_t *code = to++;

    *code = LITERAL - 1;
    do {
        *to++ = (uint8_t)value;
        (*code)++;
        value >>= 8;
    } while (value != 0);
    return to;
}

static uint8_t *put_parameter(uint8_t *to, const sb_parameter *parameter, uint64_t value)
{
    size_t count = parameter->interesting_count, i = 0;

    while (i < count && i < SMALL && parameter->interesting[i] != value)
        i++;
    if (parameter->words != NULL)
        *to++ = (uint8_t)value;
    else if (i < count && i < SMALL)
        *to++ = (uint8_t)i;
    else if (value < LITERAL - SMALL)
        *to++ = (uint8_t)(SMALL + value);
    else
        to = put_literal(to, value);
    return to;
}

static uint8_t *put_length(uint8_t *to, uint64_t length)
{
    if (length >= LITERAL)
        return put_literal(to, length);
    *to++ = (uint8_t)length;
    return to;
}

bool sb_case_encode(const sb_case *c, uint8_t **bytes, size_t *size)
{
    enum { MAX_CODE = 9 }; /* bytes: a code and a literal of eight */
    size_t inputs = c->algorithm->input_count;
    uint8_t *start = malloc(MAX_CODE * (SB_MAX_PARAMETERS + SB_MAX_ARRAYS) + sb_case_bytes(c)), *to = start;

    if (start == NULL)
        return false;
    for (size_t i = 0; i < c->algorithm->parameter_count; i++)
        to = put_parameter(to, &c->algorithm->parameters[i], c->parameters[i]);
    for (size_t i = 0; i + 1 < inputs; i++)
        to = put_length(to, c->inputs[i].length);
    for (size_t i = 0; i < inputs; i++) {
        uint64_t count = sb_array_bytes(&c->inputs[i]);

        if (count > 0)
            memcpy(to, c->inputs[i].data, count);
        to += count;
    }
    *bytes = start;
    *size = (size_t)(to - start);
    return true;
}
