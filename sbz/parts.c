/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where to halve a text: contract in parts.h.
 *
 * The transform brings together the bytes that stand before the same bytes, and the entropy stage codes them together.
 * So the estimate counts which bytes stand before each context of five bytes. A context in which `total` bytes stand,
 * `count` of each value, costs the entropy of these counts, and NEW bits for each value, which the coder has to learn.
 * Two parts that are alike share what is learned; in unlike parts the same context has other bytes, and coding them
 * together costs more. Only contexts with a certain hash are counted, one in SAMPLED, but of these all bytes.
 *
 * Measured at the default level on 67 programs, libraries, archives and texts of this kind (100 MB, parts of at least
 * 112 KiB): by how many bytes 32,692,572 change, and in brackets for how many files they grow.
 *
 *     contexts of 4 bytes   -190,482 (6)
 *     5 bytes               -171,028 (5)
 *     5 bytes, NEW 6        -147,638 (9)
 *     6 bytes               -111,778 (2)
 *     4 bytes, MIN_GAIN 64  -159,646 (6)
 *
 * Two texts that repeat themselves grow by 6% with 4 bytes and by 2% with 5. They are what trial.c measures then.
 */
#include "parts.h"
#include "estimate.h"
#include <stdlib.h>
#include <string.h>

enum {
    SAMPLED = 16,   /* with 8 and 32 about the same blocks are chosen */
    NEW = 8,        /* bits: what a byte costs without a model */
    MIN_GAIN = 128, /* halves must be estimated smaller by 1/MIN_GAIN */
    MAX_LOSS = 64   /* hopeful: at most 1/MAX_LOSS larger */
};
static const uint64_t CONTEXT = ((uint64_t)1 << 40) - 1; /* the bytes of a context */
/* Multiplicative hashing (Knuth): 2^64 over the golden ratio. The context of zeros has the hash 0, so it is always counted.
 * It is the most frequent one in programs, and what stands before it tells code from tables: without it the estimate finds a
 * seventh of what it finds. */
static const uint64_t MULTIPLIER = 0x9e3779b97f4a7c15u;

/* A sampled byte, packed so that sorting by the upper bits brings contexts together, and in them the values: 26 bits of
 * the hash of the context, 8 of the byte, 30 of its position. */
typedef uint64_t event;
enum { POSITION_BITS = 30, VALUE_BITS = 8 };

static size_t collect(const uint8_t *bytes, size_t size, event *to, size_t capacity)
{
    size_t count = 0;
    uint64_t context = 0;

    for (size_t i = size; i-- > 0 && count < capacity;) {
        const uint32_t hash = (uint32_t)((context & CONTEXT) * MULTIPLIER >> 32);

        if (hash >> 28 == 0) /* SAMPLED */
            to[count++] =
                (uint64_t)(hash >> 2) << (POSITION_BITS + VALUE_BITS) | (uint64_t)bytes[i] << POSITION_BITS | i;
        context = context << 8 | bytes[i];
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

/* Bits of all contexts together, in units of 2^-16. */
static uint64_t cost(const event *events, size_t count)
{
    uint64_t bits = 0;

    for (size_t i = 0, j; i < count; i = j) {
        const uint64_t context = events[i] >> (POSITION_BITS + VALUE_BITS);

        for (j = i; j < count && events[j] >> (POSITION_BITS + VALUE_BITS) == context;) {
            const uint64_t value = events[j] >> POSITION_BITS;
            const size_t first = j;

            while (j < count && events[j] >> POSITION_BITS == value)
                j++;
            bits += ((uint64_t)NEW << 16) - sbz_times_logarithm(j - first);
        }
        bits += sbz_times_logarithm(j - i);
    }
    return bits;
}

/* A part, and the events in it, which are sorted; `other` is memory for as many. */
typedef struct part {
    size_t start, size;
    event *events, *other;
    size_t count;
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
    const uint64_t whole = cost(p->events, p->count);
    const size_t first = *parts, half = sbz_half_of(p->size, unit);
    uint64_t halves;
    size_t front;

    sizes[(*parts)++] = p->size;
    if (p->size < 2 * unit)
        return whole;
    *parts = first;
    front = separate(p, p->start + half);
    halves = best_parts(&(part){p->start, half, p->events, p->other, front}, unit, hopeful, sizes, parts);
    halves +=
        best_parts(&(part){p->start + half, p->size - half, p->events + front, p->other + front, p->count - front},
                   unit, hopeful, sizes, parts);
    if (hopeful ? halves < whole + whole / MAX_LOSS : halves < whole - whole / MIN_GAIN)
        return halves < whole ? halves : whole;
    *parts = first;
    sizes[(*parts)++] = p->size;
    return whole;
}

size_t sbz_estimate_parts(const uint8_t *bytes, size_t size, size_t unit, bool hopeful, size_t *sizes)
{
    const size_t capacity = size / (SAMPLED / 4); /* four times what is expected; more is not looked at */
    event *events = malloc((capacity + 1) * sizeof *events), *other = malloc((capacity + 1) * sizeof *other);
    size_t parts = 0;

    if (events != NULL && other != NULL && size < (size_t)1 << POSITION_BITS) {
        const size_t count = collect(bytes, size, events, capacity);

        sort(events, other, count);
        best_parts(&(part){0, size, events, other, count}, unit, hopeful, sizes, &parts);
    }
    free(events);
    free(other);
    return parts;
}
