/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Cases as byte strings: contract in case_bytes.h, layout in docs/FORMAT.md.
 */
#include "case_bytes.h"
#include <stdlib.h>
#include <string.h>

/* A number of the header is one byte, or LITERAL and eight bytes. Of the single bytes, those from INTERESTING on stand for
 * the parameter's interesting values, where it has any. */
enum { INTERESTING = 128, LITERAL = 255 };

typedef struct input {
    const uint8_t *bytes;
    size_t size, at;
} input;

/* Past the end stand zeros. */
static uint8_t next_byte(input *in)
{
    return in->at < in->size ? in->bytes[in->at++] : 0;
}

static uint64_t next_number(input *in, const uint64_t *interesting, size_t count)
{
    uint8_t first = next_byte(in);
    uint64_t value = 0;

    if (first == LITERAL) {
        for (int i = 0; i < 8; i++)
            value |= (uint64_t)next_byte(in) << 8 * i;
        return value;
    }
    return first >= INTERESTING && count > 0 ? interesting[(first - INTERESTING) % count] : first;
}

bool sb_case_decode(const sb_algorithm *algorithm, const uint8_t *bytes, size_t size, sb_case *c)
{
    input in = {bytes, size, 0};
    size_t inputs = sb_input_count(algorithm);
    uint64_t lengths[SB_MAX_ARRAYS] = {0};
    bool good;

    sb_case_init(c, algorithm);
    for (size_t i = 0; i < sb_parameter_count(algorithm); i++) {
        const sb_parameter *parameter = &algorithm->parameters[i];
        uint64_t words = 0;

        c->parameters[i] = next_number(&in, parameter->interesting, parameter->interesting_count);
        while (parameter->words != NULL && parameter->words[words] != NULL)
            words++;
        if (words > 0)
            c->parameters[i] %= words;
    }
    good = sb_case_normalise(c); /* so that the type is a type */
    for (size_t i = 0; i + 1 < inputs; i++)
        lengths[i] = next_number(&in, NULL, 0);
    for (size_t i = 0; good && i < inputs; i++) {
        size_t element = sb_type_size(c->inputs[i].type);
        uint64_t most = (in.size - in.at) / element;
        uint64_t length = i + 1 < inputs && lengths[i] < most ? lengths[i] : most;

        good = sb_array_set(&c->inputs[i], in.bytes + in.at, length);
        in.at += length * element;
    }
    good = good && sb_case_normalise(c) && sb_case_set_id(c, "bytes");
    if (!good)
        sb_case_free(c);
    return good;
}

static uint8_t *put_number(uint8_t *to, uint64_t value, bool may_be_interesting)
{
    if (value < (may_be_interesting ? INTERESTING : LITERAL)) {
        *to++ = (uint8_t)value;
        return to;
    }
    *to++ = LITERAL;
    for (int i = 0; i < 8; i++)
        *to++ = (uint8_t)(value >> 8 * i);
    return to;
}

bool sb_case_encode(const sb_case *c, uint8_t **bytes, size_t *size)
{
    size_t inputs = sb_input_count(c->algorithm);
    uint8_t *to = malloc(9 * (SB_MAX_PARAMETERS + SB_MAX_ARRAYS) + sb_case_bytes(c));

    *bytes = to;
    if (to == NULL)
        return false;
    for (size_t i = 0; i < sb_parameter_count(c->algorithm); i++)
        to = put_number(to, c->parameters[i], true);
    for (size_t i = 0; i + 1 < inputs; i++)
        to = put_number(to, c->inputs[i].length, false);
    for (size_t i = 0; i < inputs; i++) {
        uint64_t count = sb_array_bytes(&c->inputs[i]);

        if (count > 0)
            memcpy(to, c->inputs[i].data, count);
        to += count;
    }
    *size = (size_t)(to - *bytes);
    return true;
}
