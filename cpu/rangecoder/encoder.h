/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The range encoder of rangecoder and mixcoder (ref/range.h): an interval of 64 bits, and words of 32 bits, the highest byte
 * first. It starts with low 0 and the range 2^64 - 1.
 */
#ifndef CPU_RANGECODER_ENCODER_H
#define CPU_RANGECODER_ENCODER_H

#include "segments.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct coder {
    uint64_t low, range;
    uint8_t *words;
    uint64_t used, capacity; /* bytes of `words` */
    bool full;               /* a word did not fit; it was left out */
} coder;

SB_INLINE void put_word(coder *c, uint32_t word)
{
    if (c->capacity - c->used < 4) {
        c->full = true;
        return;
    }
    for (int i = 0; i < 4; i++)
        c->words[c->used + (uint64_t)i] = (uint8_t)(word >> (24 - 8 * i));
    c->used += 4;
}

/* A carry goes into the words that are out. */
SB_INLINE void add(coder *c, uint64_t amount)
{
    c->low += amount;
    if (__builtin_expect(c->low < amount, 0))
        for (uint64_t i = c->used; i > 0 && ++c->words[i - 1] == 0;)
            i--;
}

SB_INLINE void normalise(coder *c)
{
    if (__builtin_expect(c->range >> 32 == 0, 0)) {
        put_word(c, (uint32_t)(c->low >> 32));
        c->low <<= 32;
        c->range <<= 32;
    }
}

#endif
