/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Long matches: contract in matches.h.
 */
#include "matches.h"
#include "allocate.h"
#include <string.h>

enum {
    CONTEXT = 8,     /* bytes; part of the format */
    MIN_MATCH = 32,  /* bytes; likewise */
    TABLE_BITS = 18, /* likewise: 1 MiB. With 20, 7 MiB of manual pages take 0.1% less */
    MAX_DIGIT = 254  /* the byte 255 adds so much to a length, and another byte follows */
};

/* Of the 8 bytes before `at`. */
static uint32_t hash(const uint8_t *at)
{
    uint64_t context = 0;

    for (int i = 1; i <= CONTEXT; i++)
        context = context << 8 | at[-i];
    return (uint32_t)(context * 0x9e3779b97f4a7c15 >> (64 - TABLE_BITS)); /* 2^64 / golden ratio: Fibonacci hashing */
}

/* Where the context at position i was seen last; 0: nowhere. */
static uint32_t predict(uint32_t *table, const uint8_t *bytes, size_t i)
{
    uint32_t *entry, place;

    if (i < CONTEXT)
        return 0;
    entry = &table[hash(bytes + i)];
    place = *entry;
    *entry = (uint32_t)i;
    return place;
}

static uint8_t rarest(const uint8_t *bytes, size_t size)
{
    size_t count[256] = {0};
    int best = 0;

    for (size_t i = 0; i < size; i++)
        count[bytes[i]]++;
    for (int b = 1; b < 256; b++)
        best = count[b] < count[best] ? b : best;
    return (uint8_t)best;
}

static size_t match(const uint8_t *bytes, size_t place, size_t i, size_t size)
{
    size_t length = 0;

    while (i + length < size && bytes[place + length] == bytes[i + length])
        length++;
    return length;
}

bool sbz_matches_encode(const uint8_t *bytes, size_t size, sbz_text *coded)
{
    uint32_t *table = sbz_calloc((size_t)1 << TABLE_BITS, sizeof *table);
    const uint8_t escape = rarest(bytes, size);
    const size_t capacity = size > SBZ_REDUCTION_HEAD ? size - SBZ_REDUCTION_HEAD - 1 : 0;
    uint8_t *to;
    size_t i = 0, at = 0;

    if (table == NULL || !sbz_text_reserve(coded, size + 1)) {
        sbz_free(table);
        return false;
    }
    to = coded->data;
    coded->run_byte = escape;
    while (i < size && at < capacity) {
        const size_t place = predict(table, bytes, i), length = place != 0 ? match(bytes, place, i, size) : 0;

        if (length >= MIN_MATCH) {
            size_t digits = length - MIN_MATCH;

            to[at++] = escape;
            for (; digits >= MAX_DIGIT && at < capacity; digits -= MAX_DIGIT)
                to[at++] = MAX_DIGIT + 1;
            to[at++] = (uint8_t)(1 + digits);
            i += length;
        } else {
            to[at++] = bytes[i];
            if (place != 0 && bytes[i] == escape)
                to[at++] = 0;
            i++;
        }
    }
    coded->size = i == size && at <= capacity ? at : 0;
    sbz_free(table);
    return true;
}

/* The length of a match from its digits, without MIN_MATCH; *at moves behind them. SIZE_MAX: they do not end, or are more than
 * `limit`. */
static size_t get_length(const sbz_text *coded, size_t *at, size_t limit)
{
    size_t length = 0;

    for (; *at < coded->size && length <= limit; ++*at) {
        const uint8_t digit = coded->data[*at];

        if (digit == 0)
            return SIZE_MAX;
        if (digit <= MAX_DIGIT) {
            length += digit - 1u;
            ++*at;
            return length <= limit ? length : SIZE_MAX;
        }
        length += MAX_DIGIT;
    }
    return SIZE_MAX;
}

static bool decode(const sbz_text *coded, uint8_t escape, uint8_t *to, size_t size, uint32_t *table)
{
    const uint8_t *from = coded->data;
    size_t at = 0;

    for (size_t i = 0; i < size;) {
        const size_t place = predict(table, to, i);
        size_t length;

        if (at == coded->size)
            return false;
        if (place == 0 || from[at] != escape) {
            to[i++] = from[at++];
            continue;
        }
        if (++at < coded->size && from[at] == 0) {
            to[i++] = escape;
            at++;
            continue;
        }
        if (size - i < MIN_MATCH || (length = get_length(coded, &at, size - i - MIN_MATCH)) == SIZE_MAX)
            return false;
        length += MIN_MATCH;
        for (size_t k = 0; k < length; k++) /* it may reach into itself */
            to[i + k] = to[place + k];
        i += length;
    }
    return at == coded->size;
}

sbz_matches_status sbz_matches_decode(const sbz_text *coded, uint8_t escape, uint8_t *to, size_t size)
{
    uint32_t *table = sbz_calloc((size_t)1 << TABLE_BITS, sizeof *table);
    bool done;

    if (table == NULL)
        return SBZ_MATCHES_MEMORY;
    done = decode(coded, escape, to, size, table);
    sbz_free(table);
    return done ? SBZ_MATCHES_DONE : SBZ_MATCHES_DAMAGED;
}
