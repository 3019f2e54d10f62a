/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What sorting the rotations of a block has in common with sorting suffixes.
 *
 * A block is root^times with a primitive root, whose rotations all differ. The least of them is a Lyndon word, and of a
 * Lyndon word the suffixes, where an end is smaller than any byte, have the order of the rotations: so the rotations of
 * the root are sorted as suffixes of the word that starts at `least`. In the table of the block each of these rows then
 * stands `times` times, and rotation 0 leads its group.
 *
 * Sources: J.-P. Duval, "Factorizing words over an ordered alphabet", 1983; R. Giancarlo, A. Restivo, M. Sciortino,
 * "From first principles to the Burrows and Wheeler transform and beyond", 2007.
 */
#ifndef CPU_BWT_ROTATION_H
#define CPU_BWT_ROTATION_H

#include <stdint.h>
#include <string.h>

typedef struct sb_root {
    uint64_t length; /* of the primitive root; divides that of the block */
    uint64_t least;  /* where its least rotation starts, below length */
} sb_root;

/* Every start below `rival` but `least` is known to be no least rotation. The two are compared byte by byte; where they
 * differ after `equal` bytes, the larger loses, and with it the `equal` starts that follow. If they are equal all
 * round, the rival is the next start of the same rotation, one root further. 3n steps at most, no memory. n > 0. */
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

/* Eight bytes, which compare as the number does. */
static inline uint64_t sb_read_word(const uint8_t *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

#endif
