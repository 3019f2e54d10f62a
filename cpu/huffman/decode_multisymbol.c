/* SPDX-License-Identifier: BSD-2-Clause
 *
 * huffman.decode/multisymbol: contract in ref/huffman.h.
 *
 * A table indexed by the next 11 bits gives up to four symbols at once. Five look-ups take at most 55 bits; one load of
 * 64 bits has at least 57 after the bit offset in its first byte. A code of more than 11 bits is found by comparing
 * with the first code of each length. Each look-up depends on the one before, so four chunks are decoded in parallel,
 * each from its own offset: all chunks except the last must be full and must end where the next one starts, so every
 * chunk starts where the encoder would start it.
 *
 * Sources: canonical codes: Schwartz and Kallick 1964; table look-up of prefixes, as in zlib (J. Gailly, M. Adler).
 */
#include "codes.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>
#include <string.h>

enum {
    LOOKUP_BITS = 11, /* 2048 entries of 8 bytes are 16 KiB, half of a typical L1 data cache; not tuned */
    LOOKUPS = 1 << LOOKUP_BITS,
    MAX_SYMBOLS = 4, /* in a look-up: they fit into the lower half of an entry */
    PER_LOAD = 5,    /* look-ups for each load: 5 * 11 <= 57 bits */
    STREAMS = 4      /* chunks decoded in parallel, to hide the latency of look-ups; not tuned */
};

_Static_assert(PER_LOAD *LOOKUP_BITS <= 57, "a load gives 57 bits");

/* Bits 0..31: the symbols, first one lowest. Bits 32..39: the sum of their code lengths. Bits 40..47: their number. 0:
 * the code is longer than LOOKUP_BITS, or there is no such code. */
typedef uint64_t table_entry;

typedef struct code {
    table_entry table[LOOKUPS];
    sb_huffman_codes codes;
    const uint8_t *payload;
    uint64_t payload_bytes, bits;
} code;

typedef struct stream {
    uint64_t position, end; /* bits */
    uint8_t *out, *full;    /* `full`: the end of its capacity */
} stream;

static uint64_t bytes_for(uint64_t bits)
{
    return bits / 8 + (bits % 8 != 0);
}

static bool fits(const code *c)
{
    const uint64_t whole = (uint64_t)1 << SB_HUFFMAN_MAX_LENGTH;
    uint64_t kraft = 0;

    for (unsigned l = 1; l <= SB_HUFFMAN_MAX_LENGTH; l++)
        kraft += (uint64_t)c->codes.count[l] << (SB_HUFFMAN_MAX_LENGTH - l);
    if (kraft != whole && !(c->codes.symbols == 1 && kraft == whole / 2) && !(c->codes.symbols == 0 && c->bits == 0))
        return false;
    return c->payload_bytes == bytes_for(c->bits) &&
           (c->bits % 8 == 0 || (c->payload[c->bits / 8] & 255 >> c->bits % 8) == 0);
}

/* Finds the first symbol of each index, then follows the remaining bits from symbol to symbol. */
static void make_table(code *c)
{
    uint8_t symbol[LOOKUPS], length[LOOKUPS] = {0};

    for (unsigned bits = 1, at = 0; bits <= LOOKUP_BITS; bits++) {
        for (unsigned i = 0; i < c->codes.count[bits] << (LOOKUP_BITS - bits); i++, at++) {
            symbol[at] = c->codes.symbol[c->codes.shorter[bits] + (i >> (LOOKUP_BITS - bits))];
            length[at] = (uint8_t)bits;
        }
    }
    for (unsigned value = 0; value < LOOKUPS; value++) {
        unsigned taken = 0, count = 0, rest = value;
        uint64_t symbols = 0;

        while (count < MAX_SYMBOLS && length[rest] != 0 && taken + length[rest] <= LOOKUP_BITS) {
            symbols |= (uint64_t)symbol[rest] << count++ * 8;
            taken += length[rest];
            rest = value << taken & (LOOKUPS - 1);
        }
        c->table[value] = symbols | (uint64_t)taken << 32 | (uint64_t)count << 40;
    }
}

/* At least 57 bits from `position` on; bits after the payload are 0. */
static inline uint64_t window(const code *c, uint64_t position)
{
    uint64_t word = 0, first = position / 8, capacity = c->payload_bytes - first;

    memcpy(&word, c->payload + first, capacity < sizeof word ? capacity : sizeof word);
    return sb_huffman_big_endian(word) << position % 8;
}

/* Decodes one symbol by comparing lengths. False: there is no such code. */
static bool decode_one(const code *c, stream *s)
{
    uint64_t bits = window(c, s->position);

    for (unsigned length = 1; length <= SB_HUFFMAN_MAX_LENGTH; length++) {
        uint64_t which = (bits >> (64 - length)) - c->codes.first[length];

        if (which < c->codes.count[length]) {
            *s->out++ = c->codes.symbol[c->codes.shorter[length] + which];
            s->position += length;
            return true;
        }
    }
    return false;
}

