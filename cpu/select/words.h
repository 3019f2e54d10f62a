/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keys of any type as 64-bit words of the same order (ref/key.h), and back. Words of 4-byte keys are below 2^32.
 */
#ifndef CPU_SELECT_WORDS_H
#define CPU_SELECT_WORDS_H

#include <samebits/module.h>
#include <stdint.h>
#include <string.h>

/* Bits of a word. */
static inline unsigned sb_word_bits(uint64_t type)
{
    return type == SB_U64 || type == SB_F64 ? 64 : 32;
}

/* Writes the words of the keys first .. first + count - 1. */
static inline void sb_load_words(uint64_t type, const void *keys, uint64_t first, uint64_t count, uint64_t *word)
{
    const uint32_t *narrow = (const uint32_t *)keys + (sb_word_bits(type) == 32 ? first : 0);
    const uint64_t *wide = (const uint64_t *)keys + (sb_word_bits(type) == 64 ? first : 0);
    const uint64_t sign = (uint64_t)1 << 63;

    switch (type) {
    case SB_U32:
        for (uint64_t i = 0; i < count; i++)
            word[i] = narrow[i];
        break;
    case SB_I32:
        for (uint64_t i = 0; i < count; i++)
            word[i] = narrow[i] ^ 0x80000000;
        break;
    case SB_F32:
        for (uint64_t i = 0; i < count; i++)
            word[i] = narrow[i] ^ (-(narrow[i] >> 31) | 0x80000000);
        break;
    case SB_U64:
        memcpy(word, wide, count * sizeof *word);
        break;
    case SB_F64:
        for (uint64_t i = 0; i < count; i++)
            word[i] = wide[i] ^ (-(wide[i] >> 63) | sign);
        break;
    }
}

static inline void sb_store_key(uint64_t type, uint64_t word, void *key)
{
    const uint64_t sign = (uint64_t)1 << (sb_word_bits(type) - 1);
    uint32_t narrow;

    if (type == SB_I32)
        word ^= sign;
    else if (type == SB_F32 || type == SB_F64)
        word = word & sign ? word ^ sign : ~word;
    narrow = (uint32_t)word;
    if (sb_word_bits(type) == 32)
        memcpy(key, &narrow, sizeof narrow);
    else
        memcpy(key, &word, sizeof word);
}

#endif
