/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Estimates: contract in estimate.h.
 *
 * A Huffman code takes about the entropy of its symbols, but at least one bit for each; count_run and count_symbol make
 * the symbols that rle0, rle0x and zrun would make. The range coder takes about the entropy of its decisions in their
 * contexts.
 */
#include "estimate.h"

enum { FRACTION = 16 }; /* bits of a fixed-point logarithm behind the point */

/* log2 of a number over 0, in units of 2^-FRACTION. Squaring the mantissa gives one bit of the result at a time. */
static uint64_t logarithm(uint64_t value)
{
    int whole = 63 - __builtin_clzll(value);
    uint64_t mantissa = whole >= 31 ? value >> (whole - 31) : value << (31 - whole); /* 1..2 in units of 2^-31 */
    uint64_t result = (uint64_t)whole << FRACTION;

    for (int bit = FRACTION - 1; bit >= 0; bit--) {
        mantissa = mantissa * mantissa >> 31;

        const uint64_t carry = mantissa >> 32; /* no branch: half of them would be predicted wrongly */

        mantissa >>= carry;
        result |= carry << bit;
    }
    return result;
}

uint64_t sbz_times_logarithm(uint64_t n)
{
    return n > 1 ? n * logarithm(n) : 0;
}

/* The entropy of the counted symbols in units of 2^-FRACTION bits, where each symbol takes at least `min_bits` of these
 * units. */
static uint64_t cost(const uint32_t *count, int symbols, uint64_t min_bits)
{
    uint64_t total = 0, sum = 0, log_total;

    for (int s = 0; s < symbols; s++)
        total += count[s];
    log_total = total > 0 ? logarithm(total) : 0;
    for (int s = 0; s < symbols; s++) {
        const uint64_t each = count[s] != 0 ? log_total - logarithm(count[s]) : 0;

        sum += count[s] * (each < min_bits ? min_bits : each);
    }
    return sum;
}

uint64_t sbz_entropy_bits(const uint32_t *count, int symbols)
{
    return cost(count, symbols, 0) >> FRACTION;
}

/* The contexts of the range coder (ref/rangecoder.h): the bit length of a symbol, 0 to 9, is coded in the context of
 * the two lengths before it, each but at most 3; the two bits below the top bit in the context of the length; other
 * bits are raw. */
enum { LENGTHS = 10, NEAR = 4, TOP = 4 };

typedef struct counts {
    uint32_t rle0[256], rle0x[256], zrun[256];
    uint32_t length[NEAR][NEAR][LENGTHS], top[LENGTHS][TOP];
    uint64_t raw;       /* bits without a context */
    unsigned before[2]; /* lengths of the last symbols, at most NEAR - 1 */
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
    c->raw += length > 3 && length < 9 ? length - 3 : 0;
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

/* Lists of checksums are noise in hexadecimal digits between words. Their ranks of 4 bits are more frequent than those
 * of 3 bits (by 5/4), those of 5 bits are not much rarer (over 1/5), and contexts hardly help (the range coder saves
 * less than 1/12 of zrun). In prose and programs longer ranks are ever rarer, and data of at most 16 values needs no
 * second table. The fractions were read off lists of md5 sums; they hold for one in fifty blocks of a Debian system,
 * and for none of program text. */
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
    uint64_t rangecoder = 0;

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
            rangecoder += cost(c.length[a][b], LENGTHS, 0);
    for (int length = 2; length < LENGTHS; length++)
        rangecoder += cost(c.top[length], TOP, 0);
    bits[SBZ_ENTROPY_STORED] = 8 * (uint64_t)size;
    bits[SBZ_ENTROPY_RLE0] = cost(c.rle0, 256, bit) >> FRACTION;
    bits[SBZ_ENTROPY_RLE0X] = cost(c.rle0x, 256, bit) >> FRACTION;
    bits[SBZ_ENTROPY_ZRUN] = cost(c.zrun, 256, bit) >> FRACTION;
    bits[SBZ_ENTROPY_RANGECODER] = (rangecoder >> FRACTION) + c.raw;
    bits[SBZ_ENTROPY_AHUFF] = UINT64_MAX;       /* not smaller than rle0x, and slow */
    bits[SBZ_ENTROPY_RANGECODER1] = UINT64_MAX; /* about rangecoder */
    bits[SBZ_ENTROPY_ZRUN_RAW] = UINT64_MAX;    /* about zrun, or less */
    bits[SBZ_ENTROPY_ZRUN_TABLES] = UINT64_MAX; /* about zrun-raw, or less */
    bits[SBZ_ENTROPY_MIXCODER] = UINT64_MAX;    /* does not code ranks; encode.c tries it */
    return is_noise(&c, bits);
}
