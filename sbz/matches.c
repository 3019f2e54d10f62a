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

/* The CONTEXT bytes before `at`, the first one lowest. */
static uint64_t context_of(const uint8_t *at)
{
    uint64_t context;

    memcpy(&context, at - CONTEXT, sizeof context);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    context = __builtin_bswap64(context);
#endif
    return context;
}

static uint32_t hash(uint64_t context)
{
    return (uint32_t)(context * 0x9e3779b97f4a7c15 >> (64 - TABLE_BITS)); /* 2^64 / golden ratio: Fibonacci hashing */
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

static bool are_equal(const uint8_t *a, const uint8_t *b)
{
    uint64_t one, other;

    memcpy(&one, a, sizeof one);
    memcpy(&other, b, sizeof other);
    return one == other;
}

/* The length of the match; less than MIN_MATCH: there is none. The end of the shortest match is looked at first: of what follows
 * equal contexts, some bytes are equal mostly, and so many rarely. */
static size_t match(const uint8_t *bytes, size_t place, size_t i, size_t size)
{
    enum { WORD = sizeof(uint64_t) };
    size_t length = 0;

    if (size - i < MIN_MATCH || !are_equal(bytes + place + MIN_MATCH - WORD, bytes + i + MIN_MATCH - WORD))
        return 0;
    while (size - i - length >= WORD && are_equal(bytes + place + length, bytes + i + length))
        length += WORD;
    while (i + length < size && bytes[place + length] == bytes[i + length])
        length++;
    return length;
}

/* The table, and the bytes that it leads to, are larger than the caches near the processor. Both are asked for before they are
 * needed; where a match comes in between, in vain. Bytes; twice as many, and half as many, change little. */
enum { FAR = 32, NEAR = 16 };

static void prefetch(const uint32_t *table, const uint8_t *bytes, size_t i, size_t size)
{
    if (i >= CONTEXT && i + FAR < size) {
        __builtin_prefetch(&table[hash(context_of(bytes + i + FAR))]);
        __builtin_prefetch(bytes + table[hash(context_of(bytes + i + NEAR))]);
    }
}

/* Where the context at position i was seen last; 0: nowhere. */
static uint32_t predict(uint32_t *table, const uint8_t *bytes, size_t i)
{
    uint32_t *entry, place;

    if (i < CONTEXT)
        return 0;
    entry = &table[hash(context_of(bytes + i))];
    place = *entry;
    *entry = (uint32_t)i;
    return place;
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
        prefetch(table, bytes, i, size);

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

/* `context` is that of position i: to load bytes that were just stored one by one would wait for them. */
static bool decode(const sbz_text *coded, uint8_t escape, uint8_t *to, size_t size, uint32_t *table)
{
    const uint8_t *from = coded->data;
    uint64_t context = 0;
    size_t at = 0;

    for (size_t i = 0; i < size;) {
        uint32_t none = 0, *const entry = i < CONTEXT ? &none : &table[hash(context)];
        const size_t place = *entry;
        uint8_t byte;
        size_t length;

        *entry = (uint32_t)i;
        if (at == coded->size)
            return false;
        byte = from[at++];
        if (byte == escape && place != 0) {
            if (at < coded->size && from[at] == 0) {
                at++;
            } else {
                if (size - i < MIN_MATCH || (length = get_length(coded, &at, size - i - MIN_MATCH)) == SIZE_MAX)
                    return false;
                length += MIN_MATCH;
                for (size_t k = 0; k < length; k++) /* it may reach into itself */
                    to[i + k] = to[place + k];
                i += length;
                context = context_of(to + i);
                continue;
            }
        }
        to[i++] = byte;
        context = context >> 8 | (uint64_t)byte << 56;
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
