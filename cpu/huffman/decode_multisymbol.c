/* SPDX-License-Identifier: BSD-2-Clause
 *
 * huffman.decode/multisymbol: contract in ref/huffman.h.
 *
 * The next 11 bits, looked up, give up to four symbols at once; five look-ups need at most 55 bits, which one load of
 * 64 has behind any bit of its first byte. A code of more bits is found among the first codes of all lengths. Each
 * look-up waits for the one before it, so four chunks are decoded side by side, each from its own offset: a chunk must
 * end where the next one begins, and all but the last are full, so each begins where encoding would begin it.
 */
#include "codes.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>
#include <string.h>

enum {
    BITS = 11,
    LOOKS = 1 << BITS,
    MOST = 4,    /* symbols of a look-up */
    AT_ONCE = 5, /* look-ups of a load */
    SIDE_BY_SIDE = 4
};

_Static_assert(AT_ONCE *BITS <= 57, "a load gives 57 bits");

/* Symbols from the lowest byte on, their bits in bits 32..39, how many there are in bits 40..47. 0: the code is longer,
 * or there is none. */
typedef uint64_t look_entry;

typedef struct code {
    look_entry look[LOOKS];
    sb_huffman_codes codes;
    const uint8_t *payload;
    uint64_t payload_bytes, bits;
} code;

typedef struct stream {
    uint64_t position, end; /* bits */
    uint8_t *out, *past;    /* `past`: when it is full */
} stream;

static uint64_t bytes_for(uint64_t bits)
{
    return bits / 8 + (bits % 8 != 0);
}

static bool fits(const code *c)
{
    const uint64_t whole = (uint64_t)1 << SB_HUFFMAN_LONGEST;
    uint64_t kraft = 0;

    for (unsigned l = 1; l <= SB_HUFFMAN_LONGEST; l++)
        kraft += (uint64_t)c->codes.count[l] << (SB_HUFFMAN_LONGEST - l);
    if (kraft != whole && !(c->codes.symbols == 1 && kraft == whole / 2) && !(c->codes.symbols == 0 && c->bits == 0))
        return false;
    return c->payload_bytes == bytes_for(c->bits) &&
           (c->bits % 8 == 0 || (c->payload[c->bits / 8] & 255 >> c->bits % 8) == 0);
}

/* First each look-up gets its first symbol; what follows the code is then looked up in turn. */
static void make_looks(code *c)
{
    uint8_t symbol[LOOKS], length[LOOKS] = {0};

    for (unsigned bits = 1, at = 0; bits <= BITS; bits++) {
        for (unsigned i = 0; i < c->codes.count[bits] << (BITS - bits); i++, at++) {
            symbol[at] = c->codes.symbol[c->codes.shorter[bits] + (i >> (BITS - bits))];
            length[at] = (uint8_t)bits;
        }
    }
    for (unsigned value = 0; value < LOOKS; value++) {
        unsigned taken = 0, count = 0, rest = value;
        uint64_t symbols = 0;

        while (count < MOST && length[rest] != 0 && taken + length[rest] <= BITS) {
            symbols |= (uint64_t)symbol[rest] << count++ * 8;
            taken += length[rest];
            rest = value << taken & (LOOKS - 1);
        }
        c->look[value] = symbols | (uint64_t)taken << 32 | (uint64_t)count << 40;
    }
}

/* The bits from `position` on, at least 57, of which those past the payload are 0. */
static inline uint64_t window(const code *c, uint64_t position)
{
    uint64_t word = 0, first = position / 8, room = c->payload_bytes - first;

    memcpy(&word, c->payload + first, room < sizeof word ? room : sizeof word);
    return sb_huffman_big_endian(word) << position % 8;
}

/* Decodes one symbol. False: there is no such code. */
static bool decode_one(const code *c, stream *s)
{
    uint64_t bits = window(c, s->position);

    for (unsigned length = 1; length <= SB_HUFFMAN_LONGEST; length++) {
        uint64_t which = (bits >> (64 - length)) - c->codes.first[length];

        if (which < c->codes.count[length]) {
            *s->out++ = c->codes.symbol[c->codes.shorter[length] + which];
            s->position += length;
            return true;
        }
    }
    return false;
}

/* Has it room for what AT_ONCE look-ups can give, and 64 bits? */
static inline bool roomy(const stream *s)
{
    return s->past - s->out >= AT_ONCE * MOST && s->end >= s->position + 64;
}

/* Of a roomy stream. False: it stands before a code that is not looked up. */
static inline bool decode_some(const code *c, stream *s)
{
    uint64_t bits, taken = 0;
    look_entry entry = 0;

    memcpy(&bits, c->payload + s->position / 8, sizeof bits);
    bits = sb_huffman_big_endian(bits) << s->position % 8;
    for (unsigned i = 0; i < AT_ONCE; i++) {
        uint32_t symbols;

        entry = c->look[bits >> (64 - BITS)];
        symbols = (uint32_t)entry;
        memcpy(s->out, &symbols, sizeof symbols);
        s->out += entry >> 40;
        bits <<= entry >> 32 & 255;
        taken += entry >> 32 & 255;
    }
    s->position += taken;
    return entry != 0;
}

/* Decodes what is left of a stream. False: it has a bad code, or does not end at its end. */
static bool finish(const code *c, stream *s)
{
    bool good = true;

    while (good && roomy(s))
        good = decode_some(c, s) || decode_one(c, s);
    while (good && s->position < s->end && s->out < s->past)
        good = decode_one(c, s);
    return good && s->position == s->end;
}

/* Decodes as long as all have room. */
static bool decode_together(const code *c, stream s[SIDE_BY_SIDE])
{
    stream s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3];
    bool good = true;

    while (good && roomy(&s0) && roomy(&s1) && roomy(&s2) && roomy(&s3)) {
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
                   uint64_t room, uint64_t *n)
{
    for (uint64_t first = 0; first < offsets; first += SIDE_BY_SIDE) {
        uint64_t count = offsets - first < SIDE_BY_SIDE ? offsets - first : SIDE_BY_SIDE;
        stream s[SIDE_BY_SIDE];

        for (uint64_t i = 0; i < count; i++) {
            uint64_t index = first + i, left = room - index * chunk;

            s[i].position = offset[index];
            s[i].end = index + 1 < offsets ? offset[index + 1] : c->bits;
            s[i].out = bytes + index * chunk;
            s[i].past = s[i].out + (chunk < left ? chunk : left);
            if (s[i].position >= s[i].end || s[i].end > c->bits)
                return false;
        }
        if (count == SIDE_BY_SIDE && !decode_together(c, s))
            return false;
        for (uint64_t i = 0; i < count; i++)
            if (!finish(c, &s[i]) || (first + i + 1 < offsets && s[i].out != s[i].past))
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
    /* each chunk but the last is full, and the last has a byte */
    if (offsets != 0 && (out->capacity == 0 || offsets - 1 > (out->capacity - 1) / chunk || offset[0] != 0))
        return SB_INVALID;
    make_looks(&c);
    if (!decode(&c, offset, offsets, chunk, out->data, out->capacity, &n))
        return SB_INVALID;
    out->length = n;
    return SB_OK;
}

extern const sb_variant sb_cpu_huffman_decode_multisymbol[];
const sb_variant sb_cpu_huffman_decode_multisymbol[] = {
    {"huffman.decode", "multisymbol", "up to four symbols a look-up, four chunks side by side", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
