/* SPDX-License-Identifier: BSD-2-Clause
 *
 * CRC-64, polynomial of ECMA-182, bits reflected, begun and ended with all bits inverted: contract in format.h.
 *
 * A register is a polynomial over GF(2) of degree below 64, its highest coefficient in the lowest bit. slice[k][b] is
 * what byte b becomes when k more zero bytes pass, so eight bytes are taken at a time.
 */
#include "format.h"
#include <endian.h>
#include <pthread.h>
#include <string.h>

static const uint64_t POLYNOMIAL = 0xc96c5795d7870f42u; /* 0x42f0e1eba9ea3693 reflected */
enum { SLICES = 8, PARTS = 3, LONG = 1 << 16 };

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

/* What a register becomes by the next SLICES bytes. */
static uint64_t past(uint64_t value, const uint8_t *from)
{
    uint64_t word;

    memcpy(&word, from, sizeof word);
    value ^= le64toh(word);
    return slice[7][value & 255] ^ slice[6][value >> 8 & 255] ^ slice[5][value >> 16 & 255] ^
           slice[4][value >> 24 & 255] ^ slice[3][value >> 32 & 255] ^ slice[2][value >> 40 & 255] ^
           slice[1][value >> 48 & 255] ^ slice[0][value >> 56];
}

/* Three parts of `size` bytes: a step waits for the one before, but not for those of the other parts. */
static uint64_t checksum_of_parts(uint64_t checksum, const uint8_t *from, size_t size)
{
    uint64_t a = ~checksum, b = ~(uint64_t)0, c = b;

    for (size_t i = 0; i < size; i += SLICES) {
        a = past(a, from + i);
        b = past(b, from + size + i);
        c = past(c, from + 2 * size + i);
    }
    return sbz_checksum_join(sbz_checksum_join(~a, ~b, size), ~c, size);
}

uint64_t sbz_checksum(uint64_t checksum, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    const size_t part = size / (PARTS * SLICES) * SLICES;

    pthread_once(&made, make_slices);
    if (size >= LONG) {
        checksum = checksum_of_parts(checksum, from, part);
        from += PARTS * part;
        size -= PARTS * part;
    }
    checksum = ~checksum;
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

/* The first register moves on by 8 * second_size zero bits. That both are inverted at both ends cancels out. */
uint64_t sbz_checksum_join(uint64_t first, uint64_t second, uint64_t second_size)
{
    uint64_t power = (uint64_t)1 << (63 - 8); /* x^8, then its squares */

    for (; second_size != 0; second_size >>= 1, power = product(power, power))
        if (second_size & 1)
            first = product(power, first);
    return first ^ second;
}
