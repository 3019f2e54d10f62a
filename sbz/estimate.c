/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Estimates: contract in estimate.h.
 *
 * A Huffman code costs about the entropy of its symbols, and never less than a bit for one; the symbols are counted as
 * the stage before makes them.
 */
#include "estimate.h"

enum { FRACTION = 16 };

/* log2 of a number above 0, in units of 2^-FRACTION. */
static uint64_t logarithm(uint64_t value)
{
    int whole = 63 - __builtin_clzll(value);
    uint64_t mantissa = whole >= 31 ? value >> (whole - 31) : value << (31 - whole); /* 1..2 in units of 2^-31 */
    uint64_t result = (uint64_t)whole << FRACTION;

    for (int bit = FRACTION - 1; bit >= 0; bit--) {
        mantissa = mantissa * mantissa >> 31;
        if (mantissa >> 32 != 0) {
            mantissa >>= 1;
            result |= (uint64_t)1 << bit;
        }
    }
    return result;
}

/* What the symbols cost that were counted, at their own entropy, in units of 2^-FRACTION; each `least` at least. */
static uint64_t cost(const uint32_t *count, int symbols, uint64_t least)
{
    uint64_t total = 0, sum = 0;

    for (int s = 0; s < symbols; s++)
        total += count[s];
    for (int s = 0; s < symbols; s++) {
        uint64_t each = count[s] != 0 ? logarithm(total) - logarithm(count[s]) : 0;

        sum += count[s] * (each < least ? least : each);
    }
    return sum;
}

uint64_t sbz_entropy_bits(const uint32_t *count, int symbols)
{
    return cost(count, symbols, 0) >> FRACTION;
}

/* Bit lengths of a symbol of zrun and of the two before it, which are told apart up to NEAR; the two bits below the
 * highest, by length; and how many bits there are besides. */
enum { LENGTHS = 10, NEAR = 4, TOP = 4 };

typedef struct counts {
    uint32_t rle0[256], rle0x[256], zrun[256];
    uint32_t length[NEAR][NEAR][LENGTHS], top[LENGTHS][TOP];
    uint64_t plain;
    unsigned before[2];
} counts;

static void count_symbol(counts *c, unsigned symbol)
{
    const unsigned length = symbol == 0 ? 0 : 32 - (unsigned)__builtin_clz(symbol);

    c->zrun[symbol < 255 ? symbol : 255]++;
    if (symbol >= 255)
        c->zrun[symbol - 255]++;
    c->length[c->before[0]][c->before[1]][length]++;
    if (length >= 3)
        c->top[length][symbol >> (length - 3) & 3]++;
    if (length == 2)
        c->top[length][symbol & 1]++;
    c->plain += length > 3 && length < 9 ? length - 3 : 0;
    c->before[1] = c->before[0];
    c->before[0] = length < NEAR ? length : NEAR - 1;
}

static void count_run(counts *c, uint32_t run)
{
    if (run == 0)
        return;
    c->rle0[0] += run / 255 + (run % 255 != 0);
    c->rle0[255] += run / 255;
    if (run % 255 != 0)
        c->rle0[run % 255]++;
    c->rle0x[0]++;
    c->rle0x[255] += run / 255;
    c->rle0x[run % 255]++;
    for (run++; run > 1; run >>= 1)
        count_symbol(c, run & 1);
}

/* In text and programs symbols get rarer with each bit, and those before tell more about them; and what has 16 values
 * or fewer needs no tables of its own. The fractions are those that hold for lists of checksums in digits, and hardly
 * ever where nothing is gained. */
static bool is_noise(const counts *c, const uint64_t bits[SBZ_ENTROPIES])
{
    uint64_t count[LENGTHS] = {0};

    for (int a = 0; a < NEAR; a++)
        for (int b = 0; b < NEAR; b++)
            for (int length = 0; length < LENGTHS; length++)
                count[length] += c->length[a][b][length];
    return 4 * count[4] > 5 * count[3] && 5 * count[5] > count[4] &&
           bits[SBZ_ENTROPY_RANGECODER] >= bits[SBZ_ENTROPY_ZRUN] - bits[SBZ_ENTROPY_ZRUN] / 12;
}

bool sbz_estimate(const uint8_t *sample, size_t size, uint64_t bits[SBZ_ENTROPIES])
{
    const uint64_t bit = (uint64_t)1 << FRACTION;
    counts c = {0};
    uint32_t run = 0;
    uint64_t ranks = 0;

    for (size_t i = 0; i < size; i++) {
        if (sample[i] == 0) {
            run++;
            continue;
        }
        count_run(&c, run);
        run = 0;
        c.rle0[sample[i]]++;
        c.rle0x[sample[i]]++;
        count_symbol(&c, sample[i] + 1u);
    }
    count_run(&c, run);
    for (int a = 0; a < NEAR; a++)
        for (int b = 0; b < NEAR; b++)
            ranks += cost(c.length[a][b], LENGTHS, 0);
    for (int length = 2; length < LENGTHS; length++)
        ranks += cost(c.top[length], TOP, 0);
    bits[SBZ_ENTROPY_STORED] = 8 * (uint64_t)size;
    bits[SBZ_ENTROPY_RLE0] = cost(c.rle0, 256, bit) >> FRACTION;
    bits[SBZ_ENTROPY_RLE0X] = cost(c.rle0x, 256, bit) >> FRACTION;
    bits[SBZ_ENTROPY_ZRUN] = cost(c.zrun, 256, bit) >> FRACTION;
    bits[SBZ_ENTROPY_RANGECODER] = (ranks >> FRACTION) + c.plain;
    bits[SBZ_ENTROPY_AHUFF] = UINT64_MAX;       /* no smaller than RLE0X, and slow */
    bits[SBZ_ENTROPY_RANGECODER1] = UINT64_MAX; /* as ranks */
    bits[SBZ_ENTROPY_ZRUN_RAW] = UINT64_MAX;    /* as zrun, or less */
    bits[SBZ_ENTROPY_ZRUN_TABLES] = UINT64_MAX; /* as apart, or less */
    return is_noise(&c, bits);
}
