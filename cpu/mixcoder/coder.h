/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the encoders of mixcoder share: a decision of the range encoder, the length of a run, and the way through the segments. They
 * differ in how they code a symbol.
 */
#ifndef CPU_MIXCODER_CODER_H
#define CPU_MIXCODER_CODER_H

#include "../rangecoder/encoder.h"
#include "model.h"
#include <samebits/algorithms.h>
#include <samebits/module.h>

/* The probability tells compilers to choose by conditional moves: nobody can predict a bit. */
SB_INLINE void code(coder *c, uint32_t p, unsigned bit)
{
    const uint64_t bound = (c->range >> 16) * p, rest = c->range - bound;
    const bool one = __builtin_expect_with_probability(bit, 1, 0.5);

    c->range = one ? bound : rest;
    add(c, one ? 0 : bound);
    normalise(c);
}

SB_INLINE void code_node(coder *c, const sb_mix_decision *root, unsigned node, unsigned bit)
{
    sb_mix_decision x = sb_mix_length_node(root, node);
    const uint32_t p = sb_mix_predict(&x, 2);

    code(c, p, bit);
    sb_mix_learn(&x, 2, 0 - bit, sb_mix_length_shift);
}

SB_INLINE void code_length(coder *c, sb_mix_model *m, const sb_mix_decision *root, uint64_t length, unsigned exponent)
{
    unsigned rank = exponent;

    for (unsigned k = 0; k < SB_MIX_MAX_EXPONENT && k <= exponent; k++)
        code_node(c, root, k < SB_MIX_LAST_NODE ? k : SB_MIX_LAST_NODE, exponent > k);
    if (exponent == 0)
        return;
    if (exponent <= SB_MIX_MAX_MODELLED) {
        const unsigned first = length >> --rank & 1;

        code_node(c, root, SB_MIX_LAST_NODE + 1 + exponent, first);
        if (rank > 0) {
            uint16_t *second = &m->second[exponent][first];
            const unsigned bit = length >> --rank & 1;

            code(c, sb_mix_limit(*second), bit);
            sb_mix_adapt(second, 0 - bit, 6);
        }
    }
    while (rank-- > 0) {
        c->range >>= 1;
        add(c, c->range & (0 - (length >> rank & 1)));
        normalise(c);
    }
}

/* Codes the symbol of a run. */
typedef void symbol_coder(coder *c, sb_mix_model *m, unsigned symbol);

/* Returns the number of code bytes; n if that is not less than the number of bytes. */
SB_INLINE uint64_t encode_segment(sb_mix_model *m, const uint8_t *bytes, uint64_t n, uint8_t *words,
                                  symbol_coder *code_symbol)
{
    coder c = {.range = UINT64_MAX, .words = words, .capacity = n - 1};

    sb_mix_start(m);
    for (uint64_t i = 0, length; i < n && !c.full; i += length) {
        const unsigned symbol = bytes[i], place = sb_mix_place(m, symbol);
        const sb_mix_decision root = sb_mix_length_root(m, symbol, place);
        unsigned exponent;

        for (length = 1; i + length < n && bytes[i + length] == bytes[i];)
            length++;
        exponent = 63 - (unsigned)__builtin_clzll(length);
        code_symbol(&c, m, symbol);
        code_length(&c, m, &root, length, exponent);
        sb_mix_pass(m, symbol, place, exponent);
    }
    add(&c, UINT32_MAX);
    put_word(&c, (uint32_t)(c.low >> 32));
    return c.full ? n : c.used;
}

SB_INLINE sb_status encode(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace,
                           symbol_coder *code_symbol)
{
    const uint8_t *bytes = inputs[SB_RANGECODER_RANKS].data;
    uint64_t n = inputs[SB_RANGECODER_RANKS].length, segment = parameters[SB_RANGECODER_SEGMENT], written = 0;
    uint64_t *offset = outputs[SB_RANGECODER_OFFSET].data;
    uint8_t *payload = outputs[SB_RANGECODER_PAYLOAD].data;

    sb_mix_make_tables();
    for (uint64_t begin = 0, end; begin < n; begin = end) {
        uint64_t size;

        end = sb_segment_end(begin, segment, n);
        size = encode_segment(workspace, bytes + begin, end - begin, payload + written, code_symbol);
        if (size == end - begin)
            memcpy(payload + written, bytes + begin, size);
        *offset++ = written;
        written += size;
    }
    outputs[SB_RANGECODER_PAYLOAD].length = written;
    return SB_OK;
}

static inline uint64_t model_bytes(const uint64_t *parameters, const sb_array *inputs)
{
    (void)parameters, (void)inputs;
    return sizeof(sb_mix_model);
}

#endif
