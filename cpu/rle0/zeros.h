/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What rle0, rle0x and zrun have in common: which of 64 bytes are 0, as a mask, the first byte's bit the lowest; copies
 * of a few bytes by 16; and coders that leave to each how a run is written.
 */
#ifndef CPU_RLE0_ZEROS_H
#define CPU_RLE0_ZEROS_H

#include <samebits/module.h>
#include <stdint.h>
#include <string.h>

enum { SB_GROUP = 64, SB_STRIDE = 16 };

/* In each word the sum of the low seven bits and 127 reaches the highest bit unless they are 0; then the eight highest
 * bits are gathered. Words of a big-endian machine have their first byte highest, and so they are turned. */
static inline uint64_t sb_zeros(const uint8_t bytes[SB_GROUP])
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    uint64_t zeros = 0, word;

    for (unsigned i = 0; i < SB_GROUP / 8; i++) {
        memcpy(&word, bytes + 8 * i, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        word = __builtin_bswap64(word);
#endif
        word = ~(((word & low) + low) | word) & ~low;
        zeros |= ((word >> 7) * 0x0102040810204080u >> 56) << 8 * i;
    }
    return zeros;
}

/* The number of 0 bits below the lowest 1; 64 of 0. */
static inline unsigned sb_low_zeros(uint64_t mask)
{
    return mask == 0 ? 64 : (unsigned)__builtin_ctzll(mask);
}

/* Copies `count` bytes, and up to 15 that do not matter. */
static inline void sb_copy_strides(uint8_t *to, const uint8_t *from, unsigned count)
{
    memcpy(to, from, SB_STRIDE);
    for (unsigned i = SB_STRIDE; i < count; i += SB_STRIDE)
        memcpy(to + i, from + i, SB_STRIDE);
}

/* How an encoder writes: each returns where what it has written ends. */
typedef struct sb_writers {
    void *(*run)(void *to, uint64_t run);                         /* of zeros; nothing for none */
    void *(*row)(void *to, const uint8_t *bytes, unsigned count); /* of others; by SB_STRIDE, more if need be */
    void *(*byte)(void *to, uint8_t byte);                        /* other than 0 */
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

/* A group, behind a run that is still open; leaves in `run` the one at its end. */
static inline __attribute__((always_inline)) void *sb_encode_group(const uint8_t *bytes, void *to, uint64_t *run,
                                                                   const sb_writers *write)
{
    uint64_t zeros = sb_zeros(bytes);

    for (unsigned k = 0; k < SB_GROUP;) {
        unsigned row = sb_low_zeros(~(zeros >> k)); /* shifting makes bytes behind the group look like others than 0 */

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

/* Runs, and rows of other bytes, are found by counting the low bits of masks. What is written too much of a row is
 * overwritten, or is no more than there is room for: an item of output for each byte of input. The last bytes are taken
 * one by one. Returns where the output ends. */
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
    SB_AHEAD = SB_GROUP + SB_STRIDE,                    /* how far decoding a group reads: a count may lie behind it */
    SB_MOST = SB_GROUP / 2 * 255 + SB_GROUP + SB_STRIDE /* how far it writes */
};

static inline void sb_put_zeros(uint8_t *bytes, unsigned count)
{
    memset(bytes, 0, SB_STRIDE);
    if (count > SB_STRIDE)
        memset(bytes + SB_STRIDE, 0, count - SB_STRIDE);
}

/* Decodes a group, up to a run whose count is not from 1 to `most`, and the count behind it if a run begins in its last
 * byte. In a valid code each 0 that no run before it has taken begins one: a mask finds the next, literals are copied
 * by 16, and a run's zeros are stored by 16 as well. Returns how many bytes of code that is. */
static inline __attribute__((always_inline)) unsigned sb_decode_group(const uint8_t *code, uint8_t **bytes,
                                                                      unsigned most)
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
        if (count - 1 >= most)
            break;
        sb_put_zeros(to, count);
        to += count;
        k += 2;
    }
    *bytes = to;
    return k;
}

/* The bytes that a code stands for; `take` gives the count at code[*i], behind which *i is left, and 0 when it is none.
 * Counts of up to `most` are one byte. What stands for more than there is room for is invalid. */
static inline __attribute__((always_inline)) sb_status sb_decode_zeros(const sb_array *in, sb_array *out, unsigned most,
                                                                       uint64_t (*take)(const uint8_t *code, uint64_t n,
                                                                                        uint64_t *i))
{
    const uint8_t *code = in->data;
    const uint64_t n = in->length;
    uint8_t *bytes = out->data, *to = bytes, *end = bytes + out->capacity;

    for (uint64_t i = 0; i < n;) {
        if (n - i >= SB_AHEAD && end - to >= SB_MOST)
            i += sb_decode_group(code + i, &to, most);
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

/* A launch of an encoder to bytes: the output has twice the room of the input. */
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
