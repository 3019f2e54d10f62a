/* SPDX-License-Identifier: BSD-2-Clause
 *
 * mixcoder.encode/branchless: contract in ref/mixcoder.h.
 *
 * One pass over the bytes. The bits of a run are known before they are coded, so only range, low and the cells form a
 * chain of dependences, and none of its steps branches on a bit (model.h). A carry and a full word are rare.
 *
 * Sources: those of ref/mixcoder.h.
 */
#include "coder.h"

SB_INLINE void code_symbol(coder *c, sb_mix_model *m, unsigned symbol)
{
    sb_mix_path path = sb_mix_start_path(m);
    unsigned node = 1;

    for (unsigned depth = 0; depth < 8; depth++) {
        const uint64_t continues = sb_mix_continues(&path);
        sb_mix_decision x = sb_mix_symbol_decision(m, &path, continues, node, depth);
        const uint32_t bit = symbol >> (7 - depth) & 1, mask = 0 - bit;

        if (depth == 7 && continues & 3) /* the bit that the symbol of the run before does not have */
            break;
        code(c, sb_mix_predict(&x, 4), bit);
        sb_mix_learn(&x, 4, mask, sb_mix_symbol_shift);
        sb_mix_follow(&path, mask);
        node = 2 * node + bit;
    }
}

static sb_status launch(const uint64_t *parameters, const sb_array *inputs, sb_array *outputs, void *workspace)
{
    return encode(parameters, inputs, outputs, workspace, code_symbol);
}

extern const sb_variant sb_cpu_mixcoder_encode_branchless[];
const sb_variant sb_cpu_mixcoder_encode_branchless[] = {
    {"mixcoder.encode", "branchless", "one pass, no branch on a bit", NULL, model_bytes, launch},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
