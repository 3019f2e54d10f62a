/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Choosing filters: contract in filter_choice.h.
 */
#include "filter_choice.h"
#include "allocate.h"
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
uint8_t sbz_filter_program(const uint8_t *bytes, size_t size)
{
    const branches b = size < MIN_TEXT ? (branches){0} : count_branches(bytes, size);
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

/* Bytes: the least multiple of 12 and 16, so that a column of all distances begins at its multiples. */
enum { RECORD = 48 };

/* Writes so many pieces of the text, evenly spread, to `sample`. Returns their bytes. A shorter text is its own sample. */
static size_t take_sample(const uint8_t *bytes, size_t size, size_t pieces, size_t piece, uint8_t *sample)
{
    const size_t before = (size / pieces - piece) / 2;

    if (size <= pieces * piece) {
        memcpy(sample, bytes, size);
        return size;
    }
    for (size_t k = 0; k < pieces; k++)
        memcpy(sample + k * piece, bytes + (size / pieces * k + before) / RECORD * RECORD, piece);
    return pieces * piece;
}

size_t sbz_filter_sample(const uint8_t *bytes, size_t size, uint8_t sample[SBZ_FILTER_SAMPLE])
{
    return take_sample(bytes, size, 2, SBZ_FILTER_SAMPLE / 2, sample);
}

/* n log2(n) in units of 1/256 bit, with the logarithm between powers of two taken as linear: at most 0.09 bits too low. */
static uint64_t times_logarithm(uint32_t n)
{
    const int whole = 31 - __builtin_clz(n | 1);

    return (uint64_t)n * (unsigned)(whole * 256 + (int)(((uint64_t)(n - (1u << whole)) << 8) >> whole));
}

/* The entropy of counted bytes, in units of 1/256 bit. Of the entropy of what a sample was drawn from, that of the sample lacks half a
 * natural unit for each value but one (Miller 1955). */
static uint64_t entropy(const uint16_t count[256])
{
    uint64_t sum = 0;
    uint32_t total = 0, values = 0;

    for (int i = 0; i < 256; i++) {
        if (count[i] == 0)
            continue;
        values++;
        total += count[i];
        sum += times_logarithm(count[i]);
    }
    return total != 0 ? times_logarithm(total) - sum + (values - 1) * 185 : 0; /* 256 / (2 ln 2) */
}

/* Of the columns of records of `distance` bytes, or of their differences. */
static uint64_t columns(const uint8_t *sample, size_t size, unsigned distance, bool differences)
{
    uint16_t count[SBZ_MAX_DISTANCE][256];
    uint64_t sum = 0;
    unsigned column = 0;

    memset(count, 0, distance * sizeof *count);
    for (size_t i = distance; i < size; i++) {
        count[column][(uint8_t)(sample[i] - (differences ? sample[i - distance] : 0))]++;
        column = column + 1 < distance ? column + 1 : 0;
    }
    for (unsigned k = 0; k < distance; k++)
        sum += entropy(count[k]);
    return sum;
}

/* The distance of the cheapest columns. */
typedef struct cheapest {
    uint64_t bits; /* in units of 1/256 bit */
    unsigned distance;
} cheapest;

static cheapest find_columns(const uint8_t *sample, size_t size, bool differences)
{
    static const uint8_t distances[] = {1, 2, 3, 4, 6, 8, 12, 16};
    cheapest best = {UINT64_MAX, 0};

    for (size_t k = !differences; k < sizeof distances; k++) {
        const uint64_t bits = columns(sample, size, distances[k], differences);

        if (bits < best.bits)
            best = (cheapest){bits, distances[k]};
    }
    return best;
}

/* True if the bytes are text, of which control characters are less than 1/TEXT and others than ASCII are. */
static bool is_text(const uint8_t *sample, size_t size)
{
    enum { TEXT = 64 };
    size_t others = 0;

    for (size_t i = 0; i < size; i++)
        others += (uint8_t)(sample[i] - ' ') > '~' - ' ' && (uint8_t)(sample[i] - '\t') > '\r' - '\t';
    return others < size / TEXT;
}

enum {
    PROMISE =
        7, /* columns promise something if they take less than 7/8 of what the bytes take without an order, and ... */
    PROMISE_OF = 8,
    BEHIND =
        14, /* ... less than 14/10 of what the text took without a filter: they do not show what is alike far apart */
    BEHIND_OF = 10,
    MIN_SHARE = 8,            /* a text that became smaller than 1/8 has longer repeats than a filter leaves */
    FIRST_LOOK = 4,           /* pieces that are looked at first: most texts promise nothing there */
    FIRST_BYTES = 21 * RECORD /* bytes of each of them */
};

static void add(sbz_filter_choice *choice, sbz_filter filter, unsigned distance)
{
    choice->record[choice->records++] = (sbz_filter_use){(uint8_t)filter, (uint8_t)distance};
}

/* What columns must stay below to promise something, in units of 1/256 bit. */
static uint64_t promise(const uint8_t *sample, size_t size)
{
    return columns(sample, size, 1, false) / PROMISE_OF * PROMISE;
}

/* The filters for a part of a text whose columns must take less than `behind` for each byte, in units of 1/256 bit. */
static sbz_filter_choice look_at(const uint8_t *part, size_t part_size, uint64_t behind, bool reduced)
{
    uint8_t sample[SBZ_FILTER_SAMPLE / 2];
    sbz_filter_choice choice = {0};
    cheapest planes, delta;
    uint64_t limit;
    size_t size = take_sample(part, part_size, FIRST_LOOK, FIRST_BYTES, sample);

    limit = promise(sample, size);
    if (is_text(sample, size) ||
        (find_columns(sample, size, false).bits >= limit && find_columns(sample, size, true).bits >= limit))
        return choice;
    size = take_sample(part, part_size, 1, sizeof sample, sample);
    planes = find_columns(sample, size, false);
    delta = find_columns(sample, size, true);
    limit = promise(sample, size);
    limit = limit < behind * size ? limit : behind * size;
    if (planes.bits < limit && !reduced)
        add(&choice, SBZ_FILTER_PLANES, planes.distance);
    if (delta.bits < limit)
        add(&choice, SBZ_FILTER_DELTA, delta.distance);
    if (delta.bits < limit && delta.distance > 1 && !reduced)
        add(&choice, SBZ_FILTER_DELTA_PLANES, delta.distance);
    return choice;
}

sbz_filter_choice sbz_filter_records(const sbz_text *text, uint32_t encoded)
{
    const size_t halves = text->size > SBZ_FILTER_SAMPLE ? 2 : 1, half = text->size / halves;
    sbz_filter_choice choice = {0};

    if (text->size < MIN_TEXT || encoded < text->size / MIN_SHARE)
        return choice;
    for (size_t i = 0; i < halves && choice.records == 0; i++)
        choice = look_at(text->data + i * half, half, (uint64_t)encoded * 8 * 256 / BEHIND_OF * BEHIND / text->size,
                         text->runs != 0);
    return choice;
}

/* ---- long matches ---- */

enum {
    GRID = 32, /* bytes between positions that are entered: one of them is in each 32 bytes, the shortest match */
    LONG_MATCH = 256,
    WINDOW = 256,   /* bytes between the windows of GRID positions that are looked up */
    SEEN_BITS = 13, /* 32 KiB, which stay in a cache; with GRID the reach of the table of the matches, 2^18 bytes */
    MARK_BITS = 8   /* of the hash, in an entry: it is rare that bytes are compared in vain */
};

static uint32_t hash(const uint8_t *at)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof bytes);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return (uint32_t)(bytes * 0x9e3779b97f4a7c15 >> (64 - SEEN_BITS - MARK_BITS)); /* 2^64 / golden ratio */
}

