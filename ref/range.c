/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The binary range coder: contract in range.h.
 */
#include "range.h"

static void put_word(sb_ref_range *c, uint32_t word)
{
    if (c->capacity - c->used < 4) {
        c->full = true;
        return;
    }
    for (int shift = 24; shift >= 0; shift -= 8)
        c->words[c->used++] = (uint8_t)(word >> shift);
}

static uint32_t get_word(sb_ref_range *c)
{
    uint32_t word = 0;

    for (int i = 0; i < 4; i++)
        word = word << 8 | (c->used + (uint64_t)i < c->capacity ? c->code[c->used + (uint64_t)i] : 0);
    c->used += 4;
    return word;
}

/* Adds to low, and propagates a carry into the words already written. */
static void add(sb_ref_range *c, uint64_t amount)
{
    c->low += amount;
    if (c->low >= amount)
        return;
    for (uint64_t i = c->used; i > 0 && ++c->words[i - 1] == 0;)
        i--;
}

static void normalise(sb_ref_range *c)
{
    if (c->range >> 32 != 0)
        return;
    if (!c->decoding)
        put_word(c, (uint32_t)(c->low >> 32));
    c->low = c->low << 32 | (c->decoding ? get_word(c) : 0);
    c->range <<= 32;
}

sb_ref_range sb_ref_range_encoder(uint8_t *words, uint64_t capacity)
{
    return (sb_ref_range){.range = UINT64_MAX, .words = words, .capacity = capacity};
}

sb_ref_range sb_ref_range_decoder(const uint8_t *code, uint64_t bytes)
{
    sb_ref_range c = {.decoding = true, .range = UINT64_MAX, .code = code, .capacity = bytes};

    c.low = (uint64_t)get_word(&c) << 32;
    c.low |= get_word(&c);
    return c;
}

unsigned sb_ref_range_bit(sb_ref_range *c, uint32_t p, unsigned bit)
{
    uint64_t bound = (c->range >> 16) * p;

    if (c->decoding)
        bit = c->low < bound;
    if (bit) {
        c->range = bound;
    } else {
        if (c->decoding)
            c->low -= bound;
        else
            add(c, bound);
        c->range -= bound;
    }
    normalise(c);
    return bit;
}

unsigned sb_ref_range_number(sb_ref_range *c, unsigned bits, unsigned number)
{
    c->range >>= bits;
    if (c->decoding) {
        number = (1u << bits) - 1; /* also if the code is past the interval, which only an invalid one can be */
        if (c->low / c->range < number)
            number = (unsigned)(c->low / c->range);
        c->low -= number * c->range;
    } else {
        add(c, number * c->range);
    }
    normalise(c);
    return number;
}

void sb_ref_range_end(sb_ref_range *c)
{
    add(c, UINT32_MAX);
    put_word(c, (uint32_t)(c->low >> 32));
}

bool sb_ref_range_ended(const sb_ref_range *c)
{
    return c->used == c->capacity + 4 && c->low >> 32 == 0;
}

bool sb_ref_range_passed(const sb_ref_range *c)
{
    return c->used > c->capacity + 4;
}

uint64_t sb_ref_range_segments(uint64_t n, uint64_t segment)
{
    return segment == 0 ? n != 0 : n / segment + (n % segment != 0);
}
