/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Adaptive binary range coder: contract in rangecoder.h. Encoder and decoder share their code: each function takes the
 * bit or number to encode, and returns it or the one that it has decoded.
 */
#include "rangecoder.h"
#include "runs.h"
#include <stdbool.h>
#include <string.h>

enum {
    FAST = 4, /* adaptation rates: shifts */
    SLOW = 7,
    MAX_LENGTH = 9, /* bits of a symbol */
    LENGTHS = 4     /* bit lengths that contexts tell apart: 0, 1, 2, 3 or more */
};

typedef struct estimate {
    uint32_t fast, slow;
} estimate;

typedef struct decisions {
    estimate longer_than_1[LENGTHS][LENGTHS]; /* is the symbol longer than 1 bit? */
    estimate digit[LENGTHS][LENGTHS];         /* a symbol of up to 1 bit: 0 or 1 */
    estimate longer_than_2[LENGTHS][LENGTHS];
    estimate longer[LENGTHS][MAX_LENGTH]; /* than k bits, k > 2 */
    estimate first[MAX_LENGTH];           /* bit below the top one, by bit length */
    estimate second[MAX_LENGTH][2];       /* by bit length and first bit */
} decisions;

typedef struct contexts {
    union {
        decisions of;
        estimate all[sizeof(decisions) / sizeof(estimate)];
    } estimate;
    unsigned before, before_that; /* bit lengths of the two preceding symbols, at most 3 */
} contexts;

typedef struct coder {
    bool decoding;
    bool full;               /* encoding: a word was dropped, as it exceeded the capacity */
    uint64_t low, range;     /* decoding: low is the position of the code relative to the interval */
    uint8_t *words;          /* encoding: the output */
    const uint8_t *code;     /* decoding: the input */
    uint64_t used, capacity; /* bytes of either */
} coder;

uint64_t sb_ref_rangecoder_segments(uint64_t n, uint64_t segment)
{
    return segment == 0 ? n != 0 : n / segment + (n % segment != 0);
}

