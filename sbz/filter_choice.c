/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Choosing filters: contract in filter_choice.h.
 */
#include "filter_choice.h"
#include <stdlib.h>
#include <string.h>

/* Bytes: of a shorter text a filter saves less than it may lose. */
enum { MIN_TEXT = 2048 };

/* ---- programs ---- */

enum {
    PIECES = 16, /* of the text, of which programs are known ... */
    PIECE = 4096 /* ... bytes each */
};

/* What instructions of the two kinds are worth to be counted. */
typedef struct branches {
    size_t looked;                 /* bytes */
    size_t calls[4], no_calls;     /* by address modulo 4 */
    size_t links, no_links, pages; /* BL and ADRP of arm64 */
} branches;

/* A call of x86 that leads at least 64 bytes away. Small numbers behind E8 are tables, or object files, in which all calls lead
 * nowhere before they are linked; with more than 16 MiB E8 is no call of a program. */
static void count_call(const uint8_t *at, size_t address, branches *b)
{
    const uint32_t low = at[1] | (uint32_t)at[2] << 8 | (uint32_t)at[3] << 16;

    if ((at[4] == 0 && low >= 64) || (at[4] == 0xff && low <= (1u << 24) - 64))
        b->calls[address % 4]++;
    else
        b->no_calls++;
}

/* A BL that leads at least 16 instructions away and less than 4 Mi, for the same reasons. ADRPs of less than 2^17 pages, as the filter
 * takes them. */
static void count_link(const uint8_t *at, branches *b)
{
    const uint32_t word = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    const uint32_t distance = (word & (1u << 25)) != 0 ? (0 - word) & 0x3ffffff : word & 0x3ffffff;

    if (word >> 26 == 0x25 && distance >= 16 && distance < 1u << 22)
        b->links++;
    else if (word >> 26 == 0x25)
        b->no_links++;
    b->pages += (word & 0x9f000000) == 0x90000000 && (((word >> 5 & 0x7ffff) + (1u << 15)) & 0x70000) == 0;
}

static branches count_branches(const uint8_t *bytes, size_t size)
{
    const size_t piece = size / PIECES < PIECE ? size / PIECES : PIECE;
    branches b = {0};

    for (size_t k = 0; k < PIECES; k++) {
        const size_t start = size / PIECES * k / 4 * 4;

        for (size_t i = 0; i + 5 <= piece; i++)
            if (bytes[start + i] == 0xe8)
                count_call(bytes + start + i, start + i, &b);
        for (size_t i = 0; i + 4 <= piece; i += 4)
            count_link(bytes + start + i, &b);
        b.looked += piece;
    }
    return b;
}

/* Programs have a call for 50 to 150 bytes, and a BL and an ADRP for 15 to 100 instructions. Noise has a call for 2^15 bytes, and a
 * BL and an ADRP for 512 and 256 words; tables may have many of one of these two. Calls of x86 have any address, and numbers of a
 * table one modulo 4. */
static uint8_t program(const uint8_t *bytes, size_t size)
{
    const branches b = count_branches(bytes, size);
    size_t calls = 0, most = 0;

    for (int k = 0; k < 4; k++) {
        calls += b.calls[k];
        most = b.calls[k] > most ? b.calls[k] : most;
    }
    if (calls > b.looked / 512 && calls > b.no_calls && most < calls / 2)
        return SBZ_FILTER_X86;
    if (b.links > b.looked / 4 / 200 && b.links > 2 * b.no_links && b.pages > b.looked / 4 / 200)
        return SBZ_FILTER_ARM64;
    return SBZ_FILTER_NONE;
}

/* ---- records ---- */

size_t sbz_filter_sample(const uint8_t *bytes, size_t size, uint8_t sample[SBZ_FILTER_SAMPLE])
{
    const size_t half = SBZ_FILTER_SAMPLE / 2;

    if (size <= SBZ_FILTER_SAMPLE) {
        memcpy(sample, bytes, size);
        return size;
    }
    memcpy(sample, bytes + size / 4 / 48 * 48, half);
    memcpy(sample + half, bytes + (size - half) / 48 * 48, half);
    return SBZ_FILTER_SAMPLE;
}

/* n log2(n) in units of 1/256 bit, with the logarithm between powers of two taken as linear: at most 0.09 bits too low. */
static uint64_t times_logarithm(uint32_t n)
{
    const int whole = 31 - __builtin_clz(n | 1);

    return (uint64_t)n * (unsigned)(whole * 256 + (int)(((uint64_t)(n - (1u << whole)) << 8) >> whole));
}

