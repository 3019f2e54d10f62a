/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Estimates: contract in estimate.h.
 *
 * A Huffman code costs about the entropy of its symbols, and never less than a bit for one; the symbols are counted as
 * the stage before makes them.
 */
#include "estimate.h"
#include <string.h>

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

static uint64_t huffman_bits(const uint64_t count[256])
{
    uint64_t total = 0, bits = 0;

    for (int s = 0; s < 256; s++)
        total += count[s];
    for (int s = 0; s < 256; s++) {
        uint64_t each = count[s] != 0 ? logarithm(total) - logarithm(count[s]) : 0;

        bits += count[s] * (each < (uint64_t)1 << FRACTION ? (uint64_t)1 << FRACTION : each);
    }
    return bits >> FRACTION;
}

static void count_run(uint64_t run, uint64_t rle0[256], uint64_t rle0x[256])
{
    if (run == 0)
        return;
    rle0[0] += run / 255 + (run % 255 != 0);
    rle0[255] += run / 255;
    if (run % 255 != 0)
        rle0[run % 255]++;
    rle0x[0]++;
    rle0x[255] += run / 255;
    rle0x[run % 255]++;
}

void sbz_estimate(const uint8_t *sample, size_t size, uint64_t bits[SBZ_ENTROPIES])
{
    uint64_t rle0[256] = {0}, rle0x[256] = {0}, run = 0;

    for (size_t i = 0; i < size; i++) {
        if (sample[i] == 0) {
            run++;
            continue;
        }
        count_run(run, rle0, rle0x);
        run = 0;
        rle0[sample[i]]++;
        rle0x[sample[i]]++;
    }
    count_run(run, rle0, rle0x);
    for (int i = 0; i < SBZ_ENTROPIES; i++)
        bits[i] = UINT64_MAX;
    bits[SBZ_ENTROPY_STORED] = 8 * (uint64_t)size;
    bits[SBZ_ENTROPY_RLE0] = huffman_bits(rle0);
    bits[SBZ_ENTROPY_RLE0X] = huffman_bits(rle0x);
}
