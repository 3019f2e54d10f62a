/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where to halve a text: contract in parts.h.
 *
 * The transform brings together the bytes that stand before the same bytes, and the entropy stage codes them together.
 * So the estimate counts which bytes stand before each context of SHORT and before each of LONG bytes. A context in which
 * `total` bytes stand, `count` of each value, costs the entropy of these counts, and NEW bits for each value, which the coder
 * has to learn. Two parts that are alike share what is learned; in unlike parts the same context has other bytes, and coding
 * them together costs more. Only contexts with a certain hash are counted, one in SAMPLED, but of these all bytes.
 *
 * Measured at level 7 on the 246 files of entropy.c (273 MB, parts of at least 56 KiB): by how many bytes 77,484,161 change,
 * and in brackets for how many files they grow.
 *
 *     contexts of 3 bytes     -1,295,421 (33, one by 9%)
 *     4 bytes                   -891,075 (20)
 *     5 bytes                   -881,378 (16)
 *     3 and 4 bytes           -1,264,795 (19)
 *     3 and 5 bytes           -1,303,668 (14, one by 2%)
 *     3 and 6 bytes           -1,326,955 (15, one by 8%)
 *     3 and 5 bytes, NEW 7    -1,331,666 (18)
 *     3 and 5, SAMPLED 32     -1,263,746 (26)
 */
#include "parts.h"
#include "allocate.h"
#include "estimate.h"
#include <string.h>

enum {
    SHORT = 3,
    LONG = 5,
    SAMPLED = 16,
    NEW = 8,      /* bits: what a byte costs without a model */
    MAX_LOSS = 64 /* hopeful: at most 1/MAX_LOSS larger */
};
/* Multiplicative hashing (Knuth): 2^64 over the golden ratio. The short context of zeros has the hash 0, so it is always counted.
 * It is the most frequent one in programs, and what stands before it tells code from tables: without it the estimate finds a
 * seventh of what it finds. */
static const uint64_t MULTIPLIER = 0x9e3779b97f4a7c15u;

/* A sampled byte, packed so that sorting by the upper bits brings contexts together, and in them the values: 26 bits of
 * the hash of the context, 8 of the byte, 30 of its position. */
typedef uint64_t event;
enum { POSITION_BITS = 30, VALUE_BITS = 8 };

/* The lower bits of `following` are the bytes that follow the byte at i, the next one lowest. */
static size_t add_event(event *to, uint64_t following, int bytes, uint8_t value, size_t i)
{
    const uint64_t context = (following & (((uint64_t)1 << 8 * bytes) - 1)) << 1 | (bytes == LONG);
    const uint32_t hash = (uint32_t)(context * MULTIPLIER >> 32);

    if (hash > UINT32_MAX / SAMPLED)
        return 0;
    *to = (event)(hash >> 2) << (POSITION_BITS + VALUE_BITS) | (event)value << POSITION_BITS | i;
    return 1;
}

static size_t collect(const uint8_t *bytes, size_t size, event *to, size_t capacity)
{
    size_t count = 0;
    uint64_t following = 0;

    for (size_t i = size; i-- > 0 && count + 2 <= capacity;) {
        count += add_event(to + count, following, SHORT, bytes[i], i);
        count += add_event(to + count, following, LONG, bytes[i], i);
        following = following << 8 | bytes[i];
    }
    return count;
}

enum { DIGIT = 12, DIGITS = 3 }; /* the upper 34 bits are sorted */

static void sort(event *events, event *other, size_t count)
{
    for (int pass = 0; pass < DIGITS; pass++) {
        const int shift = POSITION_BITS + pass * DIGIT;
        size_t start[1 << DIGIT] = {0}, at = 0;

        for (size_t i = 0; i < count; i++)
            start[events[i] >> shift & ((1 << DIGIT) - 1)]++;
        for (size_t digit = 0; digit < 1 << DIGIT; digit++) {
            const size_t here = start[digit];

            start[digit] = at;
            at += here;
        }
        for (size_t i = 0; i < count; i++)
            other[start[events[i] >> shift & ((1 << DIGIT) - 1)]++] = events[i];
        memcpy(events, other, count * sizeof *events);
    }
}

