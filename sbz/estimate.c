/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Estimates: contract in estimate.h.
 *
 * A Huffman code takes about the entropy of its symbols, but at least one bit for each; count_run and count_symbol make
 * the symbols that rle0 and zrun would make. The range coder takes about the entropy of its decisions in their
 * contexts.
 */
#include "estimate.h"
#include <stdatomic.h>

/* Bits of a fixed-point logarithm behind the point. Logarithms of numbers below KNOWN are kept: most counts of the reader's windows
 * are below; they take 16 KiB; not tuned. */
enum { FRACTION = 16, KNOWN = 1 << 12 };

/* log2 of a number over 0, in units of 2^-FRACTION. Squaring the mantissa gives one bit of the result at a time. A power of two
 * has no mantissa, and most counts of a short text are 1, 2 or 4. */
static uint64_t find_logarithm(uint64_t value)
{
    int whole = 63 - __builtin_clzll(value);

    if ((value & (value - 1)) == 0)
        return (uint64_t)whole << FRACTION;

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

/* The same, but computed once. Threads that find it at once store the same. */
static uint64_t logarithm(uint64_t value)
{
    static _Atomic uint32_t known[KNOWN]; /* 0: not yet; it is that of 1, too */
    uint32_t result;

    if (value >= KNOWN)
        return find_logarithm(value);
    result = atomic_load_explicit(&known[value], memory_order_relaxed);
    if (result == 0) {
        result = (uint32_t)find_logarithm(value);
        atomic_store_explicit(&known[value], result, memory_order_relaxed);
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

static void count_symbol(sbz_counts *c, unsigned symbol)
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
    c->before[0] = length < SBZ_NEAR ? length : SBZ_NEAR - 1;
}

static void count_run(sbz_counts *c, uint32_t run)
{
    if (run == 0)
        return;
    c->rle0[0] += run / 255 + (run % 255 != 0);
    c->rle0[255] += run / 255;
    if (run % 255 != 0)
        c->rle0[run % 255]++;
    for (run++; run > 1; run >>= 1)
        count_symbol(c, run & 1);
}

void sbz_count(const uint8_t *sample, size_t size, sbz_counts *counts)
{
    uint32_t run = 0;

    *counts = (sbz_counts){.size = size};
    for (size_t i = 0; i < size; i++) {
        if (sample[i] == 0) {
            run++;
            continue;
        }
        count_run(counts, run);
        run = 0;
        counts->rle0[sample[i]]++;
        count_symbol(counts, sample[i] + 1u);
    }
    count_run(counts, run);
}

uint64_t sbz_estimate_stored(const sbz_counts *counts)
{
    return 8 * counts->size;
}

static uint64_t huffman_bits(const uint32_t *count)
{
    return cost(count, 256, (uint64_t)1 << FRACTION) >> FRACTION;
}

uint64_t sbz_estimate_rle0(const sbz_counts *counts)
{
    return huffman_bits(counts->rle0);
}

uint64_t sbz_estimate_zrun(const sbz_counts *counts)
{
    return huffman_bits(counts->zrun);
}

uint64_t sbz_estimate_rangecoder(const sbz_counts *counts)
{
    uint64_t bits = 0;

    for (int a = 0; a < SBZ_NEAR; a++)
        for (int b = 0; b < SBZ_NEAR; b++)
            bits += cost(counts->length[a][b], SBZ_LENGTHS, 0);
    for (int length = 2; length < SBZ_LENGTHS; length++)
        bits += cost(counts->top[length], SBZ_TOP, 0);
    return (bits >> FRACTION) + counts->raw;
}

/* Limits of the kinds; measured on system files when each was introduced, without a table of halves and doubles. */
enum {
    /* A block is dense if the best estimate keeps DENSE of DENSE_OF of its bytes (13/16). An adaptive coder then
     * follows noise, so a single Huffman table (zrun-raw) is tried as well. */
    DENSE = 13,
    DENSE_OF = 16,
    /* A block is sparse if the range coder would keep less than 1/SPARSE of it. Then the range coder runs over the
     * whole block: a model that starts again in every segment would cost more than the few bytes that are left. */
    SPARSE = 16,
    SEGMENT = 1 << 16, /* bytes, of the range coder: a block with no more has one model in any case */
    /* Bytes. Several Huffman tables take about 600 bytes; a dense block with fewer bytes than this does not save that.
     */
    MIN_TABLES_BLOCK = 1 << 17
};

/* Lists of checksums are noise in hexadecimal digits between words. Their ranks of 4 bits are more frequent than those
 * of 3 bits (by 5/4), those of 5 bits are not much rarer (over 1/5), and contexts hardly help (the range coder saves
 * less than 1/12 of zrun). In prose and programs longer ranks are ever rarer, and data of at most 16 values needs no
 * second table. The fractions were read off lists of md5 sums; they hold for one in fifty blocks of a Debian system,
 * and for none of program text. */
static bool has_noise(const sbz_counts *c)
{
    const uint64_t zrun = sbz_estimate_zrun(c);
    uint64_t count[SBZ_LENGTHS] = {0};

    for (int a = 0; a < SBZ_NEAR; a++)
        for (int b = 0; b < SBZ_NEAR; b++)
            for (int length = 0; length < SBZ_LENGTHS; length++)
                count[length] += c->length[a][b][length];
    return 4 * count[4] > 5 * count[3] && 5 * count[5] > count[4] && sbz_estimate_rangecoder(c) >= zrun - zrun / 12;
}

sbz_kind sbz_kind_of(const sbz_counts *counts, uint64_t best, uint32_t block)
{
    const uint64_t stored = sbz_estimate_stored(counts);
    const bool mixed = has_noise(counts);

    if (best >= stored)
        return SBZ_KIND_NOISE;
    if (best >= stored / DENSE_OF * DENSE)
        return mixed && block >= MIN_TABLES_BLOCK ? SBZ_KIND_MIXED_DENSE : SBZ_KIND_DENSE;
    if (sbz_estimate_rangecoder(counts) < stored / SPARSE && block > SEGMENT)
        return mixed ? SBZ_KIND_MIXED_SPARSE : SBZ_KIND_SPARSE;
    return mixed ? SBZ_KIND_MIXED_ORDINARY : SBZ_KIND_ORDINARY;
}