/* Do PER_LOAD look-ups neither exceed the output nor read past the end? */
static inline bool has_margin(const stream *s)
{
    return s->full - s->out >= PER_LOAD * MAX_SYMBOLS && s->end >= s->position + 64;
}

/* Decodes PER_LOAD look-ups of a stream that has margin. False: the next code is not in the table. */
static inline bool decode_some(const code *c, stream *s)
{
    uint64_t bits, taken = 0;
    table_entry entry = 0;

    memcpy(&bits, c->payload + s->position / 8, sizeof bits);
    bits = sb_huffman_big_endian(bits) << s->position % 8;
    for (unsigned i = 0; i < PER_LOAD; i++) {
        uint32_t symbols;

        entry = c->table[bits >> (64 - LOOKUP_BITS)];
        symbols = (uint32_t)entry;
        memcpy(s->out, &symbols, sizeof symbols);
        s->out += entry >> 40;
        bits <<= entry >> 32 & 255;
        taken += entry >> 32 & 255;
    }
    s->position += taken;
    return entry != 0;
}

/* Decodes the rest of a stream. False: it has an invalid code, or its last code crosses its end. */
static bool finish(const code *c, stream *s)
{
    bool good = true;

    while (good && has_margin(s))
        good = decode_some(c, s) || decode_one(c, s);
    while (good && s->position < s->end && s->out < s->full)
        good = decode_one(c, s);
    return good && s->position == s->end;
}

/* Decodes all streams in turn while all have margin. */
static bool decode_streams(const code *c, stream s[STREAMS])
{
    stream s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
    bool good = true;

    while (good && has_margin(&s0) && has_margin(&s1) && has_margin(&s2) && has_margin(&s3)) {
        bool looked0 = decode_some(c, &s0), looked1 = decode_some(c, &s1);
        bool looked2 = decode_some(c, &s2), looked3 = decode_some(c, &s3);

        if (!(looked0 && looked1 && looked2 && looked3))
            good = (looked0 || decode_one(c, &s0)) && (looked1 || decode_one(c, &s1)) &&
                   (looked2 || decode_one(c, &s2)) && (looked3 || decode_one(c, &s3));
    }
    s[0] = s0, s[1] = s1, s[2] = s2, s[3] = s3;
    return good;
}

static bool decode(const code *c, const uint64_t *offset, uint64_t offsets, uint64_t chunk, uint8_t *bytes,
                   uint64_t capacity, uint64_t *n)
{
    for (uint64_t first = 0; first < offsets; first += STREAMS) {
        uint64_t count = offsets - first < STREAMS ? offsets - first : STREAMS;
        stream s[STREAMS];

        for (uint64_t i = 0; i < count; i++) {
            uint64_t index = first + i, left = capacity - index * chunk;

            s[i].position = offset[index];
            s[i].end = index + 1 < offsets ? offset[index + 1] : c->bits;
            s[i].out = bytes + index * chunk;
            s[i].full = s[i].out + (chunk < left ? chunk : left);
            if (s[i].position >= s[i].end || s[i].end > c->bits)
                return false;
        }
        if (count == STREAMS && !decode_streams(c, s))
            return false;
        for (uint64_t i = 0; i < count; i++)
            if (!finish(c, &s[i]) || (first + i + 1 < offsets && s[i].out != s[i].full))
                return false;
        *n = (uint64_t)(s[count - 1].out - bytes);
    }
    return true;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint64_t *offset = inputs[SB_HUFFMAN_DECODE_OFFSET].data;
    uint64_t offsets = inputs[SB_HUFFMAN_DECODE_OFFSET].length, chunk = parameters[SB_HUFFMAN_CHUNK];
    sb_array *out = &outputs[SB_HUFFMAN_DECODE_BYTES];
    uint64_t n = 0;
    code c;

    (void)workspace;
    c.payload = inputs[SB_HUFFMAN_DECODE_PAYLOAD].data;
    c.payload_bytes = inputs[SB_HUFFMAN_DECODE_PAYLOAD].length;
    c.bits = *(const uint64_t *)inputs[SB_HUFFMAN_DECODE_BITS].data;
    if (chunk == 0)
        chunk = UINT64_MAX;
    if (!sb_huffman_order(&c.codes, inputs[SB_HUFFMAN_DECODE_LENGTH].data) || !fits(&c) ||
        (c.bits == 0) != (offsets == 0))
        return SB_INVALID;
    /* Each chunk except the last is full, and the last has at least one byte. */
    if (offsets != 0 && (out->capacity == 0 || offsets - 1 > (out->capacity - 1) / chunk || offset[0] != 0))
        return SB_INVALID;
    make_table(&c);
    if (!decode(&c, offset, offsets, chunk, out->data, out->capacity, &n))
        return SB_INVALID;
    out->length = n;
    return SB_OK;
}

extern const sb_variant sb_cpu_huffman_decode_multisymbol[];
const sb_variant sb_cpu_huffman_decode_multisymbol[] = {
    {"huffman.decode", "multisymbol", "up to four symbols in a look-up, four chunks in parallel", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
