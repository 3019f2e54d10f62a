/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The variants of bwt.forward share this code: rotations as suffixes, blocks, and small parts of sorts.
 *
 * A block is root^times with a primitive root, whose rotations all differ. Its least rotation is a Lyndon word. The
 * suffixes of a Lyndon word, where the end is smaller than any byte, have the same order as its rotations. So the
 * rotations of the root can be sorted as suffixes of the word that starts at `least`. In the table of the block each of
 * these rows then occurs `times` times, and rotation 0 is the first of its group.
 *
 * Sources: J.-P. Duval, "Factorizing words over an ordered alphabet", 1983; R. Giancarlo, A. Restivo, M. Sciortino,
 * "From first principles to the Burrows and Wheeler transform and beyond", 2007.
 */
#ifndef CPU_BWT_ROTATION_H
#define CPU_BWT_ROTATION_H

#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdint.h>
#include <string.h>

typedef struct sb_root {
    uint64_t length; /* of the primitive root; divides that of the block */
    uint64_t least;  /* start of its least rotation, below length */
} sb_root;

/* Finds the root and its least rotation in at most 3n steps, without memory. n > 0.
 *
 * Invariant: no start below `rival` except `least` starts a least rotation. The rotations at `least` and `rival` are
 * compared byte by byte. If they differ after `equal` bytes, the larger one is excluded, and so are the `equal` starts
 * after it. If all n bytes agree, both are the same rotation, and the distance between them is the length of the root.
 */
static inline sb_root sb_find_root(const uint8_t *text, uint64_t n)
{
    uint64_t least = 0, rival = 1, equal = 0;

    while (rival < n && equal < n) {
        uint64_t i = least + equal, j = rival + equal;
        uint8_t a = text[i < n ? i : i - n], b = text[j < n ? j : j - n];

        if (a == b) {
            equal++;
            continue;
        }
        if (a < b) {
            rival += equal + 1;
        } else {
            least = i + 1 > rival ? i + 1 : rival;
            rival = least + 1;
        }
        equal = 0;
    }
    return (sb_root){equal == n && n > 1 ? rival - least : n, least};
}

static inline uint64_t sb_block_length(uint64_t n, uint64_t block, uint64_t first)
{
    return block == 0 || n - first < block ? n - first : block;
}

/* Eight bytes as a number that orders like the bytes do. */
static inline uint64_t sb_read_word(const uint8_t *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline uint64_t sb_median(uint64_t a, uint64_t b, uint64_t c)
{
    if (a > b)
        return a < c ? a : b > c ? b : c;
    return b < c ? b : a > c ? a : c;
}

/* A random number below `bound`, from the upper bits of a linear congruential generator (Knuth's MMIX constants). */
static inline uint32_t sb_draw_below(uint64_t *state, uint32_t bound)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((*state >> 32) * bound >> 32);
}

/* The length of the longest block of a case of bwt.forward. */
static inline uint64_t sb_longest_block(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_block_length(inputs[SB_BWT_FORWARD_TEXT].length, parameters[SB_BWT_BLOCK], 0);
}

/* A launch of bwt.forward: calls `sort_block` for each block, with `context`, until one does not return SB_OK. */
static inline __attribute__((always_inline)) sb_status sb_sort_blocks(
    sb_status (*sort_block)(void *context, const uint8_t *text, uint64_t n, uint8_t *last, uint64_t *primary),
    void *context, const uint64_t *parameters, const sb_array *inputs, sb_array *outputs)
{
    const uint8_t *text = inputs[SB_BWT_FORWARD_TEXT].data;
    uint8_t *last = outputs[SB_BWT_FORWARD_LAST].data;
    uint64_t *primary = outputs[SB_BWT_FORWARD_PRIMARY].data;
    const uint64_t n = inputs[SB_BWT_FORWARD_TEXT].length;
    sb_status status = SB_OK;

    for (uint64_t first = 0, length; status == SB_OK && first < n; first += length) {
        length = sb_block_length(n, parameters[SB_BWT_BLOCK], first);
        status = sort_block(context, text + first, length, last + first, primary++);
    }
    return status;
}

#endif
