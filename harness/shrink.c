/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shrinking: contract in shrink.h. The method is delta debugging (A. Zeller, R. Hildebrandt, "Simplifying and
 * isolating failure-inducing input", 2002): it removes large pieces first, then smaller ones. It runs a candidate only
 * if its weight is less than that of the best case so far. So the search ends, whatever normalisation does to
 * candidates.
 */
#include "shrink.h"
#include "../common/number.h"
#include <math.h>
#include <string.h>

/* Max candidates for each call of the predicate that the caller allows. The limit on calls does not bound the time,
 * because no call is made for a candidate that normalisation makes heavy again. Not tuned. */
enum { CANDIDATES_PER_CALL = 16 };

/* The weight of a case. Its members are compared in this order. */
typedef struct weight {
    uint64_t bytes, parameters, elements;
} weight;

typedef struct shrinking {
    sb_case *best;
    weight weight;
    sb_still_fails fails;
    void *context;
    uint64_t calls, candidates; /* still allowed */
    uint64_t reserve;           /* calls that are kept for simpler elements while arrays are shortened */
} shrinking;

/* ---- elements ---- */

static uint64_t get_bits(const sb_array *array, uint64_t i)
{
    size_t size = sb_type_size(array->type);
    uint64_t bits = 0;

    memcpy(&bits, (const uint8_t *)array->data + i * size, size);
    return bits;
}

static void put_bits(sb_array *array, uint64_t i, uint64_t bits)
{
    size_t size = sb_type_size(array->type);

    memcpy((uint8_t *)array->data + i * size, &bits, size);
}

/* A number of at most 33 bits, so that sums of weights do not overflow. The order of values is preserved, but values
 * from 2^32 on whose upper 32 bits are equal become equal. */
static uint64_t squeeze(uint64_t value)
{
    return value <= UINT32_MAX ? value : ((uint64_t)1 << 32) + (value >> 32);
}

/* Small integers come first, then other finite numbers, then infinities and NaNs. */
static uint64_t rank_float(uint32_t type, uint64_t bits)
{
    double value = sb_bits_to_number(type, bits), magnitude = fabs(value);

    if (isfinite(value) && magnitude <= 0x1p20 && trunc(value) == value)
        return 2 * (uint64_t)magnitude + (signbit(value) != 0);
    return ((uint64_t)1 << (isfinite(value) ? 31 : 32)) + (type == SB_F64   ? bits >> 34
                                                           : type == SB_F32 ? bits >> 2
                                                                            : bits);
}

/* Of a signed integer. */
static bool is_negative(uint32_t type, uint64_t bits)
{
    return bits >> (8 * sb_type_size(type) - 1) & 1;
}

static uint64_t magnitude_of(uint32_t type, uint64_t bits)
{
    return (is_negative(type, bits) ? -bits : bits) & UINT64_MAX >> (64 - 8 * sb_type_size(type));
}

/* The weight of an element; the simplest element has the least weight. */
static uint64_t rank(uint32_t type, uint64_t bits)
{
    if (type == SB_U8)
        return bits <= 1 ? bits : bits == 'a' ? 2 : 1 + bits;
    switch (sb_type_kind(type)) {
    case SB_KIND_SIGNED:
        return 2 * squeeze(magnitude_of(type, bits)) + is_negative(type, bits);
    case SB_KIND_FLOAT:
        return rank_float(type, bits);
    case SB_KIND_MAP:
        return (bits & UINT32_MAX) + (bits >> 32);
    default:
        return squeeze(bits);
    }
}

enum { MAX_SIMPLER = 9 };

/* The values to try for a number n are n - (n >> step): large reductions first, so that few calls are needed. */
static const unsigned steps[] = {1, 2, 4, 6, 8};

enum { STEPS = sizeof steps / sizeof *steps };

static size_t find_smaller(uint64_t number, uint64_t smaller[STEPS + 1])
{
    for (size_t i = 0; i < STEPS; i++)
        smaller[i] = number - (number >> steps[i]);
    smaller[STEPS] = number - (number > 0);
    return STEPS + 1;
}

/* Finds elements to try instead of this one. The first two are the simplest, and do not depend on it. */
static size_t find_simpler(uint32_t type, uint64_t bits, uint64_t simpler[MAX_SIMPLER])
{
    uint64_t a = bits & UINT32_MAX, b = bits >> 32 << 32;
    bool sign = sb_type_kind(type) == SB_KIND_SIGNED && is_negative(type, bits);
    double whole = sb_type_kind(type) == SB_KIND_FLOAT ? trunc(sb_bits_to_number(type, bits)) : 0;
    size_t count;

    simpler[0] = 0;
    simpler[1] = 1;
    if (type == SB_U8) {
        simpler[1] = 'a';
        simpler[2] = 1;
        return 3 + find_smaller(bits, simpler + 3);
    }
    switch (sb_type_kind(type)) {
    case SB_KIND_FLOAT:
        simpler[1] = sb_number_to_bits(type, 1);
        simpler[2] = sb_number_to_bits(type, whole);
        for (size_t i = 0; i < STEPS; i++)
            simpler[3 + i] = sb_number_to_bits(type, whole - trunc(ldexp(whole, -(int)steps[i])));
        simpler[3 + STEPS] = sb_number_to_bits(type, whole - copysign(1, whole));
        return 4 + STEPS;
    case SB_KIND_MAP:
        simpler[0] = 1;
        simpler[1] = (uint64_t)1 << 32 | 1;
        simpler[2] = b | 1;
        simpler[3] = a;
        simpler[4] = b | (a / 2 | 1);
        simpler[5] = bits >> 33 << 32 | a;
        return 6;
    default:
        count = find_smaller(sign ? magnitude_of(type, bits) : bits, simpler + 2);
        for (size_t i = 0; sign && i < count; i++)
            simpler[2 + i] = -simpler[2 + i];
        simpler[2 + count] = magnitude_of(type, bits);
        return 2 + count + sign;
    }
}

/* ---- candidates ---- */

static weight weigh(const sb_case *c)
{
    weight w = {sb_case_bytes(c), 0, 0};

    for (size_t i = 0; i < c->algorithm->parameter_count; i++)
        w.parameters += squeeze(c->parameters[i]);
    for (size_t i = 0; i < c->algorithm->input_count; i++)
        for (uint64_t k = 0; k < c->inputs[i].length; k++)
            w.elements += rank(c->inputs[i].type, get_bits(&c->inputs[i], k));
    return w;
}

static bool is_less(weight a, weight b)
{
    if (a.bytes != b.bytes)
        return a.bytes < b.bytes;
    return a.parameters != b.parameters ? a.parameters < b.parameters : a.elements < b.elements;
}

/* Copies the best case for a change. False: a limit is reached, or memory ran out. */
static bool begin(shrinking *s, sb_case *candidate)
{
    if (s->calls == 0 || s->candidates == 0)
        return false;
    s->candidates--;
    return sb_case_copy(candidate, s->best);
}

/* Makes the candidate the best when it weighs less and still fails; frees it otherwise. */
static bool try_candidate(shrinking *s, sb_case *candidate)
{
    weight w;
    bool good = sb_case_normalise(candidate);

    if (good) {
        w = weigh(candidate);
        good = is_less(w, s->weight);
    }
    if (good) {
        s->calls--;
        good = s->fails(candidate, s->context);
    }
    if (good) {
        sb_case_free(s->best);
        *s->best = *candidate;
        s->weight = w;
    } else {
        sb_case_free(candidate);
    }
    return good;
}

/* ---- shorter arrays ---- */

/* Removes the elements from `from` up to `to`, without allocating. */
static void cut(sb_array *array, uint64_t from, uint64_t to)
{
    size_t size = sb_type_size(array->type);
    uint8_t *data = array->data;

    memmove(data + from * size, data + to * size, (array->length - to) * size);
    array->length = array->capacity = array->length - (to - from);
}

/* Removes a range from input `index`; if `together`, from every input of the same length. */
static bool try_cut(shrinking *s, size_t index, bool together, uint64_t from, uint64_t to)
{
    uint64_t length = s->best->inputs[index].length;
    sb_case candidate;

    if (!begin(s, &candidate))
        return false;
    for (size_t i = 0; i < candidate.algorithm->input_count; i++)
        if (i == index || (together && candidate.inputs[i].length == length))
            cut(&candidate.inputs[i], from, to);
    return try_candidate(s, &candidate);
}

/* Removes each piece without which the case still fails. Pieces have the whole length, then half of it, and so on down
 * to one element, and are tried from the end to the start. */
static void shorten(shrinking *s, size_t index, bool together)
{
    for (uint64_t piece = s->best->inputs[index].length; piece > 0; piece /= 2) {
        uint64_t to = s->best->inputs[index].length;

        while (to > 0 && s->calls > s->reserve && s->candidates > 0) {
            uint64_t from = to > piece ? to - piece : 0;

            try_cut(s, index, together, from, to);
            to = from < s->best->inputs[index].length ? from : s->best->inputs[index].length;
        }
    }
}

static bool has_companion(const sb_case *c, size_t index)
{
    for (size_t i = 0; i < c->algorithm->input_count; i++)
        if (i != index && c->inputs[i].length == c->inputs[index].length)
            return true;
    return false;
}

static void shorten_all(shrinking *s)
{
    for (size_t i = 0; i < s->best->algorithm->input_count; i++) {
        if (has_companion(s->best, i))
            shorten(s, i, true);
        shorten(s, i, false);
    }
}

/* ---- simpler elements and parameters ---- */

static bool try_elements(shrinking *s, size_t index, uint64_t from, uint64_t to, uint64_t bits)
{
    const sb_array *array = &s->best->inputs[index];
    uint64_t simple = rank(array->type, bits), i = from;
    sb_case candidate;

    while (i < to && rank(array->type, get_bits(array, i)) <= simple)
        i++;
    if (i == to || !begin(s, &candidate))
        return false;
    for (; i < to; i++)
        if (rank(array->type, get_bits(&candidate.inputs[index], i)) > simple)
            put_bits(&candidate.inputs[index], i, bits);
    return try_candidate(s, &candidate);
}

/* Tries the two simplest elements in a range, or all simpler ones for a range of one element. */
static bool simplify_range(shrinking *s, size_t index, uint64_t from, uint64_t to)
{
    const sb_array *array = &s->best->inputs[index];
    uint64_t simpler[MAX_SIMPLER];
    size_t count = find_simpler(array->type, get_bits(array, from), simpler);

    for (size_t i = 0; i < (to - from == 1 ? count : 2); i++)
        if (try_elements(s, index, from, to, simpler[i]))
            return true;
    return false;
}

/* Simplifies ranges of all elements, of half of them, and so on down to one, where the case still fails. */
static void simplify_elements(shrinking *s, size_t index)
{
    for (uint64_t piece = s->best->inputs[index].length; piece > 0; piece /= 2)
        for (uint64_t from = 0; from < s->best->inputs[index].length && s->calls > 0;) {
            uint64_t left = s->best->inputs[index].length - from;

            if (!simplify_range(s, index, from, from + (piece < left ? piece : left)) || piece > 1)
                from += piece;
        }
}

static bool simplify_parameter(shrinking *s, size_t index)
{
    uint64_t value = s->best->parameters[index], simpler[5 + STEPS + 1] = {0, 1, 2, 3, 4};
    size_t count = 5 + find_smaller(value, simpler + 5);

    for (size_t i = 0; i < count; i++) {
        sb_case candidate;

        if (simpler[i] >= value || !begin(s, &candidate))
            continue;
        candidate.parameters[index] = simpler[i];
        if (try_candidate(s, &candidate))
            return true;
    }
    return false;
}

unsigned sb_shrink(sb_case *c, sb_still_fails fails, void *context, unsigned attempts)
{
    static const char mark[] = "shrunk from ";
    weight first = weigh(c), before;
    shrinking s = {c, first, fails, context, attempts, (uint64_t)attempts * CANDIDATES_PER_CALL, attempts / 4};

    do {
        before = s.weight;
        for (size_t i = 0; i < c->algorithm->parameter_count; i++)
            while (simplify_parameter(&s, i))
                continue;
        shorten_all(&s);
        for (size_t i = 0; i < c->algorithm->input_count; i++)
            simplify_elements(&s, i);
    } while (is_less(s.weight, before));
    if (is_less(s.weight, first) && c->why != NULL && strncmp(c->why, mark, strlen(mark)) != 0)
        sb_case_set_why(c, "%s%s", mark, c->why); /* without memory it stays as it was: no harm */
    return (unsigned)(attempts - s.calls);
}
