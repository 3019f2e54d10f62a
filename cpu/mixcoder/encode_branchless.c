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
    unsigned node = 1;

    for (int i = 7; i >= 0; i--) {
        sb_mix_cells x = sb_mix_symbol_cells(m, node);
        const uint32_t p = sb_mix_predict(&x, 3), bit = symbol >> i & 1, mask = 0 - bit;

        code(c, p, 0 - (uint64_t)bit);
        sb_mix_learn(&x, mask, 2, 3, 3);
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
