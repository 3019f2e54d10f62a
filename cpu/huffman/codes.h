/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the Huffman variants share: lengths by two queues, and canonical codes. Contract in ref/huffman.h.
 */
#ifndef CPU_HUFFMAN_CODES_H
#define CPU_HUFFMAN_CODES_H

#include <stdbool.h>
#include <stdint.h>

enum { SB_HUFFMAN_SYMBOLS = 256, SB_HUFFMAN_LONGEST = 45 };

/* Of each length: its first code, how many codes there are, and how many are shorter; `symbol` in the order of codes.
 */
typedef struct sb_huffman_codes {
    uint64_t first[SB_HUFFMAN_LONGEST + 1];
    uint32_t count[SB_HUFFMAN_LONGEST + 1];
    uint32_t shorter[SB_HUFFMAN_LONGEST + 1];
    uint32_t symbols;
    uint8_t symbol[SB_HUFFMAN_SYMBOLS];
} sb_huffman_codes;

/* False: the counts add up to 2^32 or more. */
bool sb_huffman_lengths(const uint64_t count[SB_HUFFMAN_SYMBOLS], uint8_t length[SB_HUFFMAN_SYMBOLS]);

/* False: a length is over SB_HUFFMAN_LONGEST. */
bool sb_huffman_order(sb_huffman_codes *codes, const uint8_t length[SB_HUFFMAN_SYMBOLS]);

/* Between a word and its bytes in memory, highest first. */
static inline uint64_t sb_huffman_big_endian(uint64_t word)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return word;
#else
    return __builtin_bswap64(word);
#endif
}

#endif
