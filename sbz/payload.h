/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers in payloads: seven bits a byte, the lowest first; the eighth bit says that another byte follows (LEB128). A
 * cursor fails at the end of its bytes, at a number of more than 63 bits, and at one that is not of the shortest form.
 * All further calls then fail.
 */
#ifndef SBZ_PAYLOAD_H
#define SBZ_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sbz_cursor {
    uint8_t *at, *end;
    bool failed;
} sbz_cursor;

static inline size_t sbz_left(const sbz_cursor *c)
{
    return (size_t)(c->end - c->at);
}

static inline void sbz_put_number(sbz_cursor *c, uint64_t value)
{
    do {
        c->failed = c->failed || c->at == c->end;
        if (c->failed)
            return;
        *c->at++ = (uint8_t)((value & 127) | (value > 127 ? 128 : 0));
        value >>= 7;
    } while (value != 0);
}

static inline uint64_t sbz_get_number(sbz_cursor *c)
{
    uint64_t value = 0;

    for (int shift = 0; shift < 63; shift += 7) {
        uint8_t byte;

        c->failed = c->failed || c->at == c->end;
        if (c->failed)
            return 0;
        byte = *c->at++;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            c->failed = byte == 0 && shift > 0;
            return c->failed ? 0 : value;
        }
    }
    c->failed = true;
    return 0;
}

/* Offsets are stored as differences; the first, which is 0, is not stored. Offsets that were read are untrusted: they
 * may wrap around and point anywhere. Decoders check their range. */
static inline void sbz_put_offsets(sbz_cursor *c, const uint64_t *offset, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++)
        sbz_put_number(c, offset[i] - offset[i - 1]);
}

static inline bool sbz_get_offsets(sbz_cursor *c, uint64_t *offset, uint64_t count)
{
    offset[0] = 0;
    for (uint64_t i = 1; i < count && !c->failed; i++)
        offset[i] = offset[i - 1] + sbz_get_number(c);
    return !c->failed;
}

#endif