enum { KNOWN = 64 }; /* most counts are less, on programs and on text */

static uint64_t times_logarithm(const uint64_t known[KNOWN], size_t n)
{
    return n < KNOWN ? known[n] : sbz_times_logarithm(n);
}

/* Bits of all contexts together, in units of 2^-16. */
static uint64_t cost(const event *events, size_t count, const uint64_t known[KNOWN])
{
    uint64_t bits = 0;

    for (size_t i = 0, j; i < count; i = j) {
        const uint64_t context = events[i] >> (POSITION_BITS + VALUE_BITS);

        for (j = i; j < count && events[j] >> (POSITION_BITS + VALUE_BITS) == context;) {
            const uint64_t value = events[j] >> POSITION_BITS;
            const size_t first = j;

            while (j < count && events[j] >> POSITION_BITS == value)
                j++;
            bits += ((uint64_t)NEW << 16) - times_logarithm(known, j - first);
        }
        bits += times_logarithm(known, j - i);
    }
    return bits;
}

/* A part, and the events in it, which are sorted; `other` is memory for as many. */
typedef struct part {
    size_t start, size;
    event *events, *other;
    size_t count;
    const uint64_t *known; /* n log2(n), for n < KNOWN */
} part;

/* Moves the events of the first half to the front; both halves stay sorted. */
static size_t separate(const part *p, size_t middle)
{
    size_t front = 0, back = 0;

    for (size_t i = 0; i < p->count; i++) {
        const event e = p->events[i];

        if ((e & (((event)1 << POSITION_BITS) - 1)) < middle)
            p->events[front++] = e;
        else
            p->other[back++] = e;
    }
    memcpy(p->events + front, p->other, back * sizeof *p->events);
    return front;
}

/* Returns the bits of the best parts, and appends their sizes. */
static uint64_t best_parts(const part *p, size_t unit, bool hopeful, size_t *sizes, size_t *parts)
{
    const uint64_t whole = cost(p->events, p->count, p->known);
    const size_t first = *parts, half = sbz_half_of(p->size, unit);
    uint64_t halves;
    size_t front;

    sizes[(*parts)++] = p->size;
    if (p->size < 2 * unit)
        return whole;
    *parts = first;
    front = separate(p, p->start + half);
    halves = best_parts(&(part){p->start, half, p->events, p->other, front, p->known}, unit, hopeful, sizes, parts);
    halves += best_parts(
        &(part){p->start + half, p->size - half, p->events + front, p->other + front, p->count - front, p->known}, unit,
        hopeful, sizes, parts);
    if (halves < whole + (hopeful ? whole / MAX_LOSS : 0))
        return halves < whole ? halves : whole;
    *parts = first;
    sizes[(*parts)++] = p->size;
    return whole;
}

size_t sbz_estimate_parts(const uint8_t *bytes, size_t size, size_t unit, bool hopeful, size_t *sizes)
{
    const size_t capacity = size / (SAMPLED / 8); /* four times what is expected; more is not looked at */
    event *events = sbz_malloc((capacity + 1) * sizeof *events), *other = sbz_malloc((capacity + 1) * sizeof *other);
    size_t parts = 0;

    if (events != NULL && other != NULL && size < (size_t)1 << POSITION_BITS) {
        const size_t count = collect(bytes, size, events, capacity);

        uint64_t known[KNOWN];

        for (size_t n = 0; n < KNOWN; n++)
            known[n] = sbz_times_logarithm(n);
        sort(events, other, count);
        best_parts(&(part){0, size, events, other, count, known}, unit, hopeful, sizes, &parts);
    }
    sbz_free(events);
    sbz_free(other);
    return parts;
}
