/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the Huffman variants share: code lengths and canonical codes. Contract in ref/huffman.h.
 *
 * Sources: lengths by two queues: J. van Leeuwen, "On the construction of Huffman trees", 1976; canonical codes: E.
 * Schwartz, B. Kallick, "Generating a canonical prefix encoding", 1964.
 */
#ifndef CPU_HUFFMAN_CODES_H
#define CPU_HUFFMAN_CODES_H

#include <stdbool.h>
#include <stdint.h>

enum { SB_HUFFMAN_SYMBOLS = 256, SB_HUFFMAN_MAX_LENGTH = 45 }; /* bits; ref/huffman.h derives it */

/* For each length: the first code, the number of codes, and the number of shorter codes. `symbol` has the symbols in
 * the order of their codes. */
typedef struct sb_huffman_codes {
    uint64_t first[SB_HUFFMAN_MAX_LENGTH + 1];
    uint32_t count[SB_HUFFMAN_MAX_LENGTH + 1];
    uint32_t shorter[SB_HUFFMAN_MAX_LENGTH + 1];
    uint32_t symbols;
    uint8_t symbol[SB_HUFFMAN_SYMBOLS];
} sb_huffman_codes;

/* Computes code lengths. False: the counts add up to 2^32 or more. */
bool sb_huffman_lengths(const uint64_t count[SB_HUFFMAN_SYMBOLS], uint8_t length[SB_HUFFMAN_SYMBOLS]);

/* Computes canonical codes. False: a length is above SB_HUFFMAN_MAX_LENGTH. The Kraft sum is not checked. */
bool sb_huffman_order(sb_huffman_codes *codes, const uint8_t length[SB_HUFFMAN_SYMBOLS]);

/* Converts between a word and its bytes in memory, most significant byte first. */
static inline uint64_t sb_huffman_big_endian(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return word;
#else
    return __builtin_bswap64(word);
#endif
}

#endif
