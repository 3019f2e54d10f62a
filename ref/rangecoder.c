/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Adaptive binary range coder: contract in rangecoder.h. The coder itself is range.h, and encoder and decoder share their
 * code as it does.
 */
#include "rangecoder.h"
#include "range.h"
#include "runs.h"
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

static unsigned code_bit(sb_ref_range *c, estimate *e, unsigned bit)
{
    bit = sb_ref_range_bit(c, (e->fast + e->slow) / 2, bit);
    if (bit) {
        e->fast += (65536 - e->fast) >> FAST;
        e->slow += (65536 - e->slow) >> SLOW;
    } else {
        e->fast -= e->fast >> FAST;
        e->slow -= e->slow >> SLOW;
    }
    return bit;
}

static unsigned bit_length(unsigned symbol)
{
    unsigned length = 0;

    while (symbol >> length != 0)
        length++;
    return length;
}

static unsigned code_length(sb_ref_range *c, contexts *x, unsigned length)
{
    unsigned k = 2;

    if (!code_bit(c, &x->estimate.of.longer_than_2[x->before][x->before_that], length > k))
        return k;
    for (k = 3; k < MAX_LENGTH && code_bit(c, &x->estimate.of.longer[x->before][k], length > k);)
        k++;
    return k;
}

/* Codes the bits below the top one of a symbol of `length` bits. */
static unsigned code_bits(sb_ref_range *c, contexts *x, unsigned length, unsigned symbol)
{
    unsigned first, second, rest = length - 3;

    if (length == MAX_LENGTH)
        return 256;
    first = code_bit(c, &x->estimate.of.first[length], symbol >> (length - 2) & 1);
    if (length == 2)
        return 2 + first;
    second = code_bit(c, &x->estimate.of.second[length][first], symbol >> rest & 1);
    return (4 + 2 * first + second) << rest | sb_ref_range_number(c, rest, symbol & ((1u << rest) - 1));
}

static unsigned code_symbol(sb_ref_range *c, contexts *x, unsigned symbol)
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

static void encode_segment(sb_ref_range *c, void *models, const uint8_t *ranks, uint64_t n)
{
    contexts *x = models;

    start(x);
    for (uint64_t i = 0; i < n && !c->full;) {
        uint64_t run = sb_ref_zeros_at(ranks, n, i, n);

        i += run;
        for (; run > 0; run = (run - 1) / 2)
            code_symbol(c, x, run % 2 == 0);
        if (i < n)
            code_symbol(c, x, ranks[i++] + 1u);
    }
}

uint64_t sb_ref_rangecoder_encode(const uint8_t *ranks, uint64_t n, uint64_t segment, uint8_t *payload,
                                  uint64_t *offset)
{
    contexts x;

    return sb_ref_range_encode_segments(encode_segment, &x, ranks, n, segment, payload, offset);
}

static bool decode_segment(sb_ref_range *c, void *models, uint8_t *ranks, uint64_t n)
{
    contexts *x = models;
    unsigned digit = 0; /* index of the next digit of a run */

    start(x);
    for (uint64_t i = 0; i < n;) {
        unsigned symbol = code_symbol(c, x, 0);
        uint64_t count = symbol > 1 ? 1 : (uint64_t)(symbol + 1) << digit;

        if (count > n - i || sb_ref_range_passed(c))
            return false;
        memset(ranks + i, symbol > 1 ? (int)symbol - 1 : 0, count);
        i += count;
        digit = symbol > 1 ? 0 : digit + 1;
    }
    return true;
}

sb_ref_status sb_ref_rangecoder_decode(const uint8_t *payload, uint64_t payload_bytes, const uint64_t *offset,
                                       uint64_t segment, uint8_t *ranks, uint64_t n)
{
    contexts x;

    return sb_ref_range_decode_segments(decode_segment, &x, payload, payload_bytes, offset, segment, ranks, n);
}
