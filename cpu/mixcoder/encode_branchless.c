/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mixcoder.encode/branchless: contract in ref/mixcoder.h.
 *
 * One pass over the bytes. The bits of a run are known before they are coded, so only range, low and the cells form a
 * chain of dependences, and none of its steps branches on a bit (model.h). A carry and a full word are rare.
 *
 * Sources: those of ref/mixcoder.h.
 */
#include "model.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>

typedef struct coder {
    uint64_t low, range;
    uint8_t *words;
    uint64_t used, capacity;
    bool full;
} coder;

static inline void put_word(coder *c, uint32_t word)
{
    if (c->capacity - c->used < 4) {
        c->full = true;
        return;
    }
    for (int i = 0; i < 4; i++)
        c->words[c->used + (uint64_t)i] = (uint8_t)(word >> (24 - 8 * i));
    c->used += 4;
}

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

SB_INLINE void code(coder *c, uint32_t p, uint64_t mask)
{
    const uint64_t bound = (c->range >> 16) * p, rest = c->range - bound;

    add(c, bound & ~mask);
    c->range = rest ^ ((rest ^ bound) & mask);
    normalise(c);
}

SB_INLINE void code_symbol(coder *c, sb_mix_model *m, unsigned symbol)
{
    unsigned node = 1;

    for (int i = 7; i >= 0; i--) {
        sb_mix_cells x = sb_mix_symbol_cells(m, node);
        const uint32_t p = sb_mix_predict(&x, 3), bit = symbol >> i & 1, mask = 0 - bit;

        code(c, p, 0 - (uint64_t)bit);
        sb_mix_learn(&x, mask, 2, 3, 3);
        node = 2 * node + bit;
    }
}

SB_INLINE void code_node(coder *c, const sb_mix_cells *cells, unsigned node, unsigned bit)
{
    sb_mix_cells x = sb_mix_length_node(cells, node);
    const uint32_t p = sb_mix_predict(&x, 2);

    code(c, p, 0 - (uint64_t)bit);
    sb_mix_learn(&x, 0 - bit, 4, 5, 5);
}

SB_INLINE void code_length(coder *c, sb_mix_model *m, unsigned symbol, uint64_t length, unsigned exponent)
{
    const sb_mix_cells x = sb_mix_length_cells(m, symbol);
    unsigned rank = exponent;

    for (unsigned k = 0; k < SB_MIX_MAX_EXPONENT && k <= exponent; k++)
        code_node(c, &x, k < SB_MIX_LAST_NODE ? k : SB_MIX_LAST_NODE, exponent > k);
    if (exponent == 0)
        return;
    if (exponent <= SB_MIX_MAX_MODELLED) {
        const unsigned first = length >> --rank & 1;

        code_node(c, &x, SB_MIX_LAST_NODE + 1 + exponent, first);
        if (rank > 0) {
            uint16_t *second = &m->second[exponent][first];
            const unsigned bit = length >> --rank & 1;

            code(c, sb_mix_limit(*second), 0 - (uint64_t)bit);
            sb_mix_adapt(second, 0 - bit, 6);
        }
    }
    while (rank-- > 0) {
        c->range >>= 1;
        add(c, c->range & (0 - (length >> rank & 1)));
        normalise(c);
    }
}

/* Returns the number of code bytes; n if that is not less than the number of bytes. */
static uint64_t encode_segment(sb_mix_model *m, const uint8_t *bytes, uint64_t n, uint8_t *words)
{
    coder c = {.range = UINT64_MAX, .words = words, .capacity = n - 1};

    sb_mix_start(m);
    for (uint64_t i = 0, length; i < n && !c.full; i += length) {
        unsigned exponent;

        for (length = 1; i + length < n && bytes[i + length] == bytes[i];)
            length++;
        exponent = 63 - (unsigned)__builtin_clzll(length);
        code_symbol(&c, m, bytes[i]);
        code_length(&c, m, bytes[i], length, exponent);
        sb_mix_pass(m, bytes[i], exponent);
    }
    add(&c, UINT32_MAX);
    put_word(&c, (uint32_t)(c.low >> 32));
    return c.full ? n : c.used;
}

static uint64_t workspace(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters, (void)inputs;
    return sizeof(sb_mix_model);
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    const uint8_t *bytes = inputs[SB_RANGECODER_RANKS].data;
    uint64_t n = inputs[SB_RANGECODER_RANKS].length, segment = parameters[SB_RANGECODER_SEGMENT], written = 0;
    uint64_t *offset = outputs[SB_RANGECODER_OFFSET].data;
    uint8_t *payload = outputs[SB_RANGECODER_PAYLOAD].data;

    for (uint64_t begin = 0, end; begin < n; begin = end) {
        uint64_t size;

        end = sb_mix_segment_end(begin, segment, n);
        size = encode_segment(workspace, bytes + begin, end - begin, payload + written);
        if (size == end - begin)
            memcpy(payload + written, bytes + begin, size);
        *offset++ = written;
        written += size;
    }
    outputs[SB_RANGECODER_PAYLOAD].length = written;
    return SB_OK;
}

extern const sb_variant sb_cpu_mixcoder_encode_branchless[];
const sb_variant sb_cpu_mixcoder_encode_branchless[] = {
    {"mixcoder.encode", "branchless", "one pass, no branch on a bit", NULL, workspace, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
