/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A move-to-front list as 32 words of eight positions, the first of them in the low byte.
 */
#ifndef CPU_MTF_WORDS_H
#define CPU_MTF_WORDS_H

#include <stdint.h>

enum { SB_WORDS = 256 / 8 };

#define SB_WORD_ONES 0x0101010101010101u

static inline void sb_words_reset(uint64_t list[SB_WORDS])
{
    for (uint64_t i = 0; i < SB_WORDS; i++)
        list[i] = 0x0706050403020100u + 8 * i * SB_WORD_ONES;
}

/* The way of one symbol through the list: what it has carried out of the words so far, all ones until it is found, and
 * how many positions it has moved. */
typedef struct sb_mover {
    uint64_t symbols; /* the symbol in every byte */
    uint64_t carried, moving, moved;
} sb_mover;

static inline sb_mover sb_mover_of(uint8_t symbol)
{
    sb_mover mover = {symbol * SB_WORD_ONES, symbol, ~(uint64_t)0, 0};

    return mover;
}

/* Takes the next word and gives what becomes of it, without a branch. A zero byte of the difference is found by the
 * borrow it lets through; only the lowest hit is sure, and a list holds a symbol once. */
static inline uint64_t sb_mover_pass(sb_mover *mover, uint64_t word)
{
    uint64_t difference = word ^ mover->symbols;
    uint64_t found = (difference - SB_WORD_ONES) & ~difference & SB_WORD_ONES << 7;
    uint64_t here = (found ^ (found - 1)) & mover->moving; /* the positions up to the hit, or all */
    uint64_t result = ((word << 8 | mover->carried) & here) | (word & ~here);

    mover->carried = word >> 56;
    mover->moved += (here & SB_WORD_ONES) * SB_WORD_ONES >> 56;
    mover->moving &= (uint64_t)0 - (found == 0);
    return result;
}

#endif
