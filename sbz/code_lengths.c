/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code lengths: contract in code_lengths.h.
 */
#include "code_lengths.h"
#include <stdbool.h>
#include <string.h>

enum { GROUPS = 16, GROUP = 16 };

typedef struct bits {
    uint8_t *to; /* zeros, when written */
    const uint8_t *from;
    size_t at, limit; /* bits; reading past the limit gives zeros */
} bits;

static void put(bits *b, unsigned value, int count)
{
    for (int i = count - 1; i >= 0; i--, b->at++)
        b->to[b->at / 8] |= (uint8_t)((value >> i & 1) << (7 - b->at % 8));
}

static unsigned get(bits *b, int count)
{
    unsigned value = 0;

    for (int i = 0; i < count; i++, b->at++)
        value = value << 1 | (b->at < b->limit ? b->from[b->at / 8] >> (7 - b->at % 8) & 1u : 0);
    return value;
}

static unsigned used(const uint8_t length[256], int group)
{
    unsigned word = 0;

    for (int i = 0; i < GROUP; i++)
        word = word << 1 | (length[group * GROUP + i] != 0);
    return word;
}

size_t sbz_code_lengths_put(const uint8_t length[256], uint8_t to[SBZ_CODE_LENGTHS_BYTES])
{
    bits b = {.to = to};
    unsigned groups = 0;
    int before = -1;

    for (int s = 0; s < 256; s++)
        if (length[s] > SBZ_MAX_CODE_LENGTH)
            return 0;
    memset(to, 0, SBZ_CODE_LENGTHS_BYTES);
    for (int g = 0; g < GROUPS; g++)
        groups = groups << 1 | (used(length, g) != 0);
    put(&b, groups, GROUPS);
    for (int g = 0; g < GROUPS; g++)
        if (used(length, g) != 0)
            put(&b, used(length, g), GROUP);
    for (int s = 0; s < 256; s++) {
        if (length[s] == 0)
            continue;
        if (before < 0) {
            put(&b, length[s], 6);
        } else {
            for (; before < length[s]; before++)
                put(&b, 2, 2);
            for (; before > length[s]; before--)
                put(&b, 3, 2);
            put(&b, 0, 1);
        }
        before = length[s];
    }
    return (b.at + 7) / 8;
}

/* The length that follows the length `before` (-1: the first). 0: it is invalid. */
static int get_length(bits *b, int before)
{
    if (before < 0)
        before = (int)get(b, 6);
    else
        while (before >= 1 && before <= SBZ_MAX_CODE_LENGTH && get(b, 1) != 0)
            before += get(b, 1) != 0 ? -1 : 1;
    return before <= SBZ_MAX_CODE_LENGTH ? before : 0;
}

size_t sbz_code_lengths_get(const uint8_t *from, size_t size, uint8_t length[256])
{
    bits b = {.from = from, .limit = 8 * size};
    unsigned groups = get(&b, GROUPS);
    int before = -1;

    for (int g = 0; g < GROUPS; g++) {
        const bool marked = groups >> (GROUPS - 1 - g) & 1;
        const unsigned word = marked ? get(&b, GROUP) : 0;

        if (marked && word == 0)
            return 0;
        for (int i = 0; i < GROUP; i++)
            length[g * GROUP + i] = word >> (GROUP - 1 - i) & 1;
    }
    for (int s = 0; s < 256; s++) {
        if (length[s] == 0)
            continue;
        before = get_length(&b, before);
        if (before == 0)
            return 0;
        length[s] = (uint8_t)before;
    }
    if (b.at > b.limit)
        return 0;
    while (b.at % 8 != 0)
        if (get(&b, 1) != 0)
            return 0;
    return b.at / 8;
}
