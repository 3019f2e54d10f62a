/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The variants of rle0, rle0x and zrun share this code: a mask of the zeros among 64 bytes (bit 0 for the first byte),
 * copies of short stretches 16 bytes at a time, and encoders and decoders that are told how a run is written. sbz asks for
 * masks of other bytes, too.
 *
 * Source of sb_mask: the SWAR test for zero bytes, as in H. Warren, "Hacker's Delight", 2002.
 */
#ifndef CPU_RLE0_ZEROS_H
#define CPU_RLE0_ZEROS_H

#include <samebits/module.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { SB_GROUP = 64, SB_STRIDE = 16 }; /* bytes: a mask has 64 bits; a copy of 16 is one vector store */

/* The mask of the bytes that are `byte`. Without SSE2, which is part of x86-64, these become 0 first. In each byte, the sum
 * of the low seven bits and 127 then carries into the top bit unless these bits are 0, and a multiplication gathers the eight
 * top bits. Big-endian words are swapped, so that the first byte is the lowest. */
static inline uint64_t sb_mask(const uint8_t bytes[SB_GROUP], uint8_t byte)
{
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi8((char)byte);
    uint64_t mask = 0;

    for (unsigned i = 0; i < SB_GROUP; i += 16) {
        const __m128i here = _mm_loadu_si128((const __m128i *)(bytes + i));

        mask |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(here, wanted)) << i;
    }
    return mask;
#else
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu, all = 0x0101010101010101u * byte;
    uint64_t zeros = 0, word;

    for (unsigned i = 0; i < SB_GROUP / 8; i++) {
        memcpy(&word, bytes + 8 * i, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        word ^= all;
        word = ~(((word & low) + low) | word) & ~low;
        zeros |= ((word >> 7) * 0x0102040810204080u >> 56) << 8 * i;
    }
    return zeros;
#endif
}

static inline uint64_t sb_zeros(const uint8_t bytes[SB_GROUP])
{
    return sb_mask(bytes, 0);
}

/* The number of 0 bits below the lowest 1 bit; 64 for 0. */
static inline unsigned sb_low_zeros(uint64_t mask)
{
    return mask == 0 ? 64 : (unsigned)__builtin_ctzll(mask);
}

/* Copies `count` bytes, rounded up to a multiple of SB_STRIDE, at least one. */
static inline void sb_copy_strides(uint8_t *to, const uint8_t *from, unsigned count)
{
    memcpy(to, from, SB_STRIDE);
    for (unsigned i = SB_STRIDE; i < count; i += SB_STRIDE)
        memcpy(to + i, from + i, SB_STRIDE);
}

/* How an encoder writes its output; each function returns the end of what it has written. */
typedef struct sb_writers {
    void *(*run)(void *to, uint64_t run);                         /* a run of zeros; writes nothing for length 0 */
    void *(*row)(void *to, const uint8_t *bytes, unsigned count); /* other bytes; may write too many, as a copy does */
    void *(*byte)(void *to, uint8_t byte);                        /* one byte other than 0 */
} sb_writers;

static inline void *sb_write_row(void *to, const uint8_t *bytes, unsigned count)
{
    sb_copy_strides(to, bytes, count);
    return (uint8_t *)to + count;
}

static inline void *sb_write_byte(void *to, uint8_t byte)
{
    *(uint8_t *)to = byte;
    return (uint8_t *)to + 1;
}

/* Encodes a group. `run` is the length of the run that is open before it and, afterwards, of the one open after it. */
static inline __attribute__((always_inline)) void *sb_encode_group(const uint8_t *bytes, void *to, uint64_t *run,
                                                                   const sb_writers *write)
{
    uint64_t zeros = sb_zeros(bytes);

    for (unsigned k = 0; k < SB_GROUP;) {
        unsigned row = sb_low_zeros(~(zeros >> k)); /* the shift brings in bits that mean "not 0" */

        *run += row;
        k += row;
        if (k == SB_GROUP)
            break;
        to = write->run(to, *run);
        *run = 0;
        row = sb_low_zeros(zeros >> k);
        if (row > SB_GROUP - k)
            row = SB_GROUP - k;
        to = write->row(to, bytes + k, row);
        k += row;
    }
    return to;
}

