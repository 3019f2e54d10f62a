/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ahuff.encode/leaders: contract in ref/ahuff.h.
 *
 * The block leader of a weight is looked up (tree.h). The path of a byte is collected from the leaf up in one word:
 * with the 8 bits of a new byte it has at most 55 bits, and fewer than 8 are left from before.
 *
 * Source: D. Knuth, "Dynamic Huffman coding", 1985 (FGK: Faller 1973, Gallager 1978).
 */
#include "tree.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>
#include <stddef.h>

typedef struct writer {
    uint8_t *next;
    uint64_t left; /* bits not yet written, fewer than 8, in the lowest positions */
    unsigned bits; /* their number */
} writer;

static inline void put(writer *w, uint64_t code, unsigned bits)
{
    w->left = w->left << bits | code;
    for (w->bits += bits; w->bits >= 8; w->bits -= 8)
        *w->next++ = (uint8_t)(w->left >> (w->bits - 8));
}

static inline void put_path(writer *w, const sb_ahuff_tree *t, unsigned node, uint64_t raw, unsigned raw_bits)
{
    uint64_t code = raw;
    unsigned bits = raw_bits;

    for (; node != SB_AHUFF_ROOT; node = t->parent[node / 2])
        code |= (uint64_t)(node % 2) << bits++;
    put(w, code, bits);
}

static inline void encode_byte(writer *w, sb_ahuff_tree *t, uint8_t byte)
{
    unsigned leaf = t->leaf[byte];

    if (leaf == 0) {
        put_path(w, t, t->nyt, byte, 8);
        sb_ahuff_add(t, byte);
    } else {
        put_path(w, t, leaf, 0, 0);
        sb_ahuff_update(t, leaf);
    }
}

static const char *refuses(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_ahuff_leader_count(inputs[SB_AHUFF_BYTES].length, parameters[SB_AHUFF_CHUNK]) > UINT32_MAX
               ? "a chunk of 2^32 - 1 bytes or more"
               : NULL;
}

static uint64_t workspace_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    return sb_ahuff_leader_count(inputs[SB_AHUFF_BYTES].length, parameters[SB_AHUFF_CHUNK]) * sizeof(uint16_t);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint8_t *bytes = inputs[SB_AHUFF_BYTES].data;
    uint64_t n = inputs[SB_AHUFF_BYTES].length, chunk = parameters[SB_AHUFF_CHUNK];
    uint64_t *bits = outputs[SB_AHUFF_BITS].data, *offset = outputs[SB_AHUFF_OFFSET].data;
    uint8_t *payload = outputs[SB_AHUFF_PAYLOAD].data;
    writer w = {payload, 0, 0};
    sb_ahuff_tree t;

    t.leader = workspace;
    if (chunk == 0 || chunk > n)
        chunk = n;
    for (uint64_t first = 0; first < n; first += chunk) {
        uint64_t end = n - first < chunk ? n : first + chunk;

        *offset++ = 8 * (uint64_t)(w.next - payload) + w.bits;
        sb_ahuff_start(&t);
        for (uint64_t i = first; i < end; i++)
            encode_byte(&w, &t, bytes[i]);
    }
    *bits = n == 0 ? 0 : 8 * (uint64_t)(w.next - payload) + w.bits;
    if (w.bits > 0)
        put(&w, 0, 8 - w.bits);
    outputs[SB_AHUFF_PAYLOAD].length = *bits / 8 + (*bits % 8 != 0);
    return SB_OK;
}

extern const sb_variant sb_cpu_ahuff_encode_leaders[];
const sb_variant sb_cpu_ahuff_encode_leaders[] = {
    {"ahuff.encode", "leaders", "block leaders are looked up by weight", refuses, workspace_bytes, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
