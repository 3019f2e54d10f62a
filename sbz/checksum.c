/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CRC-64, polynomial of ECMA-182, bits reflected, begun and ended with all bits inverted: contract in format.h.
 *
 * A register holds a polynomial over GF(2) of degree below 64, its highest coefficient in the lowest bit. Slicing by
 * eight: slice[k][b] is the register after byte b and k zero bytes, so eight bytes are looked up at once.
 *
 * With carry-less multiplication (PCLMULQDQ) it folds 64 bytes at a time (V. Gopal et al., "Fast CRC computation for
 * generic polynomials using PCLMULQDQ instruction", Intel, 2009). 16 bytes are a x^64 + b. If they stand n bits before
 * other bytes, a (x^(64 + n) mod P) + b (x^n mod P) can be added to those instead. In the end 16 bytes are left, which
 * have the same register as all. The product of two registers has 127 bits, and its lowest bit is 0: that is one factor
 * x too many, so the exponents are lower by one.
 */
#include "format.h"
#include <endian.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define FOLDS
#endif

static const uint64_t POLYNOMIAL = 0xc96c5795d7870f42u; /* 0x42f0e1eba9ea3693 reflected */
enum { SLICES = 8, VECTOR = 16, VECTORS = 4, FOLD = VECTOR * VECTORS /* bytes */ };

static uint64_t slice[SLICES][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

/* Multiplies by x. */
static uint64_t shifted(uint64_t value)
{
    return value >> 1 ^ (POLYNOMIAL & -(value & 1));
}

static void make_slices(void)
{
    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t value = byte;

        for (int bit = 0; bit < 8; bit++)
            value = shifted(value);
        slice[0][byte] = value;
    }
    for (int k = 1; k < SLICES; k++)
        for (unsigned byte = 0; byte < 256; byte++)
            slice[k][byte] = slice[k - 1][byte] >> 8 ^ slice[0][slice[k - 1][byte] & 255];
}

/* The register after the next SLICES bytes. */
static uint64_t past(uint64_t value, const uint8_t *from)
{
    uint64_t word;

    memcpy(&word, from, sizeof word);
    value ^= le64toh(word);
    return slice[7][value & 255] ^ slice[6][value >> 8 & 255] ^ slice[5][value >> 16 & 255] ^
           slice[4][value >> 24 & 255] ^ slice[3][value >> 32 & 255] ^ slice[2][value >> 40 & 255] ^
           slice[1][value >> 48 & 255] ^ slice[0][value >> 56];
}

#ifdef FOLDS

typedef long long vector __attribute__((vector_size(VECTOR)));

/* Powers of x for the two halves of a vector that is moved by VECTORS vectors, and by one vector. */
static uint64_t fold_power[2][2];
static bool folds;

static uint64_t power_of_x(unsigned exponent)
{
    uint64_t value = (uint64_t)1 << 63;

    while (exponent-- > 0)
        value = shifted(value);
    return value;
}

static void prepare(void)
{
    make_slices();
    folds = __builtin_cpu_supports("pclmul");
    for (unsigned i = 0; i < 2; i++) {
        const unsigned bits = 8 * (i == 0 ? FOLD : VECTOR);

        fold_power[i][0] = power_of_x(bits + 64 - 1);
        fold_power[i][1] = power_of_x(bits - 1);
    }
}

__attribute__((target("pclmul"))) static inline vector moved(vector bytes, vector powers)
{
    return (vector)_mm_clmulepi64_si128((__m128i)bytes, (__m128i)powers, 0x00) ^
           (vector)_mm_clmulepi64_si128((__m128i)bytes, (__m128i)powers, 0x11);
}

/* `size` is a multiple of FOLD, and not 0. */
__attribute__((target("pclmul"))) static uint64_t past_folded(uint64_t value, const uint8_t *from, size_t size)
{
    vector sum[VECTORS], next[VECTORS], powers;
    uint8_t left[VECTOR];

    memcpy(sum, from, FOLD);
    sum[0][0] ^= (long long)value;
    memcpy(&powers, fold_power[0], VECTOR);
    for (size_t i = FOLD; i < size; i += FOLD) {
        memcpy(next, from + i, FOLD);
        for (int k = 0; k < VECTORS; k++)
            sum[k] = moved(sum[k], powers) ^ next[k];
    }
    memcpy(&powers, fold_power[1], VECTOR);
    for (int k = 1; k < VECTORS; k++)
        sum[k] ^= moved(sum[k - 1], powers);
    memcpy(left, &sum[VECTORS - 1], VECTOR);
    return past(past(0, left), left + SLICES);
}

#else

static const bool folds = false;

static void prepare(void)
{
    make_slices();
}

static uint64_t past_folded(uint64_t value, const uint8_t *from, size_t size)
{
    (void)from, (void)size;
    return value;
}

#endif

uint64_t sbz_checksum(uint64_t checksum, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    const size_t folded = size / FOLD * FOLD;

    pthread_once(&made, prepare);
    checksum = ~checksum;
    if (folds && folded > 0) {
        checksum = past_folded(checksum, from, folded);
        from += folded;
        size -= folded;
    }
    for (; size >= SLICES; from += SLICES, size -= SLICES)
        checksum = past(checksum, from);
    for (; size > 0; from++, size--)
        checksum = checksum >> 8 ^ slice[0][(checksum ^ *from) & 255];
    return ~checksum;
}

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t sum = 0;

    for (uint64_t bit = (uint64_t)1 << 63; bit != 0; bit >>= 1, b = shifted(b))
        if (a & bit)
            sum ^= b;
    return sum;
}

/* Multiplies the first register by x^(8 * second_size), by squaring. The inversions at both ends cancel out. 0, the sum of no
 * bytes, stays 0: so the first block of a stream costs nothing. */
uint64_t sbz_checksum_join(uint64_t first, uint64_t second, uint64_t second_size)
{
    uint64_t power = (uint64_t)1 << (63 - 8); /* x^8, then its squares */

    for (; second_size != 0 && first != 0; second_size >>= 1, power = product(power, power))
        if (second_size & 1)
            first = product(power, first);
    return first ^ second;
}