/* The entropy of counted bytes, in units of 1/256 bit. */
static uint64_t entropy(const uint16_t count[256])
{
    uint64_t sum = 0;
    uint32_t total = 0;

    for (int i = 0; i < 256; i++) {
        if (count[i] == 0)
            continue;
        total += count[i];
        sum += times_logarithm(count[i]);
    }
    return total != 0 ? times_logarithm(total) - sum : 0;
}

/* Of the columns of records of `distance` bytes, or of their differences. */
static uint64_t columns(const uint8_t *sample, size_t size, unsigned distance, bool differences)
{
    uint16_t count[SBZ_MAX_DISTANCE][256] = {{0}};
    uint64_t sum = 0;
    unsigned column = 0;

    for (size_t i = distance; i < size; i++) {
        count[column][(uint8_t)(sample[i] - (differences ? sample[i - distance] : 0))]++;
        column = column + 1 < distance ? column + 1 : 0;
    }
    for (unsigned k = 0; k < distance; k++)
        sum += entropy(count[k]);
    return sum;
}

/* Columns promise something if they take less than 7/8 of what the bytes take without an order. */
enum { PROMISE = 7, PROMISE_OF = 8 };

static void add(sbz_filter_choice *choice, sbz_filter filter, unsigned distance)
{
    choice->record[choice->records++] = (sbz_filter_use){(uint8_t)filter, (uint8_t)distance};
}

static void look_for_records(const uint8_t *bytes, size_t size, sbz_filter_choice *choice)
{
    static const uint8_t distances[] = {2, 3, 4, 6, 8, 12, 16};
    uint8_t sample[SBZ_FILTER_SAMPLE];
    const size_t sampled = sbz_filter_sample(bytes, size, sample);
    const uint64_t plain = columns(sample, sampled, 1, false);
    uint64_t delta = columns(sample, sampled, 1, true), planes = UINT64_MAX;
    unsigned delta_at = 1, planes_at = 0;

    for (size_t k = 0; k < sizeof distances; k++) {
        const uint64_t c = columns(sample, sampled, distances[k], false),
                       d = columns(sample, sampled, distances[k], true);

        if (c < planes) {
            planes = c;
            planes_at = distances[k];
        }
        if (d < delta) {
            delta = d;
            delta_at = distances[k];
        }
    }
    if (planes < plain / PROMISE_OF * PROMISE)
        add(choice, SBZ_FILTER_PLANES, planes_at);
    if (delta < plain / PROMISE_OF * PROMISE) {
        add(choice, SBZ_FILTER_DELTA, delta_at);
        if (delta_at > 1)
            add(choice, SBZ_FILTER_DELTA_PLANES, delta_at);
    }
}

sbz_filter_choice sbz_filter_choose(const uint8_t *bytes, size_t size)
{
    sbz_filter_choice choice = {0};

    if (size < MIN_TEXT)
        return choice;
    choice.program = program(bytes, size);
    if (choice.program == SBZ_FILTER_NONE)
        look_for_records(bytes, size, &choice);
    return choice;
}

/* ---- long matches ---- */

enum {
    LOOKED_BITS = 4, /* one position in 16 is looked at: those whose hash says so, so that equal contents agree */
    SEEN_BITS = 14,  /* 64 KiB, which stay in a cache: it sees 2^18 bytes back with certainty, and often further */
    SEEN = 32        /* bytes that must be equal, as for a match */
};

bool sbz_matches_promise(const uint8_t *bytes, size_t size, size_t share)
{
    uint32_t *seen = calloc((size_t)1 << SEEN_BITS, sizeof *seen);
    size_t looked = 0, covered = 0;

    if (seen == NULL || size < MIN_TEXT) {
        free(seen);
        return false;
    }
    for (size_t i = 1; i + SEEN <= size; i++) {
        uint64_t hash = 0;
        uint32_t *entry;

        for (int k = 0; k < 8; k++)
            hash |= (uint64_t)bytes[i + (size_t)k] << 8 * k;
        hash *= 0x9e3779b97f4a7c15; /* 2^64 / golden ratio */
        if (hash >> (64 - LOOKED_BITS) != 0)
            continue;
        entry = &seen[hash >> (64 - LOOKED_BITS - SEEN_BITS) & ((1u << SEEN_BITS) - 1)];
        looked++;
        covered += *entry != 0 && memcmp(bytes + *entry, bytes + i, SEEN) == 0;
        *entry = (uint32_t)i;
    }
    free(seen);
    return covered > looked / share;
}
