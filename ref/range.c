/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The binary range coder, and the way through segments: contract in range.h.
 */
#include "range.h"
#include <string.h>

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

static sb_ref_range decoder(const uint8_t *code, uint64_t bytes)
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

static void end(sb_ref_range *c)
{
    add(c, UINT32_MAX);
    put_word(c, (uint32_t)(c->low >> 32));
}

static bool ended(const sb_ref_range *c)
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

uint64_t sb_ref_range_encode_segments(sb_ref_segment_encoder *encode, void *models, const uint8_t *bytes, uint64_t n,
                                      uint64_t segment, uint8_t *payload, uint64_t *offset)
{
    uint64_t written = 0;

    for (uint64_t begin = 0, length; begin < n; begin += length) {
        length = segment == 0 || segment > n - begin ? n - begin : segment;
        sb_ref_range c = {.range = UINT64_MAX, .words = payload + written, .capacity = length - 1};

        encode(&c, models, bytes + begin, length);
        end(&c);
        if (c.full)
            memcpy(payload + written, bytes + begin, length);
        *offset++ = written;
        written += c.full ? length : c.used;
    }
    return written;
}

sb_ref_status sb_ref_range_decode_segments(sb_ref_segment_decoder *decode, void *models, const uint8_t *payload,
                                           uint64_t payload_bytes, const uint64_t *offset, uint64_t segment,
                                           uint8_t *bytes, uint64_t n)
{
    uint64_t segments = sb_ref_range_segments(n, segment);

    if (segments == 0 ? payload_bytes != 0 : offset[0] != 0)
        return SB_REF_INVALID;
    for (uint64_t i = 0; i < segments; i++) {
        uint64_t begin = offset[i], past = i + 1 < segments ? offset[i + 1] : payload_bytes, length = n;

        if (segment != 0)
            length = i + 1 < segments ? segment : n - i * segment;
        if (begin > past || past > payload_bytes || past - begin > length)
            return SB_REF_INVALID;
        if (past - begin == length) {
            memcpy(bytes, payload + begin, length);
        } else {
            sb_ref_range c = decoder(payload + begin, past - begin);

            if (!decode(&c, models, bytes, length) || !ended(&c))
                return SB_REF_INVALID;
        }
        bytes += length;
    }
    return SB_REF_OK;
}
