/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code lengths and canonical codes for all Huffman variants: contract in ref/huffman.h.
 *
 * Sources: code lengths with two queues: J. van Leeuwen, "On the construction of Huffman trees", 1976; canonical
 * codes: E. Schwartz, B. Kallick, "Generating a canonical prefix encoding", 1964.
 */
#ifndef CPU_HUFFMAN_CODES_H
#define CPU_HUFFMAN_CODES_H

#include <stdbool.h>
#include <stdint.h>

enum { SB_HUFFMAN_SYMBOLS = 256, SB_HUFFMAN_MAX_LENGTH = 45 }; /* bits; ref/huffman.h derives it */

/* Canonical codes. The i-th code in order belongs to symbol[i], and is first[l] + i - shorter[l], where l is its
 * length. */
typedef struct sb_huffman_codes {
    uint64_t first[SB_HUFFMAN_MAX_LENGTH + 1];   /* the first code of each length */
    uint32_t count[SB_HUFFMAN_MAX_LENGTH + 1];   /* the number of codes of each length */
    uint32_t shorter[SB_HUFFMAN_MAX_LENGTH + 1]; /* the number of shorter codes */
    uint32_t symbols;                            /* the number of symbols that have a code */
    uint8_t symbol[SB_HUFFMAN_SYMBOLS];          /* these symbols in the order of their codes */
} sb_huffman_codes;

/* Computes code lengths; 0 for a symbol that does not occur. False: the counts add up to 2^32 or more. */
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
