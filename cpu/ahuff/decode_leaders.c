/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ahuff.decode/leaders: contract in ref/ahuff.h.
 *
 * The highest-numbered node of a weight is looked up (tree.h). A byte is read from a window of 57 bits and more, of
 * which a path and 8 bits take at most 55: only then is it seen whether they lie before the end.
 */
#include "tree.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct code {
    const uint8_t *payload;
    uint64_t payload_bytes, bits;
} code;

/* The bits from `position` on, the first the highest, and zeros behind the payload. */
static inline uint64_t window(const code *c, uint64_t position)
{
    uint64_t first = position / 8, bytes = c->payload_bytes - first, bits = 0;

    if (bytes >= 8)
        for (int i = 0; i < 8; i++)
            bits = bits << 8 | c->payload[first + (uint64_t)i];
    else
        for (uint64_t i = 0; i < bytes; i++)
            bits |= (uint64_t)c->payload[first + i] << (56 - 8 * i);
    return bits << position % 8;
}

/* Reads a byte, moves `position` behind it and lets the tree grow. */
static inline bool decode_byte(const code *c, sb_ahuff_tree *t, uint64_t *position, uint8_t *byte)
{
    uint64_t bits = window(c, *position);
    unsigned node = SB_AHUFF_ROOT, used = 0;

    for (; !(t->below[node] & SB_AHUFF_LEAF); bits <<= 1, used++)
        node = t->below[node] + (unsigned)(bits >> 63);
    *byte = (uint8_t)(node == t->nyt ? bits >> 56 : t->below[node]);
    used += node == t->nyt ? 8 : 0;
    if (used > c->bits - *position || (node == t->nyt && t->leaf[*byte] != 0))
        return false;
    *position += used;
    if (node == t->nyt)
        sb_ahuff_add(t, *byte);
    else
        sb_ahuff_update(t, node);
    return true;
}

static bool pads_with_zeros(const code *c)
{
    return c->bits % 8 == 0 || (c->payload[c->payload_bytes - 1] & (255 >> c->bits % 8)) == 0;
}

/* A bit may stand for a byte. */
static uint64_t most_bytes(const sb_array *inputs)
{
    return 8 * inputs[SB_AHUFF_PAYLOAD].length;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_ahuff_tops(most_bytes(inputs), parameters[SB_AHUFF_CHUNK]) > UINT32_MAX
               ? "possibly a chunk of 2^32 - 1 bytes or more"
               : NULL;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_ahuff_tops(most_bytes(inputs), parameters[SB_AHUFF_CHUNK]) * sizeof(uint16_t);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    code c = {inputs[SB_AHUFF_PAYLOAD].data, inputs[SB_AHUFF_PAYLOAD].length,
              *(const uint64_t *)inputs[SB_AHUFF_BITS].data};
    const uint64_t *offset = inputs[SB_AHUFF_OFFSET].data;
    uint64_t chunk = parameters[SB_AHUFF_CHUNK], chunks = inputs[SB_AHUFF_OFFSET].length, met = 0, n = 0;
    uint64_t position = 0, left = 0; /* in the payload; of the chunk */
    sb_array *out = &outputs[SB_AHUFF_BYTES];
    sb_ahuff_tree t;

    t.top = workspace;
    if (c.payload_bytes != c.bits / 8 + (c.bits % 8 != 0) || !pads_with_zeros(&c))
        return SB_INVALID;
    for (; position < c.bits; left--) {
        if (left == 0) {
            if (met == chunks || offset[met++] != position)
                return SB_INVALID;
            sb_ahuff_plant(&t);
            left = chunk == 0 ? UINT64_MAX : chunk;
        }
        if (n == out->capacity || !decode_byte(&c, &t, &position, (uint8_t *)out->data + n))
            return SB_INVALID;
        n++;
    }
    out->length = n;
    return met == chunks ? SB_OK : SB_INVALID;
}

extern const sb_variant sb_cpu_ahuff_decode_leaders[];
const sb_variant sb_cpu_ahuff_decode_leaders[] = {
    {"ahuff.decode", "leaders", "the node to swap with is looked up by weight", refuses, workspace_bytes, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
