/* SPDX-License-Identifier: BSD-2-Clause
 *
 * huffman.encode/bitbuffer: contract in ref/huffman.h.
 *
 * A word of 64 bits collects codes from its most significant bit on. Before four codes are added, it holds fewer than
 * 8 bits. If the four codes have at most 56 bits together, they are joined, added to the word in one step, and all 8
 * bytes of the word are stored. Then the output pointer advances to the byte that is not full, and the next store
 * writes that byte again. Longer codes are added one by one. So are codes in the last 8 bytes of the payload, where a
 * store writes only the bytes that are left.
 *
 * Sources: D. Huffman 1952, E. Schwartz and B. Kallick 1964 (ref/huffman.h).
 */
#include "codes.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>
#include <string.h>

enum {
    SYMBOLS = SB_HUFFMAN_SYMBOLS,
    CODES_JOINED = 4, /* codes in one store: of 8 bits each they fill half of a word, and rarely exceed 56; not tuned */
    FREE_BITS = 56    /* max bits of joined codes: 7 more make 63, so `store` never shifts the word by 64 */
};

typedef struct table {
    uint64_t code[SYMBOLS]; /* the code, and its length in the lowest 8 bits */
} table;

typedef struct writer {
    uint8_t *to, *end; /* where the word is stored next; the end of the payload */
    uint64_t word;     /* the bits that belong at `to` and after it; unused bits are 0 */
    unsigned used;     /* bits of the word that are used */
} writer;

static void count_bytes(const uint8_t *bytes, uint64_t n, uint64_t count[SYMBOLS])
{
    uint32_t part[4][SYMBOLS] = {{0}}; /* a run of one byte uses 4 counters in turn; none overflows: n < 2^32 */

    for (; n % 8 != 0; n--)
        part[0][*bytes++]++;
    for (uint64_t i = 0; i < n; i += 8) {
        uint64_t word;

        memcpy(&word, bytes + i, sizeof word);
        for (int half = 0; half < 2; half++, word >>= 32) {
            part[0][word & 255]++;
            part[1][word >> 8 & 255]++;
            part[2][word >> 16 & 255]++;
            part[3][word >> 24 & 255]++;
        }
    }
    for (unsigned s = 0; s < SYMBOLS; s++)
        count[s] = (uint64_t)part[0][s] + part[1][s] + part[2][s] + part[3][s];
}

static void make_codes(table *t, const uint8_t length[SYMBOLS])
{
    sb_huffman_codes codes;

    sb_huffman_order(&codes, length);
    for (unsigned i = 0; i < codes.symbols; i++) {
        unsigned symbol = codes.symbol[i], bits = length[symbol];

        t->code[symbol] = (codes.first[bits] + i - codes.shorter[bits]) << 8 | bits;
    }
}

/* Code a followed by code b, with the sum of their lengths, which is at most FREE_BITS. */
static inline uint64_t join(uint64_t a, uint64_t b)
{
    return ((a >> 8) << (b & 255) | b >> 8) << 8 | ((a & 255) + (b & 255));
}

static inline void put(writer *w, uint64_t code)
{
    w->used += (unsigned)code & 255;
    w->word |= (code >> 8) << (64 - w->used);
}

/* Stores the word, but no more than `capacity` bytes, and keeps the bits of the last byte if it is not full. */
static inline void store(writer *w, uint64_t capacity)
{
    uint64_t word = sb_huffman_big_endian(w->word);
    unsigned whole = w->used / 8; /* at most 7 */

    memcpy(w->to, &word, capacity < sizeof word ? capacity : sizeof word);
    w->to += whole;
    w->word <<= whole * 8;
    w->used %= 8;
}

static writer encode_each(writer w, const table *t, const uint8_t *bytes, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        put(&w, t->code[bytes[i]]);
        store(&w, (uint64_t)(w.end - w.to));
    }
    return w;
}

static writer encode(writer w, const table *t, const uint8_t *bytes, uint64_t n)
{
    uint64_t i = 0;

    for (; n - i >= CODES_JOINED && w.end - w.to >= 8; i += CODES_JOINED) {
        const uint8_t *b = bytes + i;
        uint64_t code[CODES_JOINED] = {t->code[b[0]], t->code[b[1]], t->code[b[2]], t->code[b[3]]};

        if (((code[0] + code[1] + code[2] + code[3]) & 255) <= FREE_BITS) { /* the sum is at most 4 * 45 < 256 */
            put(&w, join(join(code[0], code[1]), join(code[2], code[3])));
            store(&w, 8);
        } else {
            w = encode_each(w, t, b, CODES_JOINED);
        }
    }
    return encode_each(w, t, bytes + i, n - i);
}

static uint64_t count_bits(const uint64_t count[SYMBOLS], const uint8_t length[SYMBOLS])
{
    uint64_t bits = 0;

    for (unsigned s = 0; s < SYMBOLS; s++)
        bits += count[s] * length[s];
    return bits;
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint8_t *bytes = inputs[SB_HUFFMAN_ENCODE_BYTES].data;
    uint64_t n = inputs[SB_HUFFMAN_ENCODE_BYTES].length, chunk = parameters[SB_HUFFMAN_CHUNK];
    uint8_t *length = outputs[SB_HUFFMAN_ENCODE_LENGTH].data, *payload = outputs[SB_HUFFMAN_ENCODE_PAYLOAD].data;
    uint64_t *bits = outputs[SB_HUFFMAN_ENCODE_BITS].data, *offset = outputs[SB_HUFFMAN_ENCODE_OFFSET].data;
    uint64_t count[SYMBOLS];
    table t;

    (void)workspace;
    if (n > UINT32_MAX)
        return SB_INVALID;
    count_bytes(bytes, n, count);
    sb_huffman_lengths(count, length);
    make_codes(&t, length);
    *bits = count_bits(count, length);
    outputs[SB_HUFFMAN_ENCODE_PAYLOAD].length = *bits / 8 + (*bits % 8 != 0);
    if (outputs[SB_HUFFMAN_ENCODE_PAYLOAD].length > outputs[SB_HUFFMAN_ENCODE_PAYLOAD].capacity)
        return SB_FAILED;
    writer w = {payload, payload + outputs[SB_HUFFMAN_ENCODE_PAYLOAD].length, 0, 0};
    if (chunk == 0 || chunk > n)
        chunk = n;
    for (uint64_t i = 0; i < n; i += chunk) {
        *offset++ = 8 * (uint64_t)(w.to - payload) + w.used;
        w = encode(w, &t, bytes + i, n - i < chunk ? n - i : chunk);
    }
    return SB_OK;
}

extern const sb_variant sb_cpu_huffman_encode_bitbuffer[];
const sb_variant sb_cpu_huffman_encode_bitbuffer[] = {
    {"huffman.encode", "bitbuffer", "four codes joined in a word and stored at once", NULL, NULL, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