/* Encodes n bytes. Runs, and rows of other bytes, are found by counting the low bits of masks. What a row writes too
 * much is overwritten later, or is within the capacity: one element of output for each byte of input. The last bytes
 * are encoded one by one. Returns the end of the output. */
static inline __attribute__((always_inline)) void *sb_encode_zeros(const uint8_t *bytes, uint64_t n, void *to,
                                                                   const sb_writers *write)
{
    uint64_t i = 0, run = 0;

    for (; n - i >= SB_GROUP + SB_STRIDE; i += SB_GROUP)
        to = sb_encode_group(bytes + i, to, &run, write);
    for (; i < n; i++) {
        if (bytes[i] == 0) {
            run++;
            continue;
        }
        to = write->byte(write->run(to, run), bytes[i]);
        run = 0;
    }
    return run > 0 ? write->run(to, run) : to;
}

enum {
    SB_READ_AHEAD = SB_GROUP + SB_STRIDE, /* how far decoding a group reads: the last count may follow it */
    SB_MAX_WRITTEN = SB_GROUP / 2 * 255 + SB_GROUP + SB_STRIDE /* how much decoding a group writes, at most */
};

static inline void sb_put_zeros(uint8_t *bytes, unsigned count)
{
    memset(bytes, 0, SB_STRIDE);
    if (count > SB_STRIDE)
        memset(bytes + SB_STRIDE, 0, count - SB_STRIDE);
}

/* Decodes a group, with the count after it if a run begins in its last byte; stops before a run whose count is not in
 * 1..max_count. Every 0 that is not a count begins a run: the mask finds the next one, and literals and zeros are
 * stored 16 at a time. Returns the number of code bytes decoded. */
static inline __attribute__((always_inline)) unsigned sb_decode_group(const uint8_t *code, uint8_t **bytes,
                                                                      unsigned max_count)
{
    uint64_t zeros = sb_zeros(code);
    uint8_t *to = *bytes;
    unsigned k = 0;

    while (k < SB_GROUP) {
        unsigned row = sb_low_zeros(zeros >> k), count;

        if (row > SB_GROUP - k)
            row = SB_GROUP - k;
        sb_copy_strides(to, code + k, row);
        to += row;
        k += row;
        if (k == SB_GROUP)
            break;
        count = code[k + 1];
        if (count - 1 >= max_count)
            break;
        sb_put_zeros(to, count);
        to += count;
        k += 2;
    }
    *bytes = to;
    return k;
}

/* Decodes a code. `take` reads the count at code[*i] and advances *i; it returns 0 for an invalid count. Counts of up
 * to `max_count` take one byte. A code that exceeds the capacity of the output is invalid. */
static inline __attribute__((always_inline)) sb_status
sb_decode_zeros(const sb_array *in, sb_array *out, unsigned max_count,
                uint64_t (*take)(const uint8_t *code, uint64_t n, uint64_t *i))
{
    const uint8_t *code = in->data;
    const uint64_t n = in->length;
    uint8_t *bytes = out->data, *to = bytes, *end = bytes + out->capacity;

    for (uint64_t i = 0; i < n;) {
        if (n - i >= SB_READ_AHEAD && end - to >= SB_MAX_WRITTEN)
            i += sb_decode_group(code + i, &to, max_count);
        if (code[i] != 0) {
            if (to == end)
                return SB_INVALID;
            *to++ = code[i++];
        } else {
            uint64_t run;

            i++;
            run = take(code, n, &i);
            if (run == 0 || (uint64_t)(end - to) < run)
                return SB_INVALID;
            memset(to, 0, run);
            to += run;
        }
    }
    out->length = (uint64_t)(to - bytes);
    return SB_OK;
}

/* Launches an encoder whose output is bytes: it needs twice the capacity of the input. */
static inline __attribute__((always_inline)) sb_status sb_encode_to_bytes(const sb_array *in, sb_array *out,
                                                                          const sb_writers *writers)
{
    if (out->capacity / 2 < in->length)
        return SB_FAILED;
    out->length =
        (uint64_t)((uint8_t *)sb_encode_zeros(in->data, in->length, out->data, writers) - (uint8_t *)out->data);
    return SB_OK;
}

#endif