/* How many bytes, at most `most`, are as at a position that was entered, from one of the GRID positions from i on. */
static size_t seen_bytes(const uint32_t *seen, const uint8_t *bytes, size_t i, size_t most)
{
    for (size_t k = i; k < i + GRID; k++) {
        const uint32_t h = hash(bytes + k), entry = seen[h >> MARK_BITS];
        const uint8_t *before = bytes + (size_t)(entry >> MARK_BITS) * GRID;
        size_t length = 0;

        if ((entry ^ h) % (1u << MARK_BITS) != 0 || entry == 0)
            continue;
        while (length < most && before[length] == bytes[k + length])
            length++;
        if (length >= GRID)
            return length;
    }
    return 0;
}

sbz_matches_share sbz_matches_look(const uint8_t *bytes, size_t size)
{
    uint32_t *seen;
    size_t looked = 0, covered = 0, by_long = 0;

    if (size < MIN_TEXT || size >> (32 - MARK_BITS) >= GRID ||
        (seen = sbz_calloc((size_t)1 << SEEN_BITS, sizeof *seen)) == NULL)
        return (sbz_matches_share){0, 0};
    for (size_t i = GRID; i + GRID + LONG_MATCH <= size; i += GRID) {
        const uint32_t h = hash(bytes + i);

        if (i % WINDOW == 0) {
            const size_t length = seen_bytes(seen, bytes, i, LONG_MATCH);

            looked++;
            covered += length > 0;
            by_long += length == LONG_MATCH;
        }
        seen[h >> MARK_BITS] = (uint32_t)(i / GRID) << MARK_BITS | h % (1u << MARK_BITS);
    }
    sbz_free(seen);
    looked += looked == 0;
    return (sbz_matches_share){(unsigned)(covered * 256 / looked), (unsigned)(by_long * 256 / looked)};
}
