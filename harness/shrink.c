/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shrinking: contract in shrink.h.
 */
#include "shrink.h"
#include <string.h>

typedef struct shrinking {
    sb_case *best;
    sb_still_fails fails;
    void *context;
    unsigned left; /* calls of the predicate */
} shrinking;

/* Normalises the candidate, which becomes the best when it differs and still fails; frees it otherwise. */
static bool consider(shrinking *s, sb_case *candidate)
{
    bool good = s->left > 0 && sb_case_normalise(candidate) && !sb_case_equal(candidate, s->best) &&
                sb_case_bytes(candidate) <= sb_case_bytes(s->best);

    if (good) {
        s->left--;
        good = s->fails(candidate, s->context);
    }
    if (good) {
        sb_case_free(s->best);
        *s->best = *candidate;
    } else {
        sb_case_free(candidate);
    }
    return good;
}

static bool cut(sb_array *array, uint64_t from, uint64_t count)
{
    size_t size = sb_type_size(array->type);
    char *data = array->data;

    if (from >= array->length)
        return true;
    if (count > array->length - from)
        count = array->length - from;
    memmove(data + from * size, data + (from + count) * size, (array->length - from - count) * size);
    return sb_array_resize(array, array->length - count);
}

/* Removes a range from input `index`, or with `together` from every input of the same length. */
static bool try_cut(shrinking *s, size_t index, bool together, uint64_t from, uint64_t count)
{
    uint64_t length = s->best->inputs[index].length;
    sb_case candidate;

    if (s->left == 0 || !sb_case_copy(&candidate, s->best))
        return false;
    for (size_t i = 0; i < SB_MAX_ARRAYS; i++)
        if ((i == index || (together && candidate.inputs[i].length == length)) &&
            !cut(&candidate.inputs[i], from, count)) {
            sb_case_free(&candidate);
            return false;
        }
    return consider(s, &candidate);
}

/* Delta debugging: halves, quarters, ... single elements, over and over while something can be removed. */
static bool shorten(shrinking *s, size_t index, bool together)
{
    bool any = false;

    for (uint64_t piece = s->best->inputs[index].length; piece > 0; piece /= 2)
        for (uint64_t from = 0; from < s->best->inputs[index].length && s->left > 0;) {
            uint64_t before = s->best->inputs[index].length;

            if (try_cut(s, index, together, from, piece) && s->best->inputs[index].length < before)
                any = true;
            else
                from += piece;
        }
    return any;
}

static bool try_element(shrinking *s, size_t index, uint64_t at, uint64_t value)
{
    sb_array *array = &s->best->inputs[index];
    size_t size = sb_type_size(array->type);
    uint64_t now = 0;
    sb_case candidate;

    memcpy(&now, (char *)array->data + at * size, size);
    if (now == value || s->left == 0 || !sb_case_copy(&candidate, s->best))
        return false;
    memcpy((char *)candidate.inputs[index].data + at * size, &value, size);
    return consider(s, &candidate);
}

/* The bit pattern of 1 in the type; for bytes a letter. */
static uint64_t plain_value(uint32_t type)
{
    switch (type) {
    case SB_U8:
        return 'a';
    case SB_F32:
        return 0x3f800000u;
    case SB_F64:
        return 0x3ff0000000000000u;
    default:
        return 1;
    }
}

static void simplify_elements(shrinking *s, size_t index)
{
    for (uint64_t at = 0; at < s->best->inputs[index].length && s->left > 0; at++) {
        uint64_t plain = plain_value(s->best->inputs[index].type);

        if (s->best->inputs[index].type == SB_U8 ? !try_element(s, index, at, plain) && !try_element(s, index, at, 'b')
                                                 : !try_element(s, index, at, 0) && !try_element(s, index, at, plain))
            try_element(s, index, at, 2);
    }
}

static void simplify_parameters(shrinking *s)
{
    static const uint64_t simple[] = {0, 1, 2, 3, 4};

    for (size_t i = 0; i < sb_parameter_count(s->best->algorithm); i++)
        for (size_t k = 0; k < sizeof simple / sizeof *simple; k++) {
            sb_case candidate;

            if (simple[k] >= s->best->parameters[i] || s->left == 0 || !sb_case_copy(&candidate, s->best))
                continue;
            candidate.parameters[i] = simple[k];
            if (consider(s, &candidate))
                break;
        }
}

unsigned sb_shrink(sb_case *c, sb_still_fails fails, void *context, unsigned attempts)
{
    shrinking s = {c, fails, context, attempts};
    size_t inputs = sb_input_count(c->algorithm);
    bool shorter = true;

    while (shorter && s.left > 0) {
        shorter = false;
        for (size_t i = 0; i < inputs; i++)
            shorter |= shorten(&s, i, true) | (inputs > 1 && shorten(&s, i, false));
        simplify_parameters(&s);
    }
    for (size_t i = 0; i < inputs; i++)
        simplify_elements(&s, i);
    return attempts - s.left;
}
