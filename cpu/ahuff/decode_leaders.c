/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ahuff.decode/leaders: contract in ref/ahuff.h.
 *
 * The block leader of a weight is looked up (tree.h). A byte is decoded from a window of at least 57 bits; a path and 8
 * bits take at most 55. Whether these bits are before the end of the code is checked afterwards.
 *
 * Source: D. Knuth, "Dynamic Huffman coding", 1985 (FGK: Faller 1973, Gallager 1978).
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

/* The bits from `position` on, first bit highest; bits after the payload are 0. */
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

/* Decodes a byte, advances `position` and updates the tree. False: the code is invalid. */
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

/* The maximum number of decoded bytes: a byte takes at least one bit. */
static uint64_t max_bytes(const sb_array *inputs)
{
    return 8 * inputs[SB_AHUFF_PAYLOAD].length;
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_ahuff_leader_count(max_bytes(inputs), parameters[SB_AHUFF_CHUNK]) > UINT32_MAX
               ? "a chunk may have 2^32 - 1 bytes or more"
               : NULL;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_ahuff_leader_count(max_bytes(inputs), parameters[SB_AHUFF_CHUNK]) * sizeof(uint16_t);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    code c = {inputs[SB_AHUFF_PAYLOAD].data, inputs[SB_AHUFF_PAYLOAD].length,
              *(const uint64_t *)inputs[SB_AHUFF_BITS].data};
    const uint64_t *offset = inputs[SB_AHUFF_OFFSET].data;
    uint64_t chunk = parameters[SB_AHUFF_CHUNK], chunks = inputs[SB_AHUFF_OFFSET].length, started = 0, n = 0;
    uint64_t position = 0, left = 0; /* bit in the payload; bytes left in the chunk */
    sb_array *out = &outputs[SB_AHUFF_BYTES];
    sb_ahuff_tree t;

    t.leader = workspace;
    if (c.payload_bytes != c.bits / 8 + (c.bits % 8 != 0) || !pads_with_zeros(&c))
        return SB_INVALID;
    for (; position < c.bits; left--) {
        if (left == 0) {
            if (started == chunks || offset[started++] != position)
                return SB_INVALID;
            sb_ahuff_start(&t);
            left = chunk == 0 ? UINT64_MAX : chunk;
        }
        if (n == out->capacity || !decode_byte(&c, &t, &position, (uint8_t *)out->data + n))
            return SB_INVALID;
        n++;
    }
    out->length = n;
    return started == chunks ? SB_OK : SB_INVALID;
}

extern const sb_variant sb_cpu_ahuff_decode_leaders[];
const sb_variant sb_cpu_ahuff_decode_leaders[] = {
    {"ahuff.decode", "leaders", "block leaders are looked up by weight", refuses, workspace_bytes, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