static void put_word(coder *c, uint32_t word)
{
    if (c->capacity - c->used < 4) {
        c->full = true;
        return;
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        c->words[c->used++] = (uint8_t)(word >> shift);
}

static uint32_t get_word(coder *c)
{
    uint32_t word = 0;

    for (int i = 0; i < 4; i++)
        word = word << 8 | (c->used + (uint64_t)i < c->capacity ? c->code[c->used + (uint64_t)i] : 0);
    c->used += 4;
    return word;
}

/* Adds to low, and propagates a carry into the words already written. */
static void add(coder *c, uint64_t amount)
{
    c->low += amount;
    if (c->low >= amount)
        return;
    for (uint64_t i = c->used; i > 0 && ++c->words[i - 1] == 0;)
        i--;
}

static void normalise(coder *c)
{
    if (c->range >> 32 != 0)
        return;
    if (!c->decoding)
        put_word(c, (uint32_t)(c->low >> 32));
    c->low = c->low << 32 | (c->decoding ? get_word(c) : 0);
    c->range <<= 32;
}

static unsigned code_bit(coder *c, estimate *e, unsigned bit)
{
    uint64_t bound = (c->range >> 16) * ((e->fast + e->slow) / 2);

    if (c->decoding)
        bit = c->low < bound;
    if (bit) {
        c->range = bound;
        e->fast += (65536 - e->fast) >> FAST;
        e->slow += (65536 - e->slow) >> SLOW;
    } else {
        if (c->decoding)
            c->low -= bound;
        else
            add(c, bound);
        c->range -= bound;
        e->fast -= e->fast >> FAST;
        e->slow -= e->slow >> SLOW;
    }
    normalise(c);
    return bit;
}

static unsigned code_number(coder *c, unsigned bits, unsigned number)
{
    c->range >>= bits;
    if (c->decoding) {
        number = (1u << bits) - 1; /* also if the code is past the interval, which only an invalid one can be */
        if (c->low / c->range < number)
            number = (unsigned)(c->low / c->range);
        c->low -= number * c->range;
    } else {
        add(c, number * c->range);
    }
    normalise(c);
    return number;
}

static unsigned bit_length(unsigned symbol)
{
    unsigned length = 0;

    while (symbol >> length != 0)
        length++;
    return length;
}

static unsigned code_length(coder *c, contexts *x, unsigned length)
{
    unsigned k = 2;

    if (!code_bit(c, &x->estimate.of.longer_than_2[x->before][x->before_that], length > k))
        return k;
    for (k = 3; k < MAX_LENGTH && code_bit(c, &x->estimate.of.longer[x->before][k], length > k);)
        k++;
    return k;
}

/* Codes the bits below the top one of a symbol of `length` bits. */
static unsigned code_bits(coder *c, contexts *x, unsigned length, unsigned symbol)
{
    unsigned first, second, rest = length - 3;

    if (length == MAX_LENGTH)
        return 256;
    first = code_bit(c, &x->estimate.of.first[length], symbol >> (length - 2) & 1);
    if (length == 2)
        return 2 + first;
    second = code_bit(c, &x->estimate.of.second[length][first], symbol >> rest & 1);
    return (4 + 2 * first + second) << rest | code_number(c, rest, symbol & ((1u << rest) - 1));
}

static unsigned code_symbol(coder *c, contexts *x, unsigned symbol)
{
    unsigned length = bit_length(symbol);

    if (code_bit(c, &x->estimate.of.longer_than_1[x->before][x->before_that], length > 1)) {
        length = code_length(c, x, length);
        symbol = code_bits(c, x, length, symbol);
    } else {
        symbol = code_bit(c, &x->estimate.of.digit[x->before][x->before_that], symbol);
        length = symbol;
    }
    x->before_that = x->before;
    x->before = length < LENGTHS ? length : LENGTHS - 1;
    return symbol;
}

static void start(contexts *x)
{
    const estimate even = {32768, 32768};

    for (size_t i = 0; i < sizeof x->estimate.all / sizeof even; i++)
        x->estimate.all[i] = even;
    x->before = x->before_that = 0;
}

/* Returns the number of bytes written: n if coding does not save any, in which case the ranks are stored. */
static uint64_t encode_segment(const uint8_t *ranks, uint64_t n, uint8_t *payload)
{
    coder c = {.range = UINT64_MAX, .words = payload, .capacity = n - 1};
    contexts x;

    start(&x);
    for (uint64_t i = 0; i < n && !c.full;) {
        uint64_t run = sb_ref_zeros_at(ranks, n, i, n);

        i += run;
        for (; run > 0; run = (run - 1) / 2)
            code_symbol(&c, &x, run % 2 == 0);
        if (i < n)
            code_symbol(&c, &x, ranks[i++] + 1u);
    }
    add(&c, UINT32_MAX);
    put_word(&c, (uint32_t)(c.low >> 32));
    if (!c.full)
        return c.used;
    memcpy(payload, ranks, n);
    return n;
}

uint64_t sb_ref_rangecoder_encode(const uint8_t *ranks, uint64_t n, uint64_t segment, uint8_t *payload,
                                  uint64_t *offset)
{
    uint64_t written = 0;

    for (uint64_t begin = 0, length; begin < n; begin += length) {
        length = segment == 0 || segment > n - begin ? n - begin : segment;
        *offset++ = written;
        written += encode_segment(ranks + begin, length, payload + written);
    }
    return written;
}

static sb_ref_status decode_segment(const uint8_t *payload, uint64_t bytes, uint8_t *ranks, uint64_t n)
{
    coder c = {.decoding = true, .range = UINT64_MAX, .code = payload, .capacity = bytes};
    unsigned digit = 0; /* index of the next digit of a run */
    contexts x;

    start(&x);
    c.low = (uint64_t)get_word(&c) << 32;
    c.low |= get_word(&c);
    for (uint64_t i = 0; i < n;) {
        unsigned symbol = code_symbol(&c, &x, 0);
        uint64_t count = symbol > 1 ? 1 : (uint64_t)(symbol + 1) << digit;

        if (count > n - i)
            return SB_REF_INVALID;
        memset(ranks + i, symbol > 1 ? (int)symbol - 1 : 0, count);
        i += count;
        digit = symbol > 1 ? 0 : digit + 1;
    }
    return c.used == bytes + 4 && c.low >> 32 == 0 ? SB_REF_OK : SB_REF_INVALID;
}

sb_ref_status sb_ref_rangecoder_decode(const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                       uint64_t segment, uint8_t *ranks, uint64_t n)
{
    uint64_t segments = sb_ref_rangecoder_segments(n, segment);

    if (segments == 0 ? payload_bytes != 0 : offset[0] != 0)
        return SB_REF_INVALID;
    for (uint64_t i = 0; i < segments; i++) {
        uint64_t begin = offset[i], end = i + 1 < segments ? offset[i + 1] : payload_bytes, length = n;

        if (segment != 0)
            length = i + 1 < segments ? segment : n - i * segment;
        if (begin > end || end > payload_bytes || end - begin > length)
            return SB_REF_INVALID;
        if (end - begin == length)
            memcpy(ranks, payload + begin, length);
        else if (decode_segment(payload + begin, end - begin, ranks, length) != SB_REF_OK)
            return SB_REF_INVALID;
        ranks += length;
    }
    return SB_REF_OK;
}
